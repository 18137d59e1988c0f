"""Unit + the document before it -> the spans without which the unit's words say nothing.

An item needs the line that introduces its list, a row the head of its table, and where only a
heading names what was asked for, that heading. They often stand outside the chunk, so the
document's text is read again; spans count in it, as everywhere.
"""

import re
from dataclasses import dataclass
from itertools import takewhile

from cytat.grounding import CitableTexts, Unit, is_row, item_sign, read_span
from cytat.records import Hit, Span
from cytat.text.sentences import sentence_spans

LOOK_BACK_CHARACTERS = 4_000
"""Two pages: longer lists and sections than that are led into anew."""


@dataclass(frozen=True, slots=True)
class Before:
    """The text of a document that ends where a unit or passage begins."""

    text: str
    start: int

    def span(self, start: int, end: int) -> Span:
        """Return a stretch of `text` as a span of the document."""
        return Span(self.start + start, self.start + end)


def text_before(hit: Hit, at: int, texts: CitableTexts) -> Before:
    """Return the text of the hit's document that ends at `at`, as far as one looks back."""
    start = max(0, at - LOOK_BACK_CHARACTERS)
    return Before(read_span(hit, Span(start, at), texts) if at else "", start)


def lead_in(unit: Unit, before: Before) -> Span | None:
    """Return the line that introduces the list whose item `unit` is.

    All between the two must be items of the same list: "2." after "7)" belongs to another.
    """
    sign = item_sign(unit.text)
    if sign is None:
        return None
    for span in reversed(sentence_spans(before.text)):
        words = span.of(before.text)
        if words.endswith(":"):
            return before.span(span.start, span.end)
        begins_line = span.start == 0 or before.text[span.start - 1] == "\n"
        if begins_line and item_sign(words) != sign:
            return None
    return None


def head_of_table(before: Before) -> Span | None:
    """Return the first row of the table that the text before a row ends with; None at the head."""
    lines = before.text.removesuffix("\n").split("\n") if before.text.strip() else []
    rows = list(takewhile(is_row, reversed(lines)))
    if not rows:
        return None
    end = len(before.text.removesuffix("\n")) - sum(len(row) + 1 for row in rows[:-1])
    start = end - len(rows[-1])
    words = rows[-1].strip()
    start += rows[-1].index(words)
    return before.span(start, start + len(words))


def heading_span(words: str, before: Before) -> Span | None:
    """Return where a heading stands last before a passage; None when it is no line of the text.

    A heading path may join two lines: "Rozdział I" and its title below.
    """
    parts = [re.escape(part.rstrip(".")) for part in words.split()]
    if not parts:
        return None
    between = r"\W{1,6}"
    pattern = re.compile(rf"(?m)^[#\s]*({between.join(parts)})")
    found = list(pattern.finditer(before.text))
    return before.span(*found[-1].span(1)) if found else None
