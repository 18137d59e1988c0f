"""Operations on a corpus by chance, and questions to it: for comparing stores with each other.

All of it comes from one `random.Random`, so that a seed, or Hypothesis, says what happens.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from zlib import crc32

from cytat.analysis import analyse_question
from cytat.fulltext import terms_of_words
from cytat.protocols import NewVersion, Vectors, Writing
from cytat.records import DocumentState, Ledger
from cytat.testing.stores import RankingQuestions, make_passages, make_unread, unit
from cytat.text.identity import document_id

WORDS = (
    *("umowa", "umowy", "umową", "najem", "najmu", "kaucja", "kaucji", "5,0 kg", "2025-09-30"),
    *("FV/2025/09/0143", "FV-2025-09-0143", "FV/2025/09/0144", "2025", "43", "art. 43"),
    *("multi-agent", "multi agent", "getUserName", "km/h", "i", "the rent is due", "der Vertrag"),
    *("12/12", "mata-mata", "mata"),
)
RARE_WORDS = tuple(f"słowo{number}" for number in range(90))
"""Enough for a question of which not every word is looked for."""
SOURCES = ("a.txt", "b.md", "umowy/c.txt", "umowy/2025/d.md", "e.txt", "f.txt")
LABELS = ("", "", "hr", "board", "board", "alone")
VECTORS = tuple(
    unit(*numbers)
    for numbers in ((1, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (-1, 2, 0, 1), (0, 0, 1, 0.001))
)
LEDGERS = (
    Ledger(parts=1, read=1, empty=0, ocr=0, failed=0, left_out=0, problems=()),
    Ledger(parts=9, read=4, empty=2, ocr=0, failed=3, left_out=1, problems=()),
)
FILTERS = (
    *("rok>=2025", "rok=2024", "rok=", "rok!=2025", "source=umowy/*", "folder=umowy", "type=md"),
    *("language=de", "source=a.txt", "source=nowhere.txt"),
)
USERS: Sequence[frozenset[str] | None] = (
    None,
    frozenset(),
    frozenset({"hr"}),
    frozenset({"hr", "board"}),
    frozenset({"alone", "board"}),
)
"""None is the owner. Some may read nearly nothing: what is nearest to a question is forbidden."""


class Operation(Protocol):
    """Something that happens to one document."""

    @property
    def source(self) -> str:
        """Of the document."""
        ...

    def apply(self, writing: Writing) -> None:
        """Let it happen."""
        ...


@dataclass(frozen=True, slots=True)
class Put:
    """A document comes, or another version of it; with a label, the person says who may read it."""

    version: NewVersion
    label: str | None

    @property
    def source(self) -> str:
        return self.version.document.source

    def apply(self, writing: Writing) -> None:
        writing.replace(self.version)
        if self.label is not None:
            writing.set_label(self.version.document.id, self.label)


@dataclass(frozen=True, slots=True)
class Remove:
    """A document goes."""

    source: str

    def apply(self, writing: Writing) -> None:
        writing.remove(document_id(self.source))


@dataclass(frozen=True, slots=True)
class Relabel:
    """Another label says who may read a document."""

    source: str
    label: str

    def apply(self, writing: Writing) -> None:
        writing.set_label(document_id(self.source), self.label)


@dataclass(frozen=True, slots=True)
class Annotate:
    """A person says more of a document."""

    source: str
    given: Mapping[str, str]

    def apply(self, writing: Writing) -> None:
        writing.add_metadata(document_id(self.source), self.given)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file cannot be read any more, or holds nothing."""

    source: str
    state: DocumentState

    def apply(self, writing: Writing) -> None:
        writing.record_unread(make_unread(self.source, self.state, "unreadable"))


def an_operation(dice: random.Random, *, is_labelled: bool) -> Operation:
    """Return an operation; with `is_labelled` each document that comes is given its label."""
    source = dice.choice(SOURCES)
    match dice.randrange(10):
        case 0:
            return Remove(source)
        case 1 | 2:
            return Relabel(source, dice.choice(LABELS))
        case 3:
            return Annotate(source, {"rok": dice.choice(("2024", "2025", "2026-01-31"))})
        case 4:
            states = (DocumentState.FAILED, DocumentState.FAILED, DocumentState.SKIPPED)
            return Unreadable(source, dice.choice(states))
        case _:
            label = dice.choice(LABELS) if is_labelled or dice.randrange(2) else None
            return Put(a_version(dice, source), label)


def a_version(dice: random.Random, source: str) -> NewVersion:
    """Return a document of a few passages, with the terms that our analyser makes of them."""
    passages = [a_passage(dice) for _ in range(dice.randrange(1, 6))]
    if not dice.randrange(4):
        passages = [dice.choice(WORDS[:3])]  # the same content under several names
    language = dice.choice(("pl", "pl", "de", None))
    new = make_passages(
        source,
        passages,
        vectors=[a_vector(passage) if dice.randrange(6) else None for passage in passages],
        given={} if dice.randrange(2) else {"rok": dice.choice(("2024", "2025"))},
        language=language,
        title=dice.choice(("", "Umowa")),
    )
    title = new.document.title
    terms = [terms_of_words(title, passage, language) for passage in passages]
    document = replace(new.document, ledger=dice.choice(LEDGERS))
    return replace(new, document=document, terms=terms)


def a_vector(passage: str) -> Vectors:
    """Return the vector of a passage: equal passages have equal vectors, as an encoder's are."""
    return VECTORS[crc32(passage.encode()) % len(VECTORS)]


def a_passage(dice: random.Random) -> str:
    """Return words; some passages are long, and some hold rare words."""
    words = list(dice.choices(WORDS, k=dice.randrange(1, 9)))
    if not dice.randrange(4):
        words += dice.choices(RARE_WORDS, k=dice.randrange(1, 60))
    return " ".join(words)


def some_questions(dice: random.Random) -> RankingQuestions:
    """Return questions in words, questions in vectors, and filters."""
    texts = [" ".join(dice.choices(WORDS, k=dice.randrange(1, 5))) for _ in range(2)]
    if not dice.randrange(4):
        texts.append(" ".join((*RARE_WORDS, dice.choice(WORDS))))
    return RankingQuestions(
        queries=[analyse_question(text, languages=("pl", "de")) for text in texts],
        vectors=[dice.choice(VECTORS), unit(1, 2, 3, 4)],
        filters=[dice.choice(FILTERS)],
    )
