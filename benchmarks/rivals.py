"""Other search engines behind one shape: fed slab by slab, then asked for ten chunk numbers.

Each is set up as its documentation says for the task at hand: BM25 with k1 1.2 and b 0.75 where
that can be chosen, no stemming, words cut at blanks, exact vector search where it has that. Words
are asked for by the terms that cytat looks for, so nobody matches function words. What is not
installed is left out, and named.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import apsw
import numpy as np
from benchmarks.synthetic import DIMENSIONS, Asked, Slab, group_of, words_by_id
from numpy.typing import NDArray

DEPTH = 10
K1, B = 1.2, 0.75
THREADS = 2
CHROMA_BATCH = 5_000
TANTIVY_HEAP_BYTES = 512 * 2**20

Ask: TypeAlias = Callable[[Asked], Sequence[int]]
"""A question -> chunk numbers, best first; empty where a system only counts."""


class System(Protocol):
    """One search engine in a folder of its own."""

    name: str

    def add(self, slab: Slab, texts: Sequence[str]) -> None:
        """Take the next chunks."""

    def finish(self) -> None:
        """Make everything added searchable."""

    def ways(self) -> Mapping[str, Ask]:
        """Return what can be asked, by the kind of question."""


class Product:
    """One float32 matrix-vector product, and nothing else: the measure of the others."""

    name = "matrix product"

    def __init__(self, chunks: int) -> None:
        self.matrix: NDArray[np.float32] = np.empty((chunks, DIMENSIONS), dtype=np.float32)

    def add(self, slab: Slab, texts: Sequence[str]) -> None:  # noqa: ARG002 - the shape of all
        """Copy the vectors."""
        self.matrix[slab.first : slab.first + len(slab.vectors)] = slab.vectors

    def finish(self) -> None:
        """Do nothing."""

    def ways(self) -> Mapping[str, Ask]:
        """Return the one way."""
        return {"vectors": self._ask}

    def _ask(self, asked: Asked) -> Sequence[int]:
        self.matrix @ asked.vector
        return ()


class SqliteVec:
    """The extension sqlite-vec: float32 vectors in a virtual table, scanned."""

    name = "sqlite-vec"

    def __init__(self, folder: Path) -> None:
        import sqlite_vec  # noqa: PLC0415 - may be absent

        self._file = apsw.Connection(str(folder / "vec.db"))
        self._file.enable_load_extension(True)  # noqa: FBT003 - APSW's own
        self._file.load_extension(sqlite_vec.loadable_path())
        self._file.execute(
            f"create virtual table v using vec0(vector float[{DIMENSIONS}], grp integer)"
        )

    def add(self, slab: Slab, texts: Sequence[str]) -> None:  # noqa: ARG002 - the shape of all
        """Insert in one transaction."""
        rows = enumerate(slab.vectors, start=slab.first)
        with self._file:
            self._file.executemany(
                "insert into v (rowid, vector, grp) values (?, ?, ?)",
                ((number, vector.tobytes(), group_of(number)) for number, vector in rows),
            )

    def finish(self) -> None:
        """Do nothing."""

    def ways(self) -> Mapping[str, Ask]:
        """Return the scan, and the scan with a condition on a metadata column."""
        return {"vectors": self._nearest, "vectors, filtered": self._nearest_in_group}

    def _nearest(self, asked: Asked) -> Sequence[int]:
        query = "select rowid from v where vector match ? and k = ?"
        return [row for (row,) in self._file.execute(query, (asked.vector.tobytes(), DEPTH))]

    def _nearest_in_group(self, asked: Asked) -> Sequence[int]:
        query = "select rowid from v where vector match ? and k = ? and grp = ?"
        bindings = (asked.vector.tobytes(), DEPTH, asked.group)
        return [row for (row,) in self._file.execute(query, bindings)]


class Fts5:
    """SQLite's own full-text index, any word may match."""

    name = "SQLite FTS5"

    def __init__(self, folder: Path) -> None:
        self._file = apsw.Connection(str(folder / "fts5.db"))
        self._file.execute(
            "create virtual table t using fts5 (body, content = '', tokenize = 'ascii')"
        )

    def add(self, slab: Slab, texts: Sequence[str]) -> None:
        """Insert in one transaction."""
        with self._file:
            self._file.executemany(
                "insert into t (rowid, body) values (?, ?)", enumerate(texts, start=slab.first)
            )

    def finish(self) -> None:
        """Merge the index into one piece."""
        self._file.execute("insert into t (t) values ('optimize')")

    def ways(self) -> Mapping[str, Ask]:
        """Return the one way."""
        return {"words": self._ask}

    def _ask(self, asked: Asked) -> Sequence[int]:
        query = "select rowid from t where t match ? order by bm25(t) limit ?"
        return [row for (row,) in self._file.execute(query, (" OR ".join(asked.terms), DEPTH))]


