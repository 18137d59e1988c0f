"""Markdown -> where its comments are: what an author keeps from readers, and no page shows. Pure.

HTML's `<!-- -->`, link definitions that lead nowhere (`[//]: # (…)`), kramdown's attribute lines
(`{: .note}`) and blocks (`{::comment}`), Obsidian's `%% %%`. Nothing in code is a comment.
"""

import re
from collections.abc import Iterator, Sequence

from cytat.reading.extraction import trimmed
from cytat.records import Span

_DEFINITION = re.compile(
    r"^ {0,3}\[[^\]\n]{1,100}\]:[ \t]*(?:#|<#?>)(?:[ \t]+\S[^\n]*|[ \t]*)(?=\n|\Z)"
    r"(?:\n(?! {0,3}\[|[ \t]*(?:\n|\Z))(?<=[^)\"'\n]\n)[^\n]+)*",
    re.MULTILINE,
)
"""A title may go on below; it ends with a bracket or a quotation mark."""
_ATTRIBUTE_LINE = re.compile(r"^ {0,3}\{:[^{}\n]{0,500}\}[ \t]*$", re.MULTILINE)
_PAIRS = (("<!--", "-->"), ("{::comment}", "{:/comment}"))
_OBSIDIAN = re.compile(r"^[ \t]*%%", re.MULTILINE)
_NOT_BREAK = re.compile(r"[^\r\n]")


def comments_in(text: str, start: int, code: Sequence[Span]) -> list[Span]:
    """Return the comments behind `start`, in order; `code` are the blocks of code."""
    found = [
        span
        for span in _candidates(text, start)
        if not any(block.start <= span.start < block.end for block in code)
        and not _is_in_code_span(text, span.start)
    ]
    kept: list[Span] = []
    for span in sorted(found, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def blanked(text: str, hidden: Sequence[Span]) -> str:
    """Return the text with blanks in the place of some stretches, so that no place moves."""
    pieces = []
    end = 0
    for span in hidden:
        pieces += [text[end : span.start], _NOT_BREAK.sub(" ", span.of(text))]
        end = span.end
    return "".join((*pieces, text[end:]))


def _candidates(text: str, start: int) -> Iterator[Span]:
    for opening, closing in _PAIRS:
        yield from _pairs(text, start, opening, closing)
    yield from _obsidian(text, start)
    for form in (_DEFINITION, _ATTRIBUTE_LINE):
        for found in form.finditer(text, start):
            if (span := trimmed(text, *found.span())) is not None:
                yield span


def _pairs(text: str, start: int, opening: str, closing: str) -> Iterator[Span]:
    place = text.find(opening, start)
    while place >= 0:
        end = text.find(closing, place + len(opening))
        if end < 0:
            return
        yield Span(place, end + len(closing))
        place = text.find(opening, end + len(closing))


def _obsidian(text: str, start: int) -> Iterator[Span]:
    opening = _OBSIDIAN.search(text, start)
    while opening is not None:
        end = text.find("%%", opening.end())
        if end < 0:
            return
        yield Span(opening.end() - 2, end + 2)
        opening = _OBSIDIAN.search(text, end + 2)


def _is_in_code_span(text: str, place: int) -> bool:
    """Say whether a place of a line lies between two backticks."""
    line = text.rfind("\n", 0, place) + 1
    return text.count("`", line, place) % 2 == 1
