"""Words that introduce what follows -> kept with it, or carried along as context.

"Zwalnia się od podatku:" means nothing without its points, and "18) usługi w zakresie opieki
medycznej;" does not say that they are exempt. A lead-in joins the first thing it introduces where
both fit; the points that stand in sections of their own carry it as their context.
"""

from collections.abc import Callable, Iterator, Sequence

from cytat.chunking.ruler import TokenRuler
from cytat.chunking.sections import HeadingPath, Section
from cytat.records import Span
from cytat.text.sentences import sentence_spans

_TERM_CHARACTERS = 80
"""A line up to this long without a final mark, above a sentence, is a term or a small heading."""
_LOOK_BACK = 600
"""Characters of a section's end in which its last sentence is looked for."""
_FINAL = (".", "!", "?", "…", ";", ",", "|")


def join_lead_ins(ruler: TokenRuler, parts: Sequence[Span], *, room: int) -> list[Span]:
    """Return the parts with lead-ins and terms joined to what they introduce, where both fit."""
    joined: list[Span] = []
    for part in parts:
        both = Span(joined[-1].start, part.end) if joined else part
        if joined and _introduces(ruler.text, joined[-1], part) and _fits(ruler, both, room):
            joined[-1] = both
        else:
            joined.append(part)
    return joined


def _fits(ruler: TokenRuler, span: Span, room: int) -> bool:
    return ruler.count(span.start, span.end) <= room


def _introduces(text: str, part: Span, following: Span) -> bool:
    """Say whether `part` ends with a colon, or is a term above a sentence."""
    if text[part.end - 1] == ":":
        return True
    is_term = len(part) <= _TERM_CHARACTERS and not text.endswith(_FINAL, part.start, part.end)
    return is_term and "\n" in text[part.end : following.start] and text[following.end - 1] == "."


def with_lead_ins(
    text: str, sections: Sequence[Section], *, fits: Callable[[str], bool]
) -> Iterator[tuple[Section, str]]:
    """Yield each section with the lead-ins of the sections its heading path lies under."""
    open_lead_ins: list[tuple[HeadingPath, str]] = []
    for section in sections:
        while open_lead_ins and not _lies_under(section.heading_path, open_lead_ins[-1][0]):
            open_lead_ins.pop()
        context = "\n".join(words for _, words in open_lead_ins)
        yield section, context if fits(context) else ""
        last = section.blocks[-1].span
        if text[last.end - 1] == ":":
            open_lead_ins.append((section.heading_path, last_sentence(text, last)))


def _lies_under(path: HeadingPath, above: HeadingPath) -> bool:
    return len(path) > len(above) and path[: len(above)] == above


def last_sentence(text: str, span: Span) -> str:
    """Return the last sentence of a span, looked for near its end."""
    start = max(span.start, span.end - _LOOK_BACK)
    end = text[start : span.end]
    return sentence_spans(end)[-1].of(end)
