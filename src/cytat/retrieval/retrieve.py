"""Question -> hits, best first: words and vectors, fused, copies collapsed.

    analyse the question ─ rank by words ─┐
    embed the question ─ rank by vectors ─┴ fuse ─ holders of an identifier first ─ collapse copies

Either arm may be missing: the encoder may be away, or may not know the language. The other goes on
alone, and the notes say so. All of it reads one moment of the corpus; what comes back is values.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cytat.analysis import analyse_question, has_words
from cytat.errors import BackendError, UsageError
from cytat.protocols import (
    Allowed,
    Embedder,
    Moment,
    Scored,
    Vectors,
    WordsFound,
    space_of,
)
from cytat.records import (
    PIPELINE,
    ChunkId,
    Copy,
    Hit,
    Query,
    StoredPassage,
    Why,
)
from cytat.retrieval.copies import Distinct, collapse_copies
from cytat.retrieval.fusion import Ranked
from cytat.retrieval.search import (
    Mode,
    QuestionStatistics,
    Retrieved,
    SearchRequest,
    Stages,
)
from cytat.text.notes import Note, NoteKind, note, texts_of

ARM_DEPTH = 200
"""Ranks of each arm that are fused; copies and filters leave enough below the usual ten."""
DEEPER, DEEPEST = 4, 3200
"""Where copies have emptied a ranking, four times as many ranks are fused, and again; who has more
copies than that gets a shorter list. Each step reads the passages that are compared."""
QUERY_CHARACTERS = 8_000
"""What is embedded of a question; no encoder sees more."""
NAMED_MISSING = 3
"""Identifiers named that no passage holds; a pasted page of codes needs a count, not a list."""


@dataclass(frozen=True, slots=True)
class _Arms:
    """What each arm found; None for one that did not rank."""

    words: WordsFound | None
    vectors: Scored | None
    notes: tuple[Note, ...]

    def scored(self) -> list[Scored]:
        """Return the arms that ranked, words first."""
        words = self.words.scored if self.words else None
        return [arm for arm in (words, self.vectors) if arm is not None]


def retrieve(
    moment: Moment, search: SearchRequest, *, embedder: Embedder | None, known: Sequence[Note] = ()
) -> Retrieved:
    """Return the best hits for a question, with the rank and score of each arm in `why`.

    Args:
        moment: of the corpus; all is read in it.
        search: a question without a word or number, or a depth below 1, is a `UsageError`.
        embedder: None: ranked by words only. By vectors only, a failing embedder is an error.
        known: what has to be said already, ahead of what is found.

    Raises:
        VectorSpaceError: the corpus' vectors are those of another embedder.
    """
    if search.depth < 1:
        raise UsageError(f"depth is {search.depth}", hint="ask for at least 1 hit")
    if not has_words(search.question):
        raise UsageError("empty question", hint="type at least one word or number")
    if embedder is not None:
        moment.check_space(space_of(embedder))
    retrieval = _Retrieval(moment, search, embedder)
    arms, distinct = retrieval.found()
    frequencies = moment.frequencies(
        sorted({term for group in retrieval.query.content for term in group.alternatives})
    )
    notes = (*known, *retrieval.of_filter, *_state_of(moment), *arms.notes, *_left_out(distinct))
    cosines = arms.vectors.spread() if arms.vectors else None
    return Retrieved(
        query=retrieval.query,
        mode=search.mode,
        generation=moment.generation,
        hits=_hits(distinct, arms),
        statistics=QuestionStatistics(moment.count_chunks(), frequencies, cosines),
        notes=notes,
        stages=retrieval.stages.taken(),
    )


def _state_of(moment: Moment) -> Iterator[Note]:
    """Yield what of the corpus' state a search may suffer from."""
    pending = moment.pending_space()
    if pending is not None:
        yield note(NoteKind.REINDEX_HALF_WAY, pending.embedder)
    # Words are looked for as this program cuts them, and are there as another did.
    outdated = moment.count_outdated(PIPELINE)
    if outdated:
        yield note(NoteKind.OUTDATED_DOCUMENTS, outdated)


