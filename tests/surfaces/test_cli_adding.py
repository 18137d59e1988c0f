"""`add` from standard input and with a named reader; `show` of a part: whole commands."""

import io
import sys
from pathlib import Path

import pytest
from tests.reading.pdf_files import lines, pdf
from tests.surfaces.test_cli import Cli, cli, office

__all__ = ["cli", "office"]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person types, or another program writes."""
    given = io.TextIOWrapper(io.BytesIO(b"# Klucze\n\nKlucz wydaje portier.\n"))
    monkeypatch.setattr(sys, "stdin", given)


@pytest.mark.usefixtures("typed")
def test_a_text_on_standard_input_is_added_under_its_name(cli: Cli) -> None:
    report = cli("add", "-", "--name", "klucze.md", "--json").json
    assert [one["source"] for one in report["added"]] == ["klucze.md"]
    answer = cli("ask", "Kto wydaje klucz?", "--json").json
    assert answer["citations"][0]["heading_path"] == ["Klucze"]
    assert answer["citations"][0]["stale"] is False


@pytest.mark.usefixtures("typed")
def test_standard_input_and_files_can_be_added_at_once(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("jeden")
    report = cli("add", "a.txt", "-", "--name", "klucze.md", "--json").json
    assert [one["source"] for one in report["added"]] == ["a.txt", "klucze.md"]


@pytest.mark.parametrize(
    "arguments",
    [["-"], ["a.txt", "--name", "b.md"], ["-", "-", "--name", "b.md"], ["-", "--name", ""]],
)
def test_standard_input_without_a_name_is_misuse_and_so_is_a_name_without_it(
    cli: Cli, tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "a.txt").write_text("jeden")
    done = cli("add", *arguments)
    assert done.code == 2
    assert "--name" in done.err
    assert not (tmp_path / "cytat.db").exists()


@pytest.mark.usefixtures("typed")
def test_standard_input_cannot_be_watched(cli: Cli) -> None:
    done = cli("add", "-", "--name", "klucze.md", "--watch")
    assert done.code == 2
    assert "cannot be watched" in done.err


def test_a_reader_that_is_not_installed_is_misuse(office: Cli) -> None:
    done = office("add", "docs", "--reader", "docling", "--json")
    assert (done.code, done.json["code"]) == (2, "settings")
    assert "pdf" in done.json["hint"]


def test_a_part_is_shown_by_its_label_and_a_page_by_its_number(cli: Cli, tmp_path: Path) -> None:
    pages = [lines("Preface of the book."), lines("Chapter one.")]
    labels = "<< /Nums [0 << /S /r >> 1 << /S /D >>] >>"
    (tmp_path / "book.pdf").write_bytes(pdf(pages, labels=labels))
    cli("add", "book.pdf")
    assert cli("show", "book.pdf", "--part", "i").out == "Preface of the book."
    assert cli("show", "book.pdf", "--part", "1").out == "Chapter one."
    assert cli("show", "book.pdf", "--page", "1").out == "Preface of the book."
    missing = cli("show", "book.pdf", "--part", "iv", "--json")
    assert missing.code == 2
    assert missing.json["hint"] == "its parts are i, 1"


def test_two_places_at_once_are_misuse(office: Cli) -> None:
    done = office("show", "umowa.md", "--page", "1", "--part", "i")
    assert done.code == 2
    assert "--page and --part" in done.err


def test_a_document_without_parts_says_so(office: Cli) -> None:
    done = office("show", "umowa.md", "--part", "i", "--json")
    assert done.json["hint"] == "this format has no parts; use --span"
