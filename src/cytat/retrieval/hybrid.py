"""Question -> candidates, best first: words and vectors, fused, copies collapsed.

    analyse the question ─ rank by words ─┐
    embed the question ─ rank by vectors ─┴ fuse ─ holders of an identifier first ─ collapse copies

Either arm may be missing: the encoder may be away, or may not know the language. The other goes on
alone, and the notes say so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from cytat.analysis import AllowedRows, Query, ScoredRows, analyse_question, has_words
from cytat.errors import BackendError, UsageError
from cytat.protocols import Embedder, Vectors
from cytat.records import Why
from cytat.retrieval.copies import Distinct, collapse_copies
from cytat.retrieval.fusion import (
    Arm,
    fuse_best_shares,
    fuse_reciprocal_ranks,
    fuse_standard_scores,
)
from cytat.retrieval.stages import Record, Stages, ignore
from cytat.store import Candidate, ChunkKey, PassageAtRow, Store
from cytat.store.ranking import VectorIndex, WordsIndex, WordsRanking, rank_by_words


class Mode(StrEnum):
    """Which arms rank."""

    HYBRID = "hybrid"
    WORDS = "words"
    VECTORS = "vectors"


class Fusion(StrEnum):
    """How two arms become one ranking."""

    BEST_SHARES = "best-shares"
    STANDARD_SCORES = "standard-scores"
    RECIPROCAL_RANKS = "reciprocal-ranks"


ARM_DEPTH = 200
"""Ranks of each arm that are fused; copies and filters leave enough below the usual ten."""
DEEPER, DEEPEST = 4, 3200
"""Where copies have emptied a ranking, four times as many ranks are fused, and again; who has more
copies than that gets a shorter list. Each step reads the passages that are compared."""
VECTORS_WEIGHT = 0.7
"""Share of the vectors in a sum of standard scores: with the default encoder the best of 0.3 to
0.8, but for a tie with 0.8, on 200 Polish questions; `benchmarks/retrieval_quality.py --weight`
asks again."""
QUERY_CHARACTERS = 8_000
"""What is embedded of a question; no encoder sees more."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a question found: candidates ready to be made hits, and what has to be said about them.

    `cosines`: mean and deviation of the question's cosine over all chunks searched; None when
    vectors did not rank.
    """

    query: Query
    candidates: tuple[Candidate, ...]
    cosines: tuple[float, float] | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Arms:
    """What each arm found; None for one that did not rank."""

    words: WordsRanking | None
    vectors: ScoredRows | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _SearchedQuestion:
    """One question on its way through the arms."""

    query: Query
    mode: Mode
    depth: int
    allowed: AllowedRows | None
    stages: Stages
    embedded: list[Vectors]
    """The question's vector, once it was made."""

    def given(self) -> dict[str, object]:
        """Return what an arm received, for the trace."""
        allowed = "all" if self.allowed is None else len(self.allowed)
        return {"depth": self.depth, "allowed_chunks": allowed}


