"""Passages + an encoder's tokenizer -> how many tokens they are, and what for. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from cytat.text.identity import passage_text


@dataclass(frozen=True, slots=True)
class PassageParts:
    """What is embedded of a chunk."""

    title: str
    heading_path: tuple[str, ...]
    context: str
    words: str


@dataclass(frozen=True, slots=True)
class PassageCounts:
    """Passages, their tokens, those of heading paths, and how many exceed the window."""

    chunks: int
    tokens: int
    heading_tokens: int
    past_window: int


def count_passages(
    passages: Iterable[PassageParts], *, token_ends: Callable[[str], Sequence[int]], window: int
) -> PassageCounts:
    """Return what passages hold; `window` is how many tokens of one the encoder sees.

    What a heading path costs is the head of its passage less that of a title alone.
    """
    costs: dict[tuple[str, tuple[str, ...]], int] = {}
    chunks = tokens = heading_tokens = past_window = 0
    for one in passages:
        head = (one.title, one.heading_path)
        if head not in costs:
            with_path = passage_text(one.title, one.heading_path, "", "")
            alone = passage_text(one.title, (), "", "")
            costs[head] = len(token_ends(with_path)) - len(token_ends(alone))
        count = len(token_ends(passage_text(*head, one.context, one.words)))
        chunks, tokens = chunks + 1, tokens + count
        heading_tokens += costs[head]
        past_window += count > window
    return PassageCounts(chunks, tokens, heading_tokens, past_window)
