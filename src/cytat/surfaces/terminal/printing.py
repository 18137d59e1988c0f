"""Records -> text for people. Results go to stdout, talk and progress to stderr."""

import re
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

SNIPPET_CHARACTERS = 280
"""Three lines of an ordinary terminal: enough to judge a hit, short enough for ten of them."""
COPIES_NAMED = 3
SHOWN_DIGITS = 4
"""Of a score in a trace: what two passages differ by is seen, how a computer divides is not."""
COUNTED = {
    "unread_parts": "parts without text",
    "words": "in the words index",
    "vectors": "with vectors",
}
"""How counts are called that are not called by their names."""


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What steers a terminal or turns the order of letters; in a name or a quote it is a trick."""
_BREAKS = re.compile(r"[\n\u2028\u2029]")


def visible(text: str) -> str:
    """Return text on one line that steers nothing: what would is written as an escape."""
    return _BREAKS.sub(" ", _steering_nothing(text))


def _steering_nothing(text: str) -> str:
    plain = text.replace("\r\n", "\n")
    return _CONTROL.sub(lambda sign: ascii(sign[0])[1:-1], plain)


def _print(text: str = "", *, err: bool = False) -> None:
    """Print text that may come from a document, a file name or a server, and steers nothing."""
    click.echo(_steering_nothing(text), err=err)


def line(text: str = "") -> None:
    """Print a line of the result."""
    _print(text)


def talk(text: str) -> None:
    """Say something beside the result."""
    _print(text, err=True)


def say_error(error: CytatError) -> None:
    """Say what happened and what to do now."""
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
    _print(f"{done} · {report.totals.get('chunks', 0)} chunks · {report.seconds:.1f} s")
    _notes(report.notes)


def _outcome(sign: str, outcome: FileOutcome) -> None:
    counted = f"  ({outcome.chunks} chunks)" if outcome.chunks else ""
    _print(f"{sign} {outcome.source}{counted}")
    if outcome.code:
        _print(f"    {outcome.code}: {outcome.message}")
    if outcome.hint:
        _print(f"    {outcome.hint}")
    _problems(outcome.ledger)


def _problems(ledger: Ledger | None) -> None:
    for problem in ledger.problems if ledger else ():
        _print(f"    {problem.part}: {problem.message} ({problem.code})")


def status(found: CorpusStatus) -> None:
    """Print a line a document and the totals."""
    for document in found.documents:
        _print(
            f"{document.state:<8} {document.chunks:>6} chunks  {document.language or '--'}  "
            f"{document.source}"
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
    """Return where else a hit's words stand."""
    sources = list(dict.fromkeys(copy.source for copy in hit.copies))
    more = len(sources) - COPIES_NAMED
    listed = ", ".join(sources[:COPIES_NAMED])
    return f"the same words in: {listed}" + (f" and {more} more" if more > 0 else "")


def place(found: Hit | Citation) -> str:
    """Return where a hit or citation stands: source, locator, heading path."""
    path = " › ".join(found.heading_path)
    parts = [found.source, found.locator.label]
    if path and path != found.locator.label:
        parts.append(path)
    return " · ".join(parts)


# ---------------------------------------------------------------- answers


def answer(given: Answer, *, layout: str, command: str) -> None:
    """Print the answer and its citations; `command` is how this corpus is called."""
    _print(given.text)
    sources(given, layout=layout, command=command)


def part(given: Statement | DroppedStatement | Citation) -> None:
    """Print a statement as it is certain; its sources follow at the end."""
    if isinstance(given, Statement):
        markers = "".join(f"[{marker}]" for marker in given.markers)
        _print(f"{given.text} {markers}")


def sources(given: Answer, *, layout: str, command: str) -> None:
    """Print the citations, each with the command that opens it, and what was left out."""
    _print()
    said = {_flat(statement.text) for statement in given.statements}
    for citation in given.citations:
        _source(citation, layout=layout, command=command, is_said=_flat(citation.quote) in said)
    for statement in given.dropped:
        talk(f"left out ({statement.verdict}): {statement.text}  [{statement.reason}]")
    if not given.complete:
        talk("the model's answer was cut short; what arrived was checked")
    _notes(given.notes)


