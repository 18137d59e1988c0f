"""The command line: one call of the facade per verb; results on stdout, talk on stderr.

Exit codes: 0 done, 1 failed, 2 misused, 3 refused. With `--json` exactly one JSON value is on
stdout, errors too.
"""

import functools
import os
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import click

from cytat.corpus import Corpus
from cytat.errors import CytatError, UsageError
from cytat.records import AddKeywords, Answer, Citation, DroppedStatement, Refusal, Span, Statement
from cytat.surfaces import wire
from cytat.surfaces.cli import calling, evaluation, models, upkeep
from cytat.surfaces.cli import demo as demonstration
from cytat.surfaces.cli.calling import (
    DONE,
    FAILED,
    MISUSED,
    REFUSED,
    Exit,
    corpus_command,
    put,
    put_json,
    settings_in_force,
    verb,
)
from cytat.surfaces.terminal import printing


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # A file name may hold bytes that are not text, and a terminal may not know every character.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # text streams
    try:
        code = run(given)
    except KeyboardInterrupt:
        code = FAILED  # a second Ctrl+C, while the first was being reported
    try:
        sys.stdout.flush()
    except OSError:
        # What is left cannot be written either; at exit Python would try again and complain.
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (till the end)
        code = code or FAILED
    if threading.active_count() > 1:
        # What an encoder or a reader still computes is of no use, and Python would wait for it.
        os._exit(code)
    sys.exit(code)


def _open_closed_streams() -> None:
    """Replace standard streams that the caller of the program has closed."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (till the end)
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (till the end)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; every failure becomes a reply with a code."""
    try:
        cytat.main(args=list(arguments), prog_name="cytat", standalone_mode=False)
    except Exit as end:
        return end.code
    except click.exceptions.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, click.Abort):
        return _fail(
            CytatError(
                "stopped; what was reported as done is kept",
                hint="run the same command again to go on",
            ),
            as_json="--json" in arguments,
        )
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone, so nothing can be reported
        return FAILED
    except Exception as error:  # noqa: BLE001 (the surface: a failure becomes a reply)
        return _fail(_as_ours(error), as_json="--json" in arguments)
    return DONE


def _fail(error: CytatError, *, as_json: bool) -> int:
    try:
        if as_json:
            put_json(wire.error_to_json(error))
        else:
            printing.say_error(error)
    except OSError:
        return FAILED  # the output cannot be written, so nothing can be reported
    return MISUSED if isinstance(error, UsageError) else FAILED


def _as_ours(error: Exception) -> CytatError:
    """Return any failure as one of ours, with a message and a remedy."""
    if isinstance(error, CytatError):
        return error
    if isinstance(error, OSError) and error.filename is None:
        return CytatError(
            f"reading or writing failed: {error.strerror}",
            hint="check free disk space and where the output goes",
        )
    if isinstance(error, click.ClickException):
        context = error.ctx if isinstance(error, click.UsageError) else None
        command = context.command_path if context else "cytat"
        return UsageError(error.format_message(), hint=f"see `{command} --help`")
    if os.environ.get("CYTAT_TRACEBACK"):
        traceback.print_exception(error)
    return CytatError(
        f"an internal error: {type(error).__name__}: {error}",
        hint="nothing was changed; set CYTAT_TRACEBACK=1 to see where it happened, and report it",
    )


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="cytat")
@click.option("--corpus", metavar="FILE", help="The corpus file ($CYTAT_CORPUS, else cytat.db).")
@click.option("--config", metavar="FILE", help="A settings file.")
@click.option("--as", "labels", metavar="LABEL[,LABEL]", help="Read as a reader with these labels.")
@click.pass_context
def cytat(
    context: click.Context, corpus: str | None, config: str | None, labels: str | None
) -> None:
    """Answers from your own documents: every sentence quoted at its place, or a refusal."""
    context.obj = {"corpus": corpus, "config": config, "labels": labels}


# ---------------------------------------------------------------- the verbs


