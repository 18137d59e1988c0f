"""The conformance suite of the Source seam: what every source must hold.

A test class of a source inherits `SourceContract` and defines the fixtures `source`, `addresses`
(all of which are there, with at least one item) and `absent`, an address that it claims and at
which there is nothing.
"""

from collections.abc import Sequence

import pytest

from cytat.errors import ReadingError, UsageError
from cytat.protocols import Source
from cytat.records import SourceItem
from cytat.text.identity import MEMBER

ENOUGH_BYTES = 64 * 1024 * 1024


def _bytes_fetched(item: SourceItem, *, limit_bytes: int) -> int:
    """Return how many bytes came; 0 where the item refuses as too large."""
    try:
        return len(item.fetch(limit_bytes).content)
    except ReadingError as failure:
        if failure.code == "too-large":
            return 0
        raise


class SourceContract:
    """What every `Source` promises."""

    def test_it_claims_its_addresses_and_the_names_of_its_items(
        self, source: Source, addresses: Sequence[str]
    ) -> None:
        assert source.name
        for address in addresses:
            assert source.claims(address), address
        for item in source.find(addresses, absent_ok=False).items:
            assert source.claims(item.name), item.name

    def test_items_come_once_and_in_a_fixed_order(
        self, source: Source, addresses: Sequence[str]
    ) -> None:
        first, again = (source.find(addresses, absent_ok=False).items for _ in range(2))
        assert first
        assert [(item.name, item.state) for item in again] == [
            (item.name, item.state) for item in first
        ]
        assert len({item.name for item in first}) == len(first)

    def test_names_can_be_stored_and_shown(self, source: Source, addresses: Sequence[str]) -> None:
        for item in source.find(addresses, absent_ok=False).items:
            assert item.name
            assert item.name.isprintable()
            item.name.encode("utf-8")

    def test_what_is_in_another_item_is_named_after_it(
        self, source: Source, addresses: Sequence[str]
    ) -> None:
        for item in source.find(addresses, absent_ok=False).items:
            if item.parent is not None:
                assert item.name.startswith(item.parent + MEMBER)

    def test_an_item_found_by_its_name_has_the_same_bytes(
        self, source: Source, addresses: Sequence[str]
    ) -> None:
        for item in source.find(addresses, absent_ok=False).items:
            content = item.fetch(ENOUGH_BYTES).content
            again = source.item(item.name)
            assert again.name == item.name
            assert again.fetch(ENOUGH_BYTES).content == content
            assert item.size in {0, len(content)}

    def test_a_fetch_brings_little_more_than_the_limit(
        self, source: Source, addresses: Sequence[str]
    ) -> None:
        for item in source.find(addresses, absent_ok=False).items:
            if item.size < 2:
                continue
            assert _bytes_fetched(item, limit_bytes=1) <= 2

    def test_an_item_that_is_gone_says_so_when_it_is_read(
        self, source: Source, addresses: Sequence[str]
    ) -> None:
        name = source.find(addresses, absent_ok=False).items[-1].name
        gone = source.item(f"{name}{MEMBER}nothing" if MEMBER not in name else f"{name}-gone")
        with pytest.raises(ReadingError) as refused:
            gone.fetch(ENOUGH_BYTES)
        assert refused.value.hint

    def test_what_is_not_there_is_an_error_unless_that_is_allowed(
        self, source: Source, addresses: Sequence[str], absent: str
    ) -> None:
        with pytest.raises(UsageError) as refused:
            source.find([*addresses, absent], absent_ok=False)
        assert refused.value.hint
        found = source.find([*addresses, absent], absent_ok=True)
        there = source.find(addresses, absent_ok=False)
        assert len(found.absent) == 1
        assert [item.name for item in found.items] == [item.name for item in there.items]
