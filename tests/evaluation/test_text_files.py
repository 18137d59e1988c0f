"""Files that a person names are read in one way, whatever they hold."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cytat.errors import GoldSetError, UsageError
from cytat.evaluation import read_gold
from cytat.evaluation.sweeps.margins import TextPair, read_pairs
from cytat.evaluation.trec import read_grades, read_run
from cytat.evaluation.verdicts import read_labelled

READERS = (read_gold, read_labelled, read_pairs, read_grades, read_run)


@pytest.mark.parametrize("read", READERS)
def test_a_file_that_is_not_utf_8_is_refused_with_its_first_wrong_byte(
    read: Callable[[Path], object], tmp_path: Path
) -> None:
    file = tmp_path / "file.jsonl"
    file.write_bytes("pięć".encode("cp1250"))
    with pytest.raises(GoldSetError, match="byte 2 is not UTF-8"):
        read(file)


@pytest.mark.parametrize("read", READERS)
def test_a_file_that_is_missing_is_named(read: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.jsonl cannot be read"):
        read(tmp_path / "none.jsonl")


def test_questions_of_a_beir_folder_that_are_not_utf_8_are_refused(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("a\tb\t1\n", "utf-8")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "b", "text": "x"}\n', "utf-8")
    (tmp_path / "queries.jsonl").write_bytes(b'{"_id": "a", "text": "pi\xea\xe6"}\n')
    with pytest.raises(GoldSetError, match=r"queries\.jsonl: byte 24 is not UTF-8"):
        read_gold(tmp_path)


def test_a_mark_at_the_start_and_a_line_separator_in_a_string_are_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(
        '\ufeff{"question": "a", "passage": "b\u2028c", "similar": true}\n'
        '{"question": "a", "passage": "d", "similar": false}\n',
        "utf-8",
    )
    assert read_pairs(file)[0] == TextPair("a", "b\u2028c", is_similar=True)
