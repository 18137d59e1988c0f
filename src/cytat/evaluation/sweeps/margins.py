"""Scores of what belongs together and of what does not -> the margin between them.

A file of pairs is JSONL, a pair a line: `{"question": "…", "passage": "…", "similar": true}`.

An encoder is good for a corpus when what belongs together is nearer than what does not. The margin
is the lowest cosine of a similar pair less the highest of a different one: a hard measure that one
odd pair decides. How many questions are nearer to something wrong says more of the rest.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.embedding import embed_passages, embed_query
from cytat.errors import UsageError
from cytat.evaluation.gold.locating import LocatedQuestion
from cytat.evaluation.text_files import lines_of
from cytat.protocols import Embedder, Moment
from cytat.records import ChunkId, Condition, DocumentId, Margin, SimilarPair, Span

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
        UsageError: it cannot be read, or a line is not a pair; or all pairs are of one kind.
    """
    pairs = tuple(
        _pair(line, f"{path}:{at}")
        for at, line in enumerate(lines_of(path, hint=_HINT), start=1)
        if line.strip()
    )
    if {pair.is_similar for pair in pairs} != {True, False}:
        raise UsageError(f"{path} does not hold both similar and different pairs", hint=_HINT)
    return pairs


def _pair(line: str, where: str) -> TextPair:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{where}: {error}", hint=_HINT) from error
    is_pair = isinstance(value, dict) and value.keys() == KEYS.keys()
    if not is_pair or not all(isinstance(value[key], kind) for key, kind in KEYS.items()):
        raise UsageError(f"{where}: this is not a pair", hint=_HINT)
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
    similar = [pair.cosine for pair in similarities if pair.is_similar]
    different = [pair.cosine for pair in similarities if not pair.is_similar]
    if not similar or not different:
        return None
    asked = _by_question(similarities)
    misled = sorted(
        (question for question in asked if question.similar < question.different),
        key=lambda question: question.similar - question.different,
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
    for pair in similarities:
        key = (pair.question, pair.is_similar)
        nearest[key] = max(nearest.get(key, pair.cosine), pair.cosine)
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


# ---------------------------------------------------------------- cosines


def of_gold(
    questions: Sequence[LocatedQuestion],
    moment: Moment,
    embedder: Embedder,
    conditions: Sequence[Condition],
) -> list[Similarity]:
    """Return, for each question with an answer in a chunk, its nearest right and wrong chunk.

    Only documents that satisfy all conditions are looked at.
    """
    allowed = moment.allowed(conditions) if conditions else None
    found = []
    for question, right in _right_chunks(questions, moment):
        scored = moment.by_vector(
            embed_query(embedder, question), depth=len(right) + 1, allowed=allowed
        )
        near = scored.scores_of(right)
        wrong = [hit.score for hit in scored.hits if hit.chunk_id not in near]
        if near and wrong:
            found.append(Similarity(question, max(near.values()), is_similar=True))
            found.append(Similarity(question, wrong[0], is_similar=False))
    return found


def of_pairs(pairs: Sequence[TextPair], embedder: Embedder) -> list[Similarity]:
    """Return the cosine of every pair."""
    passages = embed_passages(embedder, [pair.passage for pair in pairs]).vectors
    return [
        Similarity(
            pair.question, float(embed_query(embedder, pair.question) @ row), pair.is_similar
        )
        for pair, row in zip(pairs, passages, strict=True)
    ]


def _right_chunks(
    questions: Sequence[LocatedQuestion], moment: Moment
) -> list[tuple[str, list[ChunkId]]]:
    """Return each question that some chunk answers, with these."""
    right: dict[str, list[ChunkId]] = {question.gold.id: [] for question in questions}
    asked: dict[DocumentId, list[LocatedQuestion]] = defaultdict(list)
    for question in questions:
        for document_id in {id_ for _, id_ in question.documents} | _named_by_chunks(question):
            asked[document_id].append(question)
    for document_id, about in asked.items():
        for stored in moment.chunks(document_id):
            for located in about:
                if holds_answer(located, document_id, stored.chunk.id, stored.chunk.span):
                    right[located.gold.id].append(stored.chunk.id)
    return [
        (question.gold.question, right[question.gold.id])
        for question in questions
        if right[question.gold.id]
    ]


def _named_by_chunks(question: LocatedQuestion) -> set[DocumentId]:
    return {place.document_id for _, place in question.chunks}
