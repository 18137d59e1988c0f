"""Whole commands of comparing: tables, JSON, run files, and being stopped."""

import json
import re
from pathlib import Path

import pytest
from tests.surfaces.test_cli import Cli, cli, office
from tests.surfaces.test_cli_eval import Page

from cytat.evaluation.sweeps import sweep
from cytat.surfaces import wire

__all__ = ["cli", "office"]

CASES = (
    {"id": "q1", "question": "Ile wynosi czynsz?", "needles": ["Czynsz wynosi 2150 zł"],
     "group": "pl-author"},
    {"id": "q2", "question": "Kto wynalazł telegraf?", "answerable": False},
    {"id": "q3", "question": "kiedy oddadzą kaucję", "group": "pl-user",
     "needles": ["jest zwracana w terminie miesiąca od dnia opuszczenia lokalu"]},
    {"id": "q4", "question": "invoice amount", "needles": ["na kwotę 1 230,00 zł"],
     "group": "en-user"},
)  # fmt: skip


@pytest.fixture
def measured(office: Cli, tmp_path: Path) -> Cli:
    """The corpus of the office, with a gold set beside it."""
    lines = [json.dumps(case, ensure_ascii=False) for case in CASES]
    (tmp_path / "gold.jsonl").write_text("\n".join(lines), "utf-8")
    return office


def test_the_tables_fit_a_terminal_and_name_what_was_tried(measured: Cli) -> None:
    done = measured(
        "eval", "sweep", "gold.jsonl", "--chunking", "fixed:12", "--mode", "words", "--mode",
        "vectors", "--budget", "64", "--embedder", "fake:other",
    )  # fmt: skip
    assert done.code == 0
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0].startswith("3 of 4 questions have something to be found. The baseline is the")
    assert re.search(r"^fixed:12: Fix the chunking: \d of 3 answers", done.out, re.MULTILINE)
    for name in ("baseline", "fixed:12", "structure:64", "fake:other", "words", "vectors"):
        assert len(re.findall(rf"^{name} ", done.out, re.MULTILINE)) >= 3, name
    assert re.search(
        r"^gained/lost at rank +1 +5 +10 +20 +least p +corrected$", done.out, re.MULTILINE
    )
    assert "corrected for all 20 comparisons made (Holm)" in done.err


def test_a_long_name_leaves_out_columns_instead_of_breaking_lines(measured: Cli) -> None:
    done = measured(
        "eval", "sweep", "gold.jsonl", "--grid", "--chunking", "sentences:3+1:64", "--embedder",
        "fake:another-one", "--fusion", "standard-scores:0.25",
    )  # fmt: skip
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 100
    assert "sentences:3+1:64 · fake:another-o…" in done.out


def test_more_groups_than_a_line_holds_stand_in_further_tables(
    measured: Cli, tmp_path: Path
) -> None:
    groups = [f"quarter{at}" for at in range(12)]
    cases = [
        {"id": name, "question": f"Ile wynosi czynsz w {name}?", "group": name,
         "needles": ["Czynsz wynosi 2150 zł"]}
        for name in groups
    ]  # fmt: skip
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, cases)), "utf-8")
    done = measured("eval", "sweep", "gold.jsonl", "--mode", "words")
    assert max(map(len, done.out.splitlines())) <= 100
    heads = re.findall(r"^recall@5 by group +(.*)$", done.out, re.MULTILINE)
    assert len(heads) > 1
    assert " ".join(heads).split() == sorted(groups)


def test_nothing_named_tries_what_needs_no_other_index(measured: Cli) -> None:
    swept = measured("eval", "sweep", "gold.jsonl", "--json").json
    assert (swept["kind"], swept["format"]) == ("eval-sweep", 1)
    assert [one["name"] for one in swept["variants"]] == [
        "baseline",
        "words",
        "vectors",
        "standard-scores",
        "reciprocal-ranks",
    ]
    assert wire.to_json(wire.from_json(swept)) == swept


def test_all_tries_every_other_cutting(measured: Cli) -> None:
    swept = measured("eval", "sweep", "gold.jsonl", "--chunking", "all", "--json").json
    kinds = [one["setup"]["chunking"].partition(":")[0] for one in swept["variants"]]
    assert set(kinds) == {"structure", "pathless", "boundaries", "fixed", "sentences", "semantic"}


def test_run_files_compare_and_the_whole_is_kept(measured: Cli, tmp_path: Path) -> None:
    command = ("eval", "sweep", "gold.jsonl", "--chunking", "fixed:12+2", "--out", "runs")
    swept = measured(*command, "--json").json
    files = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert files == ["baseline.json", "fixed-12+2.json", "sweep.json"]
    assert json.loads((tmp_path / "runs" / "sweep.json").read_text("utf-8")) == swept
    compared = measured("eval", "compare", "runs/baseline.json", "runs/fixed-12+2.json", "--json")
    assert any(one.startswith("chunking: structure/1:128") for one in compared.json["differences"])
    # A run of its own compares with them, too.
    measured("eval", "gold.jsonl", "--retrieval-only", "--out", "own.json")
    done = measured("eval", "compare", "own.json", "runs/baseline.json", "--json")
    assert done.json["differences"] == []


def test_what_is_stopped_reports_the_variants_that_are_done(
    measured: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = sweep.Sweep.runs

    def interrupted(self: sweep.Sweep, listen: sweep.Listen) -> object:
        for at, one in enumerate(runs(self, listen)):
            if at == 2:
                raise KeyboardInterrupt
            yield one

    monkeypatch.setattr(sweep.Sweep, "runs", interrupted)
    done = measured("eval", "sweep", "gold.jsonl")
    assert done.code == 1
    assert "stopped: 2 of 5 were measured" in done.err
    assert re.search(r"^words ", done.out, re.MULTILINE)


def test_the_page_fetches_nothing_runs_nothing_and_escapes_everything(
    measured: Cli, tmp_path: Path
) -> None:
    nasty = "<script>alert(1)</script>&\"'"
    cases = [
        *CASES,
        # Nearer to the invoice, whose number it has, than to what answers.
        {"id": "q5", "question": f"Faktura FV/2025/09/0143 z dnia {nasty}",
         "needles": ["po potrąceniu należności wynajmującego"]},
    ]  # fmt: skip
    lines = [json.dumps(case, ensure_ascii=False) for case in cases]
    (tmp_path / "gold.jsonl").write_text("\n".join(lines), "utf-8")
    command = ("eval", "sweep", "gold.jsonl", "--chunking", "fixed:12", "--mode", "words")
    assert measured(*command, "--report", "page.html").code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    parser = Page()
    parser.feed(page)
    assert parser.fetched == []
    assert not parser.tags & {"script", "link", "img", "iframe", "object"}
    assert "url(" not in page
    assert "@import" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert parser.tags >= {"svg", "details", "table"}
    assert page.count("<svg") == 4
    for told in ("fixed:12: Fix the chunking", "What it costs", "By group", "least p"):
        assert told in page


def test_a_wrong_name_is_misuse(measured: Cli) -> None:
    done = measured("eval", "sweep", "gold.jsonl", "--chunking", "paragraphs", "--json")
    assert (done.code, done.json["code"]) == (2, "usage")
    done = measured("eval", "sweep", "gold.jsonl", "--report", "nowhere/page.html", "--json")
    assert (done.code, done.json["message"]) == (2, "there is no folder for nowhere/page.html")
    done = measured("eval", "sweep", "gold.jsonl", "--mode", "hybrid", "--json")
    assert "nothing differs" in done.json["message"]
