"""Records -> text for people. Results go to stdout, talk and progress to stderr."""

import shutil
import sys
import textwrap
from collections.abc import Sequence
from urllib.parse import quote as percent_encoded

import click

from cytat.errors import CytatError
from cytat.records import (
    Answer,
    Backup,
    Calibration,
    Check,
    Citation,
    CorpusStatus,
    Diagnosis,
    DocumentText,
    DroppedStatement,
    Export,
    FileOutcome,
    Hit,
    IngestReport,
    Ledger,
    Ranking,
    Refusal,
    SpanBoxes,
    Statement,
    Trace,
    Verification,
)
from cytat.surfaces.terminal.escaping import code, markdown, shell, steering_nothing, visible

SNIPPET_CHARACTERS = 280
"""Three lines of an ordinary terminal: enough to judge a hit, short enough for ten of them."""
COPIES_NAMED = 3
SHOWN_DIGITS = 4
"""Of a score in a trace: enough to compare two passages, without rounding noise."""
COUNTED = {
    "unread_parts": "parts without text",
    "words": "in the words index",
    "vectors": "with vectors",
}
"""Counts that are printed under another name than their own."""


def _print(text: str = "", *, err: bool = False) -> None:
    """Print text that may come from a document, a file name or a server, and steers nothing."""
    click.echo(steering_nothing(text), err=err)


def line(text: str = "") -> None:
    """Print a line of the result."""
    _print(text)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: "1 chunk", "2 chunks"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def talk(text: str) -> None:
    """Print a message that is not part of the result."""
    _print(text, err=True)


def say_error(error: CytatError) -> None:
    """Print what happened and what to do now."""
    talk(f"cytat: {error.message}")
    talk(f"  {error.hint}")


# ---------------------------------------------------------------- add, remove, status


def ingest_report(report: IngestReport) -> None:
    """Print what changed, what failed and why, and the totals."""
    for sign, outcomes in (
        ("+", report.added),
        ("~", report.updated),
        ("-", report.removed),
        ("·", report.skipped),
        ("!", report.failed),
    ):
        for outcome in outcomes:
            _outcome(sign, outcome)
    done = (
        f"{len(report.added)} added, {len(report.updated)} updated, "
        f"{len(report.unchanged)} unchanged, {len(report.removed)} removed, "
        f"{len(report.skipped)} skipped, {len(report.failed)} failed"
    )
    _print(f"{done} · {counted(report.totals.get('chunks', 0), 'chunk')} · {report.seconds:.1f} s")
    _notes(report.notes)


def _outcome(sign: str, outcome: FileOutcome) -> None:
    chunks = f"  ({counted(outcome.chunks, 'chunk')})" if outcome.chunks else ""
    _print(visible(f"{sign} {outcome.source}{chunks}"))
    if outcome.code:
        _print(visible(f"    {outcome.code}: {outcome.message}"))
    if outcome.hint:
        _print(visible(f"    {outcome.hint}"))
    _problems(outcome.ledger)


def _problems(ledger: Ledger | None) -> None:
    for problem in ledger.problems if ledger else ():
        _print(visible(f"    {problem.part}: {problem.message} ({problem.code})"))


def status(found: CorpusStatus) -> None:
    """Print one line per document and the totals."""
    for document in found.documents:
        _print(
            f"{document.state:<8} {counted(document.chunks, 'chunk'):>13}  "
            f"{document.language or '--'}  "
            f"{visible(document.source)}"
        )
        if document.code:
            _print(f"         {document.code}: {document.message}")
        _problems(document.ledger)
    _print(" · ".join(f"{count} {COUNTED.get(name, name)}" for name, count in found.totals.items()))
    if found.stamp:
        _print(f"encoder: {found.stamp.embedder}, {found.stamp.dimensions} dimensions")
    if found.calibration:
        _print(f"gate: {gate(found.calibration)}")


def gate(calibration: Calibration) -> str:
    """Return in words what a gate was calibrated to."""
    return f"{calibration.stricter:+.2f} log odds, calibrated on {calibration.calibrated_on}"


# ---------------------------------------------------------------- search


def ranking(found: Ranking) -> None:
    """Print the hits, best first."""
    if not found.hits:
        _print("nothing found")
    for hit in found.hits:
        _hit(hit)
    _notes(found.notes)


