"""Gold sets: what is read, and what is refused with its file and line."""

from pathlib import Path

import pytest
from tests.evaluation.conftest import WriteGold

from cytat import Corpus
from cytat.errors import GoldSetError, UsageError
from cytat.evaluation import Evaluator, read_gold

CASE = {"id": "q1", "question": "Ile wynosi czynsz?", "needles": ["Czynsz wynosi 2150 zł"]}


def fault(error: pytest.ExceptionInfo[GoldSetError]) -> str:
    return error.value.message


def test_yaml_and_jsonl_of_the_same_cases_are_one_gold_set(tmp_path: Path, gold: WriteGold) -> None:
    yaml = tmp_path / "gold.yaml"
    yaml.write_text(
        "- id: q1\n  question: Ile wynosi czynsz?\n  needles:\n    - Czynsz wynosi 2150 zł\n",
        "utf-8",
    )
    assert read_gold(yaml).hash == read_gold(gold(CASE)).hash


def test_an_unknown_key_names_line_question_and_the_nearest_key(gold: WriteGold) -> None:
    path = gold(CASE, {"id": "q2", "question": "Ile?", "needels": ["x"]})
    with pytest.raises(GoldSetError) as error:
        read_gold(path)
    assert fault(error) == (
        "gold.jsonl:2: q2: unknown key 'needels'; the nearest known key is 'needles'"
    )


def test_a_fault_of_yaml_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "gold.yaml"
    path.write_text("# cases\n- id: a\n  question: q\n- id: b\n  question:\n", "utf-8")
    with pytest.raises(GoldSetError) as error:
        read_gold(path)
    assert fault(error).startswith("gold.yaml:4: b: 'question' is empty")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"sources": "umowa.md"}, "'sources' is not a list of texts"),
        ({"needles": [" "]}, "'needles' holds an empty text"),
        ({"needles": ["a", "a"]}, "'needles' holds the same text twice"),
        ({"answerable": "no"}, "'answerable' is neither true nor false"),
        ({"answerable": False}, "not answerable, and yet needles say what answers it"),
        ({"question": 3}, "'question' is not a text"),
        ({"question": "?"}, "'question' holds no word and no number"),
        ({"proposed": True}, "a proposed question nobody has reviewed is not counted"),
    ],
)
def test_what_makes_no_sense_is_refused(
    gold: WriteGold, wrong: dict[str, object], told: str
) -> None:
    with pytest.raises(GoldSetError) as error:
        read_gold(gold({**CASE, **wrong}))
    assert told in fault(error)


def test_two_cases_of_one_id_are_refused(gold: WriteGold) -> None:
    with pytest.raises(GoldSetError) as error:
        read_gold(gold(CASE, CASE))
    assert fault(error) == "gold.jsonl:2: the id q1 is already used at gold.jsonl:1"


def test_a_broken_line_is_named_and_so_is_a_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('\n{"id": "q1",\n', "utf-8")
    with pytest.raises(GoldSetError, match=r"gold.jsonl:2: not JSON"):
        read_gold(path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_gold(tmp_path / "none.jsonl")


# ---------------------------------------------------------------- against the corpus


def test_a_needle_may_break_its_lines_otherwise(corpus: Corpus, gold: WriteGold) -> None:
    path = gold({**CASE, "needles": ["Kaucja wynosi 4300 zł i jest zwracana"]})
    (located,) = Evaluator(corpus).evaluation(path).questions
    assert not located.needles[0].is_destroyed


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"needles": ["Czynsz wynosi 9 zł"]}, "is not found in any document"),
        ({"needles": ["odbyło się we wtorek"]}, "occurs 3 times in the corpus (docs/notatka.txt"),
        ({"needles": ["Umowa najmu"]}, "is in a heading of docs/umowa.md"),
        ({"sources": ["faktura.txt"]}, "is in docs/umowa.md, which is not in `sources`"),
        ({"sources": ["umowa.txt"]}, "the source 'umowa.txt' is not in the corpus"),
        ({"chunks": ["c1"]}, "the corpus holds no chunk c1"),
        ({"titles": ["Rozwiązanie"]}, "no document and no heading is called 'Rozwiązanie'"),
    ],
)
def test_what_does_not_fit_the_corpus_is_refused_by_question(
    corpus: Corpus, gold: WriteGold, wrong: dict[str, object], told: str
) -> None:
    with pytest.raises(GoldSetError) as error:
        Evaluator(corpus).evaluation(gold({**CASE, **wrong}))
    assert fault(error).startswith("gold.jsonl:1: q1: ")
    assert told in fault(error)


def test_all_faults_are_told_at_once(corpus: Corpus, gold: WriteGold) -> None:
    path = gold({**CASE, "needles": ["x1"]}, {**CASE, "id": "q2", "needles": ["x2"]})
    with pytest.raises(GoldSetError) as error:
        Evaluator(corpus).evaluation(path)
    assert fault(error).count("is not found in any document") == 2