class _Retrieval:
    """One search on its way through the arms."""

    def __init__(self, moment: Moment, search: SearchRequest, embedder: Embedder | None) -> None:
        """Take the parts, look which documents may be found, and analyse the question."""
        self._moment, self._search, self._embedder = moment, search, embedder
        self._vector: Vectors | None = None
        self.stages = Stages()
        self._allowed, self.of_filter = self._filtered()
        self.query = analyse_question(search.question, languages=moment.languages())
        self.stages.end("analyse", {"question": search.question}, _seen_of_query(self.query))

    def found(self) -> tuple[_Arms, Distinct]:
        """Return what the arms found, and the best of it, fused, each wording once."""
        depth = max(self._search.depth, ARM_DEPTH)
        arms, distinct = self._fused(depth)
        while len(distinct.kept) < self._search.depth and _is_cut_off(arms, depth):
            depth *= DEEPER  # copies have taken the place of others that lie deeper
            arms, distinct = self._fused(depth)
        notes = texts_of((*arms.notes, *_left_out(distinct)), self.query.language)
        seen = {"chunks": [chunk_id for chunk_id, _ in distinct.kept], "notes": notes}
        given = {"fusion": self._search.fusion.fusion, "depth": self._search.depth}
        self.stages.end("fuse", given, seen)
        return arms, distinct

    def _filtered(self) -> tuple[Allowed | None, tuple[Note, ...]]:
        if not self._search.conditions:
            return None, ()
        allowed = self._moment.allowed(self._search.conditions)
        where = [condition.text for condition in self._search.conditions]
        seen = {"documents": allowed.documents, "chunks": allowed.chunks}
        self.stages.end("filter", {"where": where}, seen)
        if allowed.documents:
            return allowed, ()
        values = self._moment.count_documents(), " and ".join(where)
        return allowed, (note(NoteKind.NOTHING_MATCHES_FILTER, *values),)

    # ------------------------------------------------------------ arms

    def _rank(self, depth: int) -> _Arms:
        if self._search.mode is Mode.VECTORS:
            return _Arms(None, self._nearest(depth), ())
        words = self._holding(depth)
        notes = _said_of_words(words, self.query)
        if self._search.mode is Mode.WORDS:
            return _Arms(words, None, notes)
        why_alone = note(NoteKind.ONLY_HOLDERS) if words.is_decided else self._why_words_alone()
        if why_alone is not None:
            return _Arms(words, None, (*notes, why_alone))
        return self._with_vectors(words, notes, depth)

    def _holding(self, depth: int) -> WordsFound:
        words = self._moment.by_words(self.query, depth=depth, allowed=self._allowed)
        self.stages.end("words", self._given(depth), _seen_of_hits(words.scored))
        return words

    def _why_words_alone(self) -> Note | None:
        """Return what keeps the vectors out of a hybrid search before the encoder is asked."""
        if self._embedder is None:
            return note(NoteKind.WITHOUT_EMBEDDER)
        language, languages = self.query.language, self._embedder.languages
        if languages is not None and language is not None and language not in languages:
            return note(NoteKind.LANGUAGE_UNKNOWN_TO_ENCODER, self._embedder.name, language)
        return None if self._moment.count_vectors() else note(NoteKind.WITHOUT_VECTORS)

    def _with_vectors(self, words: WordsFound, notes: tuple[Note, ...], depth: int) -> _Arms:
        try:
            vectors = self._nearest(depth)
        except BackendError as failure:
            failed = note(NoteKind.ENCODER_FAILED, failure.message)
            return _Arms(words, None, (*notes, failed))
        lacking = self._moment.count_unembedded_documents()
        own = (note(NoteKind.DOCUMENTS_WITHOUT_VECTORS, lacking),) if lacking else ()
        return _Arms(words, vectors, (*notes, *own))

    def _nearest(self, depth: int) -> Scored:
        vector = self._embedded()
        vectors = self._moment.by_vector(vector, depth=depth, allowed=self._allowed)
        self.stages.end("vectors", self._given(depth), _seen_of_vectors(vectors))
        return vectors

    def _embedded(self) -> Vectors:
        if self._embedder is None:
            raise UsageError(
                "a search by vectors needs vectors, and the embedder they were made with",
                hint="add documents first, or search by words with --mode words",
            )
        if self._vector is None:
            text = self.query.text[:QUERY_CHARACTERS]
            self._vector = self._embedder.embed_query(text)
            self.stages.end("embed", {"query": text}, {"embedder": self._embedder.name})
        return self._vector

    def _given(self, depth: int) -> dict[str, object]:
        """Return what an arm received, for the trace."""
        return {
            "depth": depth,
            "allowed_chunks": "all" if self._allowed is None else self._allowed.chunks,
        }

    # ------------------------------------------------------------ one ranking

    def _fused(self, depth: int) -> tuple[_Arms, Distinct]:
        arms = self._rank(depth)
        ranked = _holders_first(self._fuse(arms), arms.words)
        names = [chunk_id for chunk_id, _ in ranked]
        hashes = self._moment.words_hashes(names)
        if len(hashes) < len(names):
            self._moment.passages(names)  # raises, and names the chunk that is not there
        wanted = self._search.depth
        return arms, collapse_copies(ranked, hashes, self._moment.passages, depth=wanted)

    def _fuse(self, arms: _Arms) -> Ranked:
        if arms.words is None or arms.vectors is None:
            (only,) = arms.scored()
            return [(hit.chunk_id, hit.score) for hit in only.hits]
        return self._search.fusion.fuse(arms.words.scored, arms.vectors)


