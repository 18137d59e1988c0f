"""The office's set is what its page says, and its replies are counted as they should be."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from benchmarks.compare import ROOT
from benchmarks.office.judging import LISTS, Outcome, outcome_of, says
from benchmarks.office.trial import GOLD, WRITINGS, Row, count, table
from tests.reading.looking import read_document

from cytat.evaluation import DocumentView, GoldQuestion, LocatedQuestion, locate_gold, read_gold
from cytat.evaluation.gold.locating import LocatedNeedle, Place
from cytat.records import (
    Answer,
    BlockKind,
    Citation,
    Coverage,
    Document,
    DocumentId,
    Locator,
    LocatorKind,
    Refusal,
    RefusalReason,
    Span,
    Statement,
    Verdict,
    Version,
)

OFFICE = ROOT / "benchmarks" / "office"
DOCUMENTS = OFFICE / "documents"
GOLD_SET = read_gold(GOLD)
ANSWERABLE = [one for one in GOLD_SET.questions if one.is_answerable]
ABSENT = [json.loads(line) for line in (OFFICE / "absent.jsonl").read_text("utf-8").splitlines()]
MIB = 1 << 20
NIP_WEIGHTS = (6, 5, 7, 2, 3, 4, 5, 6, 7)


def files() -> list[Path]:
    return sorted(path for path in DOCUMENTS.rglob("*") if path.is_file())


@cache
def documents() -> tuple[Document, ...]:
    return tuple(
        read_document(path.read_bytes(), source=path.relative_to(DOCUMENTS).as_posix())
        for path in files()
    )


def flat(text: str) -> str:
    return " ".join(text.split())


# ---------------------------------------------------------------- the set


def test_there_are_enough_documents_in_every_format_and_they_are_small() -> None:
    formats = Counter(path.suffix for path in files())
    sizes = [path.stat().st_size for path in files()]
    assert formats.total() >= 34
    assert set(formats) == {".txt", ".md", ".html", ".csv", ".pdf"}
    assert max(sizes) < MIB
    assert sum(sizes) < 2 * MIB


def test_there_are_enough_questions_of_every_kind_and_a_quarter_is_english() -> None:
    kinds = Counter(one.group for one in GOLD_SET.questions)
    english = sum(one.id.startswith("en-") for one in GOLD_SET.questions)
    assert len(ANSWERABLE) >= 100
    assert len(GOLD_SET.questions) - len(ANSWERABLE) >= 28
    assert len(kinds) >= 14
    assert 0.2 < english / len(GOLD_SET.questions) < 0.35


def test_the_id_of_a_question_names_its_language_its_kind_and_how_it_is_written() -> None:
    for one in GOLD_SET.questions:
        language, kind, number, *writing = one.id.split("-")
        assert language in {"pl", "en"}
        assert one.group in {kind, f"refuse-{kind}"}
        assert number.isdigit()
        assert writing in ([], ["bare"], ["typo"])
        assert sum(tells(one.id) for tells in WRITINGS.values()) == 1
        assert one.question.isascii() or writing != ["bare"] or "§" in one.question, one.id


def test_every_needle_is_found_once_in_its_document_and_in_no_heading() -> None:
    views = [
        DocumentView(
            document.id,
            document.source,
            document.version,
            document.text,
            titles=frozenset({document.title}),
            headings=tuple(b.span for b in document.blocks if b.kind is BlockKind.HEADING),
            chunks=(),
        )
        for document in documents()
    ]
    located = locate_gold(GOLD_SET, views)
    assert sum(len(one.needles) for one in located) >= len(ANSWERABLE)


def test_what_an_answer_must_contain_is_in_a_document_that_answers() -> None:
    for one in ANSWERABLE:
        texts = []
        for document in documents():
            if any(document.source.endswith(source) for source in one.sources):
                texts.append(flat(document.text))
                if document.source.endswith(".html"):
                    texts.append(flat((DOCUMENTS / document.source).read_text("utf-8")))
        assert one.must_contain
        for words in one.must_contain:
            assert any(words in text for text in texts), (one.id, words)


def test_what_would_answer_an_unanswerable_question_is_in_no_line_of_any_document() -> None:
    assert [one["id"] for one in ABSENT] == [
        one.id for one in GOLD_SET.questions if not one.is_answerable
    ]
    for one in ABSENT:
        words = [word.casefold() for word in one["absent"]]
        for document in documents():
            if document.source != one.get("within", document.source):
                continue
            for line in document.text.casefold().splitlines():
                assert not all(word in line for word in words), (one["id"], document.source, line)


def test_no_tax_number_in_the_documents_can_be_that_of_a_firm() -> None:
    numbers = set(
        re.findall(r"\b\d{3}-\d{3}-\d{2}-\d{2}\b", "\n".join(d.text for d in documents()))
    )
    assert len(numbers) >= 10
    for number in numbers:
        *digits, check = map(int, number.replace("-", ""))
        expected = sum(w * digit for w, digit in zip(NIP_WEIGHTS, digits, strict=True)) % 11
        assert expected != check, number


@pytest.mark.parametrize("source", sorted((OFFICE / "pdf").iterdir()), ids=lambda one: one.stem)
def test_a_pdf_says_what_its_source_says(source: Path) -> None:
    name = source.stem.replace("--", "/") + ".pdf"
    pdf = next(one for one in documents() if one.source == name)
    word = re.compile(r"\w+")
    directive = re.compile(r"^@(side|columns|end|page|table.*|[a-z]+ )", re.MULTILINE)
    spaced = re.compile(r"^\S(?: {1,3}\S)+$", re.MULTILINE)
    text = re.sub(r"\w*\^\{.*?\}\s*", " ", directive.sub("", source.read_text("utf-8")))
    text = spaced.sub(lambda found: re.sub(r"(?<=\S) (?=\S)", "", found.group()), text)
    assert Counter(word.findall(text)) <= Counter(word.findall(pdf.text))


# ---------------------------------------------------------------- how replies are counted

RIGHT, OTHER = DocumentId("right"), DocumentId("other")
NEEDLE = Span(100, 120)


def located(
    *must: str, group: str = "amount", never: tuple[str, ...] = (), is_answerable: bool = True
) -> LocatedQuestion:
    gold = GoldQuestion(
        where="gold.jsonl:1",
        id="pl-amount-01",
        question="Ile?",
        sources=("a.txt",) if is_answerable else (),
        needles=("needle",) if is_answerable else (),
        chunks=(),
        titles=(),
        must_contain=must,
        must_not_contain=never,
        expected=None,
        is_answerable=is_answerable,
        group=group,
        grades={},
    )
    if not is_answerable:
        return LocatedQuestion(gold, (), (), ())
    needle = LocatedNeedle("needle", (Place(RIGHT, NEEDLE),), is_destroyed=False)
    return LocatedQuestion(gold, (needle,), (), (("a.txt", RIGHT),))


def answer(
    text: str,
    *,
    document: DocumentId = RIGHT,
    span: Span = NEEDLE,
    notes: tuple[str, ...] = (),
) -> Answer:
    place = Locator(LocatorKind.LINE, "line 1", "#L1")
    citation = Citation(1, document, "a.txt", "A", text, span, place, (), Version("0"), stale=False)
    return Answer(
        question="Ile?",
        language="pl",
        text=text,
        complete=True,
        statements=(Statement(text, (1,), Verdict.QUOTED),),
        dropped=(),
        citations=(citation,),
        generator="quoting",
        evidence=(),
        confidence=None,
        notes=notes,
        trace_id=None,
    )


REFUSAL = Refusal(
    question="Ile?",
    language="pl",
    reason=RefusalReason.WEAK_EVIDENCE,
    text="Nie wiem.",
    nearest=(),
    coverage=Coverage(documents=1, failed=0, unread_parts=0),
    notes=(),
    trace_id=None,
)


def test_an_answer_that_says_all_from_a_right_document_is_right() -> None:
    assert outcome_of(located("900 zł"), answer("Opłata wynosi 900 zł.")) is Outcome.RIGHT


def test_the_right_words_from_another_document_are_wrong() -> None:
    assert outcome_of(located("900 zł"), answer("900 zł", document=OTHER)) is Outcome.WRONG


def test_a_wrong_neighbour_beside_the_fact_makes_it_partly_right() -> None:
    asked = located("900 zł", never=("700 zł",))
    assert outcome_of(asked, answer("Dziś 900 zł, dawniej 700 zł.")) is Outcome.PARTLY


def test_a_quote_that_touches_the_needle_and_lacks_the_fact_is_partly_right() -> None:
    assert outcome_of(located("900 zł"), answer("Opłata")) is Outcome.PARTLY


def test_another_passage_of_the_right_document_is_wrong() -> None:
    away = answer("W 2024 roku było inaczej.", span=Span(0, 20))
    assert outcome_of(located("900 zł", "2024"), away) is Outcome.WRONG


def test_a_refusal_is_right_only_where_the_documents_do_not_answer() -> None:
    assert outcome_of(located("900 zł"), REFUSAL) is Outcome.WRONGLY_REFUSED
    nothing = located(group="refuse-fact", is_answerable=False)
    assert outcome_of(nothing, REFUSAL) is Outcome.RIGHTLY_REFUSED
    assert outcome_of(nothing, answer("900 zł")) is Outcome.BLUFFED


@pytest.mark.parametrize("group", sorted(LISTS))
def test_a_list_may_be_refused_or_given_in_part_if_a_note_says_so(group: str) -> None:
    asked = located("0141", "0146", group=group)
    told = ("The list may not be complete.",)
    assert outcome_of(asked, REFUSAL) is Outcome.RIGHTLY_REFUSED
    assert outcome_of(asked, answer("faktura 0141", notes=told)) is Outcome.RIGHT
    assert outcome_of(asked, answer("faktura 0141")) is Outcome.PARTLY
    assert outcome_of(asked, answer("faktury 0141 i 0146")) is Outcome.RIGHT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Opłata: 50 zł", "0 zł"),
        ("razem 1 734,18 zł", "734,18"),
        ("razem 11 734,18 zł", "1 734,18"),
        ("£42.50 an evening", "£42"),
        ("a grant of £2,4001 towards", "£2,400"),
        ("1 640,00 zł1 netto", "1 640,00 zł"),
        ("klasa 15b", "5b"),
    ],
)
def test_a_part_of_a_number_or_word_is_not_said(text: str, words: str) -> None:
    assert not says(text, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the key | £35.00", "£35"),
        ("Do zapłaty:\n1 734,18 zł.", "1 734,18 zł"),
        ("23%   147,20     787,20", "787,20"),
        ("| -438,27 |", "438,27"),
        ("Opiekun: kinga rosa [1]", "Kinga Rosa"),
        ("czynny 9.00 - 17.00", "9.00 - 17.00"),
    ],
)
def test_whole_numbers_and_words_are_said_whatever_white_space_and_case(
    text: str, words: str
) -> None:
    assert says(text, words)


def test_a_kind_is_counted_with_an_interval_and_shown_as_a_row() -> None:
    rows = [
        Row("a", "date", "", one, "pl", "", None, (), (), (), (), None, None, (), None)
        for one in (Outcome.RIGHT, Outcome.RIGHT, Outcome.WRONG, Outcome.WRONGLY_REFUSED)
    ]
    made = count("date", rows)
    assert (made.questions, made.good) == (4, 0.5)
    assert (made.low, made.high) == (0.15, 0.85)  # Wilson's interval of 2 in 4, by hand
    assert "| date | 4 | 2 | 0 | 1 | 1 | 0 | 0 | 50% | 15% to 85% |" in table([made])
