"""What is in memory of a corpus file is one for all who ask it, and each sees their own part."""

import gc
import multiprocessing
import random
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

import pytest
from tests.corpora import add, write_files
from tests.stores import Store

from cytat.analysis import analyse_question
from cytat.analysis.filters import parse_where
from cytat.backends.sqlite.indexes import shared_indexes
from cytat.backends.sqlite.moment import SqliteMoment
from cytat.records import ChunkId
from cytat.testing.embedders import FakeEmbedder
from cytat.text.identity import document_id

WORDS = ["umowa", "najem", "czynsz", "kaucja", "FV/2025/09/0143", "FV/2025/09/0144", "pies", "1A"]
LABELS = ["", "hr", "zarząd", "prawo"]
QUESTIONS = [
    "umowa najem czynsz",
    "FV/2025/09/0143",
    "kaucja 1A i pies",
    "czynsz FV/2025/09/0144 najem",
    "nic takiego",
]
ENCODER = FakeEmbedder()


def texts_of(chance: random.Random, count: int) -> dict[str, str]:
    return {
        f"{at:03}.md": f"# {chance.choice(WORDS)}\n\n" + " ".join(chance.choices(WORDS, k=12)) + "."
        for at in range(count)
    }


def made(place: Path, texts: Mapping[str, str], labels: Mapping[str, str]) -> Path:
    """Write a corpus of texts with their labels, and return its file."""
    write_files(place / "docs", texts)
    with Store.open_or_create(place / "cytat.db") as store:
        add(store, place / "docs")
        with store.writing() as writing:
            for name, label in labels.items():
                writing.set_label(document_id(f"docs/{name}"), label)
    return place / "cytat.db"


def seen(moment: SqliteMoment, where: Sequence[str] = ()) -> list[object]:
    """Return all that ranking says of a corpus."""
    allowed = moment.allowed(parse_where(where)) if where else None
    found: list[object] = [
        moment.count_chunks(),
        moment.count_vectors(),
        moment.count_unembedded_documents(),
        moment.languages(),
        moment.frequencies(WORDS),
        (allowed.documents, allowed.chunks) if allowed else None,
    ]
    for question in QUESTIONS:
        query = analyse_question(question, languages=moment.languages())
        words = moment.by_words(query, depth=7, allowed=allowed)
        vector = ENCODER.embed_query(question)
        vectors = moment.by_vector(vector, depth=7, allowed=allowed)
        found += [words.holders, words.is_decided, words.missing, words.words_left_out]
        for scored in (words.scored, vectors):
            every = [hit.chunk_id for hit in scored.hits] + [ChunkId("c00000000000000000000")]
            found += [scored.hits, scored.searched, scored.spread(), scored.scores_of(every)]
    return found


