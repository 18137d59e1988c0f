"""A request to a model server -> its reply, within one deadline and one size, or a typed error.

The deadline is of the whole exchange. A timer ends the connection, so that a server which sends one
byte at a time, in its headers too, cannot hold a caller longer. The size is that of the unpacked
reply. Redirects are not followed: they would send the key and the documents to another server.
"""

import http.client
import logging
import re
import socket
import threading
import time
import weakref
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

from cytat.backends.openai.addresses import ServerAddress
from cytat.errors import BackendError

CONNECT_SECONDS = 10.0
"""A server that takes longer to accept a connection is not there."""
READ_BYTES = 64 * 1024
LONGEST_ERROR_BYTES = 65_536
IDLE_CONNECTIONS = 4
REDIRECTS = range(300, 400)

_TRANSPORT = (urllib3.exceptions.HTTPError, http.client.HTTPException, OSError)
_OBJECT = re.compile(r"<[^<>]*>:?\s?")


class TransportError(BackendError):
    """No reply, or none to its end. `reason` says why; `is_passing`: another attempt may help."""

    def __init__(self, what: str, reason: str, *, is_passing: bool = True) -> None:
        self.reason = reason
        self.is_passing = is_passing
        super().__init__(
            f"{what}: {reason}",
            hint="check that the server runs and that the base URL is right, with /v1 at its end; "
            "the setting timeout_s allows more time",
        )


@dataclass(frozen=True, slots=True)
class ExchangeLimits:
    """What one exchange may take."""

    silence_s: float
    """The longest wait for the next bytes."""
    total_s: float
    most_bytes: int
    """Of the reply, unpacked."""


class Endpoint:
    """One address of one server; keeps its connections, safe to share between threads."""

    def __init__(self, address: ServerAddress, limits: ExchangeLimits) -> None:
        self.address = address
        self._limits = limits
        logging.getLogger("urllib3.connection").addFilter(_has_no_headers)
        self._idle: list[HTTPConnection] = []
        weakref.finalize(self, _close_all, self._idle)
        self._headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if address.authorization:
            self._headers["Authorization"] = address.authorization

    @contextmanager
    def post(self, body: bytes, *, accept: str) -> Iterator["ServerReply"]:
        """Send a request; give its reply, whose body is read inside the block.

        Raises:
            TransportError: there is no reply; or, from the reply's methods, none to its end.
            BackendError: the reply is a redirect.
        """
        connection = self._connection()
        deadline = _Deadline(self._limits.total_s)
        reply = None
        try:
            received = self._sent(connection, deadline, body, accept)
            reply = ServerReply(received, self.address, self._limits, deadline)
            reply.check_no_redirect()
            yield reply
        finally:
            deadline.cancel()
            if reply is not None:
                reply.close()
            if reply is not None and reply.is_finished and len(self._idle) < IDLE_CONNECTIONS:
                self._idle.append(connection)
            else:
                connection.close()

    def _connection(self) -> HTTPConnection:
        with suppress(IndexError):  # another thread may have taken the last
            while self._idle:
                connection = self._idle.pop()
                if connection.is_connected:
                    return connection
                connection.close()
        kind = HTTPSConnection if self.address.scheme == "https" else HTTPConnection
        return kind(self.address.host, self.address.port)

    def _sent(
        self, connection: HTTPConnection, deadline: "_Deadline", body: bytes, accept: str
    ) -> urllib3.BaseHTTPResponse:
        silence_s = self._limits.silence_s
        try:
            if not connection.is_connected:
                connection.timeout = min(CONNECT_SECONDS, silence_s)
                connection.connect()
            connection.timeout = silence_s
            deadline.watch(connection.sock)
            connection.request(
                "POST", self.address.target, body=body, headers=self._headers | {"Accept": accept},
                preload_content=False, decode_content=False,
            )  # fmt: skip
            return connection.getresponse()
        except _TRANSPORT as error:
            reason = deadline.reason or _reason(error)
            what = f"the model server at {self.address.url} cannot be reached"
            raise TransportError(what, self.address.hidden(reason)) from None  # it may hold the key


def _has_no_headers(record: logging.LogRecord) -> bool:
    """Say whether a line of a log may be written: one with a server's headers may hold the key."""
    return not str(record.msg).startswith("Failed to parse headers")