@cytat.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--meta", multiple=True, metavar="KEY=VALUE", help="Metadata for these documents.")
@click.option("--label", metavar="NAME", help="Who may read them; '' is everyone.")
@click.option("--embedder", metavar="NAME", help="The encoder of a new corpus.")
@click.option(
    "--chunking", metavar="NAME", help="Chunking of a new corpus: structure, fixed:256+32, …"
)
@click.option(
    "--reader", metavar="NAME", help="Read these files with this reader; auto: by file type."
)
@click.option("--name", metavar="NAME", help="The name of the text that `-` reads.")
@click.option("--password", help="For encrypted documents.")
@click.option("--prune", is_flag=True, help="Also remove documents of missing or empty folders.")
@click.option("--watch", is_flag=True, help="Keep running and index changes as they happen.")
@verb
def add(
    *,
    paths: tuple[str, ...],
    meta: tuple[str, ...],
    label: str | None,
    embedder: str | None,
    chunking: str | None,
    reader: str | None,
    name: str | None,
    password: str | None,
    prune: bool,
    watch: bool,
    as_json: bool,
) -> None:
    """Read, cut, embed and index files and folders; again does only what changed."""
    said: AddKeywords = {
        "label": label,
        "password": password,
        "prune": prune,
        "chunking": chunking,
        "reader": reader,
    }
    wanted = upkeep.Wanted(upkeep.what_of(paths, name), _pairs(meta), said)
    with Corpus(settings_in_force(embedder=embedder)) as corpus:
        (upkeep.watch if watch else upkeep.add_once)(corpus, wanted, as_json=as_json)


@cytat.command()
@click.argument("query")
@click.option("--depth", type=int, default=10, show_default=True, help="How many hits to show.")
@calling.mode
@calling.where
@calling.embedder
@verb
def search(
    *,
    query: str,
    depth: int,
    mode: str,
    where: tuple[str, ...],
    embedder: str | None,
    as_json: bool,
) -> None:
    """Show the passages that match a question, best first."""
    with Corpus(settings_in_force(embedder=embedder)) as corpus:
        ranking = corpus.search(query, depth=depth, mode=mode, where=where)
    put(ranking, as_json=as_json, text=printing.ranking)


@cytat.command()
@click.argument("question")
@calling.model
@calling.base_url
@click.option("--evidence", type=int, metavar="N", help="Passages given to the model.")
@calling.where
@calling.embedder
@click.option(
    "--format",
    "layout",
    type=click.Choice(["text", "md"]),
    default="text",
    show_default=True,
    help="How the answer is laid out.",
)
@click.option("--stream", is_flag=True, help="Print each part as soon as it is checked.")
@verb
def ask(
    *,
    question: str,
    model: str | None,
    base_url: str | None,
    evidence: int | None,
    where: tuple[str, ...],
    embedder: str | None,
    layout: str,
    stream: bool,
    as_json: bool,
) -> None:
    """Answer a question with checked citations, or refuse (exit code 3); - is standard input."""
    if question == "-":
        question = sys.stdin.buffer.read().decode("utf-8", "replace")
    settings = settings_in_force(
        model=model, base_url=base_url, evidence=evidence, embedder=embedder
    )
    show_part = _put_part if as_json else functools.partial(printing.part, layout=layout)
    on_part = show_part if stream else None
    with Corpus(settings) as corpus:
        reply = corpus.ask(question, where=where, on_part=on_part)
    match reply:
        case Answer():
            show_answer = printing.sources if stream else printing.answer
            put(
                reply,
                as_json=as_json,
                text=functools.partial(show_answer, layout=layout, command=corpus_command()),
            )
        case Refusal():
            put(reply, as_json=as_json, text=functools.partial(printing.refusal, layout=layout))
            raise Exit(REFUSED)


