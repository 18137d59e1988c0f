"""The example questions, asked of the example documents: answered rightly, otherwise, or refused?

    python -m benchmarks.example_questions [--questions FILE --documents FOLDER] [--aloud]

A reply is right when what it cites holds the needle of the question, or when it refuses a question
that the documents do not answer. With few questions a group's share is known only within its
interval (Wilson, 95 %). Writes `results/example_questions.json`, unless other questions are given.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from cytat import Corpus
from cytat.metrics import wilson
from cytat.records import Answer, Refusal

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
RESULTS = HERE / "results" / "example_questions.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=Path, default=EXAMPLES / "questions.jsonl")
    parser.add_argument("--documents", type=Path, default=EXAMPLES / "documents")
    parser.add_argument("--aloud", action="store_true", help="print every reply")
    given = parser.parse_args()
    asked = [json.loads(line) for line in given.questions.read_text("utf-8").splitlines()]
    with (
        tempfile.TemporaryDirectory() as folder,
        Corpus.open(Path(folder) / "cytat.db") as corpus,
    ):
        corpus.add([given.documents])
        report = measure(corpus, asked, is_aloud=given.aloud)
    print(json.dumps(report, indent=2, ensure_ascii=False))
    if given.questions == EXAMPLES / "questions.jsonl":
        text = json.dumps(report, indent=2, ensure_ascii=False)
        RESULTS.write_text(text + "\n", "utf-8")


def measure(
    corpus: Corpus, asked: list[Mapping[str, object]], *, is_aloud: bool
) -> dict[str, object]:
    """Return the outcomes by group, the time against a search, and what was not right."""
    outcomes: dict[str, list[str]] = {}
    not_right: list[dict[str, str]] = []
    statements: list[int] = []
    corpus.ask(str(asked[0]["question"]))  # what is loaded once is not counted
    searching = asking = 0.0
    for row in asked:
        question = str(row["question"])
        started = time.perf_counter()
        corpus.search(question)
        between = time.perf_counter()
        reply = corpus.ask(question)
        searching, asking = searching + between - started, asking + time.perf_counter() - between
        outcome = outcome_of(reply, row)
        outcomes.setdefault(str(row["group"]), []).append(outcome)
        if isinstance(reply, Answer):
            statements.append(len(reply.statements))
        if outcome != "right":
            not_right.append({"question": question, "outcome": outcome, "said": reply.text[:200]})
        if is_aloud:
            print(f"{outcome:8s} {question}\n         {reply.text[:300]}")
    return {
        "groups": {name: _shares(group) for name, group in outcomes.items()},
        "statements in an answer, mean": round(sum(statements) / max(1, len(statements)), 2),
        "time of ask to time of search": round(asking / searching, 2),
        "not right": not_right,
    }


def outcome_of(reply: Answer | Refusal, row: Mapping[str, object]) -> str:
    """Return right, other (answered, and not with the needle) or refused."""
    if isinstance(reply, Refusal):
        return "refused" if row["answerable"] else "right"
    needles = row["needles"]
    assert isinstance(needles, list)
    quoted = _plain(" ".join(one.quote for one in reply.citations))
    return "right" if any(_plain(needle) in quoted for needle in needles) else "other"


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _shares(outcomes: list[str]) -> dict[str, object]:
    interval = wilson(outcomes.count("right"), len(outcomes))
    counts = {name: outcomes.count(name) for name in ("right", "other", "refused")}
    return {**counts, "right, 95 %": [round(interval.low, 2), round(interval.high, 2)]}


if __name__ == "__main__":
    main()
