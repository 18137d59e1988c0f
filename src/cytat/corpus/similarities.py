"""Questions or pairs + an encoder -> cosines of what belongs together, and of what does not."""

from collections import defaultdict
from collections.abc import Sequence

from cytat.analysis import AllowedRows
from cytat.embedding import embed_passages, embed_query
from cytat.evaluation import LocatedQuestion, Similarity, TextPair, holds_answer
from cytat.protocols import Embedder
from cytat.records import DocumentId
from cytat.store import Store
from cytat.vectors import VectorIndex


def of_gold(
    questions: Sequence[LocatedQuestion],
    store: Store,
    vectors: VectorIndex,
    embedder: Embedder,
    allowed: AllowedRows | None,
) -> list[Similarity]:
    """Return, for each question with an answer in a chunk, its nearest right and wrong chunk."""
    with store.reading() as connection:
        found = []
        for question, right in _right_rows(questions, store):
            scored = vectors.rank_by_cosine(
                connection,
                embed_query(embedder, question),
                depth=len(right) + 1,
                allowed=allowed,
            )
            near = scored.scores_of(right)
            wrong = [cosine for row, cosine in scored.hits if row not in near]
            if near and wrong:
                found.append(Similarity(question, max(near.values()), is_similar=True))
                found.append(Similarity(question, wrong[0], is_similar=False))
        return found


def of_pairs(pairs: Sequence[TextPair], embedder: Embedder) -> list[Similarity]:
    """Return the cosine of every pair."""
    passages = embed_passages(embedder, [one.passage for one in pairs]).vectors
    return [
        Similarity(one.question, float(embed_query(embedder, one.question) @ row), one.is_similar)
        for one, row in zip(pairs, passages, strict=True)
    ]


def _right_rows(questions: Sequence[LocatedQuestion], store: Store) -> list[tuple[str, list[int]]]:
    """Return each question that some chunk answers, with the rows of these."""
    right: dict[str, list[int]] = {one.gold.id: [] for one in questions}
    asked: dict[DocumentId, list[LocatedQuestion]] = defaultdict(list)
    for one in questions:
        for document_id in {id_ for _, id_ in one.documents} | _named_by_chunks(one):
            asked[document_id].append(one)
    for document_id, about in asked.items():
        for stored in store.chunks(document_id):
            for one in about:
                if holds_answer(one, document_id, stored.chunk.id, stored.chunk.span):
                    right[one.gold.id].append(stored.row)
    return [(one.gold.question, right[one.gold.id]) for one in questions if right[one.gold.id]]


def _named_by_chunks(one: LocatedQuestion) -> set[DocumentId]:
    return {place.document_id for _, place in one.chunks}
