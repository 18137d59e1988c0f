"""Prompt -> draft -> grounded statements, as the draft arrives.

A stream that breaks off keeps what arrived and says that it is incomplete. A draft that turns out
to have been reasoning so far starts anew, and so does its grounding.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cytat.answering.packing import Packed
from cytat.errors import IncompleteDraftError
from cytat.grounding import (
    CitableTexts,
    DraftParser,
    DraftStatement,
    Grounded,
    Grounder,
    Grounding,
    IsStale,
    Restart,
)
from cytat.protocols import Generator
from cytat.records import Citation, DroppedStatement, Statement

Listener = Callable[[Statement | DroppedStatement | Citation], None]
"""Is told a citation before the statement that first uses it."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a generator wrote, what of it stands, and whether it came to its end."""

    text: str
    grounding: Grounding
    is_complete: bool


def draft_answer(
    packed: Packed,
    generator: Generator,
    *,
    max_tokens: int,
    listen: Listener,
    texts: CitableTexts,
    is_stale: IsStale,
) -> Drafted:
    """Return what a generator says to a prompt, each statement grounded in the packed evidence."""
    parser, pieces = DraftParser(), _Pieces()
    grounder = Grounder(packed.evidence, texts=texts, is_stale=is_stale)
    for events in _events(parser, pieces, generator.generate(packed.prompt, max_tokens=max_tokens)):
        for event in events:
            if isinstance(event, Restart):
                grounder = Grounder(packed.evidence, texts=texts, is_stale=is_stale)
            else:
                _tell(grounder.take(event), listen)
    return Drafted("".join(pieces.taken), grounder.result(), pieces.is_complete)


class _Pieces:
    def __init__(self) -> None:
        self.taken: list[str] = []
        self.is_complete = True


def _events(
    parser: DraftParser, pieces: _Pieces, stream: Iterator[str]
) -> Iterator[Sequence[DraftStatement | Restart]]:
    try:
        for piece in stream:
            pieces.taken.append(piece)
            yield parser.feed(piece)
    except IncompleteDraftError:
        # What arrived is checked like any other draft, and the answer says that it is not whole.
        pieces.is_complete = False
    yield parser.finish()


def _tell(grounded: Grounded | DroppedStatement | None, listen: Listener) -> None:
    if isinstance(grounded, DroppedStatement):
        listen(grounded)
    elif grounded is not None:
        for citation in grounded.citations:
            listen(citation)
        listen(grounded.statement)
