"""Draft + evidence -> statements with verdicts and citations, or dropped with a reason.

Law: `texts.slice(citation.document_id, citation.span) == citation.quote`, for every citation.

Marker `n` of a draft names `evidence[n - 1]`. A marker that names nothing is dropped; a citation
is never looked for afterwards. Citations are numbered anew from 1, one number per quote, in the
order in which the statements use them; a number once given does not change.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from cytat.errors import CitationError
from cytat.grounding.claims import claims_of
from cytat.grounding.drafts import DraftStatement, parse_draft
from cytat.grounding.passages import Reading, read_passage
from cytat.grounding.support import judge
from cytat.records import (
    Citation,
    DocumentId,
    DroppedStatement,
    Hit,
    Locator,
    Span,
    Statement,
    Verdict,
    Version,
)


class CitableTexts(Protocol):
    """What grounding reads of the store: text, place and version. The text alone is trusted."""

    def slice(self, document_id: str, span: Span) -> str:
        """Return exactly the characters of the stored version at `span`."""
        ...

    def locate(self, document_id: str, span: Span) -> Locator:
        """Return where `span` stands, said for people."""
        ...

    def heading_path(self, document_id: str, span: Span) -> tuple[str, ...]:
        """Return the headings above the first character of `span`, outermost first."""
        ...

    def version(self, document_id: str) -> Version:
        """Return the version that is stored."""
        ...


IsStale = Callable[[DocumentId], bool]
"""Says whether a document's file has changed since it was indexed, or is gone."""


def cite(
    hit: Hit, span: Span, quote: str, *, marker: int, texts: CitableTexts, is_stale: IsStale
) -> Citation:
    """Return the citation of `quote`, which must be the characters of `hit`'s document at `span`.

    Raises:
        CitationError: other characters stand there, none do, or the quote is blank.
    """
    stored = read_span(hit, span, texts)
    if stored != quote or not quote.strip():
        raise CitationError(
            f"characters {span.start}:{span.end} of {hit.source} are not the quote",
            hint="index the file again with `cytat add`, then ask again",
        )
    return Citation(
        marker=marker,
        document_id=hit.document_id,
        source=hit.source,
        title=hit.title,
        quote=stored,
        span=span,
        locator=texts.locate(hit.document_id, span),
        heading_path=texts.heading_path(hit.document_id, span),
        version=texts.version(hit.document_id),
        stale=is_stale(hit.document_id),
    )


def read_span(hit: Hit, span: Span, texts: CitableTexts) -> str:
    """Return the stored characters of the hit's document at `span`.

    Raises:
        CitationError: they are not all there.
    """
    try:
        return texts.slice(hit.document_id, span)
    except ValueError as error:
        raise CitationError(
            f"{hit.source} has no characters {span.start}:{span.end}",
            hint="index the file again with `cytat add`, then ask again",
        ) from error


@dataclass(frozen=True, slots=True)
class Grounding:
    """What became of a draft. `says_no_answer`: the model gave the sign that nothing answers."""

    statements: tuple[Statement, ...]
    dropped: tuple[DroppedStatement, ...]
    citations: tuple[Citation, ...]
    says_no_answer: bool


@dataclass(frozen=True, slots=True)
class Grounded:
    """One kept statement and the citations that it is the first to use."""

    statement: Statement
    citations: tuple[Citation, ...]


