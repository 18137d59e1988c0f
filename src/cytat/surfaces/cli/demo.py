"""`cytat demo`: a folder -> a corpus in the cache -> questions, one of them without an answer."""

import hashlib
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from cytat.config import Settings
from cytat.corpus import Corpus
from cytat.errors import CytatError, UsageError
from cytat.records import Answer, IngestReport, Refusal
from cytat.surfaces import wire
from cytat.surfaces.terminal import printing
from cytat.surfaces.terminal.progress import progress_bar

EXAMPLE_QUESTIONS = (
    "Jaka jest stawka VAT na książki?",
    "czy usługi lekarskie są opodatkowane",
    "FV/2025/09/0143",
    "How good must my English be?",
    "What is form PHD-07?",
    "Ile wynosi składka ZUS?",
)
UNLIKELY_QUESTION = "How many moons does the planet Zyxgar have?"
"""Asked of a person's own folder, so that a refusal is seen."""


def run(folder: str | None, questions: Sequence[str], *, settings: Settings, as_json: bool) -> None:
    """Index the folder (the examples by default), then ask; prompts on a terminal."""
    documents = Path(folder) if folder else _examples()
    if not os.path.exists(documents):
        raise UsageError(f"there is no folder {documents}", hint="name a folder with documents")
    file = _corpus_file(documents, settings.cache)
    file.parent.mkdir(parents=True, exist_ok=True)
    settings = replace(settings, corpus=file)
    with Corpus(settings) as corpus:
        with progress_bar(quiet=as_json) as on_progress:
            report = corpus.add([documents], on_progress=on_progress)
        if as_json:
            replies = [corpus.ask(asked) for asked in questions or _questions(corpus, documents)]
            click.echo(wire.dumps(_as_one_value(report, replies)).encode("utf-8"))
            return
        printing.ingest_report(report)
        for question in questions or _questions(corpus, documents):
            _ask(corpus, question)
        if not questions and sys.stdin.isatty() and sys.stdout.isatty():
            _converse(corpus)
    printing.talk(f'\nask more: {printing.command(str(settings.corpus))} ask "…"')


def _as_one_value(
    report: IngestReport, replies: Sequence[Answer | Refusal]
) -> dict[str, wire.Json]:
    return {
        "kind": "demo",
        "format": wire.FORMAT,
        "report": wire.to_json(report),
        "replies": [wire.to_json(reply) for reply in replies],
    }


def _examples() -> Path:
    """Return the folder of example documents, as installed or in a checkout."""
    installed = Path(__file__).parents[1] / "example_documents"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "examples/documents"


def _corpus_file(documents: Path, cache: Path) -> Path:
    """Return a corpus file outside the folder, the same one for the same folder."""
    name = hashlib.sha256(str(documents.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    return cache / "demo" / f"{name[:12]}.db"


def _questions(corpus: Corpus, documents: Path) -> Sequence[str]:
    if documents.resolve() == _examples().resolve():
        return EXAMPLE_QUESTIONS
    readable = [found for found in corpus.status().documents if found.chunks]
    largest = sorted(readable, key=lambda found: (-found.characters, found.source))[:2]
    return [*(found.title for found in largest), UNLIKELY_QUESTION]


def _ask(corpus: Corpus, question: str) -> None:
    click.echo(f"\n? {question}")
    match reply := corpus.ask(question):
        case Answer():
            printing.answer(
                reply, layout="text", command=printing.command(str(corpus.settings.corpus))
            )
        case Refusal():
            printing.refusal(reply, layout="text")


def _converse(corpus: Corpus) -> None:
    """Ask what the person types until an empty line."""
    printing.talk("\nYour turn; an empty line ends.")
    while question := click.prompt("?", default="", show_default=False, prompt_suffix=" ").strip():
        try:
            _ask(corpus, question)
        except CytatError as error:
            printing.say_error(error)
