"""Document -> runs of blocks without regard to headings, and plans of spans that fit. Pure.

What the plain cutters share. Their chunks have no heading path: in front of the words stands the
title alone, and a heading is words like any other.
"""

from collections.abc import Callable, Iterator, Sequence

from cytat.chunking.passages import Cut, Frame, PassageMeasure, named
from cytat.chunking.ruler import TokenEnds, TokenRuler
from cytat.chunking.sections import trimmed_blocks
from cytat.errors import SettingsError
from cytat.records import Block, BlockKind, Chunk, Document, Span

Plan = Callable[[TokenRuler, int], Sequence[Span]]
"""Token counts of a text and a room -> spans meant to fit it."""


def cut_as_planned(
    document: Document, token_ends: TokenEnds, plan: Plan, *, budget_tokens: int
) -> list[Chunk]:
    """Return the chunks of a plan; it is made again for less room until every passage fits."""
    measure = PassageMeasure(document.title, token_ends, budget_tokens=budget_tokens)
    frame = measure.frame((), "")
    ruler = TokenRuler(document.text, token_ends(document.text))
    room = frame.room
    while True:
        spans = plan(ruler, room)
        # Planned on the whole document's tokens; a span alone may hold some more.
        over = max((_overrun(measure, span, document, frame) for span in spans), default=0)
        if over <= 0 or room == 1:
            return named(document, (Cut(span, frame) for span in spans))
        room = max(room - over, 1)


def _overrun(measure: PassageMeasure, span: Span, document: Document, frame: Frame) -> int:
    return measure.overrun(span.of(document.text), frame)


def runs(document: Document) -> Iterator[list[Block]]:
    """Yield neighbouring blocks; a running header or footer is a run of its own."""
    run: list[Block] = []
    for block in trimmed_blocks(document):
        if run and BlockKind.FURNITURE in {run[-1].kind, block.kind}:
            yield run
            run = []
        run.append(block)
    if run:
        yield run


def check_budget(budget_tokens: int) -> None:
    """Refuse a budget that no chunk could have."""
    if budget_tokens < 1:
        raise SettingsError(
            f"chunking budget {budget_tokens} is no number of tokens", hint="set it to 1 or more."
        )


def check_shared(shared: int, *, of: int, what: str) -> None:
    """Refuse an overlap that would never move on."""
    if not 0 <= shared < of:
        raise SettingsError(
            f"{what} {shared} does not lie between 0 and {of}, so that cutting would never move on",
            hint=f"set {what} to less than {of}; 0 means none.",
        )
