"""Request and reply of a reader in a child process <-> bytes on a pipe.

A reply comes from a process that parsed hostile bytes. It is taken as data and nothing else: JSON
for the structure, UTF-8 for the text, each part checked before a record is made of it. Ids and
version are not in it, for the parent has the bytes and makes them itself.
"""

import json
import math
import struct
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import BinaryIO

from cytat.errors import ReadingError
from cytat.records import (
    Block,
    BlockKind,
    Document,
    FragmentStyle,
    Ledger,
    LocatorKind,
    PageBox,
    Part,
    Problem,
    ReadingOptions,
    Span,
)
from cytat.text.identity import document_id, version_of

REQUEST_HEAD = struct.Struct(">4sQQ")
REPLY_HEAD = struct.Struct(">4sQQ")
"""A mark, the bytes of the JSON, the bytes of what follows it: the file, or the text."""
REQUEST_MARK = b"cyt?"
REPLY_MARK = b"cyt!"
CODES = frozenset(
    {
        "empty", "memory-limit", "needs-password", "no-text", "refused-member", "time-limit",
        "too-large", "unreadable", "unsupported-type",
    }
)  # fmt: skip
"""What a reader may fail with; see `errors.ReadingError`."""


COUNTED_BY_THE_LEDGER = frozenset({LocatorKind.PAGE, LocatorKind.SLIDE})
"""Of these a file has a number that everybody agrees on: the ledger names each."""


class GarbledReplyError(Exception):
    """What came back is not a reply: the worker is broken, or was taken over."""


@dataclass(frozen=True, slots=True)
class Request:
    """One file to read, and what the child is to hold itself to."""

    content: bytes
    source: str
    target: str
    """Where the format of its reader stands, `module:name`."""
    options: ReadingOptions
    cpu_s: int
    memory_bytes: int
    span: Span | None
    """The characters whose boxes are asked for; None to read the file."""


def encode_request(request: Request) -> bytes:
    """Return what goes before the content: the head and the JSON."""
    span = None if request.span is None else [request.span.start, request.span.end]
    told = json.dumps(
        [
            request.source,
            request.target,
            asdict(request.options),
            request.cpu_s,
            request.memory_bytes,
            span,
        ]
    ).encode()
    return REQUEST_HEAD.pack(REQUEST_MARK, len(told), len(request.content)) + told


def receive_request(pipe: BinaryIO) -> Request | None:
    """Return the next request; None when the parent has closed the pipe or is gone."""
    head = pipe.read(REQUEST_HEAD.size)
    if len(head) < REQUEST_HEAD.size:
        return None
    _, told_bytes, content_bytes = REQUEST_HEAD.unpack(head)
    source, target, options, cpu_s, memory_bytes, span = json.loads(pipe.read(told_bytes))
    content = pipe.read(content_bytes)
    if len(content) < content_bytes:
        return None
    wanted = None if span is None else Span(*span)
    reading = ReadingOptions(**options)
    return Request(content, source, target, reading, cpu_s, memory_bytes, wanted)


# ---------------------------------------------------------------- reply, child side


def encode_document(document: Document) -> tuple[bytes, ...]:
    """Return the reply that brings a document."""
    paths = {path: n for n, path in enumerate({b.heading_path: None for b in document.blocks})}
    ledger = document.ledger
    told = {
        "title": document.title,
        "media_type": document.media_type,
        "reader": document.reader,
        "metadata": dict(document.metadata),
        "paths": list(paths),
        "blocks": [
            [b.kind.value, b.span.start, b.span.end, paths[b.heading_path], b.anchor]
            for b in document.blocks
        ],
        "parts": [
            [
                part.kind.value,
                part.label,
                part.fragment,
                part.number,
                part.span.start,
                part.span.end,
            ]
            for part in document.parts
        ],
        "fragments": document.fragments.value,
        "ledger": [
            ledger.parts,
            ledger.read,
            ledger.empty,
            ledger.ocr,
            ledger.failed,
            ledger.left_out,
        ],
        "problems": [[problem.part, problem.code, problem.message] for problem in ledger.problems],
    }
    return _reply(json.dumps(told).encode(), document.text.encode("utf-8"))


def encode_boxes(boxes: Sequence[PageBox]) -> tuple[bytes, ...]:
    """Return the reply that brings boxes."""
    rows = [[box.page, box.x0, box.y0, box.x1, box.y1] for box in boxes]
    return _reply(json.dumps({"boxes": rows}).encode(), b"")


def encode_failure(failure: ReadingError) -> tuple[bytes, ...]:
    """Return the reply that says why there is no document."""
    return _reply(json.dumps([failure.code, failure.message, failure.hint]).encode(), b"")


def _reply(told: bytes, text: bytes) -> tuple[bytes, ...]:
    return REPLY_HEAD.pack(REPLY_MARK, len(told), len(text)), told, text


# ---------------------------------------------------------------- reply, parent side


@dataclass(frozen=True, slots=True)
class RawReply:
    """The two parts of a reply, unread."""

    told: bytes
    text: bytes


