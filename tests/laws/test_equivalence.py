"""Law: an index that grew by additions, changes and removals equals one made from scratch.

Equal in ids, spans, texts, words with their counts, scores, and the bytes of every vector.
"""

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.corpora import add, check_whole, content_of, write_files
from tests.stores import Store

from cytat.analysis import analyse_question
from cytat.protocols import ScoredChunk

NAMES = st.sampled_from(["a.md", "b.txt", "sub/a.md", "sub/c.txt"])
SENTENCES = st.sampled_from(
    ["Kot ma dom.", "Pies ma kota.", "Umowa trwa rok.", "Stawka wynosi 5%.", "Art. 43. Zwolnienie."]
)
TEXTS = st.lists(SENTENCES, max_size=30).map("\n\n".join)

QUESTION = analyse_question("kot rok dom umowa", languages=("pl",))


def scores_of(store: Store) -> list[ScoredChunk]:
    """Return the ranking by words: chunk ids with their scores, to the last bit."""
    with store.moment() as moment:
        return list(moment.by_words(QUESTION, depth=999, allowed=None).scored.hits)


class GrowingCorpus(RuleBasedStateMachine):
    """Files come, change, move and go; a run of `add` follows now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp())
        self.folder = self.place / "docs"
        write_files(self.folder, {"always.txt": "Ten plik zostaje."})
        self.store = Store.open_or_create(self.place / "cytat.db")
        self.is_current = False

    @rule(name=NAMES, text=TEXTS)
    def write(self, name: str, text: str) -> None:
        write_files(self.folder, {name: text})
        self.is_current = False

    @rule(name=NAMES)
    def delete(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)
        self.is_current = False

    @rule(old=NAMES, new=NAMES)
    def rename(self, old: str, new: str) -> None:
        if (self.folder / old).exists():
            (self.folder / new).parent.mkdir(exist_ok=True)
            (self.folder / old).replace(self.folder / new)
            self.is_current = False

    @rule()
    def add(self) -> None:
        add(self.store, self.folder)
        self.is_current = True

    @rule(name=NAMES)
    def remove_and_add_again(self, name: str) -> None:
        for document in self.store.documents():
            if document.source == f"docs/{name}":
                self.store.remove(document.id)
        self.add()

    @invariant()
    def equals_a_corpus_made_from_scratch(self) -> None:
        if not self.is_current:
            return
        check_whole(self.store)
        scratch = self.place / "scratch.db"
        with Store.open_or_create(scratch) as fresh:
            add(fresh, self.folder)
            assert content_of(self.store) == content_of(fresh)
            assert scores_of(self.store) == scores_of(fresh)
        for file in self.place.glob("scratch.db*"):
            file.unlink()

    def teardown(self) -> None:  # type: ignore[explicit-override]  # typing has it from 3.12
        self.store.close()
        shutil.rmtree(self.place)


TestGrowingCorpus = GrowingCorpus.TestCase
TestGrowingCorpus.settings = settings(
    max_examples=8,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
