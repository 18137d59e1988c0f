"""How fast are the words, and how right? The words index beside FTS5, tantivy and bm25s.

    python -m benchmarks.words_speed [--chunks 100000] [--out FILE]

The same synthetic chunks, 128 to a transaction, and the same questions for all, asked in turn, so
that a busy machine slows all alike. What is compared with is plain BM25 over all chunks. Writes
`results/words_speed.json`: medians of a question in milliseconds, their ratio to tantivy, the share
of the exact ten that was found, the time to index, and bytes.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import numpy as np
from benchmarks.exact import Exact, overlap
from benchmarks.rivals import DEPTH, Bm25s, Tantivy
from benchmarks.synthetic import GROUPS, Asked, Slab, group_of, questions, slabs

from cytat.analysis import Query, TermGroup, terms_in_order
from cytat.analysis.places import PlaceSet
from cytat.backends.sqlite.index_writing import index_chunks
from cytat.backends.sqlite.indexes import SharedIndexes
from cytat.backends.sqlite.indexes.readable import EVERYTHING, readable_words
from cytat.backends.sqlite.indexes.snapshot import SqlitePostings
from cytat.backends.sqlite.schema import MIGRATIONS
from cytat.fulltext import rank_by_words, rarity

HERE = Path(__file__).parent
GROUP_CHUNKS = 128
"""To a transaction, as ingestion writes."""
FTS5_FORMAT = 2
"""The last with FTS5; the next step carries its index over."""
RARE_WORDS, RARE_CANDIDATES = 3, 1_000
ANALYSED_CHUNKS = 2_000

Ask = Callable[[Asked], Sequence[int]]

INSERT_CHUNK = """
insert into chunk (row, id, document, start, end, heading_path, context, passage_hash, words_hash)
values (?, ?, 1, 0, 0, '[]', '', x'', x'')
"""
OURS_BYTES = "select sum(pgsize) from dbstat where name like 'posting%'"
FTS5_BYTES = "select sum(pgsize) from dbstat where name like 'words%'"
ONE_TERM = "select rowid, -bm25(words) from words where words match ?"
BEST = "select rowid from words where words match ? order by bm25(words) limit ?"
HOLDING = "select doc from term where term = ?"


@dataclass
class Times:
    """Seconds of each question, and what was found."""

    seconds: list[float] = field(default_factory=list)
    found: list[Sequence[int]] = field(default_factory=list)


# ---------------------------------------------------------------- ours


class Ours:
    """The words index in a file of its own. Row 1 is chunk 0."""

    def __init__(self, folder: Path) -> None:
        self.connection = _opened(folder / "ours.db")
        for step in MIGRATIONS:
            self.connection.execute(step)
        self.connection.pragma("foreign_keys", False)  # noqa: FBT003 - chunks without documents
        self.shared = SharedIndexes(None)

    def write(self, first: int, texts: Sequence[str]) -> None:
        """Index one transaction's chunks; the words are terms already."""
        index_chunks(
            self.connection,
            ((row, text.split()) for row, text in enumerate(texts, first + 1)),
        )

    def write_ids(self, chunks: int) -> None:
        """Let ties be broken by id: as by number."""
        rows = ((row, f"c{row:09}") for row in range(1, chunks + 1))
        self.connection.executemany(INSERT_CHUNK, rows)

    def ask(self, asked: Asked) -> Sequence[int]:
        """Ask with the terms of earlier questions in memory."""
        return self.rank(self.shared, asked, DEPTH, None)

    def ask_anew(self, asked: Asked) -> Sequence[int]:
        """Ask with no postings in memory, but the chunks' lengths."""
        return self.rank(self._forgetful, asked, DEPTH, None)

    def ask_in_group(self, asked: Asked) -> Sequence[int]:
        """Ask one chunk in five hundred."""
        return self.rank(self.shared, asked, DEPTH, self.groups[asked.group])

    def begin(self, chunks: int) -> None:
        """Load the lengths, and make the filters."""
        self._forgetful = SharedIndexes(None, cache_bytes=0)
        for shared in (self.shared, self._forgetful):
            self.source(shared)
        groups = np.array([group_of(chunk) for chunk in range(chunks)])
        self.groups = [PlaceSet(groups == group) for group in range(GROUPS)]

    def source(self, shared: SharedIndexes) -> SqlitePostings:
        """Return the words index as its owner sees it; chunk 0 is at place 0."""
        snapshot = shared.snapshot(self.connection)
        readable = snapshot.readable(self.connection, EVERYTHING)
        lengths = snapshot.words(self.connection).lengths
        words = readable.words.get(lambda: readable_words(lengths, None))
        return SqlitePostings(self.connection, snapshot, readable, words)

    def rank(
        self, shared: SharedIndexes, asked: Asked, depth: int, allowed: PlaceSet | None
    ) -> Sequence[int]:
        """Return chunk numbers, best first."""
        groups = [
            TermGroup(term, (term,), (), is_identifier=False, is_stop=False) for term in asked.terms
        ]
        query = Query(asked.text, None, tuple(groups))
        found = rank_by_words(self.source(shared), query, depth=depth, allowed=allowed)
        return [place for place, _ in found.hits]


