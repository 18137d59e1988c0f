"""Whole commands of measuring: figures, run files, the page, and exit codes of gates."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.backends.test_openai_chat import Script, event, serving
from tests.surfaces.test_cli import Cli, cli, office

__all__ = ["cli", "office"]

NASTY = "<script>alert(1)</script>&\"'"
CASES = (
    {"id": "q1", "question": "Ile wynosi czynsz?", "needles": ["Czynsz wynosi 2150 zł"]},
    {"id": "q2", "question": "Kto wynalazł telegraf?", "answerable": False, "expected": None},
    {"id": "q3", "question": f"Ile wynosi kaucja? {NASTY}", "sources": ["umowa.md"],
     "expected": NASTY},
)  # fmt: skip


@pytest.fixture
def measured(office: Cli, tmp_path: Path) -> Cli:
    """The corpus of the office, with a gold set beside it."""
    lines = [json.dumps(case, ensure_ascii=False) for case in CASES]
    (tmp_path / "gold.jsonl").write_text("\n".join(lines), "utf-8")
    return office


def test_eval_of_a_gold_set_is_eval_run(measured: Cli) -> None:
    short, long = measured("eval", "gold.jsonl"), measured("eval", "run", "gold.jsonl")
    assert short.code == long.code == 0
    assert re.search(r"recall@5 +1\.000  \[0\.", short.out)
    timeless = re.compile(r"\d+ ms")
    assert timeless.sub("", short.out) == timeless.sub("", long.out)


def test_the_run_file_is_what_json_prints_and_compares(measured: Cli, tmp_path: Path) -> None:
    run = measured("eval", "gold.jsonl", "--out", "run.json", "--json").json
    assert run == json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert (run["kind"], run["format"]) == ("eval-report", 1)
    assert {"name", "group", "value", "low", "high"} <= set(run["metrics"][0])
    compared = measured("eval", "compare", "run.json", "run.json")
    assert compared.code == 0
    assert "cannot be told apart" in compared.out
    as_json = measured("eval", "compare", "run.json", "run.json", "--json").json
    assert as_json["kind"] == "eval-comparison"


def test_a_gate_that_is_not_met_says_so_and_exits_with_1(measured: Cli) -> None:
    done = measured("eval", "gold.jsonl", "--retrieval-only", "--min", "precision@5=0.9")
    assert done.code == 1
    assert "not met: precision@5" in done.err
    assert measured("eval", "gold.jsonl", "--min", "recall@5=0.8", "--max", "bluff=0").code == 0
    assert measured("eval", "gold.jsonl", "--min", "recall").code == 2


def test_not_worse_than_itself_is_met_and_than_another_gold_set_is_misuse(
    measured: Cli, tmp_path: Path
) -> None:
    assert measured("eval", "gold.jsonl", "--out", "run.json").code == 0
    assert measured("eval", "gold.jsonl", "--not-worse-than", "run.json").code == 0
    (tmp_path / "gold.jsonl").write_text(json.dumps(CASES[0]), "utf-8")
    done = measured("eval", "gold.jsonl", "--not-worse-than", "run.json", "--json")
    assert done.code == 2
    assert "different gold sets" in done.json["message"]


def test_a_faulty_gold_set_is_misuse_with_its_line(measured: Cli, tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text('{"id": "q", "question": "x", "neadle": []}', "utf-8")
    done = measured("eval", "gold.jsonl", "--json")
    assert (done.code, done.json["code"]) == (2, "gold-set")
    assert done.json["message"].startswith("gold.jsonl:1: q: unknown key 'neadle'")


def test_what_is_no_run_is_refused(measured: Cli, tmp_path: Path) -> None:
    for content in ("", "[]", '{"kind": "ranking"}', '{"kind": "eval-report", "format": 1}'):
        (tmp_path / "run.json").write_text(content, "utf-8")
        done = measured("eval", "compare", "run.json", "run.json", "--json")
        assert (done.code, done.json["code"]) == (2, "usage"), content


class Page(HTMLParser):
    """Notes tags, attributes and whatever would be fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.fetched: list[str] = []

    def handle_starttag(  # type: ignore[explicit-override] # `typing.override` is of Python 3.12
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        self.tags.add(tag)
        self.fetched += [name for name, _ in attrs if name in {"src", "href", "srcset", "action"}]


def test_the_page_fetches_nothing_runs_nothing_and_escapes_everything(
    measured: Cli, tmp_path: Path
) -> None:
    assert measured("eval", "gold.jsonl", "--report", "page.html").code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    parser = Page()
    parser.feed(page)
    assert parser.fetched == []
    assert not parser.tags & {"script", "link", "img", "iframe", "object"}
    assert "url(" not in page
    assert "@import" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<mark>Czynsz wynosi 2150 zł</mark>" in page
    assert parser.tags >= {"svg", "details", "table"}


def test_a_ranking_is_written_as_a_trec_run(measured: Cli, tmp_path: Path) -> None:
    assert measured("eval", "gold.jsonl", "--retrieval-only", "--trec", "run.txt").code == 0
    rows = [line.split() for line in (tmp_path / "run.txt").read_text("utf-8").splitlines()]
    assert {len(row) for row in rows} == {6}
    assert rows[0][:4] == ["q1", "Q0", "docs/umowa.md", "1"]


def test_a_trec_run_of_any_system_is_scored_compared_and_reported(
    measured: Cli, tmp_path: Path
) -> None:
    files = ("--trec", "run.txt", "--trec-qrels", "qrels.txt")
    assert measured("eval", "gold.jsonl", "--retrieval-only", *files).code == 0
    assert (tmp_path / "qrels.txt").read_text("utf-8") == (
        "q1 0 docs/umowa.md 1\nq3 0 docs/umowa.md 1\n"
    )
    scored = measured("eval", "score", "run.txt", "--qrels", "qrels.txt", "--report", "page.html")
    assert scored.code == 0
    assert re.search(r"recall@5 +1\.000  \[0\.342 – 1\.000\]  2 questions", scored.out)
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "<div class='hit right'><p>1. docs/umowa.md <small>" in page
    (tmp_path / "worse.txt").write_text("q1 Q0 x 1 1.0 worse\n")
    compared = measured("eval", "compare", "--qrels", "qrels.txt", "run.txt", "worse.txt")
    assert compared.code == 0
    assert "system: cytat → worse" in compared.out
    assert re.search(r"recall@5 +1\.000 →  0\.000  \+0/-2 of 2", compared.out)


def test_a_judges_name_stands_by_each_of_its_figures(measured: Cli, tmp_path: Path) -> None:
    with serving(Script(body=(event("yes"), event(None, "stop")))) as url:
        judge = ("--judge", "grader", "--judge-base-url", url, "--report", "page.html")
        done = measured("eval", "gold.jsonl", *judge)
    assert done.code == 0
    assert re.search(r"faithfulness +1\.000  \[.*questions, judged by grader", done.out)
    assert "note: Judged by the model grader" in done.err
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "<small>judged by grader</small>" in page
    assert "Judged by the model grader" in page


def test_groups_stand_beside_each_other_on_the_page(measured: Cli, tmp_path: Path) -> None:
    grouped = [{**CASES[0], "group": "own words"}, {**CASES[2], "group": "the <document's>"}]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, grouped)), "utf-8")
    done = measured("eval", "gold.jsonl", "--retrieval-only", "--report", "page.html")
    assert done.code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    table = page.partition("<h2>By group</h2>")[2].partition("</table>")[0]
    assert re.findall(r"<tr><td>(.*?)<td>", table) == [
        "all", "own words", "the &lt;document&#x27;s&gt;",
    ]  # fmt: skip
    assert "1.00 <small>0.21 – 1.00 · 1</small>" in table


