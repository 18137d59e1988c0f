"""Hits -> the text around them, kept as values: what citing reads when its moment has ended.

A language model may write for minutes; no transaction waits for it. So what may be cited is read
in the moment that found it, and every quote is read again in that text. See `Moment.surroundings`.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cytat.protocols import Moment, Stretch, Surroundings
from cytat.records import Block, DocumentId, FragmentStyle, Hit, Locator, Span, Version
from cytat.text.locators import line_among, line_starts, locate

LOOK_BACK_CHARACTERS = 4_000
"""Two pages: what introduces a longer list or section than that is not looked for."""
LOOK_AHEAD_CHARACTERS = 900
"""The opening of a named place may go on so far past a passage of it."""


@dataclass(frozen=True, slots=True)
class KeptTexts:
    """What may be cited, as it was in one moment; implements `CitableTexts`."""

    documents: Mapping[DocumentId, Surroundings]

    def slice(self, document_id: str, span: Span) -> str:
        """Return exactly the characters at `span`; ValueError when they were not all kept."""
        stretch = self._stretch(document_id, span)
        return _within(span, stretch).of(stretch.excerpt.text)

    def locate(self, document_id: str, span: Span) -> Locator:
        """Return where `span` stands, by the page or headings of its own first character."""
        document, block = self._document(document_id), self._block(document_id, span)
        stretch = self._stretch(document_id, span)
        text, within = stretch.excerpt.text, _within(span, stretch)
        starts, before = _line_starts(text), stretch.excerpt.first_line - 1
        return locate(
            span,
            parts=document.parts,
            fragments=document.fragments,
            heading_path=block.heading_path if block else (),
            first_line=before + line_among(starts, within.start),
            last_line=before + line_among(starts, max(within.start, within.end - 1)),
            text=text,
            text_start=stretch.span.start,
            anchor=block.anchor if block else None,
        )

    def heading_path(self, document_id: str, span: Span) -> tuple[str, ...]:
        """Return the headings above the first character of `span`, outermost first."""
        block = self._block(document_id, span)
        return block.heading_path if block else ()

    def version(self, document_id: str) -> Version:
        """Return the version that the text is of."""
        return self._document(document_id).version

    def _document(self, document_id: str) -> Surroundings:
        return self.documents[DocumentId(document_id)]

    def _stretch(self, document_id: str, span: Span) -> Stretch:
        stretches = self._document(document_id).stretches
        at = bisect_right(stretches, span.start, key=lambda stretch: stretch.span.start)
        if at and stretches[at - 1].span.holds(span):
            return stretches[at - 1]
        raise ValueError(f"the text at {span.start}:{span.end} of {document_id} was not kept")

    def _block(self, document_id: str, span: Span) -> Block | None:
        """Return the block that holds the first character of `span`."""
        blocks = self._document(document_id).blocks
        at = bisect_right(blocks, span.start, key=lambda block: block.span.start)
        return blocks[at - 1] if at and span.start < blocks[at - 1].span.end else None


def keep_texts(moment: Moment, hits: Sequence[Hit]) -> KeptTexts:
    """Return the text around hits, as far as citing them may read."""
    spans: defaultdict[DocumentId, list[Span]] = defaultdict(list)
    for hit in hits:
        spans[hit.document_id].append(around(hit.span))
    kept = dict(moment.surroundings({name: joined(wanted) for name, wanted in spans.items()}))
    # A place that is told by its words needs all words before it: are they there already?
    whole = {
        name: (Span(0, max(span.end for span in spans[name])),)
        for name, document in kept.items()
        if _goes_by_words(document)
    }
    return KeptTexts(kept | dict(moment.surroundings(whole)) if whole else kept)


def _goes_by_words(document: Surroundings) -> bool:
    """Say whether a link to a quote needs the words before it: a browser looks for the first."""
    return document.fragments is FragmentStyle.WORDS


def around(span: Span) -> Span:
    """Return a passage's span and what citing it may read before and behind it."""
    return Span(max(0, span.start - LOOK_BACK_CHARACTERS), span.end + LOOK_AHEAD_CHARACTERS)


def joined(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return spans in order, those that overlap or touch as one."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return tuple(found)


_line_starts = lru_cache(maxsize=16)(line_starts)
"""Many citations come from one stretch of text."""


def _within(span: Span, stretch: Stretch) -> Span:
    """Return a span counted from the start of a stretch that holds it."""
    return Span(span.start - stretch.span.start, span.end - stretch.span.start)