class Grounder:
    """Grounds the statements of one draft one after the other."""

    def __init__(self, evidence: Sequence[Hit], *, texts: CitableTexts, is_stale: IsStale) -> None:
        self._evidence = tuple(evidence)
        self._texts = texts
        self._is_stale = is_stale
        self._statements: list[Statement] = []
        self._dropped: list[DroppedStatement] = []
        self._citations: dict[tuple[str, Span], Citation] = {}
        self._says_no_answer = False

    def take(self, said: DraftStatement) -> Grounded | DroppedStatement | None:
        """Return what becomes of a statement; None for a line that states nothing."""
        if said.is_no_answer:
            self._says_no_answer = True
            return None
        if not said.markers and _only_introduces(said.text):
            return None
        grounded = self._ground(said)
        if isinstance(grounded, DroppedStatement):
            self._dropped.append(grounded)
        else:
            self._statements.append(grounded.statement)
        return grounded

    def quote(self, quotes: Sequence[tuple[Hit, Span]], text: str) -> Grounded:
        """Return a statement that is nothing but quotes: `text` is them, joined by blanks."""
        grounded = self._keep(text, Verdict.QUOTED, quotes)
        self._statements.append(grounded.statement)
        return grounded

    def result(self) -> Grounding:
        """Return everything taken so far."""
        return Grounding(
            tuple(self._statements), tuple(self._dropped), tuple(self._citations.values()),
            self._says_no_answer,
        )  # fmt: skip

    def _ground(self, said: DraftStatement) -> Grounded | DroppedStatement:
        cited = self._cited(said.markers)
        if not cited:
            reason = "it cites passages that were not given" if said.markers else "no citation"
            return DroppedStatement(said.text, Verdict.UNSUPPORTED, reason)
        judgement = judge(said.text, cited)
        if judgement.verdict in {Verdict.UNSUPPORTED, Verdict.CONTRADICTED}:
            return DroppedStatement(said.text, judgement.verdict, judgement.reason)
        quotes = [(reading.hit, span) for reading, span in judgement.quotes]
        return self._keep(said.text, judgement.verdict, quotes)

    def _cited(self, markers: Sequence[int]) -> list[Reading]:
        known = [number for number in markers if 1 <= number <= len(self._evidence)]
        return [read_passage(self._evidence[number - 1]) for number in known]

    def _keep(self, text: str, verdict: Verdict, quotes: Sequence[tuple[Hit, Span]]) -> Grounded:
        known = len(self._citations)
        markers = dict.fromkeys(self._marker(hit, span) for hit, span in quotes)
        new = tuple(self._citations.values())[known:]
        return Grounded(Statement(text, tuple(markers), verdict), new)

    def _marker(self, hit: Hit, span: Span) -> int:
        """Return the number of the citation of `span`, made now if it is the first use."""
        key = (str(hit.document_id), span)
        if key not in self._citations:
            self._citations[key] = cite(
                hit, span, self._words(hit, span),
                marker=len(self._citations) + 1, texts=self._texts, is_stale=self._is_stale,
            )  # fmt: skip
        return self._citations[key].marker

    def _words(self, hit: Hit, span: Span) -> str:
        """Return the hit's words at `span`; the document's, where the span lies outside the hit."""
        if hit.span.holds(span):
            return Span(span.start - hit.span.start, span.end - hit.span.start).of(hit.text)
        return read_span(hit, span, self._texts)


def ground(
    draft: str, evidence: Sequence[Hit], *, texts: CitableTexts, is_stale: IsStale
) -> Grounding:
    """Return what of a whole draft the evidence carries."""
    grounder = Grounder(evidence, texts=texts, is_stale=is_stale)
    for statement in parse_draft(draft):
        grounder.take(statement)
    return grounder.result()


OWN_STOPS = (" r.", " w.", " itd.", " itp.", " o.o.", " etc.", " Inc.", " Ltd.", " a.m.", " p.m.")
"""Endings whose stop belongs to the word: the markers follow it."""


def text_with_markers(statements: Sequence[Statement]) -> str:
    """Return the statements as one text, each with its markers before the closing stop."""
    return " ".join(_marked(statement) for statement in statements)


def _marked(statement: Statement) -> str:
    markers = "".join(f"[{marker}]" for marker in statement.markers)
    if statement.text.endswith(OWN_STOPS):
        return f"{statement.text} {markers}"
    body = statement.text.rstrip(".!?…")
    stop = statement.text[len(body) :]
    return f"{body.rstrip()} {markers}{stop}"


def _only_introduces(text: str) -> bool:
    """Say whether a line such as "According to the documents:" only leads to the next ones."""
    claims = claims_of(text)
    return text.endswith(":") and not (claims.quantities or claims.dates or claims.identifiers)
