"""Which sentences answer, and when is it better to refuse? Fits the model that answering ships.

    python -m benchmarks.fit_gate DATA --cache FOLDER

DATA holds `poquad_pl` and `nq_gold` in BEIR layout. Sentences: a listwise logistic model over the
signals of `answering.scoring`; the right ones hold the gold answer. Gate: a logistic model over
the signals of `answering.gate`, fitted on corpora of 5 to 200 passages drawn with a seed, once
with the question's passage in them, once without it but with its neighbours (on-topic), and once
over passages of other topics (off-topic). Half of the questions fit, the other half is reported.
Writes `src/cytat/answering/model.json` and `benchmarks/results/gate.json`.
"""

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.question_sets import KeptEmbedder, Question, QuestionSet, SmallCorpus, load
from numpy.typing import NDArray

from cytat.answering.gate import is_foreign, missing_identifiers, signals_of
from cytat.answering.scoring import score_units
from cytat.answering.weights import Weights, parse_model, shipped_model
from cytat.backends.e5 import open_embedder
from cytat.protocols import ModelOptions
from cytat.records import Hit

HERE = Path(__file__).parent
MODEL = HERE.parent / "src" / "cytat" / "answering" / "model.json"
SEED = 20_251_130
SIZES = (5, 20, 50, 200)
DEPTH = 8
MOST_LOST = 0.08
"""Answerable questions that may be refused, of the half that fits: they set the threshold."""
ACROSS_LANGUAGES: dict[str, object] = {
    "intercept": -4.8,
    "threshold": 0.5,
    "weights": {"above_anchors": 1.0, "stands_out": 40.0, "has_spread": -1.6},
}
"""Set by hand, for want of questions with answers in another language: the nearest sentence has to
lie far above the anchors of its own language, and above other passages where there are many."""

