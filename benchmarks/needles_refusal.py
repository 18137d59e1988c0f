"""The questions of the needles -> what a bare cosine and the gate say of each.

    python -m benchmarks.needles_refusal [--corpus FILE]

Every question is asked once with the gate held open, as `cytat eval calibrate` does it, so that the
errors of each threshold can be computed afterwards; what calibrating chooses is decided on these
cases too. No model. FILE is a corpus that holds `needles/documents` already. Writes
`results/needles_refusal.json`; nothing in cytat is fitted to it.
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.arguments import parser_of

from cytat import Corpus
from cytat.answering import margin_weights
from cytat.config import load_settings
from cytat.evaluation import Calibrated, Evaluation, Evaluator, GateCase, calibrate

HERE = Path(__file__).parent
NEEDLES = HERE / "needles"
GOLD = str(NEEDLES / "gold.jsonl")
RESULTS = HERE / "results" / "needles_refusal.json"
BLUFF_COSTS = (1.0, 3.0)


@dataclass(frozen=True, slots=True)
class Row:
    """One question: its best cosine, the gate's margin, and whether anything could be quoted.

    `margin` is log odds above the shipped threshold; None where a rule decides. `answers_open`:
    something is quoted once the gate lets the question through.
    """

    id: str
    group: str
    answerable: bool
    cosine: float
    margin: float | None
    answers_open: bool


def rows(corpus: Corpus, evaluation: Evaluation, seen: Sequence[GateCase]) -> Iterator[Row]:
    """Yield the row of every question."""
    for located, case in zip(evaluation.questions, seen, strict=True):
        hits = corpus.search(located.gold.question, depth=1, mode="vectors").hits
        margin = None if case.margin is None else round(case.margin, 4)
        assert case.group is not None
        yield Row(
            case.id,
            case.group,
            case.is_answerable,
            round(hits[0].score, 5),
            margin,
            case.is_answered,
        )


def calibrated(cost: float, made: Calibrated) -> dict[str, object]:
    """Return what calibrating chose, and its errors on questions held out."""
    return {
        "bluff_cost": cost,
        "stricter": made.gate.stricter,
        "is_refitted": made.gate.refitted is not None,
        "held_out": [
            {"name": one.name, "wrong": one.wrong, "among": one.among}
            for one in made.held_out.rates
        ],
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--corpus", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = given.corpus or Path(folder) / "needles.db"
        with Corpus(replace(load_settings({}), corpus=file)) as corpus:
            if given.corpus is None:
                corpus.add([NEEDLES / "documents"])
            evaluation = Evaluator(corpus).evaluation(GOLD)
            seen = list(evaluation.gate_cases())
            made = {
                "questions": [asdict(row) for row in rows(corpus, evaluation, seen)],
                "calibrated": [
                    calibrated(cost, calibrate(seen, bluff_cost=cost, shipped=margin_weights()))
                    for cost in BLUFF_COSTS
                ],
            }
    RESULTS.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
