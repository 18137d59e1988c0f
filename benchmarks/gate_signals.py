"""What does looking at the sentence that would be quoted add to the gate? And at a bare cosine?

    python -m benchmarks.gate_signals DATA --cache FOLDER --cases FILE

The cases are those of `fit_gate`; FILE keeps them. Four gates: the cosine of the best passage; the
nearness of the best sentence; one fitted as the shipped gate is; and ones fitted in the same way
to its signals and more of the sentence that would be quoted:

    met_in_sentence   share of the question's words of content that stand in the sentence itself
    beyond_heading    how much nearer to the question the sentence is, read under its title and
                      headings, than these are alone
    names_unmet       names of the question that neither the sentence nor its headings hold
    holds_expected    whether it holds the kind of thing that is asked for

Each half fits once and is reported once; a threshold loses 5, 8 or 10 % of the answerable cases
that fit, and both errors are those of the other half. Also: what questions of one's own are worth,
by drawing small sets of them again and again from what is held out. Writes
`results/gate_signals.json`.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from benchmarks.arguments import parser_of_sets
from benchmarks.fit_gate import GATE_SIGNALS, logistic
from benchmarks.gate_cases import Case, kept_cases
from benchmarks.own_questions import worth_of_own_questions
from benchmarks.question_sets import KeptEmbedder, open_kept

from cytat.analysis import TermGroup, analyse_question
from cytat.answering.scoring import ScoredUnit, Weights, is_about
from cytat.answering.survey import GENERIC_WORDS
from cytat.metrics import auc, sign_test, wilson
from cytat.text.identity import passage_text

HERE = Path(__file__).parent
GATES: Mapping[str, Sequence[str]] = {
    "cosine of the best passage": ("cosine",),
    "nearness of the best sentence": ("nearness",),
    "as shipped": GATE_SIGNALS,
    "and met_in_sentence": (*GATE_SIGNALS, "met_in_sentence"),
    "and beyond_heading": (*GATE_SIGNALS, "beyond_heading"),
    "and both": (*GATE_SIGNALS, "met_in_sentence", "beyond_heading"),
    "and all four": (
        *GATE_SIGNALS, "met_in_sentence", "beyond_heading", "names_unmet", "holds_expected",
    ),
}  # fmt: skip
BASELINE = "as shipped"
LOST_SHARES = (0.05, 0.08, 0.10)
PAIRED_AT = 0.08
"""Share lost at which gates are compared case by case."""
FEW_MISSING = 0.3
REFUSED = -99.0
"""A score below every threshold: what a rule refuses."""
RIGHT, KINDS = "answerable", ("off-topic", "answer missing", "impossible")

Scored = tuple[Case, float]
Figures = dict[str, object]


def main() -> None:
    parser = parser_of_sets(__doc__)
    parser.add_argument("--cases", type=Path, required=True)
    arguments = parser.parse_args()
    drawn = kept_cases(arguments.data, arguments.cache, arguments.cases)
    embedder = open_kept(arguments.cache)
    cases = [with_sentence_signals(case, embedder) for case in drawn if not case.is_foreign]
    embedder.save()
    passed = {name: decided_by_the_other_half(cases, names) for name, names in GATES.items()}
    report = {
        "encoder": embedder.name,
        "cases": len(cases),
        "gates": {name: measure(cases, *of) for name, of in passed.items()},
        f"beside the shipped one, at {PAIRED_AT:.0%} lost": {
            name: beside(cases, passed[BASELINE][1][PAIRED_AT], decided[PAIRED_AT])
            for name, (_, decided) in passed.items() if name != BASELINE
        },
        "questions of one's own": worth_of_own_questions(cases),
    }  # fmt: skip
    text = json.dumps(report, indent=2)
    (HERE / "results" / "gate_signals.json").write_text(text + "\n", "utf-8")
    print(text)


# ---------------------------------------------------------------- signals of the sentence


def with_sentence_signals(case: Case, embedder: KeptEmbedder) -> Case:
    """Return a case with what can be seen of the sentences that would be quoted."""
    first, nearest = case.units[0], max(case.units, key=lambda one: one.nearness)
    asked = _asked(case)
    own = [group for group in asked if is_about(group, first.unit.terms)]
    held = first.unit.terms | first.reading.heading_terms
    unmet = {group.surface.casefold() for group in asked if not is_about(group, held)}
    words = re.findall(r"\s(\w+)", case.question.text)
    names = {word.casefold() for word in words if word[0].isupper()}
    seen = {
        "cosine": max(_cosine(one) for one in case.units),
        "met_in_sentence": len(own) / max(1, len(asked)),
        "beyond_heading": _beyond_heading(case, nearest, embedder),
        "names_unmet": float(len(names & unmet)),
        "holds_expected": float(first.holds_expected),
    }
    return replace(case, signals={**case.signals, **seen})


def _asked(case: Case) -> list[TermGroup]:
    query = analyse_question(case.question.text, languages={"pl", "en"})
    return [group for group in query.content if group.surface not in GENERIC_WORDS]


def _cosine(one: ScoredUnit) -> float:
    score = one.reading.hit.why.vectors_score
    assert score is not None
    return score


def _beyond_heading(case: Case, one: ScoredUnit, embedder: KeptEmbedder) -> float:
    hit = one.reading.hit
    texts = [passage_text(hit.title, hit.heading_path, "", words) for words in (one.unit.text, "")]
    sentence, heading = embedder.embed_documents(texts)
    question = embedder.embed_query(case.question.text)
    return float((sentence - heading) @ question)


# ---------------------------------------------------------------- deciding


def decided_by_the_other_half(
    cases: Sequence[Case], names: Sequence[str]
) -> tuple[list[float], dict[float, list[bool]]]:
    """Return each case's score, and whether it passes for each share lost, by the other half."""
    scores = [REFUSED] * len(cases)
    passes = {share: [False] * len(cases) for share in LOST_SHARES}
    for half in (False, True):
        fitting = [case for case in cases if case.is_held_out is half]
        score = _fitted(fitting, names)
        known = [score(case) for case in fitting if case.kind == RIGHT]
        for at, case in enumerate(cases):
            if case.is_held_out is half:
                continue
            scores[at] = score(case)
            for share in LOST_SHARES:
                passes[share][at] = scores[at] >= float(np.quantile(known, share))
    return scores, passes


