"""Lists shelves: text files of several texts, each after a line `@ name`."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from cytat.errors import ReadingError, UsageError
from cytat.protocols import Listing, SourceOptions
from cytat.records import ItemBytes, SourceItem
from cytat.text.identity import path_of, source_of

OPENING = "SHELF\n"


class ShelfSource:
    """A shelf is an item, and each text on it is another that names the shelf as its parent."""

    name = "shelves"

    def __init__(self, options: SourceOptions) -> None:
        self._base = options.base

    def claims(self, address: str) -> bool:
        """Say whether an address or a document's name is that of a shelf, or of a text on one."""
        return address.partition("!/")[0].endswith(".shelf")

    def find(self, addresses: Sequence[str], *, absent_ok: bool) -> Listing:
        """Return the shelves with all texts on them."""
        missing = [address for address in addresses if not Path(address).is_file()]
        if missing and not absent_ok:
            raise UsageError(f"no shelf is at {', '.join(missing)}", hint="name one that is there")
        there = [Path(address).resolve() for address in addresses if address not in missing]
        return Listing(
            items=tuple(item for path in there for item in self._items(path)),
            roots=tuple(source_of(path, base=self._base) for path in there),
            absent=tuple(source_of(Path(path).resolve(), base=self._base) for path in missing),
        )

    def item(self, name: str) -> SourceItem:
        """Return a shelf, or a text on it, as it is now; what is gone says so when it is read."""
        path = path_of(name.partition("!/")[0], base=self._base)
        items = self._items(path) if path.is_file() else []
        return next((item for item in items if item.name == name), _gone(name))

    def _items(self, path: Path) -> list[SourceItem]:
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ReadingError("unreadable", f"{path.name}: {error}", hint="look at it") from error
        shelf = source_of(path, base=self._base)
        on_it = [piece.partition("\n") for piece in text.removeprefix(OPENING).split("@ ")[1:]]
        return [
            _item(shelf, text.encode(), parent=None),
            *(_item(f"{shelf}!/{name}", said.encode(), parent=shelf) for name, _, said in on_it),
        ]


def _item(name: str, content: bytes, *, parent: str | None) -> SourceItem:
    return SourceItem(
        name=name,
        fetch=lambda limit_bytes: ItemBytes(content[: limit_bytes + 1], modified_ns=0),
        size=len(content),
        state=hashlib.sha256(content).hexdigest(),
        parent=parent,
    )


def _gone(name: str) -> SourceItem:
    def fetch(limit_bytes: int) -> ItemBytes:
        raise ReadingError("unreadable", f"{name} is gone", hint="put it back, or remove it")

    return SourceItem(name=name, fetch=fetch, size=0, state="")


def open_source(options: SourceOptions) -> ShelfSource:
    """Return the source; cytat calls it once a run."""
    return ShelfSource(options)