class HybridRetriever:
    """Ranks the chunks of one corpus by words and vectors. Belongs to the thread of its store."""

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder | None,
        words: WordsIndex,
        index: VectorIndex,
        fusion: Fusion,
        vectors_weight: float | None = None,
    ) -> None:
        """Take the parts; without an embedder every search is by words.

        `vectors_weight` is the share of the vectors where scores are fused; None leaves it to the
        rule: `VECTORS_WEIGHT` of standard scores, `weight_of_vectors` of best shares.
        """
        self._vectors_weight = vectors_weight
        self._store = store
        self._embedder = embedder
        self._words = words
        self._index = index
        self._fusion = fusion

    def retrieve(
        self,
        question: str,
        *,
        depth: int,
        mode: Mode,
        allowed: AllowedRows | None,
        record: Record = ignore,
    ) -> Retrieved:
        """Return the best candidates for a question, with where they stood in each arm.

        Args:
            question: as typed. One without a word or number is a `UsageError`.
            depth: candidates wanted; fewer come back when fewer match.
            mode: which arms rank. By vectors alone, a failing encoder is an error.
            allowed: chunk rows that may be found; None means all.
            record: is told of the stages: analyse, words, embed, vectors, fuse.
        """
        if depth < 1:
            raise UsageError(f"depth is {depth}", hint="ask for at least 1 hit")
        if not has_words(question):
            raise UsageError("empty question", hint="type at least one word or number")
        stages = Stages(record)
        with self._store.reading():  # one moment of the corpus for both arms
            languages = self._words.languages(self._store.connection)
            query = analyse_question(question, languages=languages)
            stages.end("analyse", {"question": question}, _seen_of_query(query))
            asked = _SearchedQuestion(query, mode, max(depth, ARM_DEPTH), allowed, stages, [])
            arms, keys, found = self._found(asked, depth)
            while len(found.candidates) < depth and _is_cut_off(arms, asked):
                # Copies have taken the place of others that lie deeper.
                asked = replace(asked, depth=DEEPER * asked.depth)
                arms, keys, found = self._found(asked, depth)
        seen = {"chunks": [keys[one.row].id for one in found.candidates], "notes": found.notes}
        stages.end("fuse", {"fusion": self._fusion, "depth": depth}, seen)
        return found

    def _found(
        self, asked: "_SearchedQuestion", depth: int
    ) -> tuple[_Arms, Mapping[int, ChunkKey], Retrieved]:
        arms = self._rank(asked)
        keys = self._store.chunk_keys(_rows(arms))
        return arms, keys, self._fused(asked.query, arms, keys, depth)

    # ------------------------------------------------------------ arms

    def _rank(self, asked: "_SearchedQuestion") -> _Arms:
        if asked.mode is Mode.VECTORS:
            return _Arms(None, self._nearest(asked), ())
        words = self._holding(asked)
        if asked.mode is Mode.WORDS:
            return _Arms(words, None, words.notes)
        if words.is_decided:
            note = "Only passages that hold the identifier as typed are listed."
            return _Arms(words, None, (*words.notes, note))
        unknown = self._why_words_alone(asked.query)
        if unknown is not None:
            return _Arms(words, None, (*words.notes, unknown))
        return self._with_vectors(asked, words)

    def _holding(self, asked: "_SearchedQuestion") -> WordsRanking:
        words = rank_by_words(
            self._store.connection,
            self._words,
            asked.query,
            depth=asked.depth,
            allowed=asked.allowed,
        )
        asked.stages.end("words", asked.given(), _seen_of_arm(words.scored))
        return words

    def _why_words_alone(self, query: Query) -> str | None:
        """Return what keeps the vectors out of a hybrid search before the encoder is asked."""
        if self._embedder is None:
            return "Nothing here has vectors, or no embedder is there: ranked by words alone."
        known = self._embedder.languages
        if known is not None and query.language is not None and query.language not in known:
            return (
                f"The encoder {self._embedder.name} does not know the question's language "
                f"({query.language}): ranked by words alone."
            )
        if not self._index.count(self._store.connection):
            return "The corpus holds no vectors: ranked by words alone."
        return None

    def _with_vectors(self, asked: "_SearchedQuestion", words: WordsRanking) -> _Arms:
        try:
            vectors = self._nearest(asked)
        except BackendError as failure:
            note = f"Ranked by words alone, since the encoder failed: {failure.message}."
            return _Arms(words, None, (*words.notes, note))
        without = self._index.unembedded_documents(self._store.connection)
        note = f"Found by words alone, having no vectors: {without} document(s)."
        return _Arms(words, vectors, (*words.notes, note) if without else words.notes)

    def _nearest(self, asked: "_SearchedQuestion") -> ScoredRows:
        vector = self._embed(asked)
        vectors = self._index.rank_by_cosine(
            self._store.connection, vector, depth=asked.depth, allowed=asked.allowed
        )
        asked.stages.end("vectors", asked.given(), _seen_of_arm(vectors))
        return vectors

    def _embed(self, asked: "_SearchedQuestion") -> Vectors:
        if self._embedder is None:
            raise UsageError(
                "a search by vectors needs vectors, and the embedder they were made with",
                hint="add documents first, or search by words with --mode words",
            )
        if not asked.embedded:
            text = asked.query.text[:QUERY_CHARACTERS]
            asked.embedded.append(self._embedder.embed_query(text))
            asked.stages.end("embed", {"query": text}, {"embedder": self._embedder.name})
        return asked.embedded[0]

    # ------------------------------------------------------------ one ranking

    def _fused(
        self, query: Query, arms: _Arms, keys: Mapping[int, ChunkKey], depth: int
    ) -> Retrieved:
        ids = {row: str(key.id) for row, key in keys.items()}
        ranked = _holders_first(self._fuse(arms, ids), arms.words)
        distinct = collapse_copies(ranked, keys, self._store.passages, depth=depth)
        hidden = [copy for copies in distinct.copies.values() for copy in copies]
        left_out = self._store.passages(hidden) if hidden else {}
        note = f"Left out as copies, with the same words as one listed: {len(hidden)} passage(s)."
        return Retrieved(
            query,
            _candidates(distinct, arms, left_out),
            (arms.vectors.mean, arms.vectors.deviation) if arms.vectors else None,
            (*arms.notes, note) if hidden else arms.notes,
        )

    def _fuse(self, arms: _Arms, ids: Mapping[int, str]) -> list[tuple[int, float]]:
        if arms.words is None or arms.vectors is None:
            return list(_only(arms).hits)
        words, vectors = arms.words.scored, arms.vectors
        if self._fusion is Fusion.RECIPROCAL_RANKS:
            rankings = [[row for row, _ in arm.hits] for arm in (words, vectors)]
            return fuse_reciprocal_ranks(rankings, ids=ids)
        if self._fusion is Fusion.BEST_SHARES:
            weight = self._vectors_weight
            return fuse_best_shares(words, vectors, rows=_rows(arms), ids=ids, weight=weight)
        weight = VECTORS_WEIGHT if self._vectors_weight is None else self._vectors_weight
        weighed = (
            Arm(words, 1 - weight, absent=0.0),
            # A chunk without a vector is neither near nor far.
            Arm(vectors, weight, absent=vectors.mean),
        )
        return fuse_standard_scores(weighed, rows=_rows(arms), ids=ids)