GATE_SIGNALS = (
    "above_anchors",
    "stands_out",
    "has_spread",
    "best_unit_shared",
    "passage_shared",
    "unknown",
    "holds_expected",
)
POSITIVE_ONLY = {
    "chosen_unit_shared",
    "stands_out",
    "above_anchors",
    "top_z",
    "best_unit_shared",
    "passage_shared",
    "holds_expected",
}

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One question over one corpus."""

    kind: str
    """answerable | on-topic | off-topic"""
    size: int
    is_held_out: bool
    signals: dict[str, float]
    is_missing_identifier: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    arguments = parser.parse_args()
    embedder = open_kept(arguments.cache)
    sets = open_sets(arguments.data)
    sentence = fit_sentences(sets, embedder)
    model = json.loads(MODEL.read_text("utf-8"))
    model["sentence"] = sentence
    MODEL.write_text(json.dumps(model, indent=2) + "\n", "utf-8")
    shipped_model.cache_clear()
    cases = [case for one, other in (sets, sets[::-1]) for case in draw_cases(one, other, embedder)]
    cases.extend(draw_impossible(arguments.data, sets[0], embedder))
    embedder.save()
    report: dict[str, dict[str, object]] = {"sentence": sentence, "gates": {}}
    gates = {
        "gate": fit_gate(cases, GATE_SIGNALS, most_lost=MOST_LOST),
        "gate_without_words": ACROSS_LANGUAGES,
    }
    for name, fitted in gates.items():
        model[name] = fitted
        report["gates"][name] = judge(cases, fitted, is_across=name == "gate_without_words")
    model["fitted_on"] = (
        f"PoQuAD dev (Polish) and Natural Questions gold passages (English), "
        f"{len(cases)} cases over corpora of {', '.join(map(str, SIZES))} passages, e5-small"
    )
    parse_model(json.dumps(model))
    MODEL.write_text(json.dumps(model, indent=2) + "\n", "utf-8")
    (HERE / "results" / "gate.json").write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    print(json.dumps(report, indent=2))


def open_sets(data: Path) -> list[QuestionSet]:
    """Return the questions, Polish and English, that are fitted and measured on."""
    polish, english = data / "poquad_pl", data / "nq_gold"
    return [
        load(polish, qrels="dev.tsv", kind="paragraph", most=200, most_others=60),
        load(english, qrels="dev.tsv", kind=None, most=120, most_others=40),
    ]


def open_kept(cache: Path) -> KeptEmbedder:
    """Return the default encoder, its vectors kept in `cache`."""
    options = ModelOptions(cache=cache, model=None, base_url=None, api_key=None, timeout_s=60)
    return KeptEmbedder(open_embedder(options), cache)


# ---------------------------------------------------------------- sentences


def fit_sentences(sets: Sequence[QuestionSet], embedder: KeptEmbedder) -> dict[str, object]:
    """Return weights under which the sentences with the answer score highest, by softmax."""
    rows: list[tuple[Matrix, NDArray[np.bool_]]] = []
    names: list[str] = []
    for one in sets:
        corpus = SmallCorpus(one.passages, language=one.language, embedder=embedder)
        for question in one.questions[::2]:
            survey, hits = corpus.ask(question.text, depth=5)
            units = score_units(survey, hits, embedder=embedder, weights=_nothing())
            right = np.array(
                [
                    unit.reading.hit.chunk_id == question.gold
                    and holds_answer(unit.unit.text, question)
                    for unit in units
                ],
                dtype=bool,
            )
            if right.any() and not right.all():
                names = list(units[0].signals)
                rows.append((np.array([[unit.signals[n] for n in names] for unit in units]), right))
    spread = np.concatenate([signals for signals, _ in rows]).std(axis=0) + 1e-9
    weights = np.zeros(len(names))
    for _ in range(600):
        gradient = -0.02 * weights
        for signals, right in rows:
            score = (signals / spread) @ weights
            chance = np.exp(score - score.max())
            chance /= chance.sum()
            among = np.where(right, chance, 0) / max(chance[right].sum(), 1e-9)
            gradient += (signals / spread).T @ (among - chance) / len(rows)
        weights += gradient
        weights[names.index("own")] = max(weights[names.index("own")], 0.0)
    weights /= spread
    return {
        "intercept": 0.0,
        "weights": dict(zip(names, np.round(weights, 3).tolist(), strict=True)),
    }


def _nothing() -> Weights:
    return Weights(0.0, {})


def holds_answer(text: str, question: Question) -> bool:
    """Say whether a text holds a gold answer, whatever its case and blanks."""
    plain = " ".join(text.casefold().split())
    return any(" ".join(answer.casefold().split()) in plain for answer in question.answers)


# ---------------------------------------------------------------- the gate


def draw_cases(one: QuestionSet, other: QuestionSet, embedder: KeptEmbedder) -> list[Case]:
    """Return each question over a corpus with, without and far from its passage."""
    drawn = random.Random(SEED)  # noqa: S311 (draws corpora, not secrets)
    gold = {str(hit.chunk_id): hit for hit in one.passages}
    cases: list[Case] = []
    for at, question in enumerate(one.questions):
        size = SIZES[at % len(SIZES)]
        right = gold[question.gold]
        near = [hit for hit in one.passages if hit.title == right.title and hit is not right]
        rest = [hit for hit in one.passages if hit.title != right.title]
        some = drawn.sample(rest, min(size, len(rest)))
        foreign = drawn.sample(list(other.passages), min(size, len(other.passages)))
        corpora = {
            "answerable": [right, *near[:2], *some][:size],
            "on-topic": [*near[:3], *some][:size],
            "off-topic": some,
            "off-topic, other language": foreign,
        }
        if not near:
            del corpora["on-topic"]
        for kind, passages in corpora.items():
            language = other.language if "other" in kind else one.language
            signals, is_missing = _seen(question, passages, language, embedder)
            is_held_out = at // len(SIZES) % 2 == 1  # every size on both sides
            cases.append(Case(kind, size, is_held_out, signals, is_missing))
    return cases


def draw_impossible(data: Path, one: QuestionSet, embedder: KeptEmbedder) -> list[Case]:
    """Return questions whose own passage is in the corpus and does not answer them."""
    asked = load(
        data / "poquad_pl", qrels="dev_impossible.tsv", kind="paragraph", most=100, most_others=0
    ).questions
    corpus = {str(hit.chunk_id) for hit in one.passages}
    cases = []
    for at, question in enumerate(question for question in asked if question.gold in corpus):
        signals, is_missing = _seen(question, list(one.passages), one.language, embedder)
        cases.append(Case("impossible", SIZES[-1], at % 2 == 1, signals, is_missing))
    return cases


def _seen(
    question: Question, passages: list[Hit], language: str, embedder: KeptEmbedder
) -> tuple[dict[str, float], bool]:
    """Return the gate's signals, and whether an identifier asked for stands nowhere."""
    survey, hits = SmallCorpus(passages, language=language, embedder=embedder).ask(
        question.text, depth=DEPTH
    )
    units = score_units(survey, hits, embedder=embedder, weights=shipped_model().sentence)
    signals = signals_of(survey, hits, units, embedder=embedder)
    signals["is_foreign"] = float(is_foreign(survey, units, embedder=embedder))
    return signals, bool(missing_identifiers(survey))


