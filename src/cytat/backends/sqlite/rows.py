"""Records <-> their JSON columns. One shape, both ways."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import wraps
from typing import Any, ParamSpec, TypeAlias, TypeVar

from cytat.errors import CorpusFormatError
from cytat.records import (
    Block,
    BlockKind,
    Document,
    FragmentStyle,
    Ledger,
    LocatorKind,
    Part,
    Problem,
    Span,
    Stamp,
)

StoredValue: TypeAlias = str | int | float | bytes | None
"""What a table cell holds."""
Row: TypeAlias = tuple[Any, ...]
"""A row as APSW hands it over: the columns of its statement, unpacked where they are read."""

Given: TypeAlias = Mapping[str, str]
"""Metadata that a person added."""


# ---------------------------------------------------------------- damage

P = ParamSpec("P")
R = TypeVar("R")

_DAMAGE = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError)
"""What a column that holds something else than was written can raise."""


def damage_named(parse: Callable[P, R]) -> Callable[P, R]:
    """Let a function that parses columns raise CorpusFormatError where they are damaged."""

    @wraps(parse)
    def parsed(*args: P.args, **named: P.kwargs) -> R:
        try:
            return parse(*args, **named)
        except _DAMAGE as error:
            raise CorpusFormatError(
                f"a row of the corpus file is damaged ({type(error).__name__}: {error})",
                hint="`cytat verify` names it; `cytat reindex` makes damaged documents again",
            ) from error

    return parsed


# ---------------------------------------------------------------- JSON columns


def dump_json(value: object) -> str:
    """Return the one spelling of a value: no blanks, keys sorted, letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


NO_READING = '{"blocks":[]}'
"""Of a document that has no text."""


def dump_reading(document: Document) -> str:
    """Return blocks, parts, and how links lead into the document; no key for what is usual."""
    reading: dict[str, object] = {"blocks": list(map(_block_values, document.blocks))}
    if document.parts:
        reading["parts"] = list(map(_part_values, document.parts))
    if document.fragments is not FragmentStyle.CHARACTERS:
        reading["fragments"] = document.fragments.value
    return dump_json(reading)


def _part_values(part: Part) -> list[object]:
    place = [part.kind.value, part.label, part.fragment, part.number]
    return [*place, part.span.start, part.span.end]


def _block_values(block: Block) -> list[object]:
    """Return a block as JSON; an anchor is written only where there is one."""
    values: list[object] = [
        block.kind.value,
        block.span.start,
        block.span.end,
        list(block.heading_path),
    ]
    return values if block.anchor is None else [*values, block.anchor]


@damage_named
def parse_parts(reading: str) -> tuple[Part, ...]:
    """Return the parts in a `reading` column."""
    return tuple(
        Part(LocatorKind(kind), label, fragment, Span(start, end), number)
        for kind, label, fragment, number, start, end in json.loads(reading).get("parts", ())
    )


@damage_named
def parse_fragments(reading: str) -> FragmentStyle:
    """Return how links lead into the document of a `reading` column."""
    return FragmentStyle(json.loads(reading).get("fragments", FragmentStyle.CHARACTERS))


@damage_named
def parse_blocks(reading: str) -> tuple[Block, ...]:
    """Return the blocks in a `reading` column."""
    return tuple(
        Block(BlockKind(kind), Span(start, end), tuple(path), anchor[0] if anchor else None)
        for kind, start, end, path, *anchor in json.loads(reading)["blocks"]
    )


def dump_optional(record: Ledger | Stamp | None) -> str | None:
    """Return a ledger or stamp as JSON, or None."""
    return None if record is None else dump_json(asdict(record))


@damage_named
def parse_ledger(column: str | None) -> Ledger | None:
    """Return the ledger in a column."""
    if column is None:
        return None
    fields = json.loads(column)
    problems = tuple(Problem(**problem) for problem in fields.pop("problems"))
    return Ledger(**fields, problems=problems)


@damage_named
def parse_stamp(column: str | None) -> Stamp | None:
    """Return the stamp in a column."""
    return None if column is None else Stamp(**json.loads(column))


@damage_named
def parse_path(column: str) -> tuple[str, ...]:
    """Return the heading path in a column."""
    return tuple(json.loads(column))


@damage_named
def parse_texts(column: str) -> Mapping[str, str]:
    """Return a mapping of texts, such as metadata."""
    texts: dict[str, str] = json.loads(column)
    return texts
