"""Where a text may be cut: seams of blocks, parts that fit a room, and groups of parts. Pure.

Seams come in an order of loss: rows and items lose nothing, a cut between words loses the sentence.
Each kind of block has its own order, and each ends in bare words; below words there are only hard
cuts.

Filling each group to the brim leaves a crumb at the end: sizes 30, 30, 1 in a room of 60 would
give 60 and 1. Among all ways with the fewest groups the one with the smallest largest group is
taken.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cytat.chunking.ruler import TokenRuler
from cytat.records import BlockKind, Span
from cytat.text import abbreviations
from cytat.text.sentences import sentence_spans

Seam: TypeAlias = Callable[[str, Span], list[Span]]

_BLANK_LINES = re.compile(r"(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n))+")
_LINE_END = re.compile(r"[\r\n]+")
_ITEM_START = re.compile(
    r"(?:^|(?<=[\r\n]))[ \t]*(?=(?:[-*+•▪◦‣●○■·–—]|\(?\d{1,3}[a-z]?[.)]|\(?[^\W\d_]{1,4}[.)])\s)"
)
_RECORD_END = re.compile(r"(?<=[}\]][,;])|(?<=>)(?=<)|(?<=\|)(?=[ \t])")
_CLAUSE_END = re.compile(r"(?<=[,;:])(?=\s)|(?<=[;{}])")
_BLANK = re.compile(r"\s+")

_UNITS = "zł|pln|eur|usd|gbp|chf|tys|mln|mld|kg|mg|km|cm|mm|ml|ha|kw|kwh|mw|mb|gb|tb|proc|st|dni|r"
_AFTER_NUMBER = re.compile(
    rf"(?:{_UNITS}|godz|min|sek|m|g|l|t|w|v|ust|pkt|lit|poz|zd|of|€|\$|£|%|‰|°)(?!\w)",
    re.IGNORECASE,
)
_GROUP_OF_THREE = re.compile(r"\d{3}(?!\d)")
_GROUP_BEFORE = re.compile(r"(?<!\d)\d{1,3}$")
_WORD_BEFORE = re.compile(r"(?:§+|[^\W\d_][\w.]*)$")
_LEADS_ON = frozenset(
    abbreviations.LEANING_FORWARD
    | abbreviations.BEFORE_NUMBERS
    | abbreviations.NEVER_LAST
    | frozenset(["§", "§§", "article", "section", "figure", "table", "rule", "annex"])
)
_NO_SENTENCE = 8
"""Characters a line on average, below which lines hold no sentences but each a word or two."""
_SIDE = 16
"""Characters looked at on each side of a blank to see whether it may be cut."""


def order_of_seams(kind: BlockKind) -> tuple[Seam, ...]:
    """Return the seams of a kind of block, the least harmful first."""
    match kind:
        case BlockKind.TABLE:
            return (lines, records, *_OF_WORDS)
        case BlockKind.LIST:
            return (items, sentences, lines, records, *_OF_WORDS)
        case BlockKind.CODE:
            return (paragraphs, lines, records, *_OF_WORDS)
        case _:
            return (paragraphs, sentences, lines, records, *_OF_WORDS)


def paragraphs(text: str, span: Span) -> list[Span]:
    """Cut at blank lines."""
    return _cut(text, span, (found.end() for found in _BLANK_LINES.finditer(text, *_of(span))))


def lines(text: str, span: Span) -> list[Span]:
    """Cut at line ends."""
    return _cut(text, span, (found.end() for found in _LINE_END.finditer(text, *_of(span))))


def items(text: str, span: Span) -> list[Span]:
    """Cut before the list items with the least indentation."""
    starts = list(_ITEM_START.finditer(text, *_of(span)))
    outermost = min((len(found.group()) for found in starts), default=0)
    return _cut(text, span, (at.start() for at in starts if len(at.group()) == outermost))


def sentences(text: str, span: Span) -> list[Span]:
    """Cut between sentences; in a column of figures or single words, between lines."""
    if (text.count("\n", *_of(span)) + 1) * _NO_SENTENCE > len(span):
        return lines(text, span)
    within = sentence_spans(span.of(text))
    return [Span(span.start + part.start, span.start + part.end) for part in within]


def records(text: str, span: Span) -> list[Span]:
    """Cut after records of JSON, tags and cells."""
    return _cut(text, span, (found.end() for found in _RECORD_END.finditer(text, *_of(span))))


def clauses(text: str, span: Span) -> list[Span]:
    """Cut after commas, colons and semicolons."""
    return _cut(text, span, (found.end() for found in _CLAUSE_END.finditer(text, *_of(span))))


def words(text: str, span: Span) -> list[Span]:
    """Cut between words, yet not within numbers, amounts, references and titles with names."""
    blanks = _BLANK.finditer(text, *_of(span))
    return _cut(text, span, (at.end() for at in blanks if not _ties(text, at, span)))


def bare_words(text: str, span: Span) -> list[Span]:
    """Cut at any blank."""
    return _cut(text, span, (found.end() for found in _BLANK.finditer(text, *_of(span))))


_OF_WORDS: tuple[Seam, ...] = (clauses, words, bare_words)


def _of(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _cut(text: str, span: Span, places: Iterable[int]) -> list[Span]:
    """Return the parts of `span` between `places`, trimmed; blank parts are dropped."""
    parts: list[Span] = []
    start = span.start
    for place in (*places, span.end):
        part = trimmed(text, start, place)
        if part is not None:
            parts.append(part)
        start = max(start, place)
    return parts


def trimmed(text: str, start: int, end: int) -> Span | None:
    """Return the span without blanks at its ends, or None if nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if start < end else None