def _hit(hit: Hit) -> None:
    _print(f"{hit.rank:>2}. {place(hit)}")
    snippet = textwrap.shorten(hit.text, SNIPPET_CHARACTERS, placeholder=" …")
    _print(_indented(snippet, 4))
    lists = [
        f"{name} {rank}"
        for name, rank in (("words", hit.why.words_rank), ("vectors", hit.why.vectors_rank))
        if rank is not None
    ]
    _print(f"    {hit.score:.4f}  ({', '.join(lists) or 'by neither list'})")
    if hit.copies:
        _print(_indented(_copies(hit), 4))


def _copies(hit: Hit) -> str:
    """Return the other documents with the words of a hit."""
    sources = list(dict.fromkeys(copy.source for copy in hit.copies))
    more = len(sources) - COPIES_NAMED
    listed = ", ".join(sources[:COPIES_NAMED])
    return f"the same words in: {listed}" + (f" and {more} more" if more > 0 else "")


def place(found: Hit | Citation) -> str:
    """Return the place of a hit or citation: source, locator, heading path."""
    path = " › ".join(found.heading_path)
    parts = [found.source, found.locator.label]
    if path and path != found.locator.label:
        parts.append(path)
    return visible(" · ".join(parts))


# ---------------------------------------------------------------- answers


def answer(given: Answer, *, layout: str, command: str) -> None:
    """Print the answer and its citations; `command` is how this corpus is called."""
    _print(_laid_out(given.text, layout))
    sources(given, layout=layout, command=command)


def part(given: Statement | DroppedStatement | Citation, *, layout: str) -> None:
    """Print a statement that has been checked; its sources follow at the end."""
    if isinstance(given, Statement):
        markers = "".join(f"[{marker}]" for marker in given.markers)
        _print(f"{_laid_out(given.text, layout)} {markers}")


def sources(given: Answer, *, layout: str, command: str) -> None:
    """Print the citations, each with the command that opens it, and what was left out."""
    _print()
    said = {_flat(statement.text) for statement in given.statements}
    for citation in given.citations:
        _source(citation, layout=layout, command=command, is_said=_flat(citation.quote) in said)
    for statement in given.dropped:
        talk(f"left out ({statement.verdict}): {statement.text}  [{statement.reason}]")
    _notes(given.notes)


def _source(citation: Citation, *, layout: str, command: str, is_said: bool) -> None:
    """Print one citation; a quote that is the answer itself is not printed twice."""
    bullet = "- " if layout == "md" else ""
    stale = "  (the file has changed since it was indexed)" if citation.stale else ""
    _print(f"{bullet}[{citation.marker}] {_laid_out(place(citation), layout)}{stale}")
    quote = _flat(citation.quote)
    if layout == "md":
        _print(f"  > {markdown(quote)}")
    elif not is_said:
        _print(_indented(f"“{quote}”", 4))
    span = f"{citation.span.start}:{citation.span.end}"
    _print(f"    {_as_is(f'{command} show {shell(citation.source)} --span {span}', layout)}")
    if ":~:text=" in citation.locator.fragment:
        address = f"{_address(citation.source)}{citation.locator.fragment}"
        _print(f"    {_as_is(address, layout)}")


def _laid_out(text: str, layout: str) -> str:
    return markdown(text) if layout == "md" else _drawn(text)


def _as_is(text: str, layout: str) -> str:
    """Return what is to be copied, in Markdown as code."""
    return code(text) if layout == "md" else text


def _address(source: str) -> str:
    """Return a source as the address of a web page or file, which a fragment may follow."""
    return source if "://" in source else percent_encoded(source, safe="/!")


def _drawn(text: str) -> str:
    """Return an answer for reading: a line that goes on in small letters is joined to the last."""
    lines: list[str] = []
    for line in filter(None, map(_flat, text.splitlines())):
        if lines and line[0].islower() and "|" not in line:
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _flat(text: str) -> str:
    return " ".join(text.split())


