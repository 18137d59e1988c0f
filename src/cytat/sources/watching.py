"""Files as they are now and then -> those that have changed and come to rest. Reads no file.

Looks again and again instead of asking the system to be told: that works on every system, disk
and network share, and misses nothing where more changes than a queue holds. A file that is being
written, or is gone for the moment in which an editor puts its new version in place, is in motion;
until it rests, what is known of it stays.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.errors import UsageError
from cytat.sources.walking import FileState, FoundFiles, find_files

SETTLED_AFTER_S = 1.0
"""Without a change; copies and editors write more often, and file times are as fine everywhere."""
SHORTEST_INTERVAL_S = 0.5
LONGEST_INTERVAL_S = 60.0
LOOKING_SHARE = 0.05
"""Of one processor at most, however many files there are: longer looks are rarer."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What a look found to bring in."""

    found: FoundFiles
    """Everything that is there now."""
    changed: frozenset[Path]
    """Files to read: new or changed, and at rest."""
    in_motion: frozenset[Path]
    """Files to leave alone, whether they are there or not."""


class Watch:
    """Files and folders that are looked at again and again."""

    def __init__(
        self,
        paths: Sequence[str | Path],
        *,
        corpus: Path | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take a first look; UsageError when a path is not there."""
        self._paths = [Path(path).absolute() for path in paths]
        self._corpus = corpus
        self._clock = clock
        self._brought_in = dict(find_files(self._paths, corpus=corpus).files)
        self._moved: dict[Path, tuple[FileState | None, float]] = {}
        """Files that are not as they were brought in: how they were seen, and since when."""
        self.interval_s = SHORTEST_INTERVAL_S
        """How long to wait before the next look."""

    def look(self) -> Settled | None:
        """Return what has changed and come to rest; None when there is nothing."""
        begun = self._clock()
        there = [path for path in self._paths if os.path.exists(path)]
        try:
            found = find_files(there, corpus=self._corpus)
        except UsageError:
            return None  # gone since the line above; the next look sees it gone
        self._note_moved(found.files, gone=[path for path in self._paths if path not in there])
        took = self._clock() - begun
        self.interval_s = min(max(SHORTEST_INTERVAL_S, took / LOOKING_SHARE), LONGEST_INTERVAL_S)
        return self._settled(found)

    def _note_moved(self, files: Mapping[Path, FileState], *, gone: Sequence[Path]) -> None:
        """Keep of each file that differs how it is, and since when it is so.

        What lies in a folder that is gone itself counts as it was: the disk may be unplugged.
        """
        now = self._clock()
        moved = {}
        for path in files.keys() | self._brought_in.keys():
            state = files.get(path)
            is_away = state is None and any(path.is_relative_to(root) for root in gone)
            if is_away or state == self._brought_in.get(path):
                continue
            seen, since = self._moved.get(path, (state, now))
            moved[path] = (state, since if seen == state else now)
        self._moved = moved

    def _settled(self, found: FoundFiles) -> Settled | None:
        now = self._clock()
        rested = {path for path, (_, at) in self._moved.items() if now - at >= SETTLED_AFTER_S}
        if not rested:
            return None
        for path in rested:
            state, _ = self._moved.pop(path)
            if state is None:
                del self._brought_in[path]
            else:
                self._brought_in[path] = state
        changed = frozenset(path for path in rested if path in found.files)
        return Settled(found, changed, in_motion=frozenset(self._moved))
