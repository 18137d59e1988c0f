"""MemoryMoment: reads of one state, which is all that its user may read; see `protocols.Moment`."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from cytat.analysis import LANGUAGES, language_mark
from cytat.backends.memory.ranking import (
    AllowedInMemory,
    ScoredInMemory,
    allowed_by,
    cosines,
    rank_words,
)
from cytat.backends.memory.state import KeptChunk, KeptDocument, MemoryState
from cytat.errors import CorpusFormatError, SourceError
from cytat.protocols import (
    Allowed,
    Scored,
    Stretch,
    Surroundings,
    Vectors,
    WordsFound,
    check_same_space,
)
from cytat.records import (
    Block,
    Calibration,
    ChunkId,
    Condition,
    CorpusStatus,
    Coverage,
    DocumentId,
    DocumentState,
    DocumentStatus,
    Excerpt,
    FragmentStyle,
    Making,
    Part,
    Query,
    Span,
    StoredChunk,
    StoredDocument,
    StoredPassage,
    Trace,
    VectorSpace,
    Version,
)
from cytat.text.identity import possible_ids, resolve_tail
from cytat.text.locators import line_of, locate


class MemoryMoment:
    """One state of the corpus, as its owner or one user may read it."""

    def __init__(self, state: MemoryState, *, base: Path) -> None:
        """Take a state, and the folder that sources are named from."""
        self._state = state
        self._base = base

    @property
    def state(self) -> MemoryState:
        """All that is read here; for this back-end."""
        return self._state

    @property
    def generation(self) -> int:
        """How many writes have changed documents or vectors."""
        return self._state.generation

    # ------------------------------------------------------------ documents

    def resolve(self, source: str) -> StoredDocument:
        """Return the document a person names; SourceError when it is none or several."""
        for wanted in possible_ids(source, base=self._base):
            if wanted in self._state.documents:
                return self._state.documents[wanted].record
        return self._kept(resolve_tail(source, self.sources())).record

    def document(self, document_id: DocumentId) -> StoredDocument | None:
        """Return one document, or None."""
        kept = self._state.documents.get(document_id)
        return None if kept is None else kept.record

    def documents(self) -> tuple[StoredDocument, ...]:
        """Return all documents by source."""
        records = (kept.record for kept in self._state.documents.values())
        return tuple(sorted(records, key=lambda record: (record.source, record.id)))

    def sources(self) -> Mapping[DocumentId, str]:
        """Return the source of every document."""
        return {record.id: record.source for record in self.documents()}

    def count_documents(self) -> int:
        """Return how many documents there are, in whatever state."""
        return len(self._state.documents)

    def coverage(self, allowed: Allowed | None = None) -> Coverage:
        """Return how much could be searched at all."""
        within = None if allowed is None else AllowedInMemory.of(allowed).ids
        records = [one for one in self.documents() if within is None or one.id in within]
        ledgers = [record.ledger for record in records if record.ledger is not None]
        return Coverage(
            documents=len(records),
            failed=sum(record.state is DocumentState.FAILED for record in records),
            unread_parts=sum(ledger.empty + ledger.failed for ledger in ledgers),
        )

    def count_outdated(self, pipeline: int) -> int:
        """Return how many documents another pipeline than this has indexed."""
        stamps = (record.stamp for record in self.documents())
        return sum(stamp is not None and stamp.pipeline != pipeline for stamp in stamps)

    def status(self) -> CorpusStatus:
        """Return every document with its state, and totals."""
        documents = tuple(self._status_of(record) for record in self.documents())
        states = Counter(document.state for document in documents)
        ledgers = [document.ledger for document in documents if document.ledger is not None]
        return CorpusStatus(
            documents=documents,
            totals={
                "documents": len(documents),
                **{state.value: states[state] for state in DocumentState},
                "chunks": sum(document.chunks for document in documents),
                "characters": sum(document.characters for document in documents),
                "unread_parts": sum(ledger.failed for ledger in ledgers),
                "words": self.count_chunks(),
                "vectors": self.count_vectors(),
            },
            stamp=self.space(),
            calibration=self.calibration(),
        )

    def _status_of(self, record: StoredDocument) -> DocumentStatus:
        return DocumentStatus(
            source=record.source,
            document_id=record.id,
            title=record.title,
            state=record.state,
            code=record.code,
            message=record.message,
            version=record.version,
            chunks=record.chunks,
            characters=len(self.text(record.id)),
            language=record.language,
            ledger=record.ledger,
            stamp=record.stamp,
            metadata=record.metadata,
        )

    # ------------------------------------------------------------ texts and places

    def text(self, document_id: DocumentId) -> str:
        """Return a document's whole canonical text."""
        return self._kept(document_id).text

    def excerpt(self, document_id: DocumentId, span: Span) -> Excerpt:
        """Return exactly the characters at `span` and their lines; ValueError if not all there."""
        text = self._kept(document_id).text
        last = max(span.start, span.end - 1)
        return Excerpt(span.of(text), line_of(text, span.start), line_of(text, last))

    def surroundings(
        self, spans: Mapping[DocumentId, Sequence[Span]]
    ) -> dict[DocumentId, Surroundings]:
        """Return what is at spans of some documents, each span cut to the text."""
        return {
            document_id: self._surroundings(document_id, version, wanted)
            for document_id, wanted in spans.items()
            if (record := self.document(document_id)) and (version := record.version)
        }

    def _surroundings(
        self, document_id: DocumentId, version: Version, wanted: Sequence[Span]
    ) -> Surroundings:
        kept = self._kept(document_id)
        length = len(kept.text)
        cut = [Span(one.start, min(one.end, length)) for one in wanted if one.start <= length]
        return Surroundings(
            version=version,
            file=kept.record.file,
            fragments=kept.fragments,
            blocks=tuple(
                block for block in kept.blocks if any(block.span.overlaps(span) for span in cut)
            ),
            parts=kept.parts,
            stretches=tuple(Stretch(span, self.excerpt(document_id, span)) for span in cut),
        )

    def blocks(self, document_id: DocumentId) -> tuple[Block, ...]:
        """Return a document's blocks in text order."""
        return self._kept(document_id).blocks

    def parts(self, document_id: DocumentId) -> tuple[Part, ...]:
        """Return the pages, slides, sheets … of a document."""
        return self._kept(document_id).parts

    def fragments(self, document_id: DocumentId) -> FragmentStyle:
        """Return how links lead to characters of a document that lie in no part."""
        return self._kept(document_id).fragments

    def chunks(self, document_id: DocumentId) -> tuple[StoredChunk, ...]:
        """Return a document's chunks in text order."""
        kept = self._state.documents.get(document_id)
        chunks = () if kept is None else kept.chunks
        ordered = sorted(chunks, key=lambda one: (one.chunk.span.start, one.chunk.id))
        return tuple(StoredChunk(one.chunk, one.passage_hash, one.words_hash) for one in ordered)

    def passages(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, StoredPassage]:
        """Return some chunks with their words and all a hit shows of their documents."""
        chunks = self._by_id(chunk_ids)
        for chunk_id in chunk_ids:
            if chunk_id not in chunks:
                raise CorpusFormatError(
                    f"an index names chunk {chunk_id}, which is not there",
                    hint="run `cytat reindex`",
                )
        return {chunk_id: self._passage(kept) for chunk_id, kept in chunks.items()}

    def words_hashes(self, chunk_ids: Collection[ChunkId]) -> Mapping[ChunkId, bytes]:
        """Return the hash of each chunk's own words."""
        return {chunk_id: kept.words_hash for chunk_id, kept in self._by_id(chunk_ids).items()}

    def _kept(self, document_id: DocumentId) -> KeptDocument:
        if document_id not in self._state.documents:
            raise SourceError(
                f"the corpus holds no document {document_id}",
                hint="`cytat status` lists the documents",
            )
        return self._state.documents[document_id]

    def _by_id(self, chunk_ids: Collection[ChunkId]) -> dict[ChunkId, KeptChunk]:
        wanted = set(chunk_ids)
        return {kept.chunk.id: kept for kept in self._state.chunks if kept.chunk.id in wanted}

    def _passage(self, kept: KeptChunk) -> StoredPassage:
        chunk = kept.chunk
        document = self._kept(chunk.document_id)
        excerpt = self.excerpt(chunk.document_id, chunk.span)
        before = [block for block in document.blocks if block.span.start <= chunk.span.start]
        locator = locate(
            chunk.span,
            parts=document.parts,
            fragments=document.fragments,
            heading_path=chunk.heading_path,
            first_line=excerpt.first_line,
            last_line=excerpt.last_line,
            text=excerpt.text,
            text_start=chunk.span.start,
            anchor=before[-1].anchor if before else None,
        )
        record = document.record
        version = Version(record.version or "")
        return StoredPassage(chunk, record.source, record.title, version, locator, excerpt)

    # ------------------------------------------------------------ ranking

    def allowed(self, conditions: Sequence[Condition]) -> AllowedInMemory:
        """Return the documents that satisfy all conditions."""
        return allowed_by(self._state, conditions)

    def count_chunks(self) -> int:
        """Return how many chunks can be found by words."""
        return sum(1 for _ in self._state.chunks)

    def count_vectors(self) -> int:
        """Return how many chunks have a vector."""
        return sum(kept.vector is not None for kept in self._state.chunks)

    def count_unembedded_documents(self) -> int:
        """Return how many documents have chunks without a vector."""
        return sum(
            any(chunk.vector is None for chunk in document.chunks)
            for document in self._state.documents.values()
        )

    def languages(self) -> tuple[str, ...]:
        """Return the languages that documents and passages are in, ISO 639-1."""
        of_documents = {record.language for record in self.documents() if record.language}
        terms = {term for kept in self._state.chunks for term in kept.terms}
        of_passages = {language for language in LANGUAGES if language_mark(language) in terms}
        return tuple(sorted(of_documents | of_passages))

    def by_words(self, query: Query, *, depth: int, allowed: Allowed | None) -> WordsFound:
        """Rank chunks by BM25 over the words of a question."""
        found = rank_words(self._state.chunks, query)
        within = None if allowed is None else AllowedInMemory.of(allowed).chunk_ids
        scored = ScoredInMemory(
            _within(found.scores, within),
            depth=depth,
            searched=self.count_chunks() if within is None else len(within),
        )
        return WordsFound(
            scored=scored,
            holders=found.holders.intersection(hit.chunk_id for hit in scored.hits),
            is_decided=found.is_decided,
            missing=found.missing,
            words_left_out=found.words_left_out,
        )

    def by_vector(self, vector: Vectors, *, depth: int, allowed: Allowed | None) -> Scored:
        """Rank chunks by cosine."""
        within = None if allowed is None else AllowedInMemory.of(allowed).chunk_ids
        scores = _within(cosines(self._state.chunks, vector), within)
        return ScoredInMemory(scores, depth=depth, searched=len(scores))

    def frequencies(self, terms: Collection[str]) -> Mapping[str, int]:
        """Return for each index term how many readable chunks hold it."""
        return {term: sum(term in kept.terms for kept in self._state.chunks) for term in terms}

    def vectors_of(self, passage_hashes: Collection[bytes]) -> Mapping[bytes, Vectors]:
        """Return the vectors that are there, by `text_hash` of the passage they embed."""
        wanted = set(passage_hashes)
        return {
            kept.passage_hash: kept.vector
            for kept in self._state.chunks
            if kept.vector is not None and kept.passage_hash in wanted
        }

    def all_vectors(self) -> Iterator[tuple[ChunkId, Vectors]]:
        """Yield the vector of each chunk, by chunk id."""
        for kept in sorted(self._state.chunks, key=lambda kept: kept.chunk.id):
            if kept.vector is not None:
                yield kept.chunk.id, kept.vector

    # ------------------------------------------------------------ what the corpus remembers

    def space(self) -> VectorSpace | None:
        """Return the space of the vectors in use; None before the first."""
        return self._state.space

    def pending_space(self) -> VectorSpace | None:
        """Return the space that a reindex is half way to."""
        return self._state.pending_space

    def check_space(self, space: VectorSpace) -> None:
        """Refuse an encoder other than the corpus' own (VectorSpaceError)."""
        if self._state.space is not None and self.count_vectors():
            check_same_space(self._state.space, space)

    def chunking(self) -> str | None:
        """Return the name of the chunking; None while there are no chunks."""
        if not self.count_chunks():
            return None
        stamps = (kept.record.stamp for kept in self._state.documents.values())
        first = next((stamp.chunking for stamp in stamps if stamp is not None), None)
        return first if self._state.chunking is None else self._state.chunking

    def calibration(self) -> Calibration | None:
        """Return the calibration of the gate; None where there was none."""
        return self._state.calibration

    def making(self) -> Making | None:
        """Return what deriving this corpus from another has cost."""
        return self._state.making

    def folders(self) -> tuple[Path, ...]:
        """Return the folders that were added; an owner's alone."""
        return self._state.folders

    def trace(self, trace_id: str | None) -> Trace:
        """Return a trace by its id, the latest by default; SourceError where there is none."""
        traces = {kept.trace.id: kept.trace for kept in self._state.traces}
        for name in reversed(traces):
            if trace_id in {None, name}:
                return traces[name]
        raise SourceError(
            "there is no trace yet" if trace_id is None else f"there is no trace {trace_id}",
            hint="search or ask something first; `cytat why` shows the last trace",
        )


def _within(
    scores: Mapping[ChunkId, float], allowed: frozenset[ChunkId] | None
) -> Mapping[ChunkId, float]:
    if allowed is None:
        return scores
    return {chunk_id: score for chunk_id, score in scores.items() if chunk_id in allowed}
