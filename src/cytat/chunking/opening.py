"""The name of a cutter, as a person or a stamp writes it -> its parts, and the cutter itself.

A person writes `fixed:256+32`; a stamp adds the version of the cutting and what decides beside
the numbers: `semantic/1:95:320@6f0c2a91`. Both are read here, so that a corpus is known by its
own stamp how to go on.
"""

import re
from dataclasses import dataclass, replace

from cytat.chunking.plain import (
    DEFAULT_SENTENCES,
    BoundaryChunker,
    FixedChunker,
    PathlessChunker,
    SentenceWindowChunker,
)
from cytat.chunking.semantic import DEFAULT_PERCENTILE, SemanticChunker
from cytat.chunking.structure import DEFAULT_BUDGET_TOKENS, StructureChunker
from cytat.errors import UsageError
from cytat.protocols import Chunker, Embedder

FORMS = {
    "structure": "structure[:TOKENS]",
    "pathless": "pathless[:TOKENS]",
    "boundaries": "boundaries[:TOKENS]",
    "fixed": "fixed[:TOKENS[+SHARED]]",
    "sentences": "sentences[:SENTENCES[+SHARED][:TOKENS]]",
    "semantic": "semantic[:PERCENTILE[:TOKENS]]",
}
"""Every cutter with the numbers it takes."""

_NAME = re.compile(
    r"(?P<kind>[a-z]+)(?:/\d+)?(?::(?P<first>\d{1,6})(?:\+(?P<shared>\d{1,6}))?)?"
    r"(?::(?P<second>\d{1,6}))?(?:@[0-9a-z]+)?"
)
_UNNUMBERED = re.compile(r"/\d+|@.*")
_SHARES = frozenset({"fixed", "sentences"})
_HAS_SECOND = {"sentences": DEFAULT_SENTENCES, "semantic": DEFAULT_PERCENTILE}
"""Cutters with a number before that of tokens, and what it is where only tokens are given."""


@dataclass(frozen=True, slots=True)
class ChunkerName:
    """A cutter and the numbers given with it; None for the cutter's default."""

    kind: str
    number: int | None
    """Sentences of a window, or a percentile; None for cutters with a budget alone."""
    shared: int | None
    tokens: int | None

    @property
    def text(self) -> str:
        """The name as a person writes it."""
        first = self.number if self.kind in _HAS_SECOND else self.tokens
        if first is None and self.tokens is not None:
            first = _HAS_SECOND[self.kind]
        shared = f"+{self.shared}" if self.shared is not None else ""
        second = self.tokens if self.kind in _HAS_SECOND else None
        numbers = (f"{first}{shared}" if first is not None else "", second)
        return ":".join(
            [self.kind, *(str(number) for number in numbers if number not in {"", None})]
        )


def parse_chunker_name(name: str) -> ChunkerName:
    """Return the parts of a name.

    Raises:
        UsageError: no cutter has such a name.
    """
    found = _NAME.fullmatch(name.strip().lower())
    if found is None or found["kind"] not in FORMS or not _fits_form(found):
        raise UsageError(f"unknown chunking {name!r}", hint=f"one of: {', '.join(FORMS.values())}")
    kind, first, shared = found["kind"], _number(found["first"]), _number(found["shared"])
    if kind in _HAS_SECOND:
        return ChunkerName(kind, first, shared, _number(found["second"]))
    return ChunkerName(kind, None, shared, first)


def is_same_chunking(name: str, other: str) -> bool:
    """Say whether two stamps name one cutting, be it by another version or another encoder."""
    return _UNNUMBERED.sub("", name) == _UNNUMBERED.sub("", other)


def _fits_form(found: re.Match[str]) -> bool:
    kind = found["kind"]
    return (found["shared"] is None or kind in _SHARES) and (
        found["second"] is None or kind in _HAS_SECOND
    )


def _number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


DEFAULT_CHUNKING = "structure"


def open_chunker(
    name: str, *, embedder: Embedder, budget_tokens: int = DEFAULT_BUDGET_TOKENS
) -> Chunker:
    """Return the cutter that `name` means.

    Args:
        name: such as "structure" or "fixed:256+32"; a stamp's own name will do.
        embedder: counts the tokens; the semantic cutter also asks it for vectors.
        budget_tokens: what a chunk may have if the name does not say. Neither is ever more than
            the encoder sees.

    Raises:
        UsageError: no cutter has such a name, or its numbers make no sense.
    """
    parts = parse_chunker_name(name)
    tokens = min(parts.tokens if parts.tokens is not None else budget_tokens, embedder.max_tokens)
    return _opened(replace(parts, tokens=tokens), tokens, embedder)


def _opened(parts: ChunkerName, tokens: int, embedder: Embedder) -> Chunker:
    shared = parts.shared or 0
    match parts.kind:
        case "fixed":
            return FixedChunker(tokens, shared, embedder.token_ends)
        case "pathless":
            return PathlessChunker(tokens, embedder.token_ends)
        case "boundaries":
            return BoundaryChunker(tokens, embedder.token_ends)
        case "sentences":
            count = DEFAULT_SENTENCES if parts.number is None else parts.number
            return SentenceWindowChunker(
                tokens, embedder.token_ends, sentences=count, shared=shared
            )
        case "semantic":
            percentile = DEFAULT_PERCENTILE if parts.number is None else parts.number
            return SemanticChunker(tokens, embedder, percentile=percentile)
        case _:
            return StructureChunker(tokens, embedder.token_ends)
