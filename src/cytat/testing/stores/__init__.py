"""The suite that every store has to pass, and small document versions to fill one with.

Inherit `StoreContract` in a test class with a fixture `open_corpus`, see `versions.OpenCorpus`:

    class TestMine(StoreContract):
        @pytest.fixture
        def open_corpus(self, tmp_path):
            def open_corpus(name, *, labels):
                url = f"mine://{tmp_path}/{name}"
                return open_store(url, create=labels is None, labels=labels)

            return open_corpus
"""

from cytat.testing.stores.account import (
    MomentAccount,
    RankingAccount,
    RankingQuestions,
    account_of,
    assert_alike,
)
from cytat.testing.stores.documents import DocumentsContract
from cytat.testing.stores.moments import MomentsContract
from cytat.testing.stores.notes import NotesContract
from cytat.testing.stores.ranking import WordsContract
from cytat.testing.stores.rights import RightsContract
from cytat.testing.stores.vectors import SpacesContract, VectorsContract
from cytat.testing.stores.versions import (
    SPACE,
    OpenCorpus,
    asked,
    identifier,
    make_passages,
    make_unread,
    make_version,
    put,
    unit,
    word,
)

__all__ = [
    "SPACE",
    "MomentAccount",
    "OpenCorpus",
    "RankingAccount",
    "RankingQuestions",
    "StoreContract",
    "account_of",
    "asked",
    "assert_alike",
    "identifier",
    "make_passages",
    "make_unread",
    "make_version",
    "put",
    "unit",
    "word",
]


class StoreContract(
    DocumentsContract,
    MomentsContract,
    RightsContract,
    WordsContract,
    VectorsContract,
    SpacesContract,
    NotesContract,
):
    """What every store promises. Provide a fixture `open_corpus` in the class that inherits."""