class Tantivy:
    """The Rust library tantivy, through its Python binding."""

    name = "tantivy"

    def __init__(self, folder: Path) -> None:
        import tantivy  # noqa: PLC0415 - may be absent

        self._tantivy = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
        builder.add_unsigned_field("number", stored=True)
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema, path=str(folder))
        self._writer = self._index.writer(TANTIVY_HEAP_BYTES, THREADS)

    def add(self, slab: Slab, texts: Sequence[str]) -> None:
        """Hand over to the writing threads."""
        for number, text in enumerate(texts, start=slab.first):
            self._writer.add_document(self._tantivy.Document(body=text, number=number))

    def finish(self) -> None:
        """Write everything and wait for the merges."""
        self._writer.commit()
        self._writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def ways(self) -> Mapping[str, Ask]:
        """Return the one way."""
        return {"words": self._ask}

    def _ask(self, asked: Asked) -> Sequence[int]:
        query, should = self._tantivy.Query, self._tantivy.Occur.Should
        terms = [(should, query.term_query(self._schema, "body", term)) for term in asked.terms]
        found = self._searcher.search(query.boolean_query(terms), DEPTH, count=False)
        return [self._searcher.doc(place)["number"][0] for _, place in found.hits]


class Bm25s:
    """The library bm25s: all weights computed before, in a sparse matrix in memory."""

    name = "bm25s"

    def __init__(self, _: Path) -> None:
        import bm25s  # noqa: PLC0415 - may be absent

        self._index = bm25s.BM25(k1=K1, b=B, method="lucene")
        self._ids: list[list[int]] = []

    def add(self, slab: Slab, texts: Sequence[str]) -> None:  # noqa: ARG002 - the shape of all
        """Keep the word numbers."""
        self._ids += [ids.tolist() for ids in slab.words]

    def finish(self) -> None:
        """Compute the matrix."""
        vocabulary = {word: at for at, word in enumerate(words_by_id())}
        self._index.index((self._ids, vocabulary), show_progress=False)
        self._ids.clear()

    def ways(self) -> Mapping[str, Ask]:
        """Return the one way."""
        return {"words": self._ask}

    def _ask(self, asked: Asked) -> Sequence[int]:
        found, _ = self._index.retrieve([list(asked.terms)], k=DEPTH, show_progress=False)
        return [int(number) for number in found[0]]