def _split(text: str, language: str | None) -> list[str]:  # noqa: ARG001 - the analyser's shape
    return text.split()


# ---------------------------------------------------------------- FTS5


class Fts5:
    """The words index as it was: FTS5 without content."""

    def __init__(self, folder: Path) -> None:
        self.connection = _opened(folder / "fts5.db")
        for step in MIGRATIONS[:FTS5_FORMAT]:
            self.connection.execute(step)
        self.chunks = 0

    def write(self, first: int, texts: Sequence[str]) -> None:
        """Index one transaction's chunks."""
        self.connection.executemany(
            "insert into words (rowid, heading, body) values (?, '', ?)",
            enumerate(texts, first + 1),
        )
        self.chunks = first + len(texts)

    def ask(self, asked: Asked) -> Sequence[int]:
        """Let FTS5 rank all that holds any word."""
        return [row - 1 for (row,) in self.connection.execute(BEST, (_any(asked.terms), DEPTH))]

    def ask_by_term(self, asked: Asked) -> Sequence[int]:
        """Take each term's weights and add them up, as cytat did."""
        scores = np.zeros(self.chunks)
        for term in asked.terms:
            found = list(self.connection.execute(ONE_TERM, (_any([term]),)))
            rows = np.array([row - 1 for row, _ in found])
            weights = np.array([weight for _, weight in found])
            odds = (self.chunks - len(rows) + 0.5) / (len(rows) + 0.5)
            own = rarity(len(rows), self.chunks)
            scores[rows] += weights / max(np.log(odds), 1e-6) * own
        best = np.argpartition(-scores, DEPTH)[:DEPTH]
        return [int(at) for at in best[np.argsort(-scores[best], kind="stable")]]

    def ask_rare_first(self, asked: Asked) -> Sequence[int]:
        """Return what the rarest words find: the candidates that rescoring would put in order."""
        rare = sorted(asked.terms, key=lambda term: self.connection.execute(HOLDING, (term,)).get)
        bindings = (_any(rare[:RARE_WORDS]), RARE_CANDIDATES)
        return [row - 1 for (row,) in self.connection.execute(BEST, bindings)]

    def migrate(self) -> float:
        """Carry the index over into postings; return the seconds it took."""
        begin = time.perf_counter()
        self.connection.execute("begin immediate")
        self.connection.execute(MIGRATIONS[FTS5_FORMAT])
        self.connection.execute("commit")
        return time.perf_counter() - begin