def _ties(text: str, blank: re.Match[str], span: Span) -> bool:
    """Say whether a blank joins the text around it: "1 230,00 zł", "art. 43 ust. 1"."""
    if blank.group() in {"\u00a0", "\u202f"}:
        return True
    before = text[max(span.start, blank.start() - _SIDE) : blank.start()]
    if before[-1:].isdigit():
        if _AFTER_NUMBER.match(text, blank.end(), span.end):
            return True
        return bool(
            _GROUP_BEFORE.search(before) and _GROUP_OF_THREE.match(text, blank.end(), span.end)
        )
    word = _WORD_BEFORE.search(before)
    return word is not None and _leads_on(word.group(), text[blank.end() : blank.end() + 1])


def _leads_on(word: str, following: str) -> bool:
    """Say whether a word wants what follows: any abbreviation with its dot, some without."""
    bare = word.rstrip(".").lower()
    if bare not in _LEADS_ON:
        return False
    return word.endswith(".") or following.isdigit() or bare in {"lit", "§", "§§"}


CRUMBS_IN_A_ROOM = 64
"""A text with more parts than this is not prose ("a\\n" a million times). Finer parts are
joined first: where a chunk of it ends to the letter matters to nobody, and each part costs time."""


def atoms(ruler: TokenRuler, span: Span, *, seams: Sequence[Seam], room: int) -> Iterator[Span]:
    """Yield the parts of `span` in order; each holds at most `room` tokens by the ruler.

    A part that fits is left whole, whatever its neighbours need. Seams that find nothing to cut
    are passed over; a word that does not fit alone is cut hard.
    """
    tokens = ruler.count(span.start, span.end)
    if tokens <= room:
        yield span
        return
    if not seams:
        yield from _hard_cuts(ruler, span, room=room)
        return
    seam, *harder = seams
    for part in _without_crumbs(seam(ruler.text, span), tokens=tokens, room=room):
        if ruler.count(part.start, part.end) <= room:
            yield part
        else:
            yield from atoms(ruler, part, seams=harder, room=room)


def _without_crumbs(parts: Sequence[Span], *, tokens: int, room: int) -> Sequence[Span]:
    """Return the parts, joined to one in `CRUMBS_IN_A_ROOM` of a room where they are smaller."""
    if len(parts) * room <= CRUMBS_IN_A_ROOM * tokens or room <= CRUMBS_IN_A_ROOM:
        return parts
    first, last = parts[0].start, parts[-1].end
    least = (last - first) * room // (CRUMBS_IN_A_ROOM * tokens)
    joined: list[Span] = []
    start, end = first, first
    for part in parts:
        if part.end - start > least and end > start:
            joined.append(Span(start, end))
            start = part.start
        end = part.end
    joined.append(Span(start, end))
    return joined


def _hard_cuts(ruler: TokenRuler, span: Span, *, room: int) -> Iterator[Span]:
    """Yield pieces of nearly equal size, so that no crumb is left at the end."""
    tokens = ruler.count(span.start, span.end)
    pieces = -(-tokens // room)
    size = -(-tokens // pieces)
    start = span.start
    while start < span.end:
        end = ruler.place_after(start, span.end, tokens=size)
        yield Span(start, end)
        start = end


@dataclass(frozen=True, slots=True)
class PackablePiece:
    """Something to pack: `[first, after)` in a count that grows along the text, such as tokens."""

    first: int
    after: int


def pack(pieces: Sequence[PackablePiece], *, room: int, room_first: int) -> list[range]:
    """Return index ranges of `pieces`, in order; a piece larger than the room is alone.

    `room_first` is the room of the first group, which has nothing to repeat from elsewhere.
    """
    if not pieces:
        return []
    extra = room_first - room
    fewest = len(_fill(pieces, room, extra))
    total = pieces[-1].after - pieces[0].first - extra
    low, high = max(total // fewest, 1), room
    while low < high:
        middle = (low + high) // 2
        if len(_fill(pieces, middle, extra)) > fewest:
            low = middle + 1
        else:
            high = middle
    return _fill(pieces, low, extra)


def _fill(pieces: Sequence[PackablePiece], room: int, extra: int) -> list[range]:
    """Put as many pieces as fit into each group, from the left."""
    groups: list[range] = []
    start = 0
    limit = pieces[0].first + room + extra
    for index, piece in enumerate(pieces):
        if piece.after > limit and index > start:
            groups.append(range(start, index))
            start = index
            limit = piece.first + room
    groups.append(range(start, len(pieces)))
    return groups