def test_a_judge_is_checked_beside_people_without_a_corpus(cli: Cli, tmp_path: Path) -> None:
    row = {"metric": "answer-relevancy", "statement": "Tak.", "question": "Czy?", "label": "no"}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row), "utf-8")
    with serving(Script(body=(event("yes"), event(None, "stop")))) as url:
        asked = ("eval", "judge", "labels.jsonl", "--judge", "grader", "--judge-base-url", url)
        done, as_json = cli(*asked), cli(*asked, "--json").json
    assert done.code == 0
    assert "grader beside people:" in done.out
    assert re.search(r"answer-relevancy +wrongly-passed +1\.000  \[0\.2", done.out)
    assert as_json["kind"] == "eval-judge"
    assert cli("eval", "judge", "labels.jsonl", "--json").json["code"] == "settings"


def test_a_gold_set_is_written_filled_in_and_run(office: Cli, tmp_path: Path) -> None:
    done = office("eval", "init", "--questions", "2", "--out", "mine.yaml")
    assert done.code == 0
    assert done.out.startswith("mine.yaml: 2 passages of 2 documents, and 1 places")
    assert done.out.endswith("then run: cytat eval mine.yaml\n")
    again = office("eval", "init", "--out", "mine.yaml", "--json")
    assert (again.code, again.json["code"]) == (2, "usage")
    assert office("eval", "mine.yaml").code == 2, "nothing is filled in"
    text = (tmp_path / "mine.yaml").read_text("utf-8")
    asked = text.replace('question: ""', 'question: "Co z kaucją?"', 1)
    (tmp_path / "mine.yaml").write_text(asked, "utf-8")
    run = office("eval", "mine.yaml", "--json").json
    assert len(run["questions"]) == 1
    assert run["notes"][0] == "2 cases have no question yet and were skipped."
    made = office("eval", "init", "--out", "other.jsonl", "--seed", "5", "--json").json
    assert (made["kind"], made["seed"], made["borrowed"]) == ("eval-init", 5, None)
