"""A store -> documents removed from it, a verified copy, or a folder that any program reads.

Removing: a purge takes all that was removed at any time before.

Backups: a verified copy is put in place with its hash beside it. Nobody ever sees half of it: it is
a file of another name until it has been checked and is on disk. What a killed process has left is
cleared by the next backup.

Exports, in open formats:

corpus.json       format, vector space, counts
documents.jsonl   a document a line: everything of it but its text
texts/            the canonical texts, UTF-8, as they are
chunks.jsonl      a chunk a line: its span, heading path and own words
vectors.npy       shape (vectors, dimensions), float32, rows of length 1
vectors.txt       the chunk id of each row
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import IO

import numpy as np

from cytat.errors import CorpusError, UsageError
from cytat.protocols import Moment, Store
from cytat.records import (
    Backup,
    Check,
    DocumentId,
    Export,
    FileOutcome,
    IngestReport,
    StoredDocument,
    VectorSpace,
)
from cytat.text.identity import MEMBER, containers_of
from cytat.text.partial_files import clear_leftovers, partial_of


def remove_documents(store: Store, named: Sequence[str], *, purge: bool) -> IngestReport:
    """Take documents out of a store; SourceError, and nothing removed, where one is not found."""
    if not named and not purge:
        raise UsageError("no SOURCE is named", hint="name one, or give --purge")
    with store.writing() as writing:
        found = {document.id: document for document in map(writing.resolve, named)}
        found |= _members(writing, {document.source for document in found.values()}, store.base)
        for document_id in found:
            writing.remove(document_id)
        if purge:
            writing.want_purge()
    if purge:
        store.upkeep.purge()
    removed = tuple(_removed(document) for document in found.values())
    return IngestReport(
        (), (), (), removed, (), (), {"removed": len(removed), "chunks": 0}, 0.0, ()
    )


def _members(moment: Moment, containers: set[str], base: Path) -> dict[DocumentId, StoredDocument]:
    """Return the documents that are in others, however deep: members of archives, attachments."""
    inside = (
        moment.document(document_id)
        for document_id, source in moment.sources().items()
        if MEMBER in source and containers.intersection(containers_of(source, base=base))
    )
    return {document.id: document for document in inside if document is not None}


def _removed(document: StoredDocument) -> FileOutcome:
    return FileOutcome(
        document.source, document.id, "removed", 0, document.characters, None, None, None, None
    )


READ_BYTES = 1 << 20

HASH_ENDING = ".sha256"


def back_up(store: Store, target: Path, *, force: bool) -> Backup:
    """Copy the corpus to `target` and write its hash beside it, as `sha256sum` does.

    Raises:
        UsageError: the target is there and `force` is not given, or is the corpus itself.
        CorpusError: the copy is not what was copied; nothing is put in place then.
    """
    _check_target(store, target, force=force)
    partial = partial_of(target)
    try:
        clear_leftovers(target)
        documents, chunks = store.upkeep.copy_to(partial, shown_as=target)
        sha256, size = hash_of(partial), partial.stat().st_size
        _put_in_place(partial, target, sha256)
    except OSError as error:
        raise CorpusError(
            f"{target} cannot be written: {error.strerror}",
            hint="check that its folder is there, has room and may be written",
        ) from error
    finally:
        for ending in ("", "-wal", "-shm", "-journal", HASH_ENDING):
            left = partial.with_name(partial.name + ending)
            if os.path.exists(left):  # a read-only disk refuses also to remove what is not there
                left.unlink()
    return Backup(str(target), sha256, size, documents, chunks)


def told_hash(file: Path) -> str | None:
    """Return the hash that stands beside a backup; None when there is none."""
    beside = file.with_name(file.name + HASH_ENDING)
    said = beside.read_text("utf-8").split() if os.path.isfile(beside) else []
    return said[0] if said else None


def _check_target(store: Store, target: Path, *, force: bool) -> None:
    if target.resolve() == store.file:
        raise UsageError(f"{target} is the corpus itself", hint="name another file")
    if os.path.isdir(target):
        raise UsageError(f"{target} is a folder", hint="name a file in it")
    if not os.path.isdir(target.parent):
        raise UsageError(f"the folder {target.parent} is not there", hint="make it first")
    if os.path.exists(target) and not force:
        raise UsageError(f"{target} is there already", hint="name another, or give --force")


def hash_of(file: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while block := opened.read(READ_BYTES):
            digest.update(block)
    return digest.hexdigest()


def _put_in_place(partial: Path, target: Path, sha256: str) -> None:
    """Rename the copy, then its hash; a kill in between leaves a backup without hash."""
    beside = target.with_name(target.name + HASH_ENDING)
    partial_hash = partial.with_name(partial.name + HASH_ENDING)
    partial_hash.write_text(f"{sha256}  {target.name}\n", "utf-8")
    for written in (partial, partial_hash):
        with written.open("rb+") as file:
            os.fsync(file.fileno())
    beside.unlink(missing_ok=True)  # of an older backup: it would not fit the new one
    partial.replace(target)
    partial_hash.replace(beside)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return  # Windows opens no folders; its renames are journaled
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_hash(file: Path) -> Check:
    """Compare a backup with the hash beside it."""
    if not os.path.isfile(file):
        raise UsageError(f"{file} is not there", hint="name the file that `cytat backup` wrote")
    told, found = told_hash(file), hash_of(file)
    if told is None:
        beside = f"`cytat backup` writes it to {file.name}{HASH_ENDING}"
        return Check("hash", ok=False, value="there is no hash file beside it", hint=beside)
    value = found if told == found else f"{found}, and {told} when it was written"
    hint = None if told == found else "use another backup, and check this disk"
    return Check("hash", ok=told == found, value=value, hint=hint)


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
