r"""Bytes of an event stream -> the data of its events. Pure; the same for every split of the bytes.

A line ends with `\n`, `\r\n` or `\r`; an event ends with a blank line; comments and other fields
are passed over. A character that is split between two reads is whole again in its line.

Source:
    WHATWG HTML, section 9.2 "Server-sent events".
"""

import re
from collections.abc import Iterator

from cytat.errors import BackendError

DONE = "[DONE]"
"""The data that ends a chat stream."""

LONGEST_LINE_BYTES = 1_048_576
"""An event of a chat model holds a few words; a longer line is not one."""

_LINE_END = re.compile(rb"\r\n|\n|\r(?!$)")


class ServerEvents:
    """Takes bytes as they arrive and gives out the data of each event once it is whole."""

    def __init__(self) -> None:
        self._held = b""
        self._data: list[str] = []

    def feed(self, received: bytes) -> Iterator[str]:
        """Yield the data of the events that `received` completes."""
        self._held += received
        at = 0
        for end in _LINE_END.finditer(self._held):
            line, at = self._held[at : end.start()], end.end()
            yield from self._take(line)
        self._held = self._held[at:]
        if len(self._held) > LONGEST_LINE_BYTES:
            raise BackendError(
                "the model server sent a line without end",
                hint="check that --base-url is an OpenAI-compatible server",
            )

    def _take(self, line: bytes) -> Iterator[str]:
        if not line:
            if self._data:
                yield "\n".join(self._data)
            self._data = []
        elif line.startswith(b"data:"):
            value = line[5:].decode("utf-8", "replace")
            self._data.append(value.removeprefix(" "))