def _close_all(connections: list[HTTPConnection]) -> None:
    for connection in connections:
        connection.close()


class ServerReply:
    """A status, headers, and a body that is read once."""

    def __init__(
        self,
        received: urllib3.BaseHTTPResponse,
        address: ServerAddress,
        limits: ExchangeLimits,
        deadline: "_Deadline",
    ) -> None:
        self.status = received.status
        self.headers: Mapping[str, str] = received.headers
        self.is_finished = False
        """The body was read to its end: the connection can be used again."""
        self._received, self._address = received, address
        self._limits, self._deadline = limits, deadline

    def check_no_redirect(self) -> None:
        """Refuse to be sent elsewhere (BackendError)."""
        if self.status in REDIRECTS:
            place = self._address.hidden_in_url(self.headers.get("location", "another address"))
            raise BackendError(
                f"{self._address.url} redirects to {place[:200]}; "
                "a key and documents are not sent on",
                hint="set the base URL to the address it redirects to, if you trust it",
            )

    def parts(self) -> Iterator[bytes]:
        """Yield the body, unpacked, as it arrives (TransportError)."""
        what = f"the model server at {self._address.url} stopped answering"
        size = 0
        try:
            for part in _unpacked(self._raw(), self.headers.get("content-encoding", "")):
                size += len(part)
                if size > self._limits.most_bytes:
                    most = f"it sent more than {self._limits.most_bytes} bytes"
                    raise TransportError(what, most, is_passing=False)
                yield part
        except (*_TRANSPORT, zlib.error) as error:
            reason = self._deadline.reason or _reason(error)
            raise TransportError(what, self._address.hidden(reason)) from None
        if self._deadline.reason:  # what ended was the connection
            raise TransportError(what, self._deadline.reason)
        self.is_finished = True

    def content(self) -> bytes:
        """Return the whole body (TransportError)."""
        return b"".join(self.parts())

    def close(self) -> None:
        """Read no more of it."""
        self._received.close()

    def error_text(self) -> str:
        """Return the beginning of an error's body as text; "" where it cannot be read."""
        held, until = b"", time.monotonic() + self._limits.silence_s
        with suppress(TransportError):  # the status is the error, and is reported
            for part in self.parts():
                held += part
                if len(held) > LONGEST_ERROR_BYTES or time.monotonic() > until:
                    break
        return held[:LONGEST_ERROR_BYTES].decode("utf-8-sig", "replace")

    def _raw(self) -> Iterator[bytes]:
        while part := self._received.read1(READ_BYTES, decode_content=False):
            yield part


class _Deadline:
    """Ends a connection after so many seconds; `reason` then says so."""

    def __init__(self, seconds: float) -> None:
        self.reason: str | None = None
        self._text = f"it took longer than {seconds:g} seconds"
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._timer.start()

    def watch(self, connected: socket.socket | None) -> None:
        self._socket = connected
        if self.reason:
            self._end()

    def cancel(self) -> None:
        self._timer.cancel()

    def _end(self) -> None:
        self.reason = self._text
        if self._socket is not None:
            with suppress(OSError):  # closed already
                # Of the socket itself: the same method of TLS waits for the server.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _unpacked(parts: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Yield `parts` unpacked, in pieces of at most `READ_BYTES`, however much they unpack to."""
    name = encoding.strip().casefold()
    if name in {"", "identity"}:
        yield from parts
        return
    if name not in {"gzip", "x-gzip", "deflate"}:
        raise urllib3.exceptions.DecodeError(f"its reply is packed as {name[:40]!r}")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS + 32)
    for part in parts:
        packed = part
        while packed and not unpacker.eof:
            if piece := unpacker.decompress(packed, READ_BYTES):
                yield piece
            packed = unpacker.unconsumed_tail
    if not unpacker.eof:
        raise urllib3.exceptions.DecodeError("its packed reply is cut short")


def _reason(error: Exception) -> str:
    """Return an error of the transport in a few words, without addresses of objects."""
    if isinstance(error, TimeoutError | urllib3.exceptions.TimeoutError):
        return "it timed out"
    return _OBJECT.sub("", str(error))[:200] or type(error).__name__
