"""`.cytatignore` files -> is a path left out? The patterns are those of git's ignore files.

A file speaks for its own folder and all below; the nearest one that says anything decides.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from cytat.errors import UsageError

IGNORE_FILE = ".cytatignore"


class Verdict(Protocol):
    """What the patterns of one file say of a path."""

    @property
    def include(self) -> bool | None:
        """Whether it is left out; None when no pattern speaks of it."""
        ...


class Patterns(Protocol):
    """The patterns of one ignore file."""

    def check_file(self, file: str) -> Verdict:
        """Judge a path relative to the ignore file's folder; a folder's ends with `/`."""
        ...


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The patterns in force in one folder, outermost first."""

    patterns: Sequence[tuple[Path, Patterns]]

    def within(self, folder: Path) -> Self:
        """Return the patterns in force in `folder`, with its own ignore file, if it has one."""
        file = folder / IGNORE_FILE
        if not file.is_file():
            return self
        return type(self)((*self.patterns, (folder, _parse(file))))

    def leaves_out_file(self, path: Path) -> bool:
        """Say whether a file is left out."""
        return self._leaves_out(path, "")

    def leaves_out_folder(self, path: Path) -> bool:
        """Say whether a folder is left out, with all that is in it."""
        return self._leaves_out(path, "/")

    def _leaves_out(self, path: Path, ending: str) -> bool:
        for folder, patterns in reversed(self.patterns):
            verdict = patterns.check_file(path.relative_to(folder).as_posix() + ending).include
            if verdict is not None:
                return verdict
        return False


def _parse(file: Path) -> Patterns:
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - loaded only where such a file is

    lines = file.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except (ValueError, re.error) as error:
            # Passing over it would index what somebody wanted left out.
            raise UsageError(
                f"nothing was read: {file} has a pattern that means nothing: {line!r}",
                hint="mend the line or remove it",
            ) from error
    return GitIgnoreSpec.from_lines(lines)