def _fitted(cases: Sequence[Case], names: Sequence[str]) -> Callable[[Case], float]:
    fitted, intercept = logistic(cases, names)
    weights = Weights(intercept, dict(zip(names, fitted.tolist(), strict=True)))

    def score(case: Case) -> float:
        is_refused = case.is_missing_identifier or case.signals["is_strange"]
        return REFUSED if is_refused else weights.sum(case.signals)

    return score


# ---------------------------------------------------------------- figures


def measure(
    cases: Sequence[Case], scores: Sequence[float], passes: Mapping[float, Sequence[bool]]
) -> Figures:
    """Return how well a gate tells the kinds apart, and both errors, also by language."""
    figures: Figures = {}
    for language in (None, "pl", "en", "firm"):
        of = [at for at, case in enumerate(cases) if language in {None, case.language}]
        right = [scores[at] for at in of if cases[at].kind == RIGHT]
        apart = {
            kind: round(auc(right, wrong), 3)
            for kind in KINDS
            if (wrong := [scores[at] for at in of if cases[at].kind == kind])
        }
        errors = {
            f"{share:.0%} of those that fit": _errors(cases, [(at, passes[share][at]) for at in of])
            for share in LOST_SHARES
        }
        missing = [scores[at] for at in of if cases[at].kind == "answer missing"]
        figures[language or "all"] = {
            "AUC": apart,
            "at a threshold that loses": errors,
            f"lost where {FEW_MISSING:.0%} of answer missing pass": _rate(
                [score < float(np.quantile(missing, 1 - FEW_MISSING)) for score in right]
            ),
        }
    return figures


def _errors(cases: Sequence[Case], passed: Sequence[tuple[int, bool]]) -> Figures:
    errors: Figures = {"lost": _rate([not one for at, one in passed if cases[at].kind == RIGHT])}
    for kind in KINDS:
        wrong = [one for at, one in passed if cases[at].kind == kind]
        if wrong:
            errors[f"bluffs {kind}"] = _rate(wrong)
    return errors


def _rate(is_wrong: Sequence[bool]) -> Figures:
    wrong, among = sum(is_wrong), len(is_wrong)
    interval = wilson(wrong, among)
    return {
        "share": round(wrong / among, 3),
        "95 %": [round(interval.low, 3), round(interval.high, 3)],
        "cases": among,
    }


def beside(cases: Sequence[Case], before: Sequence[bool], after: Sequence[bool]) -> Figures:
    """Return for each kind the cases that are decided better and worse, and the sign test's p."""
    figures: Figures = {}
    for kind in (RIGHT, *KINDS):
        wanted = kind == RIGHT
        pairs = [
            (float(one is wanted), float(two is wanted))
            for case, one, two in zip(cases, before, after, strict=True)
            if case.kind == kind
        ]
        test = sign_test(pairs)
        figures[kind] = {"better": test.better, "worse": test.worse, "p": round(test.p, 4)}
    return figures


if __name__ == "__main__":
    main()
