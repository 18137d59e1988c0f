"""What a store promises of read rights: what is forbidden to a user is as if it were not there."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from cytat.analysis.filters import parse_where
from cytat.errors import CorpusFormatError, NotAllowedError, SourceError, UsageError
from cytat.protocols import Moment, Store
from cytat.records import DocumentState, Span
from cytat.testing.stores.account import RankingQuestions, account_of
from cytat.testing.stores.versions import (
    SPACE,
    OpenCorpus,
    StoreFixtures,
    asked,
    identifier,
    ids,
    make_passages,
    make_unread,
    make_version,
    put,
    unit,
    word,
)
from cytat.text.identity import document_id

OPEN = make_passages(
    "open.txt", ["alfa beta", "beta beta fv1"], vectors=[unit(1, 0, 0, 0), unit(0, 1, 0, 0)]
)
SECRET = make_passages(
    "secret.txt",
    ["alfa alfa ~de", "fv1", "gamma"],
    vectors=[unit(1, 1, 0, 0), unit(1, 2, 0, 0), unit(0, 0, 1, 0)],
    language="cs",
    given={"rok": "2025"},
)
QUESTIONS = RankingQuestions(
    queries=[
        asked(word("alfa"), word("beta")),
        asked(word("gamma")),
        asked(identifier("fv1", "fv-1", parts=[["fv"], ["1"]]), word("alfa")),
    ],
    vectors=[unit(1, 2, 0, 0), unit(0, 0, 1, 0)],
    filters=["rok=2025", "source=open.txt", "language=pl"],
)


def _fill(store: Store) -> None:
    with store.writing() as writing:
        writing.claim_space(SPACE)
        writing.set_chunking("fake/1")
        writing.replace(OPEN)
        writing.replace(SECRET)
        writing.set_label(SECRET.document.id, "hr")
        writing.record_unread(make_unread("tajne.pdf", DocumentState.FAILED, "unreadable"))
        writing.set_label(document_id("tajne.pdf"), "hr")


def _set_label(store: Store, source: str, label: str) -> None:
    with store.writing() as writing:
        assert writing.set_label(document_id(source), label)


def _remove(store: Store, source: str) -> None:
    with store.writing() as writing:
        assert writing.remove(document_id(source))


def _labels_of_new(store: Store, number: int = 1) -> dict[str, str | None]:
    """Return the labels of documents that come into some folders."""
    folders = ("a/", "a/b/c/", "a/open/", "ab/", "a.zip!/")
    names = [f"{folder}{number}.txt" for folder in folders]
    put(store, *(make_version(name, f"tekst {name}") for name in names))
    with store.writing() as writing:
        return {name: writing.label(document_id(name)) for name in names}


class RightsContract(StoreFixtures):
    """A user reads what has no label or one of theirs; everything else is not there for them."""

    @pytest.fixture
    def stranger(self, store: Store, open_corpus: OpenCorpus) -> Iterator[Store]:
        """Return a corpus with documents of the label `hr`, as a user without it sees it."""
        _fill(store)
        with closing(open_corpus("corpus", labels={"board"})) as stranger:
            yield stranger

    def test_a_user_has_the_corpus_of_what_that_user_may_read(
        self, stranger: Store, open_corpus: OpenCorpus
    ) -> None:
        with closing(open_corpus("alone", labels=None)) as alone:
            with alone.writing() as writing:
                writing.claim_space(SPACE)
                writing.set_chunking("fake/1")
                writing.replace(OPEN)
            with stranger.moment() as mine, alone.moment() as theirs:
                assert account_of(mine, QUESTIONS) == account_of(theirs, QUESTIONS)

    def test_a_user_with_the_label_has_all_of_it(
        self, store: Store, stranger: Store, open_corpus: OpenCorpus
    ) -> None:
        del stranger
        with (
            closing(open_corpus("corpus", labels={"hr", "x"})) as reader,
            reader.moment() as mine,
            store.moment() as owners,
        ):
            assert account_of(mine, QUESTIONS) == account_of(owners, QUESTIONS)

    def test_what_is_forbidden_is_missing_by_its_id_too(self, stranger: Store) -> None:
        with stranger.moment() as moment:
            self._check_that_secrets_are_missing(moment)

    @staticmethod
    def _check_that_secrets_are_missing(moment: Moment) -> None:
        secret = SECRET.document.id
        assert moment.document(secret) is None
        assert tuple(moment.chunks(secret)) == ()
        assert moment.words_hashes(ids(SECRET)) == {}
        assert moment.surroundings({secret: (Span(0, 5),)}) == {}
        assert moment.vectors_of(SECRET.vectors) == {}
        for read in (moment.text, moment.blocks, moment.parts, moment.resolve):
            with pytest.raises(SourceError):
                read(secret)
        with pytest.raises(CorpusFormatError):
            moment.passages(ids(SECRET))
        for scored in (
            moment.by_words(asked(word("alfa")), depth=9, allowed=None).scored,
            moment.by_vector(unit(1, 1, 0, 0), depth=9, allowed=None),
        ):
            assert scored.scores_of(ids(SECRET)) == {}
            assert scored.scores_of(ids(OPEN)).keys() <= set(ids(OPEN))

    def test_the_owner_of_no_label_is_not_the_owner(self, store: Store) -> None:
        _fill(store)
        with store.moment() as moment:
            assert moment.count_documents() == 3

    def test_no_label_at_all_is_a_user(self, stranger: Store, open_corpus: OpenCorpus) -> None:
        with (
            closing(open_corpus("corpus", labels=())) as nobody,
            nobody.moment() as mine,
            stranger.moment() as theirs,
        ):
            assert account_of(mine, QUESTIONS) == account_of(theirs, QUESTIONS)

    def test_a_user_changes_nothing(self, stranger: Store) -> None:
        assert stranger.labels == frozenset({"board"})
        with pytest.raises(NotAllowedError), stranger.writing():
            pass

    def test_a_label_counts_from_the_next_moment_on(self, store: Store, stranger: Store) -> None:
        with stranger.moment() as moment:
            assert moment.count_documents() == 1
        _set_label(store, "secret.txt", "board")
        with stranger.moment() as moment:
            assert moment.count_documents() == 2
            assert moment.frequencies(["gamma"]) == {"gamma": 1}
            found = moment.by_vector(unit(0, 0, 1, 0), depth=1, allowed=None)
            assert [hit.chunk_id for hit in found.hits] == [ids(SECRET)[2]]
        _set_label(store, "secret.txt", "hr")
        with stranger.moment() as moment:
            self._check_that_secrets_are_missing(moment)

    def test_a_filter_keeps_nothing_that_is_forbidden(self, stranger: Store) -> None:
        with stranger.moment() as moment:
            allowed = moment.allowed(parse_where("rok=2025"))
            assert (allowed.documents, allowed.chunks) == (0, 0)
            found = moment.by_words(asked(word("alfa")), depth=9, allowed=allowed).scored
            assert (tuple(found.hits), found.searched) == ((), 0)

    # ------------------------------------------------------------ labels

    def test_a_new_version_keeps_the_label(self, store: Store, stranger: Store) -> None:
        put(store, make_version("secret.txt", "inny tekst"))
        with store.writing() as writing:
            failed = make_unread("secret.txt", DocumentState.FAILED, "unreadable")
            writing.record_unread(failed)
        with stranger.moment() as moment:
            assert list(moment.sources().values()) == ["open.txt"]

    def test_content_that_has_a_label_keeps_it_under_another_name(
        self, store: Store, stranger: Store
    ) -> None:
        text = SECRET.document.text
        put(store, make_version("renamed.txt", text))
        with store.writing() as writing:
            writing.remove(SECRET.document.id)
        put(store, make_version("again.txt", text))
        with stranger.moment() as moment:
            assert list(moment.sources().values()) == ["open.txt"]

    def test_a_labelled_document_that_was_removed_comes_back_with_its_label(
        self, store: Store, stranger: Store
    ) -> None:
        _remove(store, "secret.txt")
        put(store, make_version("secret.txt", "inny tekst"))
        with stranger.moment() as moment:
            assert list(moment.sources().values()) == ["open.txt"]
        with store.writing() as writing:
            assert writing.label(SECRET.document.id) == "hr"

    def test_a_label_that_is_set_on_no_document_leaves_what_is_remembered(
        self, store: Store, stranger: Store
    ) -> None:
        _remove(store, "secret.txt")
        with store.writing() as writing:
            assert not writing.set_label(SECRET.document.id, "")
        put(store, SECRET)
        with stranger.moment() as moment:
            assert list(moment.sources().values()) == ["open.txt"]

    def test_an_unread_file_that_was_removed_comes_back_with_its_label(
        self, store: Store, stranger: Store
    ) -> None:
        _remove(store, "tajne.pdf")
        with store.writing() as writing:
            writing.record_unread(make_unread("tajne.pdf", DocumentState.FAILED, "unreadable"))
        with stranger.moment() as moment:
            assert moment.count_documents() == 1

    def test_content_of_a_removed_document_keeps_its_label_under_another_name(
        self, store: Store, stranger: Store
    ) -> None:
        _remove(store, "secret.txt")
        put(store, make_version("moved/other.txt", SECRET.document.text))
        with stranger.moment() as moment:
            assert list(moment.sources().values()) == ["open.txt"]

    def test_content_that_a_labelled_document_had_before_keeps_its_label(
        self, store: Store, stranger: Store
    ) -> None:
        put(store, make_version("secret.txt", "nowy tekst"))
        put(store, make_version("copy-of-old.txt", SECRET.document.text))
        with stranger.moment() as moment:
            assert list(moment.sources().values()) == ["open.txt"]

    def test_a_document_that_could_not_be_read_takes_the_label_of_its_content_when_it_can(
        self, store: Store, stranger: Store
    ) -> None:
        with store.writing() as writing:
            writing.record_unread(make_unread("copy.txt", DocumentState.FAILED, "unreadable"))
            assert writing.label(document_id("copy.txt")) == ""
        put(store, make_version("copy.txt", SECRET.document.text))
        with stranger.moment() as moment:
            assert list(moment.sources().values()) == ["open.txt"]

    def test_an_open_document_that_gets_content_with_a_label_takes_the_label(
        self, store: Store, stranger: Store
    ) -> None:
        put(store, make_version("open.txt", SECRET.document.text))
        with stranger.moment() as moment:
            assert moment.count_documents() == 0

    def test_a_label_is_forgotten_once_the_owner_says_otherwise(
        self, store: Store, stranger: Store
    ) -> None:
        _remove(store, "secret.txt")
        put(store, make_version("secret.txt", SECRET.document.text))
        _set_label(store, "secret.txt", "")
        _remove(store, "secret.txt")
        put(store, make_version("secret.txt", SECRET.document.text))
        put(store, make_version("renamed.txt", SECRET.document.text))
        with stranger.moment() as moment:
            assert list(moment.sources().values()) == ["open.txt", "renamed.txt", "secret.txt"]

    def test_a_document_opened_by_its_owner_stays_open_when_it_is_written_again(
        self, store: Store, stranger: Store
    ) -> None:
        copy = make_version("copy.txt", SECRET.document.text)
        put(store, copy)
        _set_label(store, "copy.txt", "")
        put(store, copy)
        with stranger.moment() as moment:
            assert list(moment.sources().values()) == ["copy.txt", "open.txt"]

    def test_labels_of_documents_that_are_there_count_before_those_of_removed_ones(
        self, store: Store, stranger: Store
    ) -> None:
        text = SECRET.document.text
        put(store, make_version("b.txt", text))
        _set_label(store, "b.txt", "board")
        _remove(store, "b.txt")
        put(store, make_version("c.txt", text))
        with stranger.moment() as moment:
            assert list(moment.sources().values()) == ["open.txt"]

    def test_what_comes_into_a_folder_with_a_label_has_the_label(self, store: Store) -> None:
        with store.writing() as writing:
            writing.add_folder(store.base / "a", "hr")
            writing.add_folder(store.base / "a" / "b", "board")
            writing.add_folder(store.base / "a" / "open", "")
        assert _labels_of_new(store) == {
            "a/1.txt": "hr",
            "a/b/c/1.txt": "board",
            "a/open/1.txt": "",
            "ab/1.txt": "",
            "a.zip!/1.txt": "",
        }
        with store.writing() as writing:
            writing.add_folder(store.base / "a", "x")
            writing.add_folder(store.base / "a")
        labels = _labels_of_new(store, number=2)
        assert list(labels.values()) == ["x", "x", "x", "", ""]

    def test_what_comes_into_a_container_with_a_label_has_the_label(self, store: Store) -> None:
        put(store, make_version("a.zip", "archiwum"))
        _set_label(store, "a.zip", "hr")
        assert _labels_of_new(store)["a.zip!/1.txt"] == "hr"

    def test_a_label_is_read_back(self, store: Store) -> None:
        put(store, OPEN)
        with store.writing() as writing:
            assert writing.label(OPEN.document.id) == ""
            assert writing.label(document_id("unknown.txt")) is None
            writing.set_label(OPEN.document.id, "hr")
            assert writing.label(OPEN.document.id) == "hr"

    def test_content_that_has_two_labels_takes_the_first_of_them(
        self, store: Store, open_corpus: OpenCorpus
    ) -> None:
        put(store, make_version("a.txt", "tekst"), make_version("b.txt", "tekst"))
        _set_label(store, "a.txt", "hr")
        _set_label(store, "b.txt", "board")
        put(store, make_version("c.txt", "tekst"))
        with closing(open_corpus("corpus", labels={"board"})) as board, board.moment() as moment:
            assert list(moment.sources().values()) == ["b.txt", "c.txt"]

    def test_a_label_that_is_there_already_is_not_new(self, store: Store) -> None:
        put(store, OPEN)
        with store.writing() as writing:
            assert not writing.set_label(OPEN.document.id, "")
            assert writing.set_label(OPEN.document.id, "hr")
            assert not writing.set_label(OPEN.document.id, "hr")
            assert not writing.set_label(document_id("unknown.txt"), "hr")

    @pytest.mark.parametrize("label", ["a,b", " hr", "h\nr"])
    def test_a_text_that_cannot_be_a_label_is_refused(
        self, store: Store, open_corpus: OpenCorpus, label: str
    ) -> None:
        put(store, OPEN)
        with pytest.raises(UsageError, match="is not a label"), store.writing() as writing:
            writing.set_label(OPEN.document.id, label)
        with pytest.raises(UsageError, match="is not a label"):
            open_corpus("corpus", labels={label})
