"""A stretch of plain lines -> blocks with heading paths. Pure; what text and PDF have in common.

Blank lines part paragraphs. Inside one, a line that opens an article, a point or a division
starts a block of its own: on paper such lines need no blank line above them.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from cytat.reading.extraction import trimmed
from cytat.reading.structure import (
    NO_MARKS,
    HeadingStack,
    Mark,
    heading_of,
    is_bare_division,
    marks_of,
    standing_number_of,
    title_after,
    titled,
)
from cytat.records import Block, BlockKind, Span

_BREAK = r"\r\n\f\v\x1c-\x1e\x85\u2028\u2029"
_LINE = re.compile(rf"[^{_BREAK}]*(?:\r\n|[{_BREAK}]|\Z)")
_ITEM = re.compile(r"\s*(?:[-*+•▪◦‣●–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+\S")
_RULES = {"=": 1, "-": 2, "~": 3, "^": 4}
"""Lines of one sign under a title, and the level of the heading they make."""
_MIN_RULE = 3
_RULE_PER_TITLE = 0.6
"""An underline may be a bit shorter than its title; one much shorter is a line between parts."""
_CLOSED = (".", ";", ":", ",", ")", "!", "?", " oraz", " lub", " albo", " i", " a", " or", " and")
"""How a line above a legal marker ends; else the marker is a reference at a line's start."""
_MIN_PROSE_CHARACTERS = 60
_MAX_TITLE_CHARACTERS = 60
_MAX_PREPOSITION = 3
"""Letters: what ends with a word so short ("zgodnie z") goes on in the next line."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line without its break: where it starts and its characters."""

    start: int
    words: str

    @property
    def end(self) -> int:
        """Where the line ends, before its break."""
        return self.start + len(self.words)


def lines_of(text: str, start: int, end: int) -> Iterator[TextLine]:
    """Yield the lines of a stretch of text in order."""
    place = start
    while place < end:
        found = _LINE.match(text, place, end)
        whole = found.group() if found is not None else text[place:end]
        yield TextLine(place, whole.rstrip())
        place += len(whole)


@dataclass(frozen=True, slots=True)
class Known:
    """What a paragraph is by something that its words do not tell, and where it ends."""

    kind: BlockKind
    end: int
    depth: int
    """Of a heading; 0 for others."""


def plain_blocks(
    text: str, path: HeadingStack, known: Mapping[int, Known] = MappingProxyType({})
) -> list[Block]:
    """Return the blocks of a plain text; `path` is left where the text ends.

    `known` has, by where they start, the paragraphs that need not be looked at.
    """
    return _PlainText(text, path, known).blocks()


def split_at_marks(
    text: str,
    lines: Sequence[TextLine],
    path: HeadingStack,
    *,
    bare: Callable[[str], str] = str,
) -> list[Block]:
    """Return one paragraph as blocks, a new one at each line that legal markers open.

    A line that is nothing but "§ 5" or "Art. 43." is a heading. `bare` takes a format's own marks
    from a line, such as those of emphasis.
    """
    blocks: list[Block] = []
    start = 0
    closed = True
    for number, line in enumerate(lines):
        words = bare(line.words)
        opening = marks_of(words, below_article=path.below_article)
        is_below_title = opening.is_whole_line and _is_title_above(bare(lines[number - 1].words))
        if not (closed or is_below_title):
            opening = NO_MARKS
        closed = words.endswith(_CLOSED) or opening.is_whole_line
        if not opening.marks:
            continue
        blocks += _block(text, lines[start:number], path.labels)
        below = bare(lines[number + 1].words) if lines[number + 1 :] else ""
        title = title_after(opening, words, below)
        path.open(*(title or opening.marks))
        start = number
        if title or opening.is_whole_line:
            closed = True
            span = Span(line.end - len(line.words.strip()), line.end)
            blocks.append(Block(BlockKind.HEADING, span, path.labels))
            start += 1
    return blocks + _block(text, lines[start:], path.labels)


def _is_title_above(line: str) -> bool:
    """Say whether a line can be the title of a paragraph whose sign is below it."""
    words = line.split()
    is_short = len(line) <= _MAX_TITLE_CHARACTERS and line.strip()[:1].isupper()
    return is_short and len(words[-1]) > _MAX_PREPOSITION


def _block(text: str, lines: Sequence[TextLine], labels: tuple[str, ...]) -> list[Block]:
    span = trimmed(text, lines[0].start, lines[-1].end) if lines else None
    return [Block(_kind_of(lines), span, labels)] if span is not None else []


def _kind_of(lines: Sequence[TextLine]) -> BlockKind:
    if len(lines) > 1 and all("\t" in line.words.strip() for line in lines):
        return BlockKind.TABLE
    items = sum(_ITEM.match(line.words) is not None for line in lines)
    starts_as_list = _ITEM.match(lines[0].words) is not None or lines[0].words.endswith(":")
    return BlockKind.LIST if items > 1 and starts_as_list else BlockKind.PARAGRAPH


