"""A question that names a legal unit gets that unit, whole and no more; see `legal_layouts`."""

from collections.abc import Callable, Iterator, Mapping

import pytest
from tests.corpus.legal_layouts import LAYOUTS, Layout
from tests.growth import grows_like_a_line

from cytat import Corpus
from cytat.config import Settings
from cytat.records import Answer, Refusal
from cytat.text.units import units_of

CASES = [(layout, question) for layout in LAYOUTS for question in layout.units]
IDS = [f"{layout.name} {question}" for layout, question in CASES]

AskAbout = Callable[[Mapping[str, str], str], Answer | Refusal]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AskAbout]:
    """Return how some texts, by their names, are asked; equal texts are added once."""
    opened: dict[str, Corpus] = {}

    def asked(texts: Mapping[str, str], question: str) -> Answer | Refusal:
        key = " ".join(texts)
        if key not in opened:
            folder = tmp_path_factory.mktemp("legal")
            for name, text in texts.items():
                (folder / name).write_text(text, "utf-8")
            opened[key] = Corpus(Settings(corpus=folder / "cytat.db", embedder="fake"))
            opened[key].add(folder)
        return opened[key].ask(question)

    yield asked
    for corpus in opened.values():
        corpus.close()


def quoted(reply: Answer | Refusal) -> list[str]:
    assert isinstance(reply, Answer), reply
    return [" ".join(citation.quote.split()) for citation in reply.citations]


@pytest.mark.parametrize(("layout", "question"), CASES, ids=IDS)
def test_a_question_that_names_a_unit_gets_it_whole_and_no_more(
    layout: Layout, question: str, ask: AskAbout
) -> None:
    reply = ask({layout.name: layout.text}, question)
    assert quoted(reply) == [layout.units[question]]
    assert reply.notes == ()


def test_each_unit_of_a_range_is_quoted(ask: AskAbout) -> None:
    layout = next(one for one in LAYOUTS if one.name == "uchwala.txt")
    reply = ask({layout.name: layout.text}, "§ 1–2")
    assert quoted(reply) == [
        "§ 1. Ustala się opłatę targową.",
        "§ 2. Opłata wynosi 11 zł dziennie.",
    ]


@pytest.mark.parametrize(
    ("name", "question", "note"),
    [
        (
            "umowa-najmu.txt",
            "§ 12",
            "Żaden dokument nie ma jednostki '§ 12': {} ma jednostki do § 4.",
        ),
        (
            "umowa-najmu.txt",
            "§ 2 ust. 9",
            "Żaden dokument nie ma jednostki '§ 2 ust. 9': {} ma jednostki do § 2 ust. 3.",
        ),
        ("lease.txt", "clause 9", "No document has 'clause 9': {} has units up to clause 4."),
        (
            "act.txt",
            "section 4(7)",
            "No document has 'section 4(7)': {} has units up to section 4(3).",
        ),
    ],
)
def test_a_unit_that_is_not_there_is_refused_with_the_last_one_that_is(
    name: str, question: str, note: str, ask: AskAbout
) -> None:
    layout = next(one for one in LAYOUTS if one.name == name)
    reply = ask({layout.name: layout.text}, question)
    assert isinstance(reply, Refusal)
    assert reply.notes == (note.format(name),)


MARKET = "Regulamin targu\n\n§ 2. Targ trwa do 14:00.\n\n§ 3. Psy są zabronione.\n"
POOL = "Regulamin basenu\n\n§ 2. Basen trwa do 22:00.\n\n§ 3. Czepki są obowiązkowe.\n"


def test_several_documents_that_have_a_unit_are_named(ask: AskAbout) -> None:
    reply = ask({"basen.txt": POOL, "targ.txt": MARKET}, "§ 2")
    assert sorted(quoted(reply)) == ["§ 2. Basen trwa do 22:00.", "§ 2. Targ trwa do 14:00."]
    assert reply.notes == ("Jednostkę '§ 2' ma kilka dokumentów (2): basen.txt, targ.txt.",)


def test_a_document_that_the_question_names_is_quoted_alone(ask: AskAbout) -> None:
    reply = ask({"basen.txt": POOL, "targ.txt": MARKET}, "§ 3 regulaminu targu")
    assert quoted(reply) == ["§ 3. Psy są zabronione."]
    assert reply.notes == ()


def test_a_question_about_something_else_of_a_unit_is_refused(ask: AskAbout) -> None:
    layout = next(one for one in LAYOUTS if one.name == "umowa-najmu.txt")
    reply = ask({layout.name: layout.text}, "Kiedy odbędzie się pogrzeb, o którym mówi § 1?")
    assert isinstance(reply, Refusal)


CLUB = """STATUT

                § 1.
Koło nosi nazwę „Sowa”.

                § 3.
1. Składka wynosi 25 zł.
2. Z opłaty zwalnia się uczniów.
________________
1) Zmiana z 2020 r.
"""


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("paragraf pierwszy", "§ 1. Koło nosi nazwę „Sowa”."),
        ("§3 ust.2", "2. Z opłaty zwalnia się uczniów."),
        ("Kto nie płaci składki według § 3 ust. 1?", "1. Składka wynosi 25 zł."),
    ],
)
def test_centred_signs_open_units_and_footnotes_are_none(
    question: str, unit: str, ask: AskAbout
) -> None:
    assert quoted(ask({"statut.txt": CLUB}, question))[-1].endswith(unit.removeprefix("1. "))


DEAL = """AGREEMENT

ARTICLE II
PAYMENT

Section 2.1 Price. The price is $500.
Section 2.2 Late payment. (a) Interest is 5%. (b) Interest ends on payment.

ARTICLE III
TERM

Section 3.1 The term is two years.
"""


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("section 2.2(b)", "(b) Interest ends on payment."),
        (
            "section 2.2",
            "Section 2.2 Late payment. (a) Interest is 5%. (b) Interest ends on payment.",
        ),
    ],
)
def test_a_section_ends_before_the_next_article(question: str, unit: str, ask: AskAbout) -> None:
    assert quoted(ask({"deal.txt": DEAL}, question)) == [unit]


@pytest.mark.parametrize("line", ["1. A. ", "§ 1. 1) a) ", "art. 1 ust. 2\n", "\n", "(1) (a)\n"])
def test_the_units_of_any_text_are_found_in_time_that_grows_with_it(line: str) -> None:
    assert grows_like_a_line(lambda size: units_of(line * size, ()), size=2_000)