@cytat.command()
@click.argument("source")
@click.option("--span", "span_text", metavar="A:B", help="Exactly these characters.")
@click.option("--page", type=int, metavar="N", help="One page, counted from 1.")
@click.option("--part", metavar="LABEL", help="One page, slide, sheet …, by what it is called.")
@click.option("--chunks", is_flag=True, help="The chunks that are indexed.")
@click.option("--boxes", is_flag=True, help="Where the span is on the pages of the file.")
@click.option("--password", metavar="WORD", help="The password of the file, for --boxes.")
@verb
def show(
    *,
    source: str,
    span_text: str | None,
    page: int | None,
    part: str | None,
    chunks: bool,
    boxes: bool,
    password: str | None,
    as_json: bool,
) -> None:
    """Print the canonical text of a document, verbatim."""
    _check_one_place({"--span": span_text, "--page": page, "--part": part})
    span = _span(span_text) if span_text is not None else None
    if boxes and span is None:
        raise UsageError("--boxes needs a place", hint="name the characters with --span A:B")
    with Corpus(settings_in_force()) as corpus:
        if boxes and span is not None:
            drawn = corpus.boxes(source, span, password=password)
            put(drawn, as_json=as_json, text=printing.boxes)
            return
        shown = corpus.show(source, span=span, page=page, part=part, chunks=chunks)
    put(shown, as_json=as_json, text=printing.chunks if chunks else printing.verbatim)


@cytat.command()
@click.argument("trace", required=False)
@verb
def why(*, trace: str | None, as_json: bool) -> None:
    """Show what each stage of a search or ask received, returned and took."""
    with Corpus(settings_in_force()) as corpus:
        found = corpus.why(trace)
    put(found, as_json=as_json, text=printing.trace)


@cytat.command()
@verb
def status(*, as_json: bool) -> None:
    """List every document with its state, and the totals."""
    with Corpus(settings_in_force()) as corpus:
        found = corpus.status()
    put(found, as_json=as_json, text=printing.status)


@cytat.command()
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option("--purge", is_flag=True, help="Also erase all removed words from the file.")
@verb
def remove(*, sources: tuple[str, ...], purge: bool, as_json: bool) -> None:
    """Take documents out of the index; the files themselves stay."""
    with Corpus(settings_in_force()) as corpus:
        report = corpus.remove(sources, purge=purge)
    put(report, as_json=as_json, text=printing.ingest_report)


@cytat.command()
@verb
def doctor(*, as_json: bool) -> None:
    """Check the installation, the model and the corpus; list what may be contacted."""
    with Corpus(settings_in_force()) as corpus:
        diagnosis = corpus.doctor()
    put(diagnosis, as_json=as_json, text=printing.diagnosis)
    if not all(check.ok for check in diagnosis.checks):
        raise Exit(FAILED)


@cytat.command()
@click.argument("folder", required=False)
@click.option("--question", "questions", multiple=True, help="Ask these instead.")
@verb
def demo(*, folder: str | None, questions: tuple[str, ...], as_json: bool) -> None:
    """Index a folder into a corpus in the cache and ask it a few questions."""
    demonstration.run(folder, questions, settings=settings_in_force(), as_json=as_json)


for beside in (*upkeep.VERBS, models.models, evaluation.evaluate):
    cytat.add_command(beside)


# ---------------------------------------------------------------- parts


def _check_one_place(named: Mapping[str, object]) -> None:
    """Refuse two places at once."""
    options = [option for option, place in named.items() if place is not None]
    if len(options) > 1:
        raise UsageError(f"{' and '.join(options)} name two places", hint="give one of them")


def _put_part(part: Statement | DroppedStatement | Citation) -> None:
    """Print a part of an answer as one line of JSON."""
    put_json(wire.to_json(part))


def _pairs(given: Sequence[str]) -> dict[str, str]:
    """Return KEY=VALUE arguments as a mapping."""
    pairs = {}
    for text in given:
        key, sign, value = text.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"{text!r} is not KEY=VALUE", hint="for instance --meta client=Nowak")
        pairs[key.strip()] = value.strip()
    return pairs


def _span(text: str) -> Span:
    """Return the span of `A:B`."""
    start, _, end = text.partition(":")
    if not (start.isdecimal() and end.isdecimal() and int(start) <= int(end)):
        raise UsageError(
            f"{text!r} is not a span", hint="give two character positions, such as --span 120:163"
        )
    return Span(int(start), int(end))
