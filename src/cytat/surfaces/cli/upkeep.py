"""The verbs that fill and keep a corpus: add, reindex, verify, backup, export."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from cytat.corpus import Corpus
from cytat.errors import UsageError
from cytat.records import AddKeywords, IngestReport, SourceItem
from cytat.surfaces.cli.calling import FAILED, Exit, put, settings_in_force, verb
from cytat.surfaces.terminal import printing
from cytat.surfaces.terminal.progress import progress_bar

KINDS = ("added", "updated", "removed", "skipped", "failed")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to add, and the options for it."""

    what: Sequence[str | SourceItem]
    metadata: dict[str, str]
    said: AddKeywords


def what_of(paths: Sequence[str], name: str | None) -> list[str | SourceItem]:
    """Return what to add: `-` is the text on standard input, under the given name."""
    if name == "" or paths.count("-") != (name is not None):
        raise UsageError(
            "--name is the name of the text on standard input",
            hint="for instance: cytat add - --name note.md < note.md",
        )
    return [_typed_in(name) if path == "-" and name is not None else path for path in paths]


def _typed_in(name: str) -> SourceItem:
    return SourceItem.of_bytes(name, sys.stdin.buffer.read())


def add_once(corpus: Corpus, wanted: Wanted, *, as_json: bool) -> None:
    """Add, print the report, and end with exit code 1 if a file failed."""
    with progress_bar(quiet=as_json) as on_progress:
        report = corpus.add(
            wanted.what, metadata=wanted.metadata, on_progress=on_progress, **wanted.said
        )
    put(report, as_json=as_json, text=printing.ingest_report)
    if report.failed:
        raise Exit(FAILED)


def watch(corpus: Corpus, wanted: Wanted, *, as_json: bool) -> None:
    """Add, then index changes as they happen, each with its report, until Ctrl+C."""
    done = Counter[str]()

    def show(report: IngestReport) -> None:
        done.update({kind: len(getattr(report, kind)) for kind in KINDS})
        put(report, as_json=as_json, text=printing.ingest_report)

    printing.talk("watching; Ctrl+C ends")
    try:
        corpus.watch(wanted.what, metadata=wanted.metadata, on_report=show, **wanted.said)
    except KeyboardInterrupt:
        counts = ", ".join(f"{done[kind]} {kind}" for kind in KINDS)
        printing.talk(f"no longer watching: {counts}; what was done is kept")


@click.command()
@click.option("--embedder", metavar="NAME", help="Rebuild all vectors with this encoder.")
@click.option(
    "--chunking", metavar="NAME", help="New chunking of all documents: structure, fixed:256+32, …"
)
@click.option("--chunk-tokens", type=int, metavar="N", help="Chunks of at most N tokens.")
@click.option("--password", help="For encrypted documents.")
@verb
def reindex(
    *,
    embedder: str | None,
    chunking: str | None,
    chunk_tokens: int | None,
    password: str | None,
    as_json: bool,
) -> None:
    """Rebuild documents whose settings, encoder or files changed, and repair damage."""
    settings = settings_in_force(embedder=embedder, chunk_tokens=chunk_tokens)
    with (
        Corpus(settings) as corpus,
        progress_bar(quiet=as_json) as on_progress,
    ):
        report = corpus.reindex(password=password, chunking=chunking, on_progress=on_progress)
    put(report, as_json=as_json, text=printing.ingest_report)
    if report.failed:
        raise Exit(FAILED)


@click.command()
@click.option(
    "--full", is_flag=True, help="Also compare with stored hashes, words and source files."
)
@click.option("--backup", metavar="FILE", help="Verify this backup and the hash beside it.")
@verb
def verify(*, full: bool, backup: str | None, as_json: bool) -> None:
    """Check that every document is whole and as it was written."""
    settings = settings_in_force()
    if backup is not None:
        settings = replace(settings, corpus=Path(backup))
    with Corpus(settings) as corpus:
        found = corpus.verify(full=full) if backup is None else corpus.verify_backup(full=full)
    put(found, as_json=as_json, text=printing.verification)
    if not all(check.ok for check in found.checks):
        raise Exit(FAILED)


@click.command()
@click.argument("file")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@verb
def backup(*, file: str, force: bool, as_json: bool) -> None:
    """Copy the corpus into FILE, verified, with its hash beside it; others may go on writing."""
    with Corpus(settings_in_force()) as corpus:
        made = corpus.back_up(file, force=force)
    put(made, as_json=as_json, text=printing.backup)


@click.command()
@click.argument("folder")
@verb
def export(*, folder: str, as_json: bool) -> None:
    """Write texts, chunks, metadata and vectors into an empty folder, in open formats."""
    with Corpus(settings_in_force()) as corpus:
        written = corpus.export(folder)
    put(written, as_json=as_json, text=printing.export)


VERBS = (reindex, verify, backup, export)