class _PlainText:
    """One plain text on its way to blocks: its paragraphs and the path come to so far."""

    def __init__(self, text: str, path: HeadingStack, known: Mapping[int, Known]) -> None:
        self._text = text
        self._known = known
        self._path = path
        self._paragraphs = list(_paragraphs(text))
        self._last_standing_number = 0

    def blocks(self) -> list[Block]:
        """Return the blocks in text order."""
        blocks: list[Block] = []
        for number, paragraph in enumerate(self._paragraphs):
            known = self._known.get(paragraph[0].start)
            if known is not None:
                blocks.append(self._told(paragraph[0].start, known))
                continue
            following = self._paragraphs[number + 1 : number + 2]
            heading = self._underlined(paragraph) or self._standing(paragraph, following)
            blocks += heading or self._with_divisions(paragraph)
        return blocks

    def _told(self, start: int, known: Known) -> Block:
        span = Span(start, known.end)
        if known.kind is BlockKind.FURNITURE:
            return Block(known.kind, span, ())
        if known.depth:
            title = " ".join(span.of(self._text).replace("\u00ad", "").split())
            self._path.open(Mark(known.depth, title))
        return Block(known.kind, span, self._path.labels)

    def _heading(self, lines: Sequence[TextLine], mark: Mark) -> list[Block]:
        span = trimmed(self._text, lines[0].start, lines[-1].end)
        return [Block(BlockKind.HEADING, span, self._path.open(mark))] if span is not None else []

    def _underlined(self, lines: Sequence[TextLine]) -> list[Block]:
        """Return a title with a line of signs below it as a heading, and what follows them."""
        over = int(_is_rule(lines[0].words) and len(lines) > 2)  # noqa: PLR2004 - rule, title, rule
        if len(lines) < over + 2 or not _underlines(lines[over + 1].words, lines[over].words):
            return []
        title, rule = lines[over], lines[over + 1]
        mark = Mark(_RULES[rule.words.strip()[0]], " ".join(title.words.split()))
        rest = lines[over + 2 :]
        heading = self._heading(lines[: over + 2], mark)
        return heading + (split_at_marks(self._text, rest, self._path) if rest else [])

    def _standing(
        self, lines: Sequence[TextLine], following: Sequence[Sequence[TextLine]]
    ) -> list[Block]:
        """Return "3. When to apply" as a heading where it stands alone, in order, above prose."""
        numbered = standing_number_of(lines[0].words) if len(lines) == 1 else None
        if numbered is None or not following or self._path.below_article:
            return []
        number, mark = numbered
        if number != self._last_standing_number + 1 or not _is_prose(following[0]):
            return []
        self._last_standing_number = number
        return self._heading(lines, mark)

    def _with_divisions(self, lines: Sequence[TextLine]) -> list[Block]:
        blocks: list[Block] = []
        start = place = 0
        while place < len(lines):
            mark, length = self._division_at(lines, place)
            if mark is not None:
                blocks += self._running(lines[start:place])
                blocks += self._heading(lines[place : place + length], mark)
                start = place + length
            place += length
        return blocks + self._running(lines[start:])

    def _running(self, lines: Sequence[TextLine]) -> list[Block]:
        return split_at_marks(self._text, lines, self._path) if lines else []

    @staticmethod
    def _division_at(lines: Sequence[TextLine], place: int) -> tuple[Mark | None, int]:
        """Return the heading that starts at a line and how many lines it takes."""
        words = lines[place].words
        alone = len(lines) == 1
        mark = heading_of(words)
        if mark is None or (place > 0 and not lines[place - 1].words.endswith(_CLOSED)):
            return None, 1
        if not is_bare_division(words):
            return (mark, 1) if alone or not words.strip()[0].isdigit() else (None, 1)
        below = titled(mark, lines[place + 1].words) if place + 2 == len(lines) else None
        return (below, 2) if below is not None else (mark, 1)


def _paragraphs(text: str) -> Iterator[list[TextLine]]:
    paragraph: list[TextLine] = []
    for line in lines_of(text, 0, len(text)):
        if line.words:
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _is_rule(words: str) -> bool:
    signs = words.strip()
    return len(signs) >= _MIN_RULE and signs[0] in _RULES and signs == signs[0] * len(signs)


def _underlines(rule: str, title: str) -> bool:
    words = title.strip()
    if not _is_rule(rule) or _is_rule(title) or not any(sign.isalnum() for sign in words):
        return False
    return _RULE_PER_TITLE * len(words) <= len(rule.strip()) <= 2 * len(words) + _MIN_RULE


def _is_prose(lines: Sequence[TextLine]) -> bool:
    if standing_number_of(lines[0].words) is not None and len(lines) == 1:
        return False
    characters = sum(len(line.words) for line in lines)
    return characters >= _MIN_PROSE_CHARACTERS and lines[-1].words.endswith((".", ":", "!", "?"))