class LanceDb:
    """LanceDB: vectors scanned, its own full-text index, fusion by reciprocal ranks."""

    name = "LanceDB"

    def __init__(self, folder: Path) -> None:
        os.environ.setdefault("LANCEDB_LOG", "error")  # it warns at each search otherwise
        import lancedb  # noqa: PLC0415 - may be absent
        import pyarrow as pa  # noqa: PLC0415
        from lancedb.rerankers import RRFReranker  # noqa: PLC0415

        self._arrow = pa
        self._fusion = RRFReranker()
        vector = pa.list_(pa.float32(), DIMENSIONS)
        columns = [
            ("number", pa.int64()),
            ("grp", pa.int64()),
            ("text", pa.string()),
            ("vector", vector),
        ]
        self._schema = pa.schema(columns)
        self._table = lancedb.connect(str(folder)).create_table("chunks", schema=self._schema)

    def add(self, slab: Slab, texts: Sequence[str]) -> None:
        """Append one fragment."""
        numbers = range(slab.first, slab.first + len(texts))
        vectors = self._arrow.FixedSizeListArray.from_arrays(slab.vectors.ravel(), DIMENSIONS)
        columns = [list(numbers), [group_of(number) for number in numbers], list(texts), vectors]
        self._table.add(self._arrow.table(columns, schema=self._schema))

    def finish(self) -> None:
        """Join the fragments and index the words."""
        self._table.optimize()
        self._table.create_fts_index(
            "text", base_tokenizer="whitespace", stem=False, remove_stop_words=False
        )

    def ways(self) -> Mapping[str, Ask]:
        """Return words, vectors with and without a filter, and both."""
        return {
            "words": self._words,
            "vectors": self._vectors,
            "vectors, filtered": self._vectors_in_group,
            "hybrid": self._both,
        }

    def _words(self, asked: Asked) -> Sequence[int]:
        return _numbers(self._table.search(" ".join(asked.terms), query_type="fts"))

    def _vectors(self, asked: Asked) -> Sequence[int]:
        return _numbers(self._table.search(asked.vector).distance_type("dot"))

    def _vectors_in_group(self, asked: Asked) -> Sequence[int]:
        search = self._table.search(asked.vector).distance_type("dot")
        return _numbers(search.where(f"grp = {asked.group}", prefilter=True))

    def _both(self, asked: Asked) -> Sequence[int]:
        search = self._table.search(query_type="hybrid").vector(asked.vector)
        search = search.distance_type("dot").text(" ".join(asked.terms))
        return _numbers(search.rerank(self._fusion))


def _numbers(search: Any) -> Sequence[int]:  # noqa: ANN401 - a builder of LanceDB's
    found = search.limit(DEPTH).select(["number"]).to_arrow()
    return [int(number) for number in found["number"].to_pylist()]


class Chroma:
    """Chroma in a folder: an approximate graph (HNSW) over the vectors."""

    name = "Chroma"

    def __init__(self, folder: Path) -> None:
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import chromadb  # noqa: PLC0415 - may be absent

        settings = chromadb.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(folder), settings)
        self._chunks = client.create_collection(
            "chunks", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def add(self, slab: Slab, texts: Sequence[str]) -> None:
        """Add in batches as large as it takes."""
        for at in range(0, len(texts), CHROMA_BATCH):
            vectors = slab.vectors[at : at + CHROMA_BATCH]
            numbers = range(slab.first + at, slab.first + at + len(vectors))
            self._chunks.add(
                ids=[str(number) for number in numbers],
                embeddings=vectors,
                metadatas=[{"grp": group_of(number)} for number in numbers],
            )

    def finish(self) -> None:
        """Do nothing."""

    def ways(self) -> Mapping[str, Ask]:
        """Return the graph with and without a filter."""
        return {"vectors": self._nearest, "vectors, filtered": self._nearest_in_group}

    def _nearest(self, asked: Asked) -> Sequence[int]:
        found = self._chunks.query([asked.vector], n_results=DEPTH, include=[])
        return [int(name) for name in found["ids"][0]]

    def _nearest_in_group(self, asked: Asked) -> Sequence[int]:
        found = self._chunks.query(
            [asked.vector], n_results=DEPTH, include=[], where={"grp": asked.group}
        )
        return [int(name) for name in found["ids"][0]]


Opened: TypeAlias = tuple[System, Path | None]
"""A system, and the folder it writes to."""


def open_rivals(
    place: Path, chunks: int, *, without: Sequence[str]
) -> tuple[list[Opened], list[str]]:
    """Return the other systems, and the names of those that are not installed or not wanted."""
    kinds: dict[str, Callable[[Path], System]] = {
        "sqlite-vec": SqliteVec,
        "SQLite FTS5": Fts5,
        "tantivy": Tantivy,
        "bm25s": Bm25s,
        "LanceDB": LanceDb,
        "Chroma": Chroma,
    }
    opened: list[Opened] = [(Product(chunks), None)]
    absent = [name for name in kinds if name in without]
    for name in [name for name in kinds if name not in absent]:
        folder = place / name.replace(" ", "-")
        folder.mkdir()
        try:
            opened.append((kinds[name](folder), folder))
        except ImportError:
            absent.append(name)
    return opened, absent


def bytes_of(folder: Path) -> int:
    """Return what a folder holds."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
