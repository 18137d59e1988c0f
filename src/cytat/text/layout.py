r"""Text -> stretches of running text, told apart by layout alone: trimmed, in order, covering.

A line end inside a paragraph is only a wrap unless something says otherwise: a blank line, a list
item, a table row, a heading sign, a `Name: value` record, or a line that stopped although the
next word would have fitted and a new sentence could begin there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from cytat.records import Span

_LINE = re.compile(r"[^\r\n\u2028\u2029]*+(?:\r\n|[\r\n\u2028\u2029]|$)")
_ITEM = re.compile(
    r"\s*(?:[-*+•▪◦‣●○■·]\s|\(?\d{1,3}[a-z]?\)|\(?[^\W\d_]\)|\(?[ivxIVX]{1,5}\)|#{1,6}\s|>)"
)
_ITEM_IF_FINISHED = re.compile(
    r"\s*(?:\d{1,3}(?:\.\d{1,3})*\.?\s|[IVX]{1,5}\.\s|[–—]\s|§\s?\d|(?:Art|Rozdział|Article|Section)\b)"
)
_RECORD = re.compile(r"\s*[^\W\d_][^:|\n]{0,40}:(?:\s|$)")
_TERM = re.compile(r"[\w.]+(?:\(.*\))?")
"""A line of one word, or a call: what a definition list defines, even in small letters."""
_FIGURE = re.compile(r"[$€£(–—-]*(?:\d[\d.,]*[%)]*|[–—-])[%)]*")
_ALONE = re.compile(r"\s*(?:\||#{1,6}\s|[=\-_*~]{3,}\s*$)")
"""Lines that neither go on from the line before nor into the next: rows, headings, rules."""
_ENDS_FIGURES = frozenset("0123456789%)—")
_FINISHED = (".", "!", "?", ":", ";", ",", "…")
_GOES_ON = (",", "-", "–", "—", "/", "(", "\u00ad")
_FITS_WITHIN = 0.8
"""A line is short if the next word would have ended before this share of the widest line.

Ragged setting and PDF columns leave ends uneven; a fifth of the width is more than one long word.
"""


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    words: str
    """The line without its break and without blanks around."""
    width: int


def stretches(text: str) -> Iterator[Span]:
    """Yield the stretches of running text in order."""
    for paragraph in _paragraphs(text):
        widest = max(line.width for line in paragraph)
        start = paragraph[0]
        for before, line in pairwise(paragraph):
            if _breaks(before, line, widest):
                yield _trimmed(start, before)
                start = line
        yield _trimmed(start, paragraph[-1])


def _trimmed(first: _Line, last: _Line) -> Span:
    return Span(first.start, last.start + len(last.words))


def _paragraphs(text: str) -> Iterator[list[_Line]]:
    """Yield runs of lines that are not blank."""
    paragraph: list[_Line] = []
    for found in _LINE.finditer(text):
        line = found.group()
        words = line.strip()
        if words:
            indent = len(line) - len(line.lstrip())
            paragraph.append(_Line(found.start() + indent, words, len(line.rstrip())))
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _breaks(before: _Line, line: _Line, widest: int) -> bool:
    """Say whether a sentence ends with `before` and another begins with `line`."""
    if _stands_apart(before.words, line.words):
        return True
    if not _may_begin(line.words) or before.words.endswith(_GOES_ON):
        return False
    next_word = line.words.split(None, 1)[0]
    stopped_short = before.width + 1 + len(next_word) < _FITS_WITHIN * widest
    return stopped_short or _ends_record(before.words, line.words)


def _ends_record(before: str, line: str) -> bool:
    """Say whether a record ends: another follows, or its value is a figure and words follow."""
    if not _RECORD.match(before):
        return False
    has_figure = before[-1].isdigit() and line[0].isupper()
    return has_figure or bool(_RECORD.match(line))


def _stands_apart(before: str, line: str) -> bool:
    """Say whether the form of two lines parts them: rows, headings, items, terms."""
    if _ALONE.match(before) or _ALONE.match(line) or _ITEM.match(line):
        return True
    if "|" in line and "|" in before:
        return True
    if before[-1] in _ENDS_FIGURES and line[-1] in _ENDS_FIGURES and _rows(before, line):
        return True
    if before.endswith((".", "!", "?")) and _TERM.fullmatch(line):
        return True
    finished = before.endswith(_FINISHED) or _ITEM_IF_FINISHED.match(before)
    return bool(finished and _ITEM_IF_FINISHED.match(line))


def _rows(before: str, line: str) -> bool:
    """Say whether both are rows of a table that lost its rules, as PDF pages give them."""
    return _ends_with_two_figures(before) and _ends_with_two_figures(line)


def _ends_with_two_figures(words: str) -> bool:
    last = [word for word in words.rsplit(None, 4)[1:] if word not in {"$", "€", "£"}]
    return len(last) > 1 and all(_FIGURE.fullmatch(word) for word in last[-2:])


def _may_begin(words: str) -> bool:
    """Say whether a sentence could begin with these words: not with a small letter."""
    first = next((character for character in words if character.isalnum()), "")
    return not first.islower()
