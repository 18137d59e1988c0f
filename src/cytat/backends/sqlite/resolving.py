"""A SOURCE as a person writes it -> the one document it names; and the folders that were added."""

import difflib
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import apsw

from cytat.backends.sqlite.documents import read_document_row, read_sources
from cytat.errors import SourceError
from cytat.records import DocumentId, StoredDocument
from cytat.text.identity import document_id, path_of, path_text, source_of

ROOT = Path("/")

INSERT_FOLDER = "insert or ignore into folder (path) values (:path)"
SELECT_FOLDERS = "select path from folder order by path"


def add_folder(connection: apsw.Connection, path: Path) -> None:
    """Remember a folder."""
    connection.execute(INSERT_FOLDER, {"path": path_text(path)})


def read_folders(connection: apsw.Connection) -> tuple[Path, ...]:
    """Return the folders in order."""
    return tuple(path_of(path, base=ROOT) for (path,) in connection.execute(SELECT_FOLDERS))


NAMES_SHOWN = 5


def resolve(connection: apsw.Connection, text: str, *, base: Path) -> StoredDocument:
    """Return the document named by an id, a source, an absolute path or an unambiguous tail."""
    for wanted in (DocumentId(text), document_id(text), _id_of_path(text, base)):
        document = wanted and read_document_row(connection, wanted)
        if document:
            return document
    return _resolve_tail(connection, text)


def _id_of_path(text: str, base: Path) -> DocumentId | None:
    path = Path(text)
    return document_id(source_of(path, base=base)) if path.is_absolute() else None


def _resolve_tail(connection: apsw.Connection, text: str) -> StoredDocument:
    """Whole path components only: `plan.md` is a tail of `2025/plan.md`, not of `oldplan.md`."""
    sources = read_sources(connection)
    tail = "/" + _plain(text).removeprefix("./").lstrip("/")
    found = [(known, source) for known, source in sources.items() if _plain(source).endswith(tail)]
    if len(found) > 1:
        raise SourceError(
            f"{text!r} names {len(found)} documents: {_listed([name for _, name in found])}",
            hint="write more of the path",
        )
    document = read_document_row(connection, found[0][0]) if found else None
    if document is None:
        raise SourceError(f"no document is named {text!r}", hint=_hint(text, sources))
    return document


def _hint(text: str, sources: Mapping[DocumentId, str]) -> str:
    by_name = {source.rsplit("/", 1)[-1]: source for source in sources.values()}
    near = difflib.get_close_matches(text.rsplit("/", 1)[-1], by_name, n=3, cutoff=0.5)
    if not near:
        return "`cytat status` lists the documents"
    return f"the nearest names are {_listed([by_name[name] for name in near])}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(names[:NAMES_SHOWN]) + more


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text)
