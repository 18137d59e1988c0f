"""Which sentences answer, and when is it better to refuse? Fits the model that answering ships.

    python -m benchmarks.fit_gate DATA --cache FOLDER [--cases FILE]

DATA holds `poquad_pl` and `nq_gold` in BEIR layout; `gate_cases` says what is drawn of them.
Sentences: a listwise logistic model over the signals of `answering.scoring`; the right ones hold
the gold answer. Gate: a logistic model over the signals of `answering.gate`, each kind of case
counting alike whatever its number. One half of the articles fits, the other is reported. Writes
`src/cytat/answering/model.json` and `benchmarks/results/gate.json`.
"""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
from benchmarks.arguments import parser_of_sets
from benchmarks.gate_cases import Case, kept_cases
from numpy.typing import NDArray

from cytat.answering.gate import LEAST_LEAD
from cytat.answering.scoring import Weights, parse_model
from cytat.metrics import wilson

HERE = Path(__file__).parent
MODEL = HERE.parent / "src" / "cytat" / "answering" / "model.json"
GATE_SIGNALS = ("near_and_shared", "stands_out", "passage_shared", "unknown", "log_chunks")
GATE_SIGNALS_WITHOUT_WORDS = ("nearness", "log_chunks")
RISING = frozenset({"near_and_shared", "nearness", "passage_shared", "stands_out"})
"""More of them never speaks against an answer; a fit that says so fits noise."""
MOST_BLUFFS_OFF_TOPIC, MOST_BLUFFS_ACROSS = 0.05, 0.03
"""Of the half that fits: they set the thresholds. Across languages an answer is trusted less."""
KIND_SHARES = {"answerable": 0.5, "off-topic": 0.3, "answer missing": 0.15, "impossible": 0.05}
DAMPING = 0.002
"""Weight of the squared coefficients; the cases of a kind weigh 0.05 to 0.5 together."""

Matrix = NDArray[np.float64]
Model = dict[str, object]


def main() -> None:
    parser = parser_of_sets(__doc__)
    parser.add_argument("--cases", type=Path, help="keeps what is drawn, for other figures of it")
    arguments = parser.parse_args()
    write(kept_cases(arguments.data, arguments.cache, arguments.cases))


def write(cases: Sequence[Case]) -> None:
    """Fit everything on one half of the cases, report the other, write model and report."""
    model: Model = {
        "fitted_on": _fitted_on(cases),
        "sentence": fit_sentences(
            [case for case in cases if not case.is_held_out and case.language != "en"]
        ),
        "gate": fit_gate(
            [case for case in cases if not case.is_foreign],
            GATE_SIGNALS,
            most_bluffs=MOST_BLUFFS_OFF_TOPIC,
        ),
        "gate_without_words": fit_gate(
            [case for case in cases if case.is_foreign],
            GATE_SIGNALS_WITHOUT_WORDS,
            most_bluffs=MOST_BLUFFS_ACROSS,
        ),
    }
    parse_model(json.dumps(model))
    MODEL.write_text(json.dumps(model, indent=2) + "\n", "utf-8")
    held_out = [case for case in cases if case.is_held_out]
    report = {"model": model, "held out": judge(held_out, model), "curve": curve(held_out, model)}
    (HERE / "results" / "gate.json").write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    print(json.dumps(report["held out"], indent=2))
    print(json.dumps(report["curve"], indent=2))
    print(json.dumps(model, indent=2))


def _fitted_on(cases: Sequence[Case]) -> str:
    fitting = sum(not case.is_held_out for case in cases)
    return (
        f"{fitting} cases of PoQuAD dev (Polish), Natural Questions gold passages (English) and "
        f"papers of small firms (both), over corpora of 4 to 300 chunks, e5-small"
    )


# ---------------------------------------------------------------- sentences


def fit_sentences(cases: Sequence[Case]) -> Model:
    """Return weights under which the units with the answer score highest, by softmax.

    Given without Natural Questions, which were typed for a search engine: words count for less
    there, and held-out questions of either kind are quoted as well without them.
    """
    asked = [case for case in cases if any(case.right) and not all(case.right)]
    names = list(asked[0].units[0].signals)
    rows = [
        (
            np.array([[one.signals[name] for name in names] for one in case.units]),
            np.array(case.right),
        )
        for case in asked
    ]
    spread = np.concatenate([signals for signals, _ in rows]).std(axis=0) + 1e-9
    weights = np.zeros(len(names))
    for _ in range(400):
        gradient = -0.01 * weights
        for signals, right in rows:
            score = (signals / spread) @ weights
            chance = np.exp(score - score.max())
            chance /= chance.sum()
            among = np.where(right, chance, 0) / max(chance[right].sum(), 1e-9)
            gradient += (signals / spread).T @ (among - chance) / len(rows)
        weights += 1.5 * gradient
    return _model(names, weights / spread, 0.0)


# ---------------------------------------------------------------- the gate


