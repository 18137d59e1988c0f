"""A reply is a document with all its laws, or it is refused."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.reading.looking import read_document

from cytat.errors import ReadingError
from cytat.reading.process.messages import (
    REPLY_HEAD,
    GarbledReplyError,
    RawReply,
    decode_reply,
    encode_document,
    encode_failure,
)
from cytat.records import Document

SOURCE = "a.html"
CONTENT = "<html><title>Zażółć</title><h1>A</h1><p>one 😀 two</p><h2>B</h2><p>three".encode()


def reply_of(parts: tuple[bytes, ...]) -> RawReply:
    head, told, text = parts
    assert REPLY_HEAD.unpack(head)[1:] == (len(told), len(text))
    return RawReply(told, text)


def decoded(reply: RawReply, *, source: str = SOURCE) -> Document:
    return decode_reply(reply, content=CONTENT, source=source, reader="html/4")


@pytest.fixture
def reply() -> RawReply:
    return reply_of(encode_document(read_document(CONTENT, source=SOURCE)))


def test_a_document_comes_back_as_it_was(reply: RawReply) -> None:
    assert decoded(reply) == read_document(CONTENT, source=SOURCE)


def test_ids_come_from_the_parent_whatever_the_child_says(reply: RawReply) -> None:
    other = decoded(reply, source="b.html")
    assert other.id == read_document(CONTENT, source="b.html").id
    assert other.source == "b.html"


def test_a_failure_comes_back_as_it_was() -> None:
    with pytest.raises(ReadingError) as caught:
        decoded(reply_of(encode_failure(ReadingError("no-text", "nothing", hint="look"))))
    assert (caught.value.code, caught.value.message, caught.value.hint) == (
        "no-text",
        "nothing",
        "look",
    )


def put(*path: str | int, value: object) -> Callable[[Any], object]:
    """Return what puts a value at a path of the structure told."""

    def change(told: Any) -> object:
        place = told
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        return told

    return change


def page(number: int | None, start: int, end: int) -> list[object]:
    return ["page", str(number), f"#page={number}", number, start, end]


WRONG = {
    "a block past the text": put("blocks", -1, 2, value=1000),
    "a block before the last": put("blocks", 1, 1, value=0),
    "a block turned round": put("blocks", 0, 1, value=9),
    "a place that is not a number": put("blocks", 0, 1, value="0"),
    "a place that is true": put("blocks", 0, 1, value=True),
    "a negative place": put("blocks", 0, 1, value=-1),
    "words in no block": lambda told: told | {"blocks": told["blocks"][1:]},
    "words after the last block": lambda told: told | {"blocks": told["blocks"][:-1]},
    "an unknown kind": put("blocks", 0, 0, value="script"),
    "a path that is not there": put("blocks", 0, 3, value=99),
    "a path of numbers": put("paths", 0, value=[1]),
    "a ledger out of balance": put("ledger", 4, value=1),
    "a ledger of fewer counts": put("ledger", value=[1, 1]),
    "a page without a ledger": put("parts", value=[page(1, 0, 1), page(2, 1, 2)]),
    "a page numbered two": put("parts", value=[page(2, 0, 1)]),
    "a page past the text": put("parts", value=[page(1, 0, 1000)]),
    "pages that overlap": put("parts", value=[page(1, 0, 2), page(None, 1, 3)]),
    "a part of no kind": put("parts", value=[["leaf", "1", "#leaf=1", 1, 0, 1]]),
    "a part without a label": put("parts", value=[["page", None, "#page=1", 1, 0, 1]]),
    "an unknown style of links": put("fragments", value="positions"),
    "metadata that are not words": put("metadata", value={"a": 1}),
    "another reader": put("reader", value="pdf/1"),
    "no title": lambda told: {key: said for key, said in told.items() if key != "title"},
    "a title of none": put("title", value=None),
    "no structure": lambda _: "words",
    "an unknown code": lambda _: ["out-of-luck", "message", "hint"],
    "a failure of two parts": lambda _: ["no-text", "message"],
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_a_reply_that_breaks_a_law_is_refused(
    reply: RawReply, change: Callable[[Any], object]
) -> None:
    told = json.dumps(change(json.loads(reply.told))).encode()
    with pytest.raises(GarbledReplyError):
        decoded(RawReply(told, reply.text))


@pytest.mark.parametrize(
    "told",
    [b"", b"{", b"\xff", b"[" * 100_000, b"1" * 10_000, b"null"],
    ids=["nothing", "half", "bytes", "deep", "a long number", "null"],
)
def test_what_is_no_structure_is_refused(reply: RawReply, told: bytes) -> None:
    with pytest.raises(GarbledReplyError):
        decoded(RawReply(told, reply.text))


@pytest.mark.parametrize("text", [b"", b"A\0", b"\xff\xfe", b"\xed\xa0\x80"])
def test_a_text_that_is_not_the_blocks_own_is_refused(reply: RawReply, text: bytes) -> None:
    with pytest.raises(GarbledReplyError):
        decoded(RawReply(reply.told, text))
