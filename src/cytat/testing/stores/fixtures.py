"""What the suites of a store are given: corpora by name, and the empty corpus of most tests."""

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Protocol

import pytest

from cytat.protocols import Store


class OpenCorpus(Protocol):
    """Opens corpora of one test; those of different names have nothing in common."""

    def __call__(self, name: str, *, labels: Collection[str] | None) -> Store:
        """Open the corpus of a name: for its owner, and made if need be, without labels."""
        ...


class StoreFixtures:
    """The fixtures; the class that inherits provides `open_corpus`."""

    @pytest.fixture
    def store(self, open_corpus: OpenCorpus) -> Iterator[Store]:
        """Return an empty corpus, open for its owner."""
        with closing(open_corpus("corpus", labels=None)) as store:
            yield store


def elsewhere(*acts: Callable[[], object]) -> None:
    """Carry out acts at once, each in a thread of its own; raise what one of them raises."""
    with ThreadPoolExecutor(max_workers=len(acts)) as threads:
        for done in [threads.submit(act) for act in acts]:
            done.result()
