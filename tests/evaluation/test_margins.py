"""Cosines of pairs -> the margin, worked out by hand; and files of pairs."""

from pathlib import Path

import pytest

from cytat.errors import UsageError
from cytat.evaluation.sweeps.margins import Similarity, TextPair, margin_of, read_pairs


def pair(question: str, similar: float, different: float) -> list[Similarity]:
    return [
        Similarity(question, similar, is_similar=True),
        Similarity(question, different, is_similar=False),
    ]


def test_the_margin_is_the_lowest_similar_less_the_highest_different() -> None:
    pairs = [*pair("a", 0.9, 0.5), *pair("b", 0.7, 0.6), *pair("c", 0.8, 0.65)]
    margin = margin_of("baseline", "e5-small", pairs)
    assert margin is not None
    assert (margin.lowest_similar, margin.highest_different) == (0.7, 0.65)
    assert margin.margin == pytest.approx(0.05)
    assert (margin.pairs, margin.questions, margin.negative, margin.worst) == (6, 3, 0, ())


def test_questions_nearer_to_something_wrong_are_counted_the_worst_first() -> None:
    pairs = [*pair("a", 0.9, 0.5), *pair("b", 0.6, 0.7), *pair("c", 0.3, 0.8)]
    margin = margin_of("baseline", "e5-small", pairs)
    assert margin is not None
    assert margin.margin == pytest.approx(0.3 - 0.8)
    assert margin.negative == 2
    assert [one.question for one in margin.worst] == ["c", "b"]


def test_of_several_passages_that_answer_the_nearest_counts_for_the_question() -> None:
    pairs = [*pair("a", 0.4, 0.5), Similarity("a", 0.6, is_similar=True)]
    margin = margin_of("baseline", "e5-small", pairs)
    assert margin is not None
    assert (margin.negative, margin.lowest_similar) == (0, 0.4)


def test_without_pairs_of_both_kinds_there_is_no_margin() -> None:
    assert margin_of("baseline", "e5-small", []) is None
    assert margin_of("baseline", "e5-small", pair("a", 0.4, 0.5)[:1]) is None


def test_pairs_are_read_a_line_each(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(
        '{"question": "Czynsz?", "passage": "2150 zł", "similar": true}\n\n'
        '{"question": "Czynsz?", "passage": "W biurze", "similar": false}\n',
        "utf-8",
    )
    assert read_pairs(file) == (
        TextPair("Czynsz?", "2150 zł", is_similar=True),
        TextPair("Czynsz?", "W biurze", is_similar=False),
    )


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        '{"question": "a", "passage": "b"}',
        '{"question": "a", "passage": "b", "similar": 1}',
        '{"question": "a", "passage": "b", "similar": true, "odd": 1}',
    ],
)
def test_a_line_that_is_no_pair_is_named(line: str, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(line, "utf-8")
    with pytest.raises(UsageError, match=r"pairs\.jsonl:1"):
        read_pairs(file)


def test_pairs_of_one_kind_alone_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"question": "a", "passage": "b", "similar": true}', "utf-8")
    with pytest.raises(UsageError, match="both similar and different"):
        read_pairs(file)
