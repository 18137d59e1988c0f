"""Bytes of an event stream -> the data of its events; the same for every split of the bytes.

A line ends with CR, LF or both; an event ends with a blank line; comments and other fields are
passed over, and so is a byte-order mark. A character that is split between two reads is whole
again in its line. Neither a line nor an event may grow without end.

Source:
    WHATWG HTML, section 9.2 "Server-sent events".
"""

import json
import re
from collections.abc import Iterator

from cytat.errors import BackendError

DONE = "[DONE]"
"""The data that ends a chat stream."""
LONGEST_EVENT_BYTES = 1_048_576
"""An event of a chat model holds a few words; a longer line or event is not one."""

_LINE_END = re.compile(rb"\r\n|\n|\r(?!$)")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class ServerEvents:
    """Takes a stream in parts of any size and gives out the data of its events."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._searched = 0
        self._is_first_line = True
        self._data: list[str] = []
        self._size = 0

    def feed(self, received: bytes) -> Iterator[str]:
        """Yield the data of the events that `received` completes (BackendError: too long)."""
        self._held += received
        at = 0
        for end in _LINE_END.finditer(self._held, self._searched):
            line, at = bytes(self._held[at : end.start()]), end.end()
            yield from self._take(line)
        del self._held[:at]
        self._searched = max(0, len(self._held) - 1)  # a CR at the end may be half of CR LF
        if len(self._held) > LONGEST_EVENT_BYTES:
            raise _endless("a line")

    def finish(self) -> Iterator[str]:
        """Yield the data of an event whose blank line did not come."""
        line = bytes(self._held).removesuffix(b"\r")
        self._held.clear()
        yield from self._take(line) if line else ()
        yield from self._take(b"")

    def _take(self, line: bytes) -> Iterator[str]:
        if self._is_first_line:
            line = line.removeprefix(BYTE_ORDER_MARK)
            self._is_first_line = False
        if not line:
            yield from self._complete()
        elif line.startswith(b"data:"):
            value = line[5:].decode("utf-8", "replace").removeprefix(" ")
            if self._stands_alone():
                yield from self._complete()  # some servers leave the blank lines out
            self._data.append(value)
            self._size += len(line)
            if self._size > LONGEST_EVENT_BYTES:
                raise _endless("an event")

    def _complete(self) -> Iterator[str]:
        if self._data:
            yield "\n".join(self._data)
        self._data, self._size = [], 0

    def _stands_alone(self) -> bool:
        """Say whether the one line held is a whole event."""
        return len(self._data) == 1 and (self._data[0].strip() == DONE or _is_object(self._data[0]))


def _is_object(data: str) -> bool:
    if not data.startswith("{"):
        return False
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _endless(what: str) -> BackendError:
    return BackendError(
        f"the model server sent {what} without end",
        hint="check that --base-url is an OpenAI-compatible server",
    )