@pytest.mark.parametrize("seed", range(3))
def test_a_user_sees_the_corpus_that_holds_what_the_user_may_read_and_nothing_else(
    tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - a sample
    texts = texts_of(chance, 40)
    labels = {name: chance.choice(LABELS) for name in texts}
    whole = made(tmp_path / "whole", texts, labels)
    with Store.open(whole) as owner, owner.writing() as writing:  # places and rows part
        for name in chance.sample(sorted(texts), 5):
            writing.remove(document_id(f"docs/{name}"))
            del texts[name]
    for at, mine in enumerate([[], ["hr"], ["hr", "prawo"], LABELS[1:], ["nobody"]]):
        kept = {name: text for name, text in texts.items() if labels[name] in {"", *mine}}
        part = made(tmp_path / str(at), kept, {name: labels[name] for name in kept})
        with Store.open(whole, labels=mine) as user, Store.open(part) as owner:
            for where in ([], ["source=*1.md"], ["folder=docs", "type=md"]):
                with user.moment() as theirs, owner.moment() as all_of_it:
                    assert seen(theirs, where) == seen(all_of_it, where)


def test_a_user_gets_no_score_of_a_chunk_that_may_not_be_read(tmp_path: Path) -> None:
    texts = {"open.md": "Umowa najmu.", "secret.md": "Umowa najmu z kaucją."}
    file = made(tmp_path, texts, {"secret.md": "hr"})
    with Store.open(file) as owner, owner.moment() as moment:
        secret = [stored.chunk.id for stored in moment.chunks(document_id("docs/secret.md"))]
    with Store.open(file, labels=[]) as user, user.moment() as moment:
        query = analyse_question("umowa", languages=("pl",))
        words = moment.by_words(query, depth=9, allowed=None)
        vectors = moment.by_vector(ENCODER.embed_query("umowa"), depth=9, allowed=None)
        assert len(words.scored.hits) == len(vectors.hits) == 1
        assert words.scored.scores_of(secret) == vectors.scores_of(secret) == {}


def test_all_who_have_a_file_open_share_what_is_in_memory(tmp_path: Path) -> None:
    file = made(tmp_path, texts_of(random.Random(1), 12), {"003.md": "hr"})  # noqa: S311
    with (
        Store.open(file) as owner,
        Store.open(file, labels=["hr"]) as reader,
        owner.moment() as mine,
        reader.moment() as theirs,
    ):
        assert seen(mine) == seen(theirs)
        shared = shared_indexes(file)
        snapshot = shared.snapshot(mine.connection)
        assert snapshot is shared.snapshot(theirs.connection)
        # Who may read each document there is needs no masks of their own.
        everything = snapshot.readable(mine.connection, None)
        assert snapshot.readable(mine.connection, ["", "hr"]) is everything


def test_nothing_stays_in_memory_once_nobody_has_the_file_open(tmp_path: Path) -> None:
    file = made(tmp_path, texts_of(random.Random(1), 3), {})  # noqa: S311
    with Store.open(file) as store:
        with store.moment() as moment:
            before = moment.count_vectors()
        first = id(shared_indexes(file))
        assert id(shared_indexes(file)) == first
    del moment, store
    gc.collect()
    with Store.open(file) as store, store.moment() as moment:
        snapshot = shared_indexes(file).snapshot(moment.connection)
        assert snapshot.loaded_vectors is None
        assert moment.count_vectors() == before


def test_a_moment_stays_what_it_was_while_others_write_and_ask(tmp_path: Path) -> None:
    file = made(tmp_path, texts_of(random.Random(2), 20), {"001.md": "hr"})  # noqa: S311
    with Store.open(file) as store, Store.open(file) as other:
        with store.moment() as moment:
            before = seen(moment, ["folder=docs"])
            after: list[object] = []

            def write_and_ask() -> None:
                with other.writing() as writing:
                    writing.remove(document_id("docs/004.md"))
                    writing.set_label(document_id("docs/001.md"), "")
                with other.moment() as later:
                    after.extend(seen(later, ["folder=docs"]))

            thread = Thread(target=write_and_ask)
            thread.start()
            thread.join()
            assert seen(moment, ["folder=docs"]) == before
        with store.moment() as moment:
            assert seen(moment, ["folder=docs"]) == after != before


def test_an_old_moment_that_ranks_first_after_a_write_reads_what_it_is_a_moment_of(
    tmp_path: Path,
) -> None:
    texts = texts_of(random.Random(3), 20)  # noqa: S311
    file = made(tmp_path / "whole", texts, {})
    without = {name: text for name, text in texts.items() if name != "004.md"}
    smaller = made(tmp_path / "smaller", without, {})
    with Store.open(file) as store, Store.open(smaller) as other:
        with store.moment() as moment, other.moment() as expected:
            assert moment.generation
            thread = Thread(target=_remove_and_ask, args=(file,))
            thread.start()
            thread.join()
            assert moment.count_chunks() == expected.count_chunks() + len(
                moment.chunks(document_id("docs/004.md"))
            )
        with store.moment() as moment, other.moment() as expected:
            assert seen(moment) == seen(expected)


def _remove_and_ask(file: Path) -> None:
    with Store.open(file) as store:
        with store.writing() as writing:
            writing.remove(document_id("docs/004.md"))
        with store.moment() as moment:
            seen(moment)


def test_a_file_put_in_the_place_of_another_is_not_taken_for_it(tmp_path: Path) -> None:
    file = made(tmp_path, texts_of(random.Random(4), 9), {})  # noqa: S311
    with Store.open(file) as store, store.moment() as moment:
        before = seen(moment)
        shutil.copy(file, tmp_path / "other.db")
        (tmp_path / "other.db").replace(file)
        with Store.open(file) as fresh:
            with fresh.writing() as writing:
                writing.remove(document_id("docs/004.md"))
            with fresh.moment() as theirs:
                assert seen(theirs) != before
        assert seen(moment) == before


def test_what_a_write_has_not_committed_is_seen_by_itself_alone(tmp_path: Path) -> None:
    file = made(tmp_path, texts_of(random.Random(5), 9), {})  # noqa: S311
    with Store.open(file) as store:
        with store.moment() as moment:
            before = seen(moment)
        with pytest.raises(KeyboardInterrupt):
            _remove_look_and_give_up(store, before)
        with store.moment() as moment:
            assert seen(moment) == before


def _remove_look_and_give_up(store: Store, before: list[object]) -> None:
    with store.writing() as writing:
        writing.remove(document_id("docs/004.md"))
        assert seen(writing) != before
        raise KeyboardInterrupt


def test_threads_of_one_store_rank_alike(tmp_path: Path) -> None:
    file = made(tmp_path, texts_of(random.Random(6), 20), {"001.md": "hr"})  # noqa: S311
    found: list[list[object]] = []

    def ask(store: Store) -> None:
        with store.moment() as moment:
            found.append(seen(moment))

    with Store.open(file) as store:
        threads = [Thread(target=ask, args=(store,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 8
    assert all(one == found[0] for one in found)


def _child(store: Store, answers: "multiprocessing.SimpleQueue[object]") -> None:
    with store.moment() as moment:
        answers.put(seen(moment))


def test_a_forked_child_ranks_as_its_parent(tmp_path: Path) -> None:
    file = made(tmp_path, texts_of(random.Random(7), 9), {})  # noqa: S311
    forked = multiprocessing.get_context("fork")
    with Store.open(file) as store:
        with store.moment() as moment:
            expected = seen(moment)
        answers = forked.SimpleQueue()
        child = forked.Process(target=_child, args=(store, answers))
        child.start()
        assert answers.get() == expected
        child.join()


def test_a_filter_of_another_moment_is_refused(tmp_path: Path) -> None:
    file = made(tmp_path, texts_of(random.Random(8), 9), {})  # noqa: S311
    with Store.open(file) as store:
        with store.moment() as moment:
            allowed = moment.allowed(parse_where(["folder=docs"]))
        with store.writing() as writing:
            writing.remove(document_id("docs/004.md"))
        with store.moment() as moment, pytest.raises(ValueError, match="another moment"):
            moment.by_vector(ENCODER.embed_query("umowa"), depth=3, allowed=allowed)
