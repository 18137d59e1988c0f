"""A question as the retrievers take it, and the conditions of a filter."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TermGroup:
    """One word of a question with everything that counts as the same word.

    `alternatives`: any of these terms is the word itself; for an identifier, the whole.
    `parts`: for an identifier or compound, each part with its own alternatives; empty otherwise.
    """

    surface: str
    alternatives: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    is_identifier: bool
    is_stop: bool

    def met_by(self, terms: Collection[str]) -> bool:
        """Say whether a text with these terms holds the word, or the identifier whole."""
        return any(term in terms for term in self.alternatives)


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the retrievers take it: its text, its language if known, its words."""

    text: str
    language: str | None
    groups: tuple[TermGroup, ...]

    @property
    def content(self) -> tuple[TermGroup, ...]:
        """The words that carry content; all words when a question has none that do."""
        return tuple(group for group in self.groups if not group.is_stop) or self.groups


@dataclass(frozen=True, slots=True)
class Condition:
    """One `KEY=VALUE` of a filter, with its sign."""

    key: str
    sign: str
    values: tuple[str, ...]
    """Alternatives; empty only for `KEY=`."""

    @property
    def text(self) -> str:
        """The condition as a person writes it."""
        return f"{self.key}{self.sign}{','.join(self.values)}"
