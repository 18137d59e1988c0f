"""What the questions to refuse showed -> the section of the page on it, and what its plot draws."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.findings import share
from benchmarks.needles_refusal import Row
from benchmarks.page import table
from benchmarks.refusing import (
    FAR,
    NEAR,
    Errors,
    Score,
    at,
    cosine,
    curve,
    fewest_lost_at,
    gate,
    held_out,
    strictest_within,
)

from cytat.metrics import auc, wilson

MOST_LOST, MOST_FAR, MOST_NEAR = 0.08, 0.03, 0.30
"""The aim without a model: at most so many lost, and so many bluffs off-topic and on-topic."""
REFERENCE_BLUFFS = 2 / 30

Found = Mapping[str, Any]


def refusal_section(rows: Sequence[Row], found: Found) -> Iterator[str]:
    """Yield both errors of a bare cosine, the gate, and what calibrating makes of it."""
    yield "## When should a question be refused?"
    yield (
        "Of the needles' 188 questions, 128 have an answer, half of them in the author's words; 30 "
        "are off-topic and 30 near misses, whose subject is in the documents and whose answer is "
        "not. A *bluff* is an answer where there should be none, *lost* a refusal where there is "
        "an answer. Thresholds are cross-validated: each fifth of the questions is decided by one "
        "chosen on the rest, so that lost answers plus bluffs, times what a bluff costs, are "
        "fewest there. A needle's two phrasings stay together."
    )
    yield table(
        ["rule", "bluffs, off-topic", "bluffs, near", "lost, author's words", "lost, user's words"],
        list(_rules(rows)),
    )
    yield (
        "`cytat eval calibrate` also fits the weights of the gate's signals again if it has 60 "
        "questions of "
        "each kind. Held out, over both phrasings:"
    )
    yield table(
        ["a bluff costs", "weights", "lost", "bluffs, off-topic", "bluffs, near"],
        [_calibrated(one) for one in found["calibrated"]],
    )
    yield "![Bluffs against lost answers for every threshold](../plots/refusal.svg)"
    yield _beside_reference(rows)
    yield _aim(rows)
    yield (
        "How well scores part answerable questions from others, over all thresholds (AUC: 1 is "
        f"always, 0.5 by chance): the gate {_auc(rows, gate, FAR):.2f} from off-topic ones and "
        f"{_auc(rows, gate, NEAR):.2f} from near misses, a bare cosine "
        f"{_auc(rows, cosine, FAR):.2f} and {_auc(rows, cosine, NEAR):.2f}. So small a set "
        "promises little: of 30 questions without one bluff, the true rate may be as high as "
        f"{wilson(0, 30).high:.0%}."
    )


def _auc(rows: Sequence[Row], score: Score, group: str) -> float:
    """Return how often an answerable question scores above one of a group."""
    right = [score(row) for row in rows if row.answerable]
    wrong = [score(row) for row in rows if row.group == group]
    return auc(right, wrong)


def _rules(rows: Sequence[Row]) -> Iterator[list[str]]:
    yield ["the gate as shipped", *_cells(at(rows, gate, 0.0))]
    for cost in (1.0, 3.0):
        name = "threshold held out" + ("" if cost == 1 else f", a bluff costs {cost:g}")
        yield [f"the gate, {name}", *_cells(held_out(rows, gate, bluff_cost=cost))]
        yield [f"bare cosine, {name}", *_cells(held_out(rows, cosine, bluff_cost=cost))]


def _cells(one: Errors) -> list[str]:
    return [share(*pair) for pair in (one.far, one.near, one.author, one.user)]


def _calibrated(one: Found) -> list[str]:
    rates = {rate["name"]: share(rate["wrong"], rate["among"]) for rate in one["held_out"]}
    weights = "refitted" if one["is_refitted"] else "shipped"
    return [
        f"{one['bluff_cost']:g}",
        weights,
        rates["lost"],
        rates["refuse-far"],
        rates["refuse-near"],
    ]


def _beside_reference(rows: Sequence[Row]) -> str:
    bare = fewest_lost_at(rows, cosine, most_bluffs=REFERENCE_BLUFFS)
    own = fewest_lost_at(rows, gate, most_bluffs=REFERENCE_BLUFFS)
    return (
        "The reference thresholds a cosine distance: at 0.675 it answers 10 of 30 questions it "
        "should refuse; at 0.525 it answers 2 and loses 12 of 64. Distances of another encoder "
        "are another scale, so we compare shares: with as few bluffs (2 of 30) a bare cosine "
        f"loses here {share(*bare.lost)}, the gate {share(*own.lost)}."
    )


def _aim(rows: Sequence[Row]) -> str:
    parts = []
    for name, score in (("the gate", gate), ("a bare cosine", cosine)):
        best = strictest_within(rows, score, most_lost=MOST_LOST)
        parts.append(f"{name} {share(*best.far)} off-topic and {share(*best.near)} near")
    best = strictest_within(rows, gate, most_lost=MOST_LOST)
    is_met = best.far[0] <= MOST_FAR * best.far[1] and best.near[0] <= MOST_NEAR * best.near[1]
    shipped = at(rows, gate, 0.0)
    return (
        f"The aim is at most {MOST_FAR:.0%} bluffs off-topic and {MOST_NEAR:.0%} near with at most "
        f"{MOST_LOST:.0%} lost, without a model. At the best threshold that loses no more, chosen "
        f"on these very questions and so too good to be true, there are: {'; '.join(parts)}. The "
        f"aim is {'met' if is_met else 'not met'}; as shipped, the gate loses "
        f"{share(*shipped.lost)}."
    )


# ---------------------------------------------------------------- the plot


def refusal_data(found: Found) -> dict[str, dict[str, list[list[float]]]]:
    """Return, for each rule and kind of question, lost and bluffs at every threshold."""
    rows = [Row(**row) for row in found["questions"]]
    lines = {
        name: {
            kind: [
                [round(one.lost[0] / one.lost[1], 4), round(pair[0] / pair[1], 4)]
                for _, one in curve(rows, score)
                for pair in [one.far if kind == "off-topic" else one.near]
            ]
            for kind in ("off-topic", "near misses")
        }
        for name, score in (("bare cosine", cosine), ("gate", gate))
    }
    shipped = at(rows, gate, 0.0)
    lost = round(shipped.lost[0] / shipped.lost[1], 4)
    lines["as shipped"] = {
        "off-topic": [[lost, round(shipped.far[0] / shipped.far[1], 4)]],
        "near misses": [[lost, round(shipped.near[0] / shipped.near[1], 4)]],
    }
    return lines