# ---------------------------------------------------------------- what is said


def _said_of_words(words: WordsFound, query: Query) -> tuple[Note, ...]:
    """Return notes on words that were not looked for and identifiers that nothing holds."""
    asked = len(query.content)
    looked_for = asked - words.words_left_out
    left_out = (note(NoteKind.WORDS_LEFT_OUT, asked, looked_for),) if words.words_left_out else ()
    missing = [note(NoteKind.IDENTIFIER_MISSING, name) for name in words.missing[:NAMED_MISSING]]
    more = len(words.missing) - len(missing)
    if more:
        missing.append(note(NoteKind.MORE_IDENTIFIERS_MISSING, more))
    return (*left_out, *missing)


def _left_out(distinct: Distinct) -> tuple[Note, ...]:
    hidden = sum(map(len, distinct.copies.values()))
    return (note(NoteKind.COPIES_LEFT_OUT, hidden),) if hidden else ()


def _seen_of_query(query: Query) -> dict[str, object]:
    return {
        "language": query.language,
        "words": [group.surface for group in query.content],
        "terms": sorted({term for group in query.groups for term in group.alternatives}),
    }


def _seen_of_hits(scored: Scored) -> dict[str, object]:
    return {
        "searched": scored.searched,
        "best_scores": [round(hit.score, 4) for hit in scored.hits[:10]],
    }


def _seen_of_vectors(scored: Scored) -> dict[str, object]:
    spread = scored.spread()
    return {
        "searched": scored.searched,
        "matching": scored.searched,
        "mean": round(spread.mean, 4),
        "deviation": round(spread.deviation, 4),
        "best_scores": [round(hit.score, 4) for hit in scored.hits[:10]],
    }


# ---------------------------------------------------------------- hits


def _is_cut_off(arms: _Arms, depth: int) -> bool:
    """Say whether an arm may hold more than it was asked for, and may be asked."""
    return depth < DEEPEST and any(len(arm.hits) == depth for arm in arms.scored())


def _holders_first(ranked: Ranked, words: WordsFound | None) -> Ranked:
    """Lift the chunks that hold an identifier of the question whole above all others."""
    if words is None or not words.holders or not ranked:
        return ranked
    lift = ranked[0][1] - ranked[-1][1] + 1
    lifted = [(chunk_id, score + lift) for chunk_id, score in ranked if chunk_id in words.holders]
    return lifted + [
        (chunk_id, score) for chunk_id, score in ranked if chunk_id not in words.holders
    ]


def _hits(distinct: Distinct, arms: _Arms) -> tuple[Hit, ...]:
    words = _places(arms.words.scored if arms.words else None)
    vectors = _places(arms.vectors)
    hits = []
    for rank, (chunk_id, score) in enumerate(distinct.kept, start=1):
        copies = tuple(_copy(distinct.passages[copied]) for copied in distinct.copies[chunk_id])
        why = _why(words.get(chunk_id), vectors.get(chunk_id))
        hits.append(_hit(distinct.passages[chunk_id], rank, score, why, copies))
    return tuple(hits)


def _hit(
    passage: StoredPassage, rank: int, score: float, why: Why, copies: tuple[Copy, ...]
) -> Hit:
    chunk = passage.chunk
    return Hit(
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        source=passage.source,
        title=passage.title,
        rank=rank,
        score=score,
        span=chunk.span,
        locator=passage.locator,
        heading_path=chunk.heading_path,
        text=passage.excerpt.text,
        why=why,
        copies=copies,
    )


def _copy(passage: StoredPassage) -> Copy:
    chunk = passage.chunk
    return Copy(
        chunk.id, chunk.document_id, passage.source, passage.title, chunk.heading_path, chunk.span
    )


def _why(words: tuple[int, float] | None, vectors: tuple[int, float] | None) -> Why:
    return Why(
        words_rank=words[0] if words else None,
        words_score=words[1] if words else None,
        vectors_rank=vectors[0] if vectors else None,
        vectors_score=vectors[1] if vectors else None,
        rerank_score=None,
    )


def _places(scored: Scored | None) -> dict[ChunkId, tuple[int, float]]:
    """Return rank and score of each hit of an arm."""
    hits = scored.hits if scored else ()
    return {hit.chunk_id: (rank, hit.score) for rank, hit in enumerate(hits, start=1)}
