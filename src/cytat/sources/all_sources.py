"""Everything that is added -> one listing, whichever source each address belongs to.

What a folder holds is offered to the other sources: a file that one of them claims, such as an
archive, is listed with what is in it.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from cytat.errors import ReadingError
from cytat.protocols import Listing, Source
from cytat.records import SourceItem
from cytat.sources.files import FileSource
from cytat.text.identity import MEMBER, absolute_name, is_address


class Sources:
    """The sources that are installed, asked as one."""

    def __init__(
        self, files: FileSource, others: Callable[[], Sequence[Source]], *, base: Path
    ) -> None:
        """Take the source of files, and what finds the others when they are needed."""
        self.base = base
        self._files = files
        self._find_others = others

    @cached_property
    def _others(self) -> Sequence[Source]:
        return self._find_others()

    def find(self, given: Sequence[str | Path | SourceItem], *, absent_ok: bool) -> Listing:
        """Return what is at all addresses, and the items that were given themselves.

        Raises:
            UsageError: something is not there, and that is not allowed.
        """
        addresses = [str(item) for item in given if not isinstance(item, SourceItem)]
        own = tuple(item for item in given if isinstance(item, SourceItem))
        by_source: dict[str, list[str]] = defaultdict(list)
        for address in addresses:
            by_source[self._claiming(address).name].append(address)
        files = self._files.find(by_source.pop(self._files.name, []), absent_ok=absent_ok)
        others = [
            source.find(by_source[source.name], absent_ok=absent_ok)
            for source in self._others
            if source.name in by_source
        ]
        return _merged([*self._expanded(files), *others, Listing(own)])

    def item(self, name: str) -> SourceItem:
        """Return the item of a document as it is now; one that is gone says so when it is read."""
        if not is_address(name) and MEMBER not in name:
            return self._files.item(name)
        return self._claiming(name).item(name)

    def _claiming(self, address: str) -> Source:
        """Return the first source of others that claims an address; else that of files."""
        return next((source for source in self._others if source.claims(address)), self._files)

    def _expanded(self, files: Listing) -> list[Listing]:
        """Return a listing for each file, or container, in the order of their names."""
        plain = Listing((), files.roots, files.closed, files.absent, files.passed_over)
        listings = [plain]
        for item in files.items:
            source = self._claiming(item.name) if self._others else self._files
            is_plain = source is self._files
            listings.append(Listing((item,)) if is_plain else self._within(source, item))
        return listings

    def _within(self, source: Source, item: SourceItem) -> Listing:
        """Return what is in a container; one that cannot be listed keeps what it had.

        Its source says whether the container is also an item.
        """
        try:
            inside = source.find([absolute_name(item.name, base=self.base)], absent_ok=False)
        except ReadingError as failure:
            return Listing((), closed={item.name: failure.message})
        return Listing(inside.items, closed=inside.closed, passed_over=inside.passed_over)


def _merged(listings: Sequence[Listing]) -> Listing:
    items: dict[str, SourceItem] = {}
    closed: dict[str, str] = {}
    passed_over: dict[str, tuple[str, ...]] = {}
    for listing in listings:
        for item in listing.items:
            items.setdefault(item.name, item)
        closed.update(listing.closed)
        _add_names(passed_over, listing.passed_over)
    return Listing(
        items=tuple(items.values()),
        roots=tuple(dict.fromkeys(root for listing in listings for root in listing.roots)),
        closed=closed,
        absent=tuple(name for listing in listings for name in listing.absent),
        passed_over=passed_over,
    )


def _add_names(known: dict[str, tuple[str, ...]], more: Mapping[str, tuple[str, ...]]) -> None:
    for why, names in more.items():
        known[why] = (*known.get(why, ()), *names)