def fit_gate(cases: Sequence[Case], names: Sequence[str], *, most_lost: float) -> dict[str, object]:
    """Return logistic weights, each kind of case counting alike, and the threshold."""
    fitting = [case for case in cases if not case.is_held_out]
    values = np.array([[case.signals[name] for name in names] for case in fitting])
    wanted = np.array([case.kind == "answerable" for case in fitting], dtype=np.float64)
    kinds = [case.kind.split(",")[0] for case in fitting]
    share = {"answerable": 0.5, "on-topic": 0.15, "impossible": 0.05, "off-topic": 0.3}
    each = np.array([share[kind] / kinds.count(kind) for kind in kinds])
    middle, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = (values - middle) / spread
    weights, intercept = np.zeros(len(names)), 0.0
    for _ in range(3000):
        chance = 1 / (1 + np.exp(-(scaled @ weights + intercept)))
        slope = each * (wanted - chance)
        weights += 1.0 * (scaled.T @ slope - 0.001 * weights)
        intercept += 1.0 * float(slope.sum())
        for at, name in enumerate(names):
            if name in POSITIVE_ONLY:
                weights[at] = max(weights[at], 0.0)
    raw = weights / spread
    constant = intercept - float(raw @ middle)
    chance = 1 / (1 + np.exp(-(values @ raw + constant)))
    threshold = float(np.quantile(chance[wanted == 1], most_lost))
    return {
        "intercept": round(constant, 4), "threshold": round(threshold, 4),
        "weights": dict(zip(names, np.round(raw, 4).tolist(), strict=True)),
    }  # fmt: skip


def judge(
    cases: Sequence[Case], fitted: dict[str, object], *, is_across: bool
) -> dict[str, object]:
    """Return both errors on the held-out questions, by kind and size of corpus."""
    of = fitted["weights"]
    assert isinstance(of, dict)
    weights = Weights(float(str(fitted["intercept"])), of)
    threshold = float(str(fitted["threshold"]))
    report: dict[str, object] = {}
    held_out = [case for case in cases if case.is_held_out]
    for kind in dict.fromkeys(case.kind for case in cases):
        for sizes in (*((size,) for size in SIZES), SIZES):
            some = [case for case in held_out if case.kind == kind and case.size in sizes]
            passed = sum(
                weights.probability(case.signals) >= threshold
                and not case.is_missing_identifier
                and (is_across or not case.signals["is_strange"])
                for case in some
            )
            wrong = len(some) - passed if kind == "answerable" else passed
            label = "lost" if kind == "answerable" else "bluffs"
            name = f"{kind}, {sizes[0] if len(sizes) == 1 else 'all'}"
            report[name] = {label: round(wrong / max(1, len(some)), 3), "cases": len(some)}
    return report


if __name__ == "__main__":
    main()
