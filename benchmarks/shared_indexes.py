"""What does each further user of a process cost, and how long does a first question take?

    python -m benchmarks.shared_indexes FILE [--users 8] [--questions 20] [--in-place]

FILE is a corpus of synthetic chunks that `scale.py --kept` has left; a copy of it is asked. Its
documents get ten labels by turns, and each user has other eight of them. Users ask by words and by
vector, one after the other, in one process: the memory after each is written down, that of its own
and that of files apart, which processes share. Then fresh processes ask a first question: without
the file of vectors, with it, and with one document more. Writes `results/shared_indexes.json`,
replacing the row of that size. With `--users 0` no documents are labelled and users are left out;
`--in-place` asks the file itself, which changes it.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.own import load_questions, save_questions
from benchmarks.synthetic import Asked, questions, source_of

from cytat.analysis import analyse_question
from cytat.backends.sqlite import SqliteStore as Store
from cytat.backends.sqlite.indexes.vector_file import vector_file_of
from cytat.text.identity import document_id

RESULTS = Path(__file__).parent / "results" / "shared_indexes.json"
LABELS = 10
READ_BY_ONE = 8
DEPTH = 200
PROCESSES = 3
MOST_DRAWN = 100_000
"""Chunks that questions are about; drawing from a million takes minutes."""


def memory_mb() -> dict[str, float]:
    """Return the resident memory of this process: of its own, and of files that are mapped."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    kilobytes = {name: int(fields[name].split()[0]) for name in ("RssAnon", "RssFile")}
    return {
        "own_mb": round(kilobytes["RssAnon"] * 1024 / 1e6, 1),
        "files_mb": round(kilobytes["RssFile"] * 1024 / 1e6, 1),
    }


def label_documents(file: Path) -> None:
    """Give the documents labels by turns."""
    with Store.open(file) as store, store.writing() as writing:
        for at, document in enumerate(sorted(writing.sources())):
            writing.set_label(document, f"group{at % LABELS}")


def count_chunks(file: Path) -> int:
    """Return how many chunks there are."""
    with Store.open(file) as store, store.moment() as moment:
        return int(moment.connection.execute("select count(*) from chunk").get)


def labels_of(user: int) -> list[str]:
    """Return the labels of one user: other than those of the next."""
    return [f"group{(user + at) % LABELS}" for at in range(READ_BY_ONE)]


def ask(store: Store, asked: Sequence[Asked]) -> None:
    """Rank by words and by vector, as a search does."""
    for question in asked:
        with store.moment() as moment:
            query = analyse_question(question.text, languages=moment.languages())
            moment.by_words(query, depth=DEPTH, allowed=None)
            moment.by_vector(question.vector, depth=DEPTH, allowed=None)


def users(file: Path, asked: Sequence[Asked], count: int) -> list[dict[str, float]]:
    """Return the memory after the owner and after each user has asked everything."""
    opened = [Store.open(file)]
    found = [{"users": 0, **memory_mb()}]
    ask(opened[0], asked)
    found.append({"users": 1, **memory_mb()})
    for user in range(1, count):
        opened.append(Store.open(file, labels=labels_of(user)))
        ask(opened[-1], asked)
        found.append({"users": user + 1, **memory_mb()})
    for store in opened:
        store.close()
    return found


def first_question(file: Path, question: Asked) -> dict[str, float]:
    """Return how long a process waits for its first ranking by both, and its memory after."""
    begin = time.perf_counter()
    with Store.open(file) as store:
        ask(store, [question])
        seconds = time.perf_counter() - begin
        return {"seconds": round(seconds, 3), **memory_mb()}


def in_process(what: str, file: Path, saved: Path, count: int) -> str:
    """Return what another process measures, as JSON."""
    command = [sys.executable, "-m", "benchmarks.shared_indexes", str(file)]
    command += ["--part", what, "--saved", str(saved), "--users", str(count)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode()


def least(file: Path, saved: Path) -> object:
    """Return the quickest of some processes' first questions: what else the machine did is left."""
    found = [json.loads(in_process("first", file, saved, 0)) for _ in range(PROCESSES)]
    return min(found, key=lambda one: one["seconds"])


def measure(file: Path, *, count: int, questions_asked: int) -> dict[str, object]:
    """Return the figures of one corpus; a copy of it is changed."""
    if count:
        label_documents(file)
    chunks = count_chunks(file)
    saved = file.with_name("questions.npz")
    save_questions(saved, questions(min(chunks, MOST_DRAWN), questions_asked))
    vector_file_of(file).unlink(missing_ok=True)
    figures: dict[str, object] = {"chunks": chunks}
    figures["first, which writes the file of vectors"] = json.loads(
        in_process("first", file, saved, count)
    )
    figures["first, with the file"] = least(file, saved)
    figures["file_mb"] = round(vector_file_of(file).stat().st_size / 1e6, 1)
    if count:
        figures["users"] = json.loads(in_process("users", file, saved, count))
    with Store.open(file) as store, store.writing() as writing:
        writing.remove(document_id(source_of(0)))
    figures["first, one document behind"] = least(file, saved)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", type=Path)
    parser.add_argument("--users", type=int, default=8)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--folder", type=Path, help="where there is room for a copy")
    parser.add_argument("--in-place", action="store_true", help="ask FILE and not a copy of it")
    parser.add_argument("--part", choices=["first", "users"], help=argparse.SUPPRESS)
    parser.add_argument("--saved", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    if given.part:
        asked = load_questions(given.saved)
        if given.part == "first":
            print(json.dumps(first_question(given.file, asked[0])))
        else:
            print(json.dumps(users(given.file, asked, given.users)))
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        file = given.file
        if not given.in_place:
            file = Path(shutil.copy(given.file, Path(folder) / "cytat.db"))
        made = measure(file, count=given.users, questions_asked=given.questions)
    print(json.dumps(made))
    known = json.loads(given.out.read_text("utf-8")) if given.out.exists() else []
    rows = {row["chunks"]: row for row in known} | {made["chunks"]: made}
    given.out.write_text(json.dumps([rows[size] for size in sorted(rows)], indent=1) + "\n")


if __name__ == "__main__":
    main()
