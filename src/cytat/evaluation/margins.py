"""Scores of what belongs together and of what does not -> the margin between them. Pure.

A file of pairs is JSONL, a pair a line: `{"question": "…", "passage": "…", "similar": true}`.

An encoder is good for a corpus when what belongs together is nearer than what does not. The margin
is the lowest cosine of a similar pair less the highest of a different one: a hard measure that one
odd pair decides. How many questions are nearer to something wrong says more of the rest.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.errors import UsageError
from cytat.evaluation.calibrating import FARTHEST, error_rate
from cytat.evaluation.locating import LocatedQuestion
from cytat.evaluation.text_files import lines_of
from cytat.records import (
    ChunkId,
    DocumentId,
    GateErrors,
    Margin,
    QuestionOutcome,
    SimilarPair,
    Span,
    SweepStep,
)

KEYS = {"question": str, "passage": str, "similar": bool}


@dataclass(frozen=True, slots=True)
class TextPair:
    """A question and a passage, and whether the one answers the other."""

    question: str
    passage: str
    is_similar: bool


def read_pairs(path: Path) -> tuple[TextPair, ...]:
    """Return the pairs of a file.

    Raises:
        UsageError: it cannot be read, or a line is no pair; or all pairs are of one kind.
    """
    pairs = tuple(
        _pair(line, f"{path}:{at}")
        for at, line in enumerate(lines_of(path, hint=_HINT), start=1)
        if line.strip()
    )
    if {one.is_similar for one in pairs} != {True, False}:
        raise UsageError(f"{path} does not hold both similar and different pairs", hint=_HINT)
    return pairs


def _pair(line: str, where: str) -> TextPair:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{where}: {error}", hint=_HINT) from error
    is_pair = isinstance(value, dict) and value.keys() == KEYS.keys()
    if not is_pair or not all(isinstance(value[key], kind) for key, kind in KEYS.items()):
        raise UsageError(f"{where}: this is no pair", hint=_HINT)
    return TextPair(value["question"], value["passage"], value["similar"])


_HINT = 'a pair is a line such as {"question": "…", "passage": "…", "similar": true}'


WORST_KEPT = 5


@dataclass(frozen=True, slots=True)
class Similarity:
    """The cosine of a question and a passage, and whether the two belong together."""

    question: str
    cosine: float
    is_similar: bool


def margin_of(variant: str, embedder: str, similarities: Sequence[Similarity]) -> Margin | None:
    """Return the margin; None where there are no pairs of one of the two kinds."""
    similar = [one.cosine for one in similarities if one.is_similar]
    different = [one.cosine for one in similarities if not one.is_similar]
    if not similar or not different:
        return None
    asked = _by_question(similarities)
    misled = sorted(
        (one for one in asked if one.similar < one.different),
        key=lambda one: one.similar - one.different,
    )
    return Margin(
        variant=variant,
        embedder=embedder,
        pairs=len(similarities),
        lowest_similar=min(similar),
        highest_different=max(different),
        margin=min(similar) - max(different),
        questions=len(asked),
        negative=len(misled),
        worst=tuple(misled[:WORST_KEPT]),
    )


def _by_question(similarities: Sequence[Similarity]) -> list[SimilarPair]:
    """Return the nearest of both kinds for each question that has both."""
    nearest: dict[tuple[str, bool], float] = {}
    for one in similarities:
        key = (one.question, one.is_similar)
        nearest[key] = max(nearest.get(key, one.cosine), one.cosine)
    return [
        SimilarPair(question, cosine, nearest[question, False])
        for (question, is_similar), cosine in nearest.items()
        if is_similar and (question, False) in nearest
    ]


def holds_answer(
    located: LocatedQuestion, document_id: DocumentId, chunk_id: ChunkId, span: Span
) -> bool:
    """Say whether a chunk is one that a question has to find, by the finest its gold names.

    Titles are not looked at: they name stretches, not passages.
    """
    if located.gold.needles:
        return any(
            place.document_id == document_id and span.holds(place.span)
            for needle in located.needles
            for place in needle.places
        )
    if located.gold.chunks:
        return any(chunk_id == known for known, _ in located.chunks)
    if located.gold.titles:
        return False
    return any(document_id == known for _, known in located.documents)


STEPS = 60
"""Of the curve: finer than a page shows."""
BEYOND = 0.2
"""Log odds by which the curve goes on beyond the last margin."""


def errors_by_threshold(outcomes: Sequence[QuestionOutcome]) -> tuple[SweepStep, ...]:
    """Return the errors at even steps over all margins; 0 is the threshold in force.

    What a rule decided has no margin and is left out. None where margins are of one kind of
    question alone: there is nothing to weigh against.
    """
    margins = [
        (one.reply.margin, one.is_answerable)
        for one in outcomes
        if one.reply is not None and one.reply.margin is not None
    ]
    right = [margin for margin, is_answerable in margins if is_answerable]
    wrong = [margin for margin, is_answerable in margins if not is_answerable]
    if not right or not wrong:
        return ()
    low = max(-FARTHEST, min(*right, *wrong) - BEYOND)
    high = min(FARTHEST, max(*right, *wrong) + BEYOND)
    places = (low + (high - low) * at / STEPS for at in range(STEPS + 1))
    return tuple(SweepStep(place, _errors(right, wrong, place)) for place in places)


def _errors(right: Sequence[float], wrong: Sequence[float], threshold: float) -> GateErrors:
    return GateErrors(
        lost=error_rate("lost", [margin < threshold for margin in right]),
        bluffs=error_rate("bluffs", [margin >= threshold for margin in wrong]),
        groups=(),
    )
