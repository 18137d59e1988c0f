"""A store -> a folder of files that any program reads, all of one moment of the corpus.

corpus.json       format, vector space, counts
documents.jsonl   a document a line: everything of it but its text
texts/            the canonical texts, UTF-8, as they are
chunks.jsonl      a chunk a line: its span, heading path and own words
vectors.npy       shape (vectors, dimensions), float32, rows of length 1
vectors.txt       the chunk id of each row
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import IO

import numpy as np

from cytat.errors import CorpusError, UsageError
from cytat.protocols import Moment, Store
from cytat.records import Export, StoredDocument, VectorSpace

EXPORT_FORMAT = 1
NAME_CHARACTERS = 60
"""Of a source in the name of its text: enough to know it by, short enough for any file system."""

TEXTS = "texts"
FILES = ("corpus.json", "documents.jsonl", "chunks.jsonl", "vectors.npy", "vectors.txt")


def export_store(store: Store, folder: Path) -> Export:
    """Write everything of the corpus; UsageError when the folder holds something."""
    if os.path.exists(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not an empty folder", hint="name one that is not there yet")
    try:
        (folder / TEXTS).mkdir(parents=True)
        with store.moment() as moment:
            return _write_all(moment, folder)
    except OSError as error:
        raise CorpusError(
            f"{folder} cannot be written: {error.strerror}",
            hint="check that there is room and that it may be written; what is there is not whole",
        ) from error


def _write_all(moment: Moment, folder: Path) -> Export:
    documents = moment.documents()
    texts = chunks = 0
    with _lines(folder / "documents.jsonl") as listed, _lines(folder / "chunks.jsonl") as cut:
        for number, document in enumerate(documents, start=1):
            text = moment.text(document.id) if document.version is not None else None
            name = None if text is None else f"{TEXTS}/{_file_name(number, document.source)}"
            if name is not None and text is not None:
                (folder / name).write_bytes(text.encode())
                texts += 1
            _put(listed, _document_line(document, name))
            for chunk in _chunk_lines(moment, document, text or ""):
                _put(cut, chunk)
                chunks += 1
    space = moment.space()
    vectors = _write_vectors(moment, folder, space)
    written = Export(str(folder), FILES, len(documents), texts, chunks, vectors)
    _write_summary(folder, written, space)
    return written


def _write_summary(folder: Path, written: Export, space: VectorSpace | None) -> None:
    summary = {
        "kind": "cytat-export",
        "format": EXPORT_FORMAT,
        "space": None if space is None else asdict(space),
        "documents": written.documents,
        "texts": written.texts,
        "chunks": written.chunks,
        "vectors": written.vectors,
    }
    with _lines(folder / "corpus.json") as file:
        _put(file, summary)


def _document_line(document: StoredDocument, text_file: str | None) -> dict[str, object]:
    fields = asdict(document)
    return {"document_id": fields.pop("id"), **fields, "text_file": text_file}


def _chunk_lines(
    moment: Moment, document: StoredDocument, text: str
) -> Iterator[dict[str, object]]:
    for stored in moment.chunks(document.id):
        chunk = stored.chunk
        yield {
            "chunk_id": chunk.id,
            "document_id": document.id,
            "span": asdict(chunk.span),
            "heading_path": chunk.heading_path,
            "context": chunk.context,
            "text": chunk.span.of(text),
        }


def _write_vectors(moment: Moment, folder: Path, space: VectorSpace | None) -> int:
    """Write the matrix a stretch at a time, however large it is, and the ids of its rows."""
    count = moment.status().totals["vectors"]
    dimensions = space.dimensions if space is not None and count else 0
    header = {"descr": "<f4", "fortran_order": False, "shape": (count, dimensions)}
    with (folder / "vectors.npy").open("wb") as matrix, _lines(folder / "vectors.txt") as ids:
        np.lib.format.write_array_header_1_0(matrix, header)
        for chunk_id, vector in moment.all_vectors():
            matrix.write(vector.astype("<f4").tobytes())
            ids.write(f"{chunk_id}\n")
    return count


def _file_name(number: int, source: str) -> str:
    """Return a name that is safe on every file system and still tells what it is."""
    path = PurePosixPath(source)
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", path.name).strip(".-")[-NAME_CHARACTERS:]
    return f"{number:06}-{plain or 'text'}.txt"


def _lines(path: Path) -> IO[str]:
    return path.open("w", encoding="utf-8", newline="\n")


def _put(file: IO[str], value: object) -> None:
    file.write(json.dumps(value, ensure_ascii=False) + "\n")
