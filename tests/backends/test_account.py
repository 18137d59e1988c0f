"""The account that stores are compared by leaves out nothing that a moment can be asked."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from cytat.backends.memory.store import open_store
from cytat.protocols import Moment
from cytat.testing.stores import SPACE, account_of, assert_alike, make_passages, put, unit

OF_ITS_OWN_CORPUS = {"generation", "trace"}
"""What no other corpus says alike."""


class Recorded:
    """A moment that writes down what it is asked."""

    def __init__(self, moment: Moment) -> None:
        self.asked: set[str] = set()
        self._moment = moment

    def __getattr__(self, name: str) -> object:
        self.asked.add(name)
        return getattr(self._moment, name)


@pytest.fixture
def moment() -> Iterator[Moment]:
    with closing(open_store(":memory:", create=True, labels=None)) as store:
        put(store, make_passages("a.txt", ["alfa", "beta"], vectors=[unit(1, 0, 0, 0)]))
        with store.writing() as writing:
            writing.claim_space(SPACE)
        with store.moment() as moment:
            yield moment


def test_everything_that_a_moment_says_is_in_its_account(moment: Moment) -> None:
    recorded = Recorded(moment)
    account_of(recorded)  # type: ignore[arg-type] # it has all methods of a moment
    methods = {name for name in vars(Moment) if not name.startswith("_")}
    assert recorded.asked == methods - OF_ITS_OWN_CORPUS


def test_accounts_of_unlike_corpora_are_not_alike(moment: Moment) -> None:
    with closing(open_store(":memory:", create=True, labels=None)) as store:
        put(store, make_passages("a.txt", ["alfa", "gamma"], vectors=[unit(1, 0, 0, 0)]))
        with store.moment() as other, pytest.raises(AssertionError):
            assert_alike(account_of(moment), account_of(other))
