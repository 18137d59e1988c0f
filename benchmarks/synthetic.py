"""A size -> chunks, vectors and questions like those of a large corpus, and a corpus file of them.

Words are made of syllables and drawn as language has them: thirty function words are two fifths of
a text, the rest follows Zipf's law over a hundred thousand. Vectors lie as an encoder's do, in
topics around a common direction, and not evenly on the sphere. All of it follows from SEED.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cytat.analysis import analyse_question, terms_in_order
from cytat.backends.sqlite import SqliteStore as Store
from cytat.fulltext import terms_of_words
from cytat.protocols import NewVersion, Vectors, Writing
from cytat.records import (
    Block,
    BlockKind,
    Chunk,
    ChunkId,
    Document,
    DocumentId,
    DocumentState,
    FileStamp,
    FragmentStyle,
    Ledger,
    Span,
    Stamp,
    VectorSpace,
)
from cytat.text.identity import chunk_id, document_id, text_hash, version_of

SEED = 11
DIMENSIONS = 384
VOCABULARY = 100_000
FUNCTION_WORDS = (  # noqa: SIM905 - a list of thirty strings is no easier to read
    "the of and to in a is that for it as was with be by on not he his but at are this have from "
    "or had an they which"
).split()
FUNCTION_SHARE = 0.4
CHUNK_WORDS = (80, 140)
"""From and to, evenly; 110 in the mean."""
QUESTION_FUNCTION_WORDS, QUESTION_CONTENT_WORDS = (2, 4), (4, 7)
CHUNKS_A_DOCUMENT = 20
GROUPS = 500
"""Of documents, in the metadata: a filter for one keeps 0.2 %."""
SLAB_CHUNKS = 20_000
"""Made at once; a multiple of CHUNKS_A_DOCUMENT."""

COMMON, TOPIC, OWN = 0.88, 0.33, 0.34
"""Parts of a vector that all chunks share, that those of a topic share, and its own: the cosine of
two chunks is 0.77 in the mean, of two of one topic 0.88."""
TOPICS = 2_000
QUESTION_NOISE = 0.35
"""Length of what is added to a chunk's vector to make that of a question about it."""