def _seen_of_query(query: Query) -> dict[str, object]:
    return {
        "language": query.language,
        "words": [group.surface for group in query.content],
        "terms": sorted({term for group in query.groups for term in group.alternatives}),
    }


def _seen_of_arm(scored: ScoredRows) -> dict[str, object]:
    return {
        "searched": scored.searched,
        "matching": len(scored.rows),
        "mean": round(scored.mean, 4),
        "deviation": round(scored.deviation, 4),
        "best_scores": [round(score, 4) for _, score in scored.hits[:10]],
    }


def _only(arms: _Arms) -> ScoredRows:
    """Return the one arm that ranked."""
    if arms.words is not None:
        return arms.words.scored
    if arms.vectors is not None:
        return arms.vectors
    raise ValueError("no arm ranked")


def _rows(arms: _Arms) -> list[int]:
    """Return the rows that either arm has among its best, each once."""
    words = arms.words.scored.hits if arms.words else ()
    vectors = arms.vectors.hits if arms.vectors else ()
    return list(dict.fromkeys(row for row, _ in (*words, *vectors)))


def _is_cut_off(arms: _Arms, asked: "_SearchedQuestion") -> bool:
    """Say whether an arm may hold more than it was asked for, and may be asked."""
    rankings = [arm for arm in (arms.words and arms.words.scored, arms.vectors) if arm]
    return asked.depth < DEEPEST and any(len(arm.hits) == asked.depth for arm in rankings)


def _holders_first(
    ranked: Sequence[tuple[int, float]], words: WordsRanking | None
) -> list[tuple[int, float]]:
    """Lift the chunks that hold an identifier of the question whole above all others."""
    if words is None or not words.holders or not ranked:
        return list(ranked)
    lift = ranked[0][1] - ranked[-1][1] + 1
    lifted = [(row, score + lift) for row, score in ranked if row in words.holders]
    return lifted + [(row, score) for row, score in ranked if row not in words.holders]


def _candidates(
    distinct: Distinct, arms: _Arms, left_out: Mapping[int, PassageAtRow]
) -> tuple[Candidate, ...]:
    words = _places(arms.words.scored if arms.words else None)
    vectors = _places(arms.vectors)
    return tuple(
        Candidate(
            row,
            score,
            _why(words.get(row), vectors.get(row)),
            tuple(left_out[copy].place for copy in distinct.copies[row]),
            distinct.excerpts[row],
        )
        for row, score in distinct.kept
    )


def _why(words: tuple[int, float] | None, vectors: tuple[int, float] | None) -> Why:
    return Why(
        words_rank=words[0] if words else None,
        words_score=words[1] if words else None,
        vectors_rank=vectors[0] if vectors else None,
        vectors_score=vectors[1] if vectors else None,
        rerank_score=None,
    )


def _places(scored: ScoredRows | None) -> dict[int, tuple[int, float]]:
    """Return rank and score of each hit of an arm."""
    hits = scored.hits if scored else ()
    return {row: (rank, score) for rank, (row, score) in enumerate(hits, start=1)}