def _any(terms: Sequence[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)


def _opened(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "FULL")  # as a corpus is opened
    connection.pragma("secure_delete", True)  # noqa: FBT003 - APSW's own
    return connection


# ---------------------------------------------------------------- measuring


def index_in_turn(ours: Ours, fts5: Fts5, slab: Slab, texts: Sequence[str]) -> Mapping[str, float]:
    """Write the same transactions to both, one after the other; return the seconds of each."""
    spent = {"ours": 0.0, "fts5": 0.0}
    for at in range(0, len(texts), GROUP_CHUNKS):
        group = texts[at : at + GROUP_CHUNKS]
        for name, one in (("ours", ours), ("fts5", fts5)):
            begin = time.perf_counter()
            one.connection.execute("begin immediate")
            one.write(slab.first + at, group)
            one.connection.execute("commit")
            spent[name] += time.perf_counter() - begin
    return spent


def ask_in_turn(ways: Mapping[str, Ask], asked: Sequence[Asked]) -> Mapping[str, Times]:
    """Ask every question of everyone, twice: the second time is measured."""
    times = {name: Times() for name in ways}
    for is_measured in (False, True):
        for one in asked:
            for name, ask in ways.items():
                begin = time.perf_counter()
                found = ask(one)
                if is_measured:
                    times[name].seconds.append(time.perf_counter() - begin)
                    times[name].found.append(found)
    return times


def analysing_rate(texts: Sequence[str]) -> float:
    """Return how many chunks a second are analysed, as Polish."""
    begin = time.perf_counter()
    for text in texts:
        terms_in_order(text, "pl")
    return len(texts) / (time.perf_counter() - begin)


def same_to_depth(ours: Ours, exact: Exact, asked: Sequence[Asked], depth: int) -> float:
    """Return the share of questions with just the chunks of plain BM25, in the same order."""
    alike = [
        ours.rank(ours.shared, one, depth, None) == exact.by_words(one, depth=depth)
        for one in asked
    ]
    return sum(alike) / len(alike)


def measure(place: Path, *, chunks: int, count: int, with_others: bool) -> dict[str, object]:
    """Return all figures."""
    ours, fts5 = Ours(place), Fts5(place)
    others = [make(_folder(place, make.name)) for make in (Tantivy, Bm25s)] if with_others else []
    exact = Exact(np.zeros((chunks, 1), dtype=np.float32))
    spent, analysed = {"ours": 0.0, "fts5": 0.0}, 0.0
    for slab, texts in _texts(chunks):
        analysed = analysed or analysing_rate(texts[:ANALYSED_CHUNKS])
        for name, seconds in index_in_turn(ours, fts5, slab, texts).items():
            spent[name] += seconds
        exact.add(slab)
        for other in others:
            other.add(slab, texts)
    for other in others:
        other.finish()
    exact.finish()
    ours.write_ids(chunks)
    ours.begin(chunks)
    asked = list(questions(chunks, count))
    ways: dict[str, Ask] = {other.name: other.ways()["words"] for other in others}
    ways |= {
        "cytat, terms in memory": ours.ask,
        "cytat, terms from the file": ours.ask_anew,
        "cytat, a filter of 0.2 %": ours.ask_in_group,
        "FTS5": fts5.ask,
        "FTS5 by term, as cytat did": fts5.ask_by_term,
        "FTS5, rarest words, not rescored": fts5.ask_rare_first,
    }
    times = ask_in_turn(ways, asked)
    right = [exact.by_words(one) for one in asked]
    begin = time.perf_counter()
    ours.source(SharedIndexes(None))
    opening = time.perf_counter() - begin
    stored = {
        "ours": ours.connection.execute(OURS_BYTES).get,
        "fts5": fts5.connection.execute(FTS5_BYTES).get,
    }
    return {
        "chunks": chunks,
        "questions": count,
        "ways": [_way(name, one, times, right) for name, one in times.items()],
        "same_ten_in_order": same_to_depth(ours, exact, asked, DEPTH),
        "same_hundred_in_order": same_to_depth(ours, exact, asked, 100),
        "opening_ms": round(opening * 1000, 2),
        "indexing": {
            "chunks_a_second": {name: round(chunks / seconds) for name, seconds in spent.items()},
            "analysed_a_second": round(analysed),
        },
        "bytes": stored,
        "migration_s": round(fts5.migrate(), 1),
        "batches": ours.connection.execute("select count(*) from posting_batch").get,
    }


def _texts(chunks: int) -> Iterator[tuple[Slab, Sequence[str]]]:
    for slab in slabs(chunks):
        yield slab, slab.texts()


def _folder(place: Path, name: str) -> Path:
    (place / name).mkdir()
    return place / name


def _way(
    name: str, one: Times, times: Mapping[str, Times], right: Sequence[Sequence[int]]
) -> dict[str, object]:
    measure_of = times.get("tantivy")
    median = statistics.median(one.seconds)
    shares = [overlap(found, exact) for found, exact in zip(one.found, right, strict=True)]
    return {
        "name": name,
        "median_ms": round(1000 * median, 2),
        "p95_ms": round(1000 * statistics.quantiles(one.seconds, n=20)[-1], 2),
        "times_tantivy": measure_of and round(median / statistics.median(measure_of.seconds), 2),
        "hits": statistics.median(map(len, one.found)),
        "overlap_at_10": None if "filter" in name else round(statistics.mean(shares), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--alone", action="store_true", help="without tantivy and bm25s")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "words_speed.json")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(
            Path(folder), chunks=given.chunks, count=given.questions, with_others=not given.alone
        )
    given.out.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
