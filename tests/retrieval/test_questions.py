"""Questions as people type them, against a few documents each."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cytat.errors import BackendError, UsageError
from cytat.plugins import open_store
from cytat.protocols import Vectors
from cytat.retrieval import Fusion, Mode
from cytat.testing.embedders import FakeEmbedder
from cytat.text.identity import document_id
from cytat.text.notes import NoteKind, note

if TYPE_CHECKING:
    from conftest import Searchable  # type: ignore[import-not-found]

    Make = Callable[..., Searchable]


# ---------------------------------------------------------------- no question is an error


@pytest.mark.parametrize(
    "question",
    ["O'Hara", '"umowa', "(umowa", "umowa?", "20.04", "umowa:", "^umowa", "umowa*", "{umowa}",
     "umowa AND", "NOT umowa", "body:umowa", "umowa NEAR/2 wersja", "- umowa", "a, b umowa"],
)  # fmt: skip
def test_signs_and_operators_are_plain_words(searchable: "Make", question: str) -> None:
    # case SRCH-02
    corpus = searchable({"a": "O'Hara nie podpisał (umowa), wersja 20.04?", "b": "zupełnie obcy"})
    assert corpus.found(question)[0] == "a"


@pytest.mark.parametrize("question", ["", "   ", "?", "---", "🙂", "\0", "\n", "…", "\u200b"])
def test_a_question_without_words_is_refused_before_the_encoder_is_asked(
    searchable: "Make", question: str
) -> None:
    # case SRCH-14
    corpus = searchable({"a": "tekst"}, embedder=FakeEmbedder())
    corpus.embedder = Replying(server_away)
    with pytest.raises(UsageError, match="empty question"):
        corpus.retrieve(question)


@pytest.mark.parametrize(("depth", "count"), [(20, 2), (5000, 2), (1, 1)])
def test_a_depth_beyond_the_corpus_returns_what_there_is(
    searchable: "Make", depth: int, count: int
) -> None:
    # case SRCH-23
    corpus = searchable({"a": "x", "b": "y"}, embedder=FakeEmbedder())
    assert len(corpus.found("x", depth=depth)) == count


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_one_is_misuse(searchable: "Make", depth: int) -> None:
    corpus = searchable({"a": "x"})
    with pytest.raises(UsageError, match=f"depth is {depth}"):
        corpus.retrieve("x", depth=depth)


def test_a_pasted_page_is_cut_to_its_rarest_words_and_says_so(searchable: "Make") -> None:
    # case SRCH-15
    corpus = searchable({"a": "kaucja 4300", "b": "słowo 7"})
    words = " ".join(f"zapas{number}" for number in range(20_000))
    retrieved = corpus.retrieve(f"{words} kaucja")
    assert [hit.source for hit in retrieved.hits] == ["a"]
    said = "The question has 20001 different words; only the 64 rarest were searched for."
    assert said in retrieved.ranking().notes


def test_one_word_repeated_counts_once(searchable: "Make") -> None:
    corpus = searchable({"a": "kaucja 4300"})
    assert corpus.found("słowo " * 20_000 + "kaucja") == ["a"]


# ---------------------------------------------------------------- identifiers


REGISTER = {
    "d1": "Faktura FV/2025/09/0143 z dnia 9.09.2025 na 1 230,00 zł",
    "d2": "Faktura FV/2025/09/0134 na 88,00 zł",
    "d3": "Faktura FV/2025/09/0142 na 143,00 zł, termin 2025-09-30",
}


@pytest.mark.parametrize(
    "question", ["FV/2025/09/0143", "fv/2025/09/0143?", "faktura FV/2025/09/0143 z 2025"]
)
def test_an_invoice_number_brings_that_invoice_first(searchable: "Make", question: str) -> None:
    # case SRCH-04
    corpus = searchable(REGISTER, embedder=FakeEmbedder())
    assert corpus.found(question)[0] == "d1"


@pytest.mark.parametrize("question", ["FV/2025/09/0143", "co to jest FV/2025/09/0143?"])
def test_an_invoice_number_alone_brings_no_other_invoice(searchable: "Make", question: str) -> None:
    corpus = searchable(REGISTER, embedder=FakeEmbedder())
    retrieved = corpus.retrieve(question)
    assert [hit.source for hit in retrieved.hits] == ["d1"]
    assert note(NoteKind.ONLY_HOLDERS) in retrieved.notes


def test_an_identifier_nobody_holds_is_looked_for_by_its_parts_and_said(
    searchable: "Make",
) -> None:
    corpus = searchable(REGISTER)
    retrieved = corpus.retrieve("FV/2025/09/0999")
    assert len(retrieved.hits) == 3
    assert (
        "No passage contains the whole identifier 'fv/2025/09/0999'." in retrieved.ranking().notes
    )


def test_a_page_of_identifiers_nobody_holds_is_told_in_a_few_notes(searchable: "Make") -> None:
    corpus = searchable(REGISTER)
    notes = corpus.retrieve(" ".join(f"AB-{number}" for number in range(100, 110))).ranking().notes
    assert [said for said in notes if "AB-" in said.upper()] == [
        f"No passage contains the whole identifier 'ab-{number}'." for number in (100, 101, 102)
    ]
    assert "Nor 7 more identifiers of the question." in notes


@pytest.mark.parametrize("question", ["1.0.21", '"1.0.21"'])
def test_a_version_is_not_another_version(searchable: "Make", question: str) -> None:
    # case SRCH-05
    corpus = searchable({"a": "wydanie 1.0.21 z maja", "b": "wydanie 1.0.2", "c": "wydanie 1021"})
    assert corpus.found(question) == ["a"]


def test_a_name_with_underscores_stands_above_its_parts(searchable: "Make") -> None:
    # case SRCH-07
    corpus = searchable(
        {
            "a": "błąd ERR_POMPA_STOP w logu",
            "b": "stop pompa: zwykły postój",
            "c": "ERR-POMPA-STOP",
        }
    )
    found = corpus.found("ERR_POMPA_STOP")
    assert found[0] == "a"
    assert found[1] == "c"


def test_an_article_is_not_another_article_nor_an_amount(searchable: "Make") -> None:
    corpus = searchable(
        {
            "a": "Opłata 43 zł, art. 143",
            "b": "Art. 43. Zwalnia się od podatku usługi lekarskie.",
            "c": "Art. 143. Przepis przejściowy, 43 zł.",
        },
        embedder=FakeEmbedder(),
    )
    assert corpus.found("Art. 43") == ["b"]
    assert corpus.found("co mówi artykuł 43?")[0] == "b"


@pytest.mark.parametrize("question", ["art. 5", "UE", "5"])
def test_short_words_and_single_digits_are_found(searchable: "Make", question: str) -> None:
    # case SRCH-10
    corpus = searchable({"a": "art. 5 ust. 2 stosuje się do UE", "b": "art. 15 ust. 20"})
    assert corpus.found(question)[0] == "a"


@pytest.mark.parametrize(
    ("question", "first"),
    [("C++", "cpp"), ("C#", "cs"), (".NET", "net"), ("a@b.pl", "mail"), ("10.0.0.1", "ip"),
     ("1234567890", "nip"), ("PL61109010140000071219812874", "iban"), ("1230", "money"),
     ("1.230,00", "money"), ("1 230,00 zł", "money"), ("PHD-07", "form"), ("§ 5", "par")],
)  # fmt: skip
def test_each_kind_of_identifier_is_found_in_any_of_its_spellings(
    searchable: "Make", question: str, first: str
) -> None:
    corpus = searchable(
        {
            "cpp": "język C++ od 1985",
            "cs": "język C# od 2000",
            "c": "język C od 1972",
            "net": "platforma .NET",
            "net2": "net cena bez podatku",
            "mail": "pisz na a@b.pl w sprawie b",
            "ip": "serwer 10.0.0.1 działa",
            "ip2": "serwer 10.0.0.11 nie",
            "nip": "NIP 123-456-78-90",
            "iban": "konto PL61 1090 1014 0000 0712 1981 2874",
            "money": "kwota 1230,00 zł",
            "form": "the form PHD-07 is due",
            "form2": "the form PHD-08 is due, 07",
            "par": "§ 5. Opłaty.",
            "par2": "§ 15. Kary 5 zł.",
        }
    )
    assert corpus.found(question)[0] == first


def test_a_hyphenated_word_is_found_whole_first_and_by_part(searchable: "Make") -> None:
    # case SRCH-01
    corpus = searchable({"a": "system multi-agent", "b": "agent"})
    assert corpus.found("multi-agent") == ["a", "b"]


# ---------------------------------------------------------------- inflection and spelling


def test_one_word_in_common_is_enough(searchable: "Make") -> None:
    # case SRCH-08
    corpus = searchable({"a": "Wypowiedzenie umowy składa się na piśmie 30 dni wcześniej."})
    question = "W jaki sposób i kiedy trzeba złożyć wypowiedzenie umowy najmu?"
    assert corpus.found(question) == ["a"]


@pytest.mark.parametrize(
    ("question", "first"),
    [("zolw", "a"), ("lodzi", "a"), ("laka", "b"), ("ŻÓŁW", "a"), ("łodzi", "a")],
)
def test_words_are_found_without_their_diacritics(
    searchable: "Make", question: str, first: str
) -> None:
    # case SRCH-11
    corpus = searchable({"a": "Żółw z Łodzi", "b": "łąka"})
    assert corpus.found(question)[0] == first


@pytest.mark.parametrize(("question", "first"), [("umowa wypowiedzenie", "a"), ("pies smycz", "b")])
def test_polish_word_forms_meet(searchable: "Make", question: str, first: str) -> None:
    # case SRCH-12
    corpus = searchable(
        {"a": "Okres wypowiedzenia umowy wynosi 3 miesiące.", "b": "Psy trzyma się na smyczy."}
    )
    assert corpus.found(question)[0] == first


def test_invisible_signs_ligatures_and_sharp_s_do_not_hide_words(searchable: "Make") -> None:
    corpus = searchable(
        {"a": "o\ufb03ce hours", "b": "Ver\u00adtrag", "c": "Straße", "d": "zero\u200bwidth"}
    )
    assert corpus.found("office") == ["a"]
    assert corpus.found("Vertrag") == ["b"]
    assert corpus.found("STRASSE") == ["c"]
    assert corpus.found("zerowidth") == ["d"]


def test_soft_hyphens_part_no_word_and_no_code(searchable: "Make") -> None:
    # case PDF-22
    corpus = searchable(
        {"a": "Nie\xadrucho\xadmości wolno zbyć po uchwale. Kod: RS\xad-15.", "b": "uchwały i kody"}
    )
    assert corpus.found("nieruchomości") == ["a"]
    assert corpus.found("RS-15") == ["a"]


def test_a_word_cut_at_a_line_end_is_found(searchable: "Make") -> None:
    corpus = searchable({"a": "termin przedłu-\nżenia umowy", "b": "inny termin"})
    assert corpus.found("przedłużenie") == ["a"]


def test_words_in_scripts_without_blanks_are_found(searchable: "Make") -> None:
    corpus = searchable({"a": "東京都の天気", "b": "京都の寺"})
    assert corpus.found("東京") == ["a"]
    assert corpus.found("寺") == ["b"]


# ---------------------------------------------------------------- copies


def test_copies_leave_room_for_the_other_source(searchable: "Make") -> None:
    # case SRCH-20
    copies = {f"a({number}).txt": "opłata 15 zł" for number in range(1, 6)}
    corpus = searchable(
        {"a.txt": "opłata 15 zł", **copies, "b.txt": "opłata 22 zł od 2024"},
        embedder=FakeEmbedder(),
    )
    retrieved = corpus.retrieve("opłata", depth=3)
    sources = [hit.source for hit in retrieved.hits]
    assert len(sources) == 2
    assert "b.txt" in sources
    assert sorted(len(one.copies) for one in retrieved.hits) == [0, 5]
    assert note(NoteKind.COPIES_LEFT_OUT, 5) in retrieved.notes


# ---------------------------------------------------------------- arms that are missing


class Replying:
    """An encoder that replies to every question in the way given."""

    name, dimensions, max_tokens, weights, languages = "replying", 64, 128, "0", None

    def __init__(self, reply: Callable[[], Vectors]) -> None:
        self._reply = reply

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return FakeEmbedder().embed_documents(texts)

    def embed_query(self, text: str) -> Vectors:
        return self._reply()

    def token_ends(self, text: str) -> Sequence[int]:
        return FakeEmbedder().token_ends(text)


def server_away() -> Vectors:
    raise BackendError("connection refused", hint="start the server")


def no_numbers() -> Vectors:
    return np.full(64, np.nan, dtype=np.float32)


@pytest.mark.parametrize("reply", [server_away, no_numbers])
def test_search_goes_on_by_words_when_the_encoder_fails(
    searchable: "Make", reply: Callable[[], Vectors]
) -> None:
    corpus = searchable({"a": "opłata 15 zł", "b": "czynsz"}, embedder=FakeEmbedder())
    corpus.embedder = Replying(reply)
    retrieved = corpus.retrieve("opłata")
    assert [hit.source for hit in retrieved.hits] == ["a"]
    assert [said.kind for said in retrieved.notes] == [NoteKind.ENCODER_FAILED]


def test_search_by_vectors_alone_does_not_hide_a_failing_encoder(searchable: "Make") -> None:
    corpus = searchable({"a": "opłata 15 zł"}, embedder=FakeEmbedder())
    corpus.embedder = Replying(server_away)
    with pytest.raises(BackendError):
        corpus.retrieve("opłata", mode=Mode.VECTORS)


def test_a_language_the_encoder_does_not_know_is_searched_by_words_and_said(
    searchable: "Make",
) -> None:
    embedder = FakeEmbedder(languages=frozenset({"en"}))
    corpus = searchable({"a": "stawka podatku"}, embedder=embedder)
    retrieved = corpus.retrieve("jaka jest stawka")
    assert retrieved.hits[0].why.vectors_rank is None
    assert note(NoteKind.LANGUAGE_UNKNOWN_TO_ENCODER, "fake", "pl") in retrieved.notes


def test_documents_without_vectors_are_found_by_words_and_counted(searchable: "Make") -> None:
    corpus = searchable({"a": "opłata za psa", "b": "czynsz"}, embedder=FakeEmbedder())
    corpus.add({"c": "opłata za kota"}, embedded=False)
    retrieved = corpus.retrieve("opłata za kota")
    assert "c" in [hit.source for hit in retrieved.hits]
    assert note(NoteKind.DOCUMENTS_WITHOUT_VECTORS, 1) in retrieved.notes


# ---------------------------------------------------------------- filter, why, change


@pytest.mark.parametrize("fusion", list(Fusion))
def test_only_allowed_chunks_are_found_by_either_arm(searchable: "Make", fusion: Fusion) -> None:
    texts = {f"{number}": f"opłata roczna {number}" for number in range(30)}
    corpus = searchable(texts, embedder=FakeEmbedder())
    only = frozenset({"3", "17"})
    assert set(corpus.found("opłata", depth=10, fusion=fusion, only=only)) == only


def test_a_hit_says_where_it_stood_in_each_list(searchable: "Make") -> None:
    corpus = searchable({"a": "opłata roczna", "b": "czynsz"}, embedder=FakeEmbedder())
    first, second = corpus.retrieve("opłata").hits
    assert (first.why.words_rank, first.why.vectors_rank) == (1, 1)
    assert (second.why.words_rank, second.why.words_score) == (None, None)
    assert second.why.vectors_rank == 2


def test_a_replaced_text_is_found_by_its_new_words_only(searchable: "Make") -> None:
    # case SRCH-21
    corpus = searchable({"d": "alfa"}, embedder=FakeEmbedder())
    assert corpus.found("alfa", mode=Mode.WORDS) == ["d"]
    corpus.add({"d": "beta"})
    assert corpus.found("alfa", mode=Mode.WORDS) == []
    assert corpus.found("beta") == ["d"]
    with corpus.store.writing() as writing:
        writing.remove(document_id("d"))
    assert corpus.found("beta") == []


# ---------------------------------------------------------------- passages in another language


def test_a_question_without_a_language_finds_the_forms_of_a_foreign_passage(
    searchable: "Make",
) -> None:
    polish = "Sprawozdanie z badania ksiąg za rok ubiegły nie budzi zastrzeżeń i jest jasne."
    english = "The reconciliations of the accounts were not done by those who should have."
    corpus = searchable({"a": f"{polish}\n{polish}\n{polish}\n{english}", "b": "Inny tekst o tym."})
    assert corpus.found("reconciliation") == ["a"]
    with corpus.store.moment() as moment:
        assert list(moment.languages()) == ["en", "pl"]


@pytest.mark.parametrize("mode", [Mode.WORDS, Mode.VECTORS])
def test_each_user_of_a_file_finds_what_that_user_may_read(searchable: "Make", mode: Mode) -> None:
    corpus = searchable({"a": "kot", "b": "kot pije"}, embedder=FakeEmbedder())
    with corpus.store.writing() as writing:
        writing.set_label(document_id("a"), "hr")
    owner = corpus.store
    assert sorted(corpus.found("kot", mode=mode)) == ["a", "b"]
    corpus.store = open_store(owner.name, labels=())
    assert corpus.found("kot", mode=mode) == ["b"]
    corpus.store.close()
    corpus.store = owner
    assert sorted(corpus.found("kot", mode=mode)) == ["a", "b"]


def test_a_corpus_without_vectors_is_not_said_to_lack_an_embedder(searchable: "Make") -> None:
    corpus = searchable({"a": "kot"})
    assert corpus.retrieve("kot").notes == (note(NoteKind.WITHOUT_EMBEDDER),)
    with pytest.raises(UsageError, match="needs vectors"):
        corpus.retrieve("kot", mode=Mode.VECTORS)
