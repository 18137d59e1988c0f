"""Cosines of questions to passages that answer, and that do not -> the margin between them. Pure.

An encoder is good for a corpus when what belongs together is nearer than what does not. The margin
is the lowest cosine of a similar pair less the highest of a different one: a hard measure that one
odd pair decides. How many questions are nearer to something wrong says more of the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cytat.evaluation.locating import LocatedQuestion
from cytat.records import ChunkId, DocumentId, Margin, SimilarPair, Span

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
