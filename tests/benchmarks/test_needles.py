"""The corpus of needles is what its page says: its size, its questions, its needles' places."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from benchmarks.compare import ROOT
from tests.reading.looking import read_document

from cytat.analysis import analyse_question, terms_of
from cytat.chunking import DEFAULT_CHUNKING, open_chunker
from cytat.evaluation import DocumentView, GoldQuestion, LocatedQuestion, locate_gold, read_gold
from cytat.records import BlockKind, Document
from cytat.testing.embedders import FakeEmbedder

NEEDLES = ROOT / "benchmarks" / "needles"
GOLD = read_gold(NEEDLES / "gold.jsonl")


@cache
def documents() -> tuple[Document, ...]:
    paths = sorted((NEEDLES / "documents").iterdir())
    return tuple(read_document(path.read_bytes(), source=path.name) for path in paths)


@cache
def located() -> tuple[LocatedQuestion, ...]:
    chunker = open_chunker(DEFAULT_CHUNKING, embedder=FakeEmbedder())
    views = (
        DocumentView(
            document.id,
            document.source,
            document.version,
            document.text,
            titles=frozenset({document.title}),
            headings=tuple(b.span for b in document.blocks if b.kind is BlockKind.HEADING),
            chunks=tuple((chunk.id, chunk.span) for chunk in chunker.cut(document)),
        )
        for document in documents()
    )
    return locate_gold(GOLD, views)


def test_there_are_enough_documents_of_every_format_and_sections() -> None:
    formats = Counter(path.suffix for path in (NEEDLES / "documents").iterdir())
    headings = [b for one in documents() for b in one.blocks if b.kind is BlockKind.HEADING]
    assert formats.total() >= 13
    assert set(formats) == {".md", ".txt", ".html", ".pdf"}
    assert formats[".pdf"] >= 2
    assert len(headings) >= 120


def test_every_needle_is_asked_for_in_the_authors_and_in_a_users_words() -> None:
    groups = Counter(one.group for one in GOLD.questions)
    answerable = {"pl-author": 32, "pl-user": 32, "en-author": 32, "en-user": 32}
    assert groups == {**answerable, "refuse-near": 30, "refuse-far": 30}
    for language in ("pl", "en"):
        asked = {
            phrasing: [
                one.needles for one in GOLD.questions if one.group == f"{language}-{phrasing}"
            ]
            for phrasing in ("author", "user")
        }
        assert asked["author"] == asked["user"]
        assert len(set(asked["author"])) == 32


def test_every_needle_stands_once_in_the_corpus_and_in_no_heading() -> None:
    needles = [needle for one in located() for needle in one.needles]
    assert len(needles) == 128
    assert all(len(needle.places) == 1 for needle in needles)


def test_the_default_cutting_destroys_no_answer() -> None:
    assert [one.gold.id for one in located() for n in one.needles if n.is_destroyed] == []


def test_what_an_answer_must_contain_stands_in_its_needle() -> None:
    for one in GOLD.questions:
        for words in one.must_contain:
            assert words in one.needles[0], one.id


def test_half_of_the_questions_without_an_answer_are_in_each_language() -> None:
    ids = [one.id.rsplit("-", 1)[0] for one in GOLD.questions if not one.is_answerable]
    assert Counter(ids) == {"near-pl": 15, "near-en": 15, "far-pl": 15, "far-en": 15}


def shared_words(question: GoldQuestion) -> float:
    """Return the share of a question's content words that stand in its needle."""
    language = question.id[:2]
    words = analyse_question(question.question, languages={language}).content
    held = terms_of(question.needles[0], language)
    return sum(word.met_by(held) for word in words) / len(words)


@pytest.mark.parametrize("language", ["pl", "en"])
def test_a_user_shares_few_words_with_the_needle_and_the_author_most(language: str) -> None:
    shares = {
        phrasing: [
            shared_words(one) for one in GOLD.questions if one.group == f"{language}-{phrasing}"
        ]
        for phrasing in ("author", "user")
    }
    assert 0.7 < sum(shares["author"]) / 32 < 0.9
    assert 0.15 < sum(shares["user"]) / 32 < 0.35


@pytest.mark.parametrize("source", sorted((NEEDLES / "pdf").iterdir()), ids=lambda one: one.stem)
def test_a_pdf_says_what_its_source_says(source: Path) -> None:
    pdf = next(one for one in documents() if one.source == f"{source.stem}.pdf")
    words = re.compile(r"\w+")
    assert Counter(words.findall(source.read_text("utf-8"))) <= Counter(words.findall(pdf.text))