def fit_gate(cases: Sequence[Case], names: Sequence[str], *, most_bluffs: float) -> Model:
    """Return logistic weights and the threshold; the signals that must not fall are dropped."""
    fitting = [case for case in cases if not case.is_held_out]
    kept = list(names)
    while True:
        weights, intercept = logistic(fitting, kept)
        wrong = [
            name for name, one in zip(kept, weights, strict=True) if name in RISING and one < 0
        ]
        if not wrong:
            break
        kept.remove(wrong[0])
    model = _model(kept, weights, intercept)
    off_topic = _chances([case for case in fitting if "off-topic" in case.kind], model)
    threshold = float(np.quantile(off_topic, 1 - most_bluffs))
    return {**model, "threshold": round(threshold, 4)}


def logistic(cases: Sequence[Case], names: Sequence[str]) -> tuple[Matrix, float]:
    """Return weights and intercept by Newton's method; each kind of case counts alike."""
    values = np.array([[case.signals[name] for name in names] for case in cases])
    wanted = np.array([case.kind == "answerable" for case in cases], dtype=np.float64)
    kinds = [case.kind.split(",")[0] for case in cases]
    each = np.array([KIND_SHARES[kind] / kinds.count(kind) for kind in kinds])
    middle, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = np.column_stack(((values - middle) / spread, np.ones(len(cases))))
    damping = np.diag([DAMPING] * len(names) + [1e-9])
    weights = np.zeros(len(names) + 1)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-(scaled @ weights)))
        slope = scaled.T @ (each * (wanted - chance)) - damping @ weights
        bend = (scaled * (each * chance * (1 - chance))[:, None]).T @ scaled + damping
        weights += np.linalg.solve(bend, slope)
    raw = weights[:-1] / spread
    return raw, float(weights[-1] - raw @ middle)


def _model(names: Sequence[str], weights: Matrix, intercept: float) -> Model:
    rounded = dict(zip(names, np.round(weights, 4).tolist(), strict=True))
    return {"intercept": round(intercept, 4), "weights": rounded}


def _chances(cases: Sequence[Case], model: Model) -> list[float]:
    of = model["weights"]
    assert isinstance(of, dict)
    weights = Weights(float(str(model["intercept"])), of)
    return [weights.probability(case.signals) for case in cases]


# ---------------------------------------------------------------- the report


def passes(case: Case, model: Mapping[str, object], *, stricter: float = 0.0) -> bool:
    """Say whether a case passes the gate; `stricter` moves both thresholds, in log odds."""
    part = model["gate_without_words" if case.is_foreign else "gate"]
    assert isinstance(part, dict)
    (chance,) = _chances([case], part)
    threshold = float(part["threshold"])
    odds = math.log(chance / (1 - chance)) - math.log(threshold / (1 - threshold))
    lead, is_strange = case.signals["lead"], case.signals["is_strange"]
    is_clear = lead >= LEAST_LEAD if case.is_foreign else not is_strange
    return odds >= stricter and not case.is_missing_identifier and is_clear


def judge(cases: Sequence[Case], model: Mapping[str, object]) -> dict[str, object]:
    """Return both errors by kind of case, cut and size of corpus."""
    report: dict[str, object] = {}
    for kind in dict.fromkeys(case.kind for case in cases):
        of_kind = [case for case in cases if case.kind == kind]
        report[f"{kind}, all"] = _errors(of_kind, model)
        for cut in ("whole", "fine", "firm"):
            of_cut = [case for case in of_kind if case.cut == cut]
            for size in sorted({case.size for case in of_cut}) if cut != "firm" else ():
                some = [case for case in of_cut if case.size == size]
                report[f"{kind}, {cut}, {size}"] = _errors(some, model)
            if of_cut:
                report[f"{kind}, {cut}"] = _errors(of_cut, model)
    return report


def curve(cases: Sequence[Case], model: Mapping[str, object]) -> list[dict[str, object]]:
    """Return both errors at several thresholds; the shipped one is at 0."""
    kinds: dict[str, Collection[str]] = {
        "lost": {"answerable"},
        "bluffs off-topic": {"off-topic"},
        "bluffs off-topic, other language": {"off-topic, other language"},
        "bluffs on-topic": {"answer missing", "impossible"},
    }
    points = []
    for stricter in (-1.0, -0.5, 0.0, 0.5, 1.0):
        point: dict[str, object] = {"log odds above the threshold": stricter}
        for name, chosen in kinds.items():
            some = [case for case in cases if case.kind in chosen]
            passed = sum(passes(case, model, stricter=stricter) for case in some)
            point[name] = round((len(some) - passed if name == "lost" else passed) / len(some), 3)
        points.append(point)
    return points


def _errors(cases: Sequence[Case], model: Mapping[str, object]) -> dict[str, object]:
    passed = sum(passes(case, model) for case in cases)
    is_lost = bool(cases) and cases[0].kind == "answerable"
    wrong = len(cases) - passed if is_lost else passed
    interval = wilson(wrong, len(cases))
    return {
        "lost" if is_lost else "bluffs": round(wrong / max(1, len(cases)), 3),
        "95 %": [round(interval.low, 3), round(interval.high, 3)],
        "cases": len(cases),
    }


if __name__ == "__main__":
    main()
