"""Law of back-ends: whatever happens to a corpus, each back-end says the same of it.

The corpus in memory is written from the formulas alone and is the oracle of the one in a file.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.random_corpora import (
    USERS,
    Annotate,
    Operation,
    Put,
    Relabel,
    Remove,
    an_operation,
    some_questions,
)

from cytat.analysis.filters import parse_where
from cytat.backends.memory.store import MemoryCorpora
from cytat.backends.sqlite import open_store as open_file
from cytat.protocols import Moment, NewVersion, Store, WordsFound
from cytat.records import Query
from cytat.testing.stores import (
    SPACE,
    MomentAccount,
    OpenCorpus,
    RankingAccount,
    RankingQuestions,
    account_of,
    asked,
    assert_alike,
    identifier,
    make_passages,
    put,
    word,
)
from cytat.text.identity import document_id

CHANCES = st.randoms(use_true_random=False)
TRANSACTIONS, OPERATIONS = 4, 5
"""At most, and in each at most."""
STEPS = 1_000
BETWEEN_QUESTIONS = 4
"""One step in so many is a question."""


class Undone(Exception):  # noqa: N818 - what happened, not what is wrong
    """A transaction failed at its end."""


def in_memory() -> OpenCorpus:
    corpora = MemoryCorpora()
    return lambda name, *, labels: corpora(f"memory://{name}", create=labels is None, labels=labels)


def in_files(folder: Path) -> OpenCorpus:
    return lambda name, *, labels: open_file(
        str(folder / f"{name}.db"), create=labels is None, labels=labels
    )


def opened(
    stack: ExitStack,
    open_corpus: OpenCorpus,
    name: str,
    users: Sequence[frozenset[str] | None] = USERS,
) -> list[Store]:
    """Return a corpus as its owner, the first of the users, and all others have it open."""
    stores = [stack.enter_context(closing(open_corpus(name, labels=user))) for user in users]
    with stores[0].writing() as writing:
        writing.claim_space(SPACE)
        writing.set_chunking("fake/1:10")
    return stores


def change(store: Store, operations: Sequence[Operation], *, undone: int) -> None:
    """Let operations happen in one transaction; the last ones in a block that is undone."""
    kept = len(operations) - undone
    with store.writing() as writing:
        for operation in operations[:kept]:
            operation.apply(writing)
        if undone:
            with pytest.raises(Undone):
                _fail(store, operations[kept:])


def _fail(store: Store, operations: Sequence[Operation]) -> None:
    with store.writing() as writing:
        for operation in operations:
            operation.apply(writing)
        raise Undone


def check_alike(one: Store, other: Store, questions: RankingQuestions) -> None:
    with one.moment() as mine, other.moment() as theirs:
        assert_alike(account_of(mine, questions), account_of(theirs, questions))
        assert mine.generation == theirs.generation


def check_agreement(dice: random.Random, folder: Path, name: str) -> None:
    """Let the same happen to a corpus in memory and to one in a file, and compare all they say."""
    with ExitStack() as stack:
        memory = opened(stack, in_memory(), name)
        files = opened(stack, in_files(folder), name)
        for _ in range(dice.randrange(1, TRANSACTIONS + 1)):
            count = dice.randrange(1, OPERATIONS + 1)
            operations = [an_operation(dice, is_labelled=False) for _ in range(count)]
            undone = dice.choice((0, 0, 0, 1, count))
            for owners in (memory[0], files[0]):
                change(owners, operations, undone=undone)
            at = dice.randrange(len(USERS))  # who has something in memory that is outdated later
            check_alike(memory[at], files[at], some_questions(dice))
        questions = some_questions(dice)
        for one, other in zip(memory, files, strict=True):
            check_alike(one, other, questions)


@pytest.fixture(scope="module")
def names() -> Iterator[str]:
    """Return names of corpora, each another."""
    return (f"c{number}" for number in range(1_000_000))


@given(dice=CHANCES)
@settings(
    max_examples=100,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_a_corpus_in_memory_and_one_in_a_file_say_the_same(
    quick_folder: Path, names: Iterator[str], dice: random.Random
) -> None:
    check_agreement(dice, quick_folder, next(names))


@pytest.mark.slow
@given(dice=CHANCES)
@settings(
    max_examples=2_000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_they_say_the_same_many_times(
    quick_folder: Path, names: Iterator[str], dice: random.Random
) -> None:
    check_agreement(dice, quick_folder, next(names))


# ---------------------------------------------------------------- many chunks


def a_large_corpus(dice: random.Random) -> list[NewVersion]:
    """Return documents of many chunks, whose words are as unlike in number as those of a text."""
    words = [f"w{number}" for number in range(400)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    return [
        make_passages(
            f"{document}.txt",
            [" ".join(dice.choices(words, weights, k=dice.randrange(1, 16))) for _ in range(50)],
        )
        for document in range(80)
    ]


def a_large_question(dice: random.Random) -> Query:
    """Return a question of frequent and rare words, and sometimes of an identifier."""
    terms = [f"w{int(400 ** dice.random())}" for _ in range(dice.randrange(1, 9))]
    rare = f"w{dice.randrange(300, 400)}"
    identifiers = [] if dice.randrange(4) else [identifier(rare, parts=[["w"]])]
    return asked(*map(word, dict.fromkeys(terms)), *identifiers)


def check_words(one: Moment, other: Moment, dice: random.Random) -> None:
    query, depth = a_large_question(dice), dice.choice((1, 3, 10, 50))
    where = dice.choice((None, "source!=none", "source=1*.txt", "source=7.txt"))
    mine, theirs = (_by_words(moment, query, depth, where) for moment in (one, other))
    hits, wanted = tuple(mine.scored.hits), tuple(theirs.scored.hits)
    assert [hit.chunk_id for hit in hits] == [hit.chunk_id for hit in wanted]
    assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in wanted])
    assert (mine.holders, mine.missing) == (theirs.holders, theirs.missing)
    assert mine.scored.spread() == pytest.approx(theirs.scored.spread())


def _by_words(moment: Moment, query: Query, depth: int, where: str | None) -> WordsFound:
    allowed = None if where is None else moment.allowed(parse_where(where))
    return moment.by_words(query, depth=depth, allowed=allowed)


def test_what_a_store_skips_among_many_chunks_could_not_be_a_hit(quick_folder: Path) -> None:
    dice = random.Random(4)  # noqa: S311 - chance, not secrets
    versions = a_large_corpus(dice)
    with ExitStack() as stack:
        memory, files = (
            opened(stack, open_corpus, "large")
            for open_corpus in (in_memory(), in_files(quick_folder))
        )
        for owners in (memory[0], files[0]):
            put(owners, *versions)
            label(owners)
        for at in (0, 1, 3):  # the owner, who reads nearly all, and who reads half
            with memory[at].moment() as mine, files[at].moment() as theirs:
                for _ in range(40):
                    check_words(mine, theirs, dice)


def label(store: Store) -> None:
    """Hide each third document from those who have no label."""
    with store.writing() as writing:
        for number in range(0, 80, 3):
            writing.set_label(document_id(f"{number}.txt"), "hr" if number % 2 else "alone")


# ---------------------------------------------------------------- rights


class Desk:
    """What has happened to each document, and which label says who may read it."""

    def __init__(self) -> None:
        self._happened: dict[str, list[Operation]] = {}
        self._labels: dict[str, str] = {}

    def note(self, operation: Operation) -> None:
        """Write down what has happened."""
        source = operation.source
        match operation:
            case Remove():
                self._happened.pop(source, None)
                return
            case Relabel() | Annotate() if source not in self._happened:
                return  # of nothing
            case Relabel(label=str(label)) | Put(label=str(label)):
                self._labels[source] = label
            case _ if source not in self._happened:
                self._labels.setdefault(source, "")  # a removed document leaves its label
        self._happened.setdefault(source, []).append(operation)

    def tell(self, store: Store, user: frozenset[str] | None) -> None:
        """Let all of it happen to another corpus, but for what a user may not read."""
        with store.writing() as writing:
            for source, happened in self._happened.items():
                if user is None or self._labels[source] in {"", *user}:
                    for operation in happened:
                        operation.apply(writing)
                    writing.set_label(document_id(source), "")


def check_rights(dice: random.Random, open_corpus: OpenCorpus, alone: OpenCorpus) -> Counter[str]:
    """Let a thousand things happen by chance; users ask in between. Return how many asked what.

    What a user is answered is compared with what a corpus says that never held anything else.
    """
    desk, questions = Desk(), Counter[str]()
    with ExitStack() as stack:
        stores = opened(stack, open_corpus, "all")
        for step in range(STEPS):
            if dice.randrange(BETWEEN_QUESTIONS):
                operation = an_operation(dice, is_labelled=True)
                change(stores[0], [operation], undone=0)
                desk.note(operation)
                continue
            at = dice.randrange(len(USERS))
            with ExitStack() as others:
                (permitted,) = opened(others, alone, f"alone-{step}", [None])
                desk.tell(permitted, USERS[at])
                questions[f"{USERS[at]}"] += check_same(stores[at], permitted, some_questions(dice))
    return questions


def check_same(mine: Store, permitted: Store, questions: RankingQuestions) -> int:
    with mine.moment() as read, permitted.moment() as wanted:
        said, expected = account_of(read, questions), account_of(wanted, questions)
    if type(mine) is type(permitted):
        assert scores_in(said) == scores_in(expected)  # to the last bit
    assert_alike(said, expected)
    return 1


def scores_in(account: MomentAccount) -> list[object]:
    """Return hits and scores; the last bit of their mean depends on the order of documents."""
    rankings = (said for said in account.values() if isinstance(said, RankingAccount))
    return [(ranking.hits, ranking.scores) for ranking in rankings]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("back_end", ["memory", "file"])
def test_a_user_is_answered_as_by_a_corpus_of_what_that_user_may_read(
    quick_folder: Path, back_end: str, seed: int
) -> None:
    open_corpus = in_memory() if back_end == "memory" else in_files(quick_folder)
    dice = random.Random(seed)  # noqa: S311 - chance, not secrets
    questions = check_rights(dice, open_corpus, alone=in_memory())
    assert len(questions) == len(USERS)


@pytest.mark.slow
def test_scores_in_a_file_are_the_same_to_the_last_bit_without_what_is_forbidden(
    quick_folder: Path,
) -> None:
    dice = random.Random(3)  # noqa: S311 - chance, not secrets
    open_corpus = in_files(quick_folder)
    assert len(check_rights(dice, open_corpus, alone=open_corpus)) == len(USERS)
