"""Whole commands of calibrating: the tables, the page, JSON, what is stored, and misuse."""

import json
from pathlib import Path

import pytest
from tests.evaluation.test_calibration_of_a_corpus import ANSWERABLE, THINGS, UNANSWERABLE
from tests.surfaces.test_cli import Cli, cli

__all__ = ["cli"]


@pytest.fixture
def office(cli: Cli, tmp_path: Path) -> Cli:
    """A corpus in which twelve sums are named, with a gold set beside it."""
    text = "".join(f"{thing} wynosi {at}10 zł.\n\n" for at, thing in enumerate(THINGS, start=1))
    (tmp_path / "sumy.txt").write_text(text, "utf-8")
    lines = [json.dumps(one, ensure_ascii=False) for one in (*ANSWERABLE, *UNANSWERABLE)]
    (tmp_path / "gold.jsonl").write_text("\n".join(lines), "utf-8")
    assert cli("add", "sumy.txt").code == 0
    return cli


def test_both_errors_are_shown_as_shipped_chosen_held_out_and_by_threshold(office: Cli) -> None:
    done = office("eval", "calibrate", "gold.jsonl", "--bluff-cost", "10", "--dry-run")
    assert done.code == 0
    _, second, _, head, *_ = done.out.splitlines()
    assert second.startswith("By 12 answerable and 12 unanswerable questions of gold.jsonl (")
    assert second.endswith("; a bluff costs 10 lost answers.")
    assert head.split() == ["lost", "bluffs", "far", "near"]
    assert "as shipped" in done.out
    assert "held out, 5 folds" in done.out
    assert "the true rate may be as high as" in done.out
    assert done.out.endswith("Nothing was stored.\n")
    assert office("status", "--json").json["calibration"] is None


def test_what_was_calibrated_is_in_force_until_it_is_reset(office: Cli) -> None:
    done = office("eval", "calibrate", "gold.jsonl", "--json").json
    assert (done["kind"], done["format"], done["is_stored"]) == ("eval-calibration", 1, True)
    assert {"stricter", "errors"} <= set(done["sweep"][0])
    assert office("status", "--json").json["calibration"] == done["calibration"]
    assert "calibrated on 12 answerable and 12 unanswerable" in office("status").out
    assert "ok  gate: " in office("doctor").out
    reset = office("eval", "calibrate", "--reset", "--json").json
    assert reset["kind"] == "eval-calibration-reset"
    assert reset["before"] == done["calibration"]
    assert office("eval", "calibrate", "--reset").out == "The default gate is in use.\n"


def test_the_page_draws_the_curve_and_fetches_nothing(office: Cli, tmp_path: Path) -> None:
    assert office("eval", "calibrate", "gold.jsonl", "--report", "page.html").code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.count("class='line b'") == 2, "all bluffs, and those of one group"
    assert page.count("class='line b dashed'") == 1, "those of the other"
    assert ">near</text>" in page
    assert "class='band a'" in page
    assert "in force" in page
    assert not any(tag in page for tag in ("<script", "<link", "<img", "url(", "src="))


def test_a_gold_set_and_a_reset_exclude_each_other_and_one_is_needed(office: Cli) -> None:
    assert office("eval", "calibrate").code == 2
    assert office("eval", "calibrate", "gold.jsonl", "--reset").code == 2


def test_a_cost_that_is_none_and_too_few_questions_are_misuse(office: Cli, tmp_path: Path) -> None:
    done = office("eval", "calibrate", "gold.jsonl", "--bluff-cost", "0", "--json")
    assert (done.code, done.json["code"]) == (2, "usage")
    (tmp_path / "gold.jsonl").write_text(json.dumps(ANSWERABLE[0]), "utf-8")
    done = office("eval", "calibrate", "gold.jsonl", "--json")
    assert (done.code, done.json["code"]) == (2, "gold-set")