WordIds = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Slab:
    """Consecutive chunks: `first` is the number of the first, from 0."""

    first: int
    words: Sequence[WordIds]
    vectors: Vectors

    def texts(self) -> list[str]:
        """Return the chunks' own words."""
        vocabulary = words_by_id()
        return [" ".join(vocabulary[ids]) for ids in self.words]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question, the terms of it that are looked for, its vector, and a group to filter by."""

    text: str
    terms: tuple[str, ...]
    vector: Vectors
    group: int


def group_of(chunk: int) -> int:
    """Return the group of a chunk's document."""
    return (chunk // CHUNKS_A_DOCUMENT) % GROUPS


def source_of(first: int) -> str:
    """Return the name of the document whose first chunk has this number."""
    return f"synthetic/{first:07}.txt"


@cache
def words_by_id() -> NDArray[np.object_]:
    """Return the vocabulary, the most frequent first within its two halves."""
    chance = random.Random(SEED)  # noqa: S311 - a sample, not a secret
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    made: dict[str, None] = {}
    while len(made) < VOCABULARY:
        made["".join(chance.choices(syllables, k=chance.choice((2, 3, 3, 4, 4))))] = None
    return np.array([*FUNCTION_WORDS, *made], dtype=object)


@cache
def _cumulated() -> NDArray[np.float64]:
    functional = 1 / np.arange(1, len(FUNCTION_WORDS) + 1)
    content = 1 / (np.arange(VOCABULARY) + 2.7)  # Mandelbrot's form of Zipf's law
    shares = np.concatenate(
        [
            functional / functional.sum() * FUNCTION_SHARE,
            content / content.sum() * (1 - FUNCTION_SHARE),
        ]
    )
    return np.cumsum(shares)


def slabs(chunks: int) -> Iterator[Slab]:
    """Yield all chunks of a size; a smaller size is the beginning of a larger."""
    for first in range(0, chunks, SLAB_CHUNKS):
        yield _slab(first, min(SLAB_CHUNKS, chunks - first))


def _slab(first: int, count: int) -> Slab:
    chance = np.random.default_rng((SEED, first))
    lengths = chance.integers(*CHUNK_WORDS, size=SLAB_CHUNKS, endpoint=True)
    drawn = np.searchsorted(_cumulated(), chance.random(int(lengths.sum()))).astype(np.int32)
    words = np.split(np.minimum(drawn, len(words_by_id()) - 1), np.cumsum(lengths)[:-1])
    own = _spread(chance.standard_normal((SLAB_CHUNKS, DIMENSIONS), dtype=np.float32))
    topics = _topics()[chance.integers(TOPICS, size=SLAB_CHUNKS)]
    vectors = _unit(COMMON * _common() + TOPIC * topics + OWN * own)
    return Slab(first, words[:count], vectors[:count])


@cache
def _common() -> Vectors:
    return _unit(np.random.default_rng(SEED).standard_normal((1, DIMENSIONS)))


@cache
def _topics() -> Vectors:
    return _spread(np.random.default_rng(SEED + 1).standard_normal((TOPICS, DIMENSIONS)))


def _spread(normal: NDArray[np.floating]) -> Vectors:
    """Return unit vectors whose directions matter unequally, as an encoder's do."""
    weights = (1 + np.arange(DIMENSIONS)) ** -0.25
    return _unit(normal * weights)


def _unit(vectors: NDArray[np.floating]) -> Vectors:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


# ---------------------------------------------------------------- questions


def questions(chunks: int, count: int) -> list[Asked]:
    """Return questions, each with the words and near the vector of one of the chunks.

    Its group is that of another chunk, drawn too.
    """
    chance = random.Random(SEED)  # noqa: S311 - a sample, not a secret
    wanted = sorted(chance.sample(range(chunks), count))
    asked = []
    for slab in slabs(chunks):
        inside = [at - slab.first for at in wanted if 0 <= at - slab.first < len(slab.words)]
        asked += [
            _question(slab.words[at], slab.vectors[at], chance, chance.randrange(chunks))
            for at in inside
        ]
    chance.shuffle(asked)
    return asked


def _question(words: WordIds, vector: Vectors, chance: random.Random, other: int) -> Asked:
    text, terms = _text(words, chance)
    noise = np.random.default_rng(chance.getrandbits(32)).standard_normal((1, DIMENSIONS))
    near = _unit(vector + QUESTION_NOISE * _spread(noise))[0]
    return Asked(text, terms, near, group_of(other))


def _text(words: WordIds, chance: random.Random) -> tuple[str, tuple[str, ...]]:
    """Draw a question and its terms, again until just the words meant are looked for.

    A few are not seen to be English, or have a stem that is another word: no two engines would
    look for the same.
    """
    vocabulary = words_by_id()
    content = sorted({int(one) for one in words if one >= len(FUNCTION_WORDS)})
    while True:
        meant = chance.sample(content, chance.randint(*QUESTION_CONTENT_WORDS))
        opening = chance.sample(FUNCTION_WORDS, chance.randint(*QUESTION_FUNCTION_WORDS))
        asked = [vocabulary[one] for one in meant]
        text = " ".join([*opening, *asked]) + "?"
        if sorted(terms := terms_looked_for(text)) == sorted(asked):
            return text, terms


def terms_looked_for(question: str) -> tuple[str, ...]:
    """Return the words that cytat looks for, so that others need not look for more."""
    known = _known_words()
    groups = analyse_question(question, languages=()).content
    return tuple(term for group in groups for term in group.alternatives if term in known)


@cache
def _known_words() -> frozenset[str]:
    return frozenset(words_by_id())


# ---------------------------------------------------------------- a corpus file


def write_slab(store: Store, slab: Slab, texts: Sequence[str]) -> list[ChunkId]:
    """Write the documents of a slab in one transaction; return the ids of their chunks.

    Analysing is left out: the words are terms already, which is checked on the first.
    """
    assert slab.first or all(terms_in_order(text, None) == text.split() for text in texts[:50])
    ids: list[ChunkId] = []
    with store.writing() as writing:
        writing.claim_space(VectorSpace("synthetic", DIMENSIONS, "synthetic"))
        for at in range(0, len(texts), CHUNKS_A_DOCUMENT):
            until = at + CHUNKS_A_DOCUMENT
            new = _version(slab.first + at, texts[at:until], slab.vectors[at:until])
            writing.replace(new)
            ids += [chunk.id for chunk in new.chunks]
    return ids


def write_document(writing: Writing, first: int, texts: Sequence[str], vectors: Vectors) -> None:
    """Write one document, analysed."""
    writing.replace(_version(first, texts, vectors))


def _version(first: int, texts: Sequence[str], vectors: Vectors) -> NewVersion:
    """Return a document of these chunks, named by the number of the first."""
    source, group = source_of(first), group_of(first)
    text = "\n\n".join(texts)
    ends = np.cumsum([len(one) + 2 for one in texts]) - 2
    spans = [Span(int(end) - len(one), int(end)) for one, end in zip(texts, ends, strict=True)]
    document = Document(
        id=document_id(source),
        source=source,
        version=version_of(text.encode()),
        title="",
        media_type="text/plain",
        text=text,
        blocks=tuple(Block(BlockKind.PARAGRAPH, span, ()) for span in spans),
        parts=(),
        fragments=FragmentStyle.CHARACTERS,
        metadata={"group": str(group)},
        ledger=Ledger(1, 1, 0, 0, 0, 0, ()),
        reader="synthetic/1",
    )
    return NewVersion(
        document=document,
        chunks=_chunks(document.id, spans, texts),
        terms=[terms_of_words("", text, None) for text in texts],
        vectors={text_hash(text): one for text, one in zip(texts, vectors, strict=True)},
        state=DocumentState.INDEXED,
        code=None,
        message=None,
        hint=None,
        file=FileStamp(len(text), 0),
        language=None,
        given={},
        stamp=Stamp(
            document.version, "synthetic/1", "synthetic", "synthetic", DIMENSIONS, "synthetic", 1
        ),
    )


def _chunks(document: DocumentId, spans: Sequence[Span], texts: Sequence[str]) -> list[Chunk]:
    return [
        Chunk(chunk_id(document, (), text, occurrence=0), document, span, (), "")
        for span, text in zip(spans, texts, strict=True)
    ]
