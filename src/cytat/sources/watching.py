"""Items as they are now and then -> those that have changed and settled. Reads none.

Polls instead of asking the system for notifications: that works on every system, disk
and network share, and misses nothing where more changes than a queue holds. A file that is being
written, or is gone for the moment in which an editor puts its new version in place, is in motion;
until it settles, its last known state stays.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.errors import UsageError
from cytat.protocols import Listing
from cytat.sources.files import Sources
from cytat.text.identity import lies_in

SETTLED_AFTER_S = 1.0
"""Without a change; copies and editors write more often, and file times are as fine everywhere."""
SHORTEST_INTERVAL_S = 0.5
LONGEST_INTERVAL_S = 60.0
LOOKING_SHARE = 0.05
"""Of one processor at most, however many files there are: longer looks are rarer."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What a look found to bring in."""

    found: Listing
    """Everything that is there now."""
    changed: frozenset[str]
    """Names of items to read: new or changed, and settled."""
    in_motion: frozenset[str]
    """Names of items to leave alone, whether they are there or not."""


class Watch:
    """Files, folders and other addresses that are looked at again and again."""

    def __init__(
        self,
        addresses: Sequence[str | Path],
        *,
        sources: Sources,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take a first look; UsageError when an address is not there."""
        self._addresses = [_fixed(address) for address in addresses]
        self._sources = sources
        self._clock = clock
        self._brought_in = _states(sources.find(self._addresses, absent_ok=False))
        self._moved: dict[str, tuple[str | None, float]] = {}
        """Items that are not as they were brought in: how they were seen, and since when."""
        self.interval_s = SHORTEST_INTERVAL_S
        """How long to wait before the next look."""

    def look(self) -> Settled | None:
        """Return what has changed and settled; None if nothing has."""
        begun = self._clock()
        try:
            found = self._sources.find(self._addresses, absent_ok=True)
        except UsageError:
            return None  # gone while it was looked at; the next look sees it gone
        self._note_moved(found)
        took = self._clock() - begun
        self.interval_s = min(max(SHORTEST_INTERVAL_S, took / LOOKING_SHARE), LONGEST_INTERVAL_S)
        return self._settled(found)

    def _note_moved(self, found: Listing) -> None:
        """Keep of each item that differs how it is, and since when it is so.

        What lies in a folder that is gone itself counts as it was: the disk may be unplugged.
        """
        now = self._clock()
        states = _states(found)
        moved = {}
        for name in states.keys() | self._brought_in.keys():
            state = states.get(name)
            is_away = state is None and self._is_away(name, found)
            if is_away or state == self._brought_in.get(name):
                continue
            seen, since = self._moved.get(name, (state, now))
            moved[name] = (state, since if seen == state else now)
        self._moved = moved

    def _is_away(self, name: str, found: Listing) -> bool:
        base = self._sources.base
        return any(lies_in(name, root, base=base) for root in (*found.absent, *found.closed))

    def _settled(self, found: Listing) -> Settled | None:
        now = self._clock()
        rested = {name for name, (_, at) in self._moved.items() if now - at >= SETTLED_AFTER_S}
        if not rested:
            return None
        for name in rested:
            state, _ = self._moved.pop(name)
            if state is None:
                del self._brought_in[name]
            else:
                self._brought_in[name] = state
        changed = frozenset(rested & _states(found).keys())
        return Settled(found, changed, in_motion=frozenset(self._moved))


def _fixed(address: str | Path) -> str | Path:
    """Return an address that means the same when the current folder changes."""
    return address if "://" in str(address) else Path(address).absolute()


def _states(found: Listing) -> dict[str, str]:
    return {item.name: item.state for item in found.items}
