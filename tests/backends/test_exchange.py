"""A server that is slow without end, or sends without end, costs a bounded time and memory."""

import gzip
import json
import time
import zlib
from itertools import islice

import pytest
from tests.backends.raw_servers import (
    JSON,
    STREAM,
    Behaviour,
    dripping,
    pouring,
    raw_server,
    saying,
)
from tests.backends.test_openai_chat import GOOD, Script, event, serving

from cytat.backends.openai.addresses import ServerAddress
from cytat.backends.openai.chat import OpenAiChat
from cytat.backends.openai.embeddings_server import EmbeddingsServer
from cytat.backends.openai.exchange import Endpoint, ExchangeLimits, TransportError
from cytat.backends.openai.waiting import Clock
from cytat.errors import BackendError, IncompleteDraftError
from cytat.testing.generators import PROMPT

SAID = "Kaucja 4300 zł [1]."
MOST_BYTES = 1_000_000
MEMBER = gzip.compress(b"data: x\n" * 1_000_000)
"""A few thousand bytes of lines, 8 MB unpacked."""


def content(behaviour: Behaviour, *, total_s: float = 5.0, most_bytes: int = MOST_BYTES) -> bytes:
    """Return what a server sends to one request."""
    limits = ExchangeLimits(silence_s=5.0, total_s=total_s, most_bytes=most_bytes)
    with raw_server(behaviour) as url:
        endpoint = Endpoint(ServerAddress(url, "/chat/completions", api_key=None), limits)
        with endpoint.post(b"{}", accept="application/json") as reply:
            return reply.content()


def drafted(behaviour: Behaviour, *, timeout_s: float = 0.1) -> str:
    with raw_server(behaviour) as url:
        chat = OpenAiChat(model="m", base_url=url, api_key=None, timeout_s=timeout_s)
        return "".join(chat.generate(PROMPT, max_tokens=50))


# ------------------------------------------------------------ one deadline


