"""`cytat add`: once, or with `--watch` again for each change until Ctrl+C."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cytat.corpus import Corpus
from cytat.records import IngestReport
from cytat.surfaces import terminal
from cytat.surfaces.calling import FAILED, Exit, put
from cytat.surfaces.progress import progress_bar

KINDS = ("added", "updated", "removed", "skipped", "failed")


@dataclass(frozen=True, slots=True)
class Addition:
    """What is to be added, and how."""

    paths: Sequence[str]
    metadata: dict[str, str]
    label: str | None
    password: str | None
    prune: bool
    chunking: str | None


def add_once(corpus: Corpus, wanted: Addition, *, as_json: bool) -> None:
    """Add, print the report, and end with exit code 1 if a file failed."""
    with progress_bar(quiet=as_json) as on_progress:
        report = corpus.add(
            wanted.paths,
            metadata=wanted.metadata,
            label=wanted.label,
            password=wanted.password,
            prune=wanted.prune,
            chunking=wanted.chunking,
            on_progress=on_progress,
        )
    put(report, as_json=as_json, text=terminal.ingest_report)
    if report.failed:
        raise Exit(FAILED)


def watch(corpus: Corpus, wanted: Addition, *, as_json: bool) -> None:
    """Add, then bring in changes as they happen, each with its report, until Ctrl+C."""
    done = Counter[str]()

    def show(report: IngestReport) -> None:
        done.update({kind: len(getattr(report, kind)) for kind in KINDS})
        put(report, as_json=as_json, text=terminal.ingest_report)

    terminal.talk("watching; Ctrl+C ends")
    try:
        corpus.watch(
            wanted.paths,
            metadata=wanted.metadata,
            label=wanted.label,
            password=wanted.password,
            prune=wanted.prune,
            chunking=wanted.chunking,
            on_report=show,
        )
    except KeyboardInterrupt:
        told = ", ".join(f"{done[kind]} {kind}" for kind in KINDS)
        terminal.talk(f"no longer watching: {told}; what was done is kept")
