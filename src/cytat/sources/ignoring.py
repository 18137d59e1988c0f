"""`.cytatignore` files -> is a path left out? The patterns are those of git's ignore files.

A file speaks for its own folder and all below; the nearest one that says anything decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pathspec import GitIgnoreSpec

IGNORE_FILE = ".cytatignore"


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The patterns in force in one folder, outermost first."""

    specs: Sequence[tuple[Path, GitIgnoreSpec]]

    def within(self, folder: Path) -> Self:
        """Return the patterns in force in `folder`, with its own ignore file, if it has one."""
        file = folder / IGNORE_FILE
        if not file.is_file():
            return self
        lines = file.read_text(encoding="utf-8-sig", errors="replace").splitlines()
        return type(self)((*self.specs, (folder, GitIgnoreSpec.from_lines(lines))))

    def leaves_out_file(self, path: Path) -> bool:
        """Say whether a file is left out."""
        return self._leaves_out(path, "")

    def leaves_out_folder(self, path: Path) -> bool:
        """Say whether a folder is left out, with all that is in it."""
        return self._leaves_out(path, "/")

    def _leaves_out(self, path: Path, ending: str) -> bool:
        for folder, spec in reversed(self.specs):
            verdict = spec.check_file(path.relative_to(folder).as_posix() + ending).include
            if verdict is not None:
                return verdict
        return False