@pytest.mark.parametrize(
    ("before", "drop"),
    [
        (b"HTTP/1.1 200 OK\r\n", b"X-Slow: yes\r\n"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nX-Endless: ", b"y"),
        (JSON + b"\r\n", b" "),
        (JSON + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (JSON + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X-Trailer: y\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", b"{"),
    ],
    ids=["headers", "continues", "header", "body", "chunks", "trailers", "length"],
)
def test_a_server_that_drips_outlasts_no_deadline(before: bytes, drop: bytes) -> None:
    with pytest.raises(TransportError, match=r"took longer than 0\.3 seconds"):
        content(dripping(before, drop), total_s=0.3)


def test_a_chat_server_that_only_shows_signs_of_life_is_left_after_five_silences() -> None:
    with pytest.raises(BackendError, match=r"took longer than 0\.5 seconds"):
        drafted(dripping(STREAM + b"\r\n", b": still here\n\n"))


def test_a_draft_that_drips_is_kept_as_far_as_it_came() -> None:
    with raw_server(dripping(STREAM + b"\r\n" + event("Kaucja "), b": x\n")) as url:
        chat = OpenAiChat(model="m", base_url=url, api_key=None, timeout_s=0.1)
        stream = chat.generate(PROMPT, max_tokens=50)
        assert next(stream) == "Kaucja "
        with pytest.raises(IncompleteDraftError, match="took longer"):
            list(stream)


def test_an_error_that_drips_is_reported_by_its_status() -> None:
    head = b"HTTP/1.1 401 Unauthorized\r\n\r\n"
    with pytest.raises(BackendError, match="replied 401"):
        drafted(dripping(head, b"x"))


def test_an_embeddings_server_that_drips_is_given_up_after_its_attempts() -> None:
    clock = Clock(sleep=lambda _: None)
    with raw_server(dripping(JSON + b"\r\n", b" ")) as url:
        server = EmbeddingsServer(url, api_key=None, timeout_s=0.1, clock=clock)
        with pytest.raises(BackendError, match=r"took longer than 0\.1 seconds \(4 attempts\)"):
            server.ask({"input": ["kot"]})


def test_no_timer_is_left_behind_by_a_reply_in_time() -> None:
    with serving(Script(content_type="application/json", body=(b"{}",))) as url:
        endpoint = Endpoint(ServerAddress(url, "/x", api_key=None), ExchangeLimits(5, 0.2, 100))
        with endpoint.post(b"{}", accept="application/json") as reply:
            assert reply.content() == b"{}"
        time.sleep(0.25)  # past the deadline of the first
        with endpoint.post(b"{}", accept="application/json") as reply:
            assert reply.content() == b"{}"


# ------------------------------------------------------------ one size


@pytest.mark.parametrize(
    "behaviour",
    [
        pouring(JSON + b"\r\n", b" " * 65_536),
        pouring(JSON + b"Transfer-Encoding: chunked\r\n\r\n", b"190\r\n" + b" " * 400 + b"\r\n"),
        pouring(STREAM + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"x" * 10_000_000)),
        saying(STREAM + b"Content-Encoding: gzip\r\n\r\n", MEMBER),
        saying(JSON + b"Content-Encoding: deflate\r\n\r\n", zlib.compress(b" " * 50_000_000)),
    ],
    ids=["plain", "chunked", "gzip", "gzip-lines", "deflate"],
)
def test_a_reply_is_read_to_its_size_and_no_further(behaviour: Behaviour) -> None:
    with pytest.raises(TransportError, match="more than 1000000 bytes"):
        content(behaviour)


def test_a_packed_reply_is_unpacked_in_small_parts() -> None:
    limits = ExchangeLimits(silence_s=5.0, total_s=5.0, most_bytes=10_000_000)
    packed = saying(STREAM + b"Content-Encoding: gzip\r\n\r\n", MEMBER)
    with raw_server(packed) as url:
        endpoint = Endpoint(ServerAddress(url, "/chat/completions", api_key=None), limits)
        with endpoint.post(b"{}", accept="text/event-stream") as reply:
            sizes = [len(part) for part in reply.parts()]
    assert max(sizes) <= 65_536
    assert sum(sizes) == 8_000_000


def test_a_packed_stream_without_blank_lines_ends_at_the_size_of_an_event() -> None:
    with pytest.raises(BackendError, match="an event without end"):
        drafted(saying(STREAM + b"Content-Encoding: gzip\r\n\r\n", MEMBER), timeout_s=5)


def test_a_header_without_end_is_an_error() -> None:
    with pytest.raises(BackendError, match="cannot be reached"):
        drafted(pouring(b"HTTP/1.1 200 OK\r\nX: ", b"y" * 65_536), timeout_s=5)
    with pytest.raises(BackendError, match="cannot be reached"):
        drafted(pouring(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 1000), timeout_s=5)


def test_an_error_of_any_size_is_cut() -> None:
    head = b"HTTP/1.1 400 Bad Request\r\n\r\n"
    with pytest.raises(BackendError) as caught:
        drafted(pouring(head, b"too bad " * 8_000), timeout_s=5)
    assert len(caught.value.message) <= 500


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "deflate", "identity"])
def test_a_packed_reply_is_understood(encoding: str) -> None:
    body = b"".join(GOOD)
    packed = {"deflate": zlib.compress(body), "identity": body}.get(encoding, gzip.compress(body))
    head = STREAM + f"Content-Encoding: {encoding}\r\n\r\n".encode()
    assert drafted(saying(head, packed), timeout_s=5) == SAID


@pytest.mark.parametrize(
    ("encoding", "body"), [("br", b"x"), ("gzip", b"plain"), ("gzip", MEMBER[:200])]
)
def test_a_reply_that_cannot_be_unpacked_is_an_error(encoding: str, body: bytes) -> None:
    head = JSON + f"Content-Encoding: {encoding}\r\n\r\n".encode()
    with pytest.raises(TransportError, match="stopped answering"):
        content(saying(head, body))


# ------------------------------------------------------------ connections


@pytest.mark.parametrize("cut", [b"", b"HTTP/1.1 2", b"\x00\xff\r\n\r\n", b"HTTP/1.1 x\r\n\r\n"])
def test_a_reply_that_ends_before_its_body_is_an_error(cut: bytes) -> None:
    with pytest.raises(BackendError, match="cannot be reached"):
        drafted(saying(cut), timeout_s=5)


def test_a_body_shorter_than_announced_is_not_taken_for_whole() -> None:
    body = json.dumps({"data": []}).encode()
    with pytest.raises(TransportError, match="stopped answering"):
        content(saying(JSON + b"Content-Length: 9999\r\n\r\n", body))


def test_a_connection_is_used_again_and_replaced_when_the_server_closed_it() -> None:
    reply = JSON + b"Content-Length: 2\r\n\r\n{}"
    with raw_server(saying(reply)) as url:  # says so once for each connection, then hangs up
        endpoint = Endpoint(ServerAddress(url, "/x", api_key=None), ExchangeLimits(5, 5, 100))
        for _ in range(3):
            with endpoint.post(b"{}", accept="application/json") as received:
                assert received.content() == b"{}"
            time.sleep(0.1)


def test_a_draft_left_half_way_ends_its_connection() -> None:
    with raw_server(pouring(STREAM + b"\r\n", event("tak "))) as url:
        chat = OpenAiChat(model="m", base_url=url, api_key=None, timeout_s=5)
        stream = chat.generate(PROMPT, max_tokens=50)
        assert list(islice(stream, 2)) == ["tak ", "tak "]
        stream.close()  # type: ignore[attr-defined]
