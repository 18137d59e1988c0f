"""A server that sends raw bytes at its own pace, for what no well-made server does."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Behaviour = Callable[[socket.socket, threading.Event], None]
"""Sends what it likes to a caller whose request was read; ends when the event is set."""

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: "
STREAM = HEAD + b"text/event-stream\r\n"
JSON = HEAD + b"application/json\r\n"


@contextmanager
def raw_server(behaviour: Behaviour) -> Iterator[str]:
    """Yield the base URL of a server that behaves so to each caller, one after the other."""
    ended = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.05)

    def serve() -> None:
        while not ended.is_set():
            with suppress(OSError):  # nobody called, or the caller has gone
                connection, _ = listener.accept()
                with connection:
                    _read_request(connection)
                    behaviour(connection, ended)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        ended.set()
        thread.join()
        listener.close()


def _read_request(connection: socket.socket) -> None:
    connection.settimeout(5)
    seen = b""
    while b"\r\n\r\n" not in seen:
        seen += connection.recv(65_536)
    head, _, body = seen.partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    (length,) = (int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length"))
    while len(body) < length:
        body += connection.recv(65_536)


def dripping(before: bytes, drop: bytes) -> Behaviour:
    """Return a server that sends `drop` for ever, a byte every hundredth of a second."""

    def drip(connection: socket.socket, ended: threading.Event) -> None:
        connection.sendall(before)
        while not ended.wait(0.01):
            for at in range(len(drop)):
                connection.sendall(drop[at : at + 1])
                if ended.wait(0.01):
                    return

    return drip


def pouring(before: bytes, drop: bytes) -> Behaviour:
    """Return a server that sends `drop` again and again, as fast as it is read."""

    def pour(connection: socket.socket, ended: threading.Event) -> None:
        connection.sendall(before)
        while not ended.is_set():
            connection.sendall(drop)

    return pour


def saying(*parts: bytes) -> Behaviour:
    """Return a server that sends these bytes and hangs up."""

    def say(connection: socket.socket, ended: threading.Event) -> None:
        del ended
        for part in parts:
            connection.sendall(part)

    return say
