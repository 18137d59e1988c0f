"""A SOURCE as a person writes it -> the one document it names; and the folders that were added."""

from pathlib import Path

import apsw

from cytat.backends.sqlite.documents import read_document_row, read_sources
from cytat.errors import SourceError
from cytat.records import StoredDocument
from cytat.text.identity import path_of, path_text
from cytat.text.resolving import possible_ids, resolve_tail

ROOT = Path("/")

INSERT_FOLDER = "insert or ignore into folder (path) values (:path)"
SELECT_FOLDERS = "select path from folder order by path"


def add_folder(connection: apsw.Connection, path: Path) -> None:
    """Remember a folder."""
    connection.execute(INSERT_FOLDER, {"path": path_text(path)})


def read_folders(connection: apsw.Connection) -> tuple[Path, ...]:
    """Return the folders in order."""
    return tuple(path_of(path, base=ROOT) for (path,) in connection.execute(SELECT_FOLDERS))


def resolve(connection: apsw.Connection, text: str, *, base: Path) -> StoredDocument:
    """Return the document named by an id, a source, an absolute path or an unambiguous tail."""
    for wanted in possible_ids(text, base=base):
        document = read_document_row(connection, wanted)
        if document is not None:
            return document
    named = read_document_row(connection, resolve_tail(text, read_sources(connection)))
    if named is None:
        raise SourceError(f"no document is named {text!r}", hint="run `cytat verify`")
    return named
