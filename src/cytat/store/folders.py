"""The folders that were added, as absolute paths, written as a source is."""

from pathlib import Path

import apsw

from cytat.text.source_names import path_of, path_text

ROOT = Path("/")

INSERT_FOLDER = "insert or ignore into folder (path) values (:path)"
SELECT_FOLDERS = "select path from folder order by path"


def add_folder(connection: apsw.Connection, path: Path) -> None:
    """Remember a folder."""
    connection.execute(INSERT_FOLDER, {"path": path_text(path)})


def read_folders(connection: apsw.Connection) -> tuple[Path, ...]:
    """Return the folders in order."""
    return tuple(path_of(path, base=ROOT) for (path,) in connection.execute(SELECT_FOLDERS))