def _source(citation: Citation, *, layout: str, command: str, is_said: bool) -> None:
    """Print one citation; a quote that the answer itself consists of is not printed twice."""
    bullet = "- " if layout == "md" else ""
    stale = "  (the file has changed since it was indexed)" if citation.stale else ""
    _print(f"{bullet}[{citation.marker}] {place(citation)}{stale}")
    quote = _flat(citation.quote)
    if layout == "md":
        _print(f"  > {quote}")
    elif not is_said:
        _print(_indented(f"“{quote}”", 4))
    span = f"{citation.span.start}:{citation.span.end}"
    _print(f"    {command} show {_shell(citation.source)} --span {span}")
    if ":~:text=" in citation.locator.fragment:
        _print(f"    {_address(citation.source)}{citation.locator.fragment}")


def _address(source: str) -> str:
    """Return a source as the address of a web page or file, which a fragment may follow."""
    return source if "://" in source else percent_encoded(source, safe="/!")


def _flat(text: str) -> str:
    return " ".join(text.split())


def refusal(given: Refusal, *, layout: str) -> None:
    """Print why there is no answer and what came nearest."""
    _print(f"**{given.text}**" if layout == "md" else given.text)
    coverage = f"{given.coverage.documents} documents searched"
    if given.coverage.failed:
        coverage += f", {given.coverage.failed} could not be read"
    if given.coverage.unread_parts:
        coverage += f", {given.coverage.unread_parts} parts without text"
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

    On a terminal, those that would steer it are written as escapes.
    """
    text = _steering_nothing(shown.text) if sys.stdout.isatty() else shown.text
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def boxes(drawn: SpanBoxes) -> None:
    """Print a line for each box: the page, then left, top, right and bottom in points."""
    for box in drawn.boxes:
        click.echo(f"p. {box.page}  {box.x0:.2f} {box.y0:.2f} {box.x1:.2f} {box.y1:.2f}")


def chunks(shown: DocumentText) -> None:
    """Print the pieces that are indexed, each with its language and place."""
    for piece in shown.chunks:
        path = " › ".join(piece.heading_path) or "(no heading)"
        tokens = f"{piece.tokens} tokens" if piece.tokens is not None else ""
        place = piece.locator.label if piece.locator.label != path else ""
        told = (f"{piece.span.start}:{piece.span.end}", tokens, piece.language or "", place, path)
        _print("  ".join((f"── {piece.number}", piece.chunk_id, *filter(None, told))))
        _print(piece.text)


def trace(found: Trace) -> None:
    """Print a stage a paragraph."""
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
    """Print a line a check, then every address that may be contacted."""
    _checks(found.checks)
    _print("may be contacted: " + (", ".join(found.contacts) or "nothing"))


def verification(found: Verification) -> None:
    """Print a line a check, and what is no failure as notes."""
    _checks(found.checks)
    _notes(found.notes)


def backup(made: Backup) -> None:
    """Print where the copy is and how it can be checked."""
    _print(f"{made.file}: {made.documents} documents, {made.chunks} chunks, {made.bytes} bytes")
    _print(f"sha256 {made.sha256}")


def export(written: Export) -> None:
    """Print what was written."""
    _print(
        f"{written.folder}: {written.documents} documents, {written.texts} texts, "
        f"{written.chunks} chunks, {written.vectors} vectors"
    )


def _checks(checks: Sequence[Check]) -> None:
    for check in checks:
        _print(f"{'ok' if check.ok else '!!'}  {check.name}: {check.value}")
        if check.hint and not check.ok:
            _print(f"      {check.hint}")


# ---------------------------------------------------------------- parts


def _notes(notes: Sequence[str]) -> None:
    for note in notes:
        talk(f"note: {note}")


def _indented(text: str, columns: int) -> str:
    width = max(min(shutil.get_terminal_size().columns, 100) - columns, 30)
    return textwrap.indent(textwrap.fill(text, width), " " * columns)


def command(corpus: str | None) -> str:
    """Return how the corpus in use is called from a shell; None is the usual one."""
    return f"cytat --corpus {_shell(corpus)}" if corpus else "cytat"


def _shell(text: str) -> str:
    """Return a source as one would type it."""
    plain = all(sign.isalnum() or sign in "/._-+:@%" for sign in text)
    return text if plain else "'" + text.replace("'", "'\\''") + "'"