def decode_reply(reply: RawReply, *, content: bytes, source: str, reader: str) -> Document:
    """Return the document that a worker made of `content`, or raise its `ReadingError`.

    Raises:
        ReadingError: the reader refused the file.
        GarbledReplyError: the reply is not one that a reader gives.
    """
    try:
        told = json.loads(reply.told)
        if isinstance(told, list):
            raise _failure(told)
        return _document(told, reply.text.decode("utf-8"), content, source, reader)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as wrong:
        raise GarbledReplyError(f"{type(wrong).__name__}: {wrong}") from wrong


def decode_boxes(reply: RawReply) -> tuple[PageBox, ...]:
    """Return the boxes that a worker found, or raise its `ReadingError`.

    Raises:
        ReadingError: the file could not be read.
        GarbledReplyError: the reply is not one that brings boxes.
    """
    try:
        told = json.loads(reply.told)
        if isinstance(told, list):
            raise _failure(told)
        return tuple(_box(row) for row in _row(told["boxes"]))
    except (ValueError, TypeError, LookupError, RecursionError) as wrong:
        raise GarbledReplyError(f"{type(wrong).__name__}: {wrong}") from wrong


def _box(row: object) -> PageBox:
    page, *edges = _row(row)
    x0, y0, x1, y1 = map(_points, edges)
    return PageBox(_count(page), x0, y0, x1, y1)


def _points(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise TypeError("not a number of points")
    return float(value)


def _failure(told: list[object]) -> ReadingError:
    code, message, hint = map(_words, told)
    _need(code in CODES, "unknown code")
    return ReadingError(code, message, hint=hint)


def _document(
    told: dict[str, object], text: str, content: bytes, source: str, reader: str
) -> Document:
    _need("\0" not in text, "NUL in the text")
    _need(_words(told["reader"]) == reader, "another reader")
    parts = _parts(told["parts"], text)
    ledger = _ledger(told["ledger"], told["problems"])
    pages = sum(part.kind in COUNTED_BY_THE_LEDGER for part in parts)
    _need(not pages or ledger.parts == pages, "the ledger counts other pages")
    return Document(
        id=document_id(source),
        source=source,
        version=version_of(content),
        title=_words(told["title"]),
        media_type=_words(told["media_type"]),
        text=text,
        blocks=_blocks(told["blocks"], _paths(told["paths"]), text),
        parts=parts,
        fragments=FragmentStyle(_words(told["fragments"])),
        metadata=_metadata(told["metadata"]),
        ledger=ledger,
        reader=reader,
    )


def _metadata(told: object) -> dict[str, str]:
    if not isinstance(told, dict):
        raise TypeError("no metadata")
    return {_words(key): _words(said) for key, said in told.items()}


def _paths(rows: object) -> list[tuple[str, ...]]:
    return [tuple(map(_words, _row(row))) for row in _row(rows)]


def _blocks(rows: object, paths: Sequence[tuple[str, ...]], text: str) -> tuple[Block, ...]:
    """Return the blocks: in order, inside the text, and nothing but blanks between them."""
    blocks = []
    place = 0
    for row in _row(rows):
        kind, start, end, path, anchor = _row(row)
        span = _span(start, end, text)
        _need(span.start >= place, "blocks overlap")
        _need(not text[place : span.start].strip(), "words between blocks")
        named = None if anchor is None else _words(anchor)
        blocks.append(Block(BlockKind(_words(kind)), span, paths[_count(path)], named))
        place = span.end
    _need(not text[place:].strip(), "words after the last block")
    return tuple(blocks)


def _parts(rows: object, text: str) -> tuple[Part, ...]:
    """Return the parts: in order, without overlap, those that are numbered from 1 without a gap."""
    parts = [_part(row, text) for row in _row(rows)]
    for kind in {part.kind for part in parts}:
        numbers = [part.number for part in parts if part.kind is kind and part.number is not None]
        _need(numbers == list(range(1, len(numbers) + 1)), "parts are not numbered from 1")
    _need(all(a.span.end <= b.span.start for a, b in pairwise(parts)), "parts overlap")
    return tuple(parts)


def _part(row: object, text: str) -> Part:
    kind, label, fragment, number, start, end = _row(row)
    counted = None if number is None else _count(number)
    span = _span(start, end, text)
    return Part(LocatorKind(_words(kind)), _words(label), _words(fragment), span, counted)


def _ledger(told: object, problems: object) -> Ledger:
    parts, read, empty, ocr, failed, left_out = map(_count, _row(told))
    named = tuple(Problem(*map(_words, _row(problem))) for problem in _row(problems))
    # A ledger that does not balance raises ValueError.
    return Ledger(parts, read, empty, ocr, failed, left_out, named)


def _span(start: object, end: object, text: str) -> Span:
    span = Span(_count(start), _count(end))
    _need(span.end <= len(text), "a span ends past the text")
    return span


def _row(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("not a row")
    return value


def _words(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not words")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("not a count")
    return value


def _need(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - said as a sentence
    if not holds:
        raise ValueError(otherwise)