def refusal(given: Refusal, *, layout: str) -> None:
    """Print why there is no answer, and the nearest passages."""
    _print(f"**{markdown(given.text)}**" if layout == "md" else given.text)
    searched = given.coverage.documents - given.coverage.failed
    coverage = f"{counted(searched, 'document')} searched"
    if given.coverage.failed:
        coverage += f", {given.coverage.failed} could not be read"
    if given.coverage.unread_parts:
        coverage += f", {counted(given.coverage.unread_parts, 'part')} without text"
    talk(f"({given.reason}; {coverage})")
    if given.nearest:
        talk("nearest:")
    for hit in given.nearest:
        talk(f"  {place(hit)}")
        talk(_indented(textwrap.shorten(hit.text, SNIPPET_CHARACTERS // 2, placeholder=" …"), 4))
    _notes(given.notes)


# ---------------------------------------------------------------- show, why, doctor


def verbatim(shown: DocumentText) -> None:
    """Print exactly the characters, nothing before and nothing after.

    On a terminal, control characters are escaped.
    """
    text = steering_nothing(shown.text) if sys.stdout.isatty() else shown.text
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def boxes(drawn: SpanBoxes) -> None:
    """Print a line for each box: the page, then left, top, right and bottom in points."""
    for box in drawn.boxes:
        click.echo(f"p. {box.page}  {box.x0:.2f} {box.y0:.2f} {box.x1:.2f} {box.y1:.2f}")


def chunks(shown: DocumentText) -> None:
    """Print the chunks, each with its language and place."""
    for piece in shown.chunks:
        path = " › ".join(piece.heading_path) or "(no heading)"
        tokens = counted(piece.tokens, "token") if piece.tokens is not None else ""
        place = piece.locator.label if piece.locator.label != path else ""
        facts = (f"{piece.span.start}:{piece.span.end}", tokens, piece.language or "", place, path)
        _print("  ".join((f"── {piece.number}", piece.chunk_id, *filter(None, facts))))
        _print(piece.text)


def trace(found: Trace) -> None:
    """Print one paragraph per stage."""
    _print(f"{found.id}  {found.verb}  {found.at}")
    _print(found.question)
    for stage in found.stages:
        _print(f"\n{stage.name}  {stage.ms:.1f} ms")
        for arrow, values in (("←", stage.input), ("→", stage.output)):
            for name, value in values.items():
                _print(f"  {arrow} {name}: {_brief(value)}")


def _brief(value: object) -> str:
    return textwrap.shorten(_said(value) or "none", 600, placeholder=" …")


def _said(value: object) -> str:
    """Return a traced value for people; `--json` has it exactly."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.{SHOWN_DIGITS}g}"
        case dict():
            return ", ".join(f"{name} {_said(part)}" for name, part in value.items())
        case list() | tuple():
            return ", ".join(map(_said, value))
        case _:
            return str(value)


def diagnosis(found: Diagnosis) -> None:
    """Print one line per check, then every address that may be contacted."""
    _checks(found.checks)
    _print("may be contacted: " + (", ".join(found.contacts) or "nothing"))


def verification(found: Verification) -> None:
    """Print one line per check, then the notes."""
    _checks(found.checks)
    _notes(found.notes)


def backup(made: Backup) -> None:
    """Print where the copy is, and its hash."""
    _print(
        f"{made.file}: {counted(made.documents, 'document')}, {counted(made.chunks, 'chunk')}, "
        f"{counted(made.bytes, 'byte')}"
    )
    _print(f"sha256 {made.sha256}")


def export(written: Export) -> None:
    """Print what was written."""
    _print(
        f"{written.folder}: {counted(written.documents, 'document')}, "
        f"{counted(written.texts, 'text')}, {counted(written.chunks, 'chunk')}, "
        f"{counted(written.vectors, 'vector')}"
    )


def _checks(checks: Sequence[Check]) -> None:
    for check in checks:
        _print(f"{'ok' if check.ok else '!!'}  {check.name}: {check.value}")
        if check.hint and not check.ok:
            _print(f"      {check.hint}")


# ---------------------------------------------------------------- parts


def _notes(notes: Sequence[str]) -> None:
    for note in notes:
        talk(visible(f"note: {note}"))


def _indented(text: str, columns: int) -> str:
    width = max(min(shutil.get_terminal_size().columns, 100) - columns, 30)
    return textwrap.indent(textwrap.fill(text, width), " " * columns)


def command(corpus: str | None) -> str:
    """Return the shell command for the corpus in use; None is the default corpus."""
    return f"cytat --corpus {shell(corpus)}" if corpus else "cytat"
