"""A server of embeddings that misbehaves costs a text, a run or a wait, never a wrong pairing."""

import base64
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from cytat.backends.openai.embeddings import ServedModel, open_embedder, probed
from cytat.backends.openai.embeddings_server import ATTEMPTS, EmbeddingsServer
from cytat.backends.openai.waiting import Clock
from cytat.embedding import embed_passages, embed_query
from cytat.errors import BackendError, SettingsError
from cytat.protocols import Embedder, MissingVectorsError, ModelOptions, Vectors
from cytat.testing.embedders import EmbedderContract, FakeEmbedder

DIMENSIONS = 16


@dataclass(frozen=True)
class Reply:
    """What the peer sends back."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


Behaviour = Callable[[list[str]], Reply | None]
"""Texts of a request -> the reply, or None for the honest one."""


def honest(inputs: list[str]) -> Reply:
    """Answer as a good server does; its vectors are not of length 1."""
    vectors = 3 * FakeEmbedder(dimensions=DIMENSIONS, max_tokens=10_000).embed_documents(inputs)
    return as_reply([(at, vector.tolist()) for at, vector in enumerate(vectors)])


def as_reply(entries: list[tuple[object, object]]) -> Reply:
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in entries]
    return Reply(200, json.dumps({"object": "list", "data": data}).encode())


class Peer:
    """The server, what it was sent, and how it behaves."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[list[str]] = []
        self.keys: list[str | None] = []
        self.behaviour: Behaviour = honest
        self.broken = False
        """Hang up instead of answering."""

    @property
    def inputs(self) -> list[str]:
        return [text for request in self.requests for text in request]

    def script(self, *replies: Reply | Behaviour | None) -> None:
        """Give these replies one after the other, then honest ones."""
        left = list(replies)

        def behave(inputs: list[str]) -> Reply | None:
            step = left.pop(0) if left else None
            return step(inputs) if callable(step) else step

        self.behaviour = behave


@contextmanager
def running_peer() -> Iterator[Peer]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet a reply; in two it waits 40 ms for an acknowledgement

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            inputs = json.loads(self.rfile.read(length))["input"]
            served.requests.append(inputs)
            served.keys.append(self.headers.get("Authorization"))
            if served.broken:
                self.close_connection = True
                return
            reply = served.behaviour(inputs) or honest(inputs)
            # The other one sends the date of today as well.
            send = self.send_response_only if "Date" in reply.headers else self.send_response
            send(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served = Peer(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def unit(*numbers: float) -> list[float]:
    row = np.array([*numbers, *[0.0] * (DIMENSIONS - len(numbers))])
    return [float(number) for number in row / np.linalg.norm(row)]


class FakeTime:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now_s += seconds

    def clock(self) -> Clock:
        return Clock(now=lambda: self.now_s, sleep=self.sleep, jitter=lambda: 0.5)


@pytest.fixture(scope="module")
def server() -> Iterator[Peer]:
    with running_peer() as peer:
        yield peer


@pytest.fixture
def peer(server: Peer) -> Peer:
    server.requests, server.keys = [], []
    server.broken = False
    server.behaviour = honest
    return server


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


def opened(
    peer: Peer, tmp_path: Path, *, model: str = "some-model", time: FakeTime | None = None
) -> Embedder:
    clock = (time or FakeTime()).clock()
    server = EmbeddingsServer(peer.url, api_key="secret", timeout_s=5, clock=clock)
    embedder = probed(ServedModel(server, model), tmp_path)
    peer.requests.clear()
    return embedder


@pytest.fixture
def embedder(peer: Peer, time: FakeTime, tmp_path: Path) -> Embedder:
    return opened(peer, tmp_path, time=time)


class TestContract(EmbedderContract):
    """The suite of the seam, over a real connection."""


def expected(*texts: str) -> Vectors:
    return FakeEmbedder(dimensions=DIMENSIONS, max_tokens=10_000).embed_documents(texts)


# ------------------------------------------------------------ pairing (case EMB-02)


def test_vectors_are_paired_by_index_whatever_their_order(peer: Peer, embedder: Embedder) -> None:
    peer.script(as_reply([(2, unit(2, 0)), (0, unit(0, 1)), (1, unit(1, 1))]))
    vectors = embedder.embed_documents(["t0", "t1", "t2"])
    assert np.allclose(vectors[:, :2], [[0, 1], [0.5**0.5, 0.5**0.5], [1, 0]])


@pytest.mark.parametrize(
    "indexes",
    [[0, 2], [0, 0, 1], [0, 7, 2], [0, 1, 2, 3], [None, 1, 2], ["0", "1", "2"], [True, 0, 2], []],
    ids=["missing", "double", "foreign", "more", "none", "strings", "booleans", "empty"],
)
def test_a_reply_that_cannot_be_paired_is_refused_and_asked_for_in_parts(
    peer: Peer, embedder: Embedder, indexes: list[object]
) -> None:
    peer.script(as_reply([(index, unit(5, 5)) for index in indexes]))
    texts = ["zero kot", "one pies", "two koń"]
    assert np.allclose(embedder.embed_documents(texts), expected(*texts), atol=1e-6)
    assert peer.requests == [texts, texts[:1], texts[1:]]


def test_texts_whose_replies_never_pair_are_missing_after_a_bounded_number_of_calls(
    peer: Peer, embedder: Embedder
) -> None:
    peer.behaviour = lambda _: as_reply([(0, unit(1))] * 2)
    texts = [f"text {number}" for number in range(8)]
    with pytest.raises(MissingVectorsError) as caught:
        embedder.embed_documents(texts)
    assert caught.value.missing.keys() == set(range(8))
    assert len(peer.requests) == 15  # 1 + 2 + 4 + 8


# ------------------------------------------------------------ broken vectors (case EMB-03)


def test_broken_vectors_cost_their_own_texts_only(peer: Peer, embedder: Embedder) -> None:
    broken: list[object] = [
        [None] * DIMENSIONS,
        ["NaN"] * DIMENSIONS,
        [0.0] * DIMENSIONS,
        [1e39, *[0.0] * (DIMENSIONS - 1)],
        [float("nan")] * DIMENSIONS,
        [float("-inf")] * DIMENSIONS,
        [10**400] * DIMENSIONS,
        None,
        "AAAA",
        [],
        unit(1)[:-1],
        unit(3, 4),
    ]
    peer.script(as_reply(list(enumerate(broken))))
    embedded = embed_passages(embedder, [f"text {at:02}" for at in range(len(broken))])
    assert list(embedded.missing) == list(range(len(broken) - 1))
    assert embedded.vectors[-1, :2] == pytest.approx([0.6, 0.8])
    assert len(peer.requests) == 1


def packed(*numbers: float) -> str:
    return base64.b64encode(np.array(unit(*numbers), dtype="<f4").tobytes()).decode()


def test_vectors_in_base64_are_the_same_vectors(peer: Peer, embedder: Embedder) -> None:
    peer.script(as_reply([(1, packed(3, 4)), (0, unit(3, 4))]))
    vectors = embedder.embed_documents(["kot", "pies"])
    assert np.allclose(vectors[0], vectors[1], atol=1e-7)
    assert vectors[1, :2] == pytest.approx([0.6, 0.8])


def test_broken_base64_costs_its_own_text_only(peer: Peer, embedder: Embedder) -> None:
    broken = ["", "AAA", "AAAA", "ż" * 64, packed(1)[:-8], base64.b64encode(b"\xff" * 64).decode()]
    peer.script(as_reply([*enumerate(broken), (len(broken), packed(3, 4))]))
    embedded = embed_passages(embedder, [f"text {at}" for at in range(len(broken) + 1)])
    assert list(embedded.missing) == list(range(len(broken)))
    assert embedded.vectors[-1, :2] == pytest.approx([0.6, 0.8])


def test_one_vector_for_one_text_needs_no_index(peer: Peer, embedder: Embedder) -> None:
    peer.behaviour = lambda inputs: Reply(
        200, json.dumps({"data": [{"embedding": unit(len(text))} for text in inputs]}).encode()
    )
    assert embedder.embed_documents(["kot", "pies"])[:, 0] == pytest.approx([1, 1])
    assert [len(request) for request in peer.requests] == [2, 1, 1]


def test_a_query_with_a_broken_vector_is_an_error(peer: Peer, embedder: Embedder) -> None:
    peer.script(as_reply([(0, [0.0] * DIMENSIONS)]))
    with pytest.raises(BackendError, match="length zero"):
        embed_query(embedder, "kot")


def test_another_dimension_half_way_stops_the_run(peer: Peer, embedder: Embedder) -> None:
    peer.script(None, lambda inputs: as_reply([(at, [1.0, 2.0]) for at in range(len(inputs))]))
    with pytest.raises(BackendError, match="2 dimensions, not 16"):
        embed_passages(embedder, [f"text {number}" for number in range(40)])


# ------------------------------------------------------------ trouble that passes


@pytest.mark.parametrize(
    "reply",
    [
        Reply(429, b"slow down"),
        Reply(500, b"oops"),
        Reply(503, b"busy"),
        Reply(200, b"<html>Maintenance</html>", {"Content-Type": "text/html"}),
        Reply(200, b'{"data": [{"index"'),
        Reply(200, b"[" * 100_000),
    ],
    ids=["429", "500", "503", "html", "half-json", "deep-json"],
)
def test_passing_trouble_is_tried_again(peer: Peer, embedder: Embedder, reply: Reply) -> None:
    peer.script(reply, reply)
    assert np.allclose(embedder.embed_documents(["kot"]), expected("kot"), atol=1e-6)
    assert len(peer.requests) == 3


def test_waits_double_and_a_wish_to_wait_is_kept_up_to_a_bound(
    peer: Peer, embedder: Embedder, time: FakeTime
) -> None:
    peer.script(
        Reply(500, b""),
        Reply(429, b"", {"Retry-After": "7"}),
        Reply(429, b"", {"Retry-After": "9000"}),
    )
    embedder.embed_documents(["kot"])
    assert time.waits == [0.5, 7, 30]


def test_a_date_to_wait_for_is_kept_by_the_servers_own_clock(
    peer: Peer, embedder: Embedder, time: FakeTime
) -> None:
    date = {"Date": "Mon, 01 Sep 2025 09:59:53 GMT"}  # 7 seconds before, 1 hour before
    until = {"Retry-After": "Mon, 01 Sep 2025 10:00:00 GMT"}
    too_long = {"Retry-After": "Mon, 01 Sep 2025 10:59:53 GMT"}
    peer.script(Reply(429, b"", date | until), Reply(503, b"", date | too_long))
    embedder.embed_documents(["kot"])
    assert time.waits == [7, 30]


def test_a_wish_to_wait_that_cannot_be_read_is_no_wish(
    peer: Peer, embedder: Embedder, time: FakeTime
) -> None:
    for wish in ("soon", "-5", "nan", "Mon, 99 Sep 2025 99:00:00 GMT", ""):
        peer.script(Reply(429, b"", {"Retry-After": wish}))
        embedder.embed_documents(["kot"])
    assert time.waits == [0.5] * 5


def test_a_server_that_stays_down_is_called_a_bounded_number_of_times_then_left_alone(
    peer: Peer, embedder: Embedder, time: FakeTime
) -> None:
    peer.broken = True
    for _ in range(50):
        with pytest.raises(BackendError):
            embedder.embed_documents(["kot"])
    assert len(peer.requests) == ATTEMPTS
    peer.broken = False
    time.now_s += 31
    assert np.allclose(embedder.embed_documents(["kot"]), expected("kot"), atol=1e-6)


def test_a_refused_key_is_not_tried_again(peer: Peer, embedder: Embedder) -> None:
    peer.script(Reply(401, b"bad key"))
    with pytest.raises(BackendError, match="401: bad key"):
        embedder.embed_documents(["kot"])
    assert len(peer.requests) == 1


def test_the_key_is_sent_and_a_redirect_is_not_followed_with_it(
    peer: Peer, embedder: Embedder
) -> None:
    peer.script(Reply(307, b"", {"Location": f"{peer.url}/elsewhere"}))
    with pytest.raises(BackendError, match="redirects to"):
        embedder.embed_documents(["kot"])
    assert len(peer.requests) == 1
    assert set(peer.keys) == {"Bearer secret"}


def test_a_text_that_a_server_cannot_take_is_found_and_the_others_go_on(
    peer: Peer, embedder: Embedder
) -> None:
    peer.behaviour = lambda inputs: Reply(400, b"invalid input") if "bad" in inputs else None
    embedded = embed_passages(embedder, ["kot", "bad", "pies", "koń"])
    assert list(embedded.missing) == [1]
    assert "invalid input" in embedded.missing[1]


# ------------------------------------------------------------ too long (case EMB-05)


def limited(inputs: list[str]) -> Reply | None:
    if any(len(text.split()) > 300 for text in inputs):
        return Reply(400, b'{"error": "the input length exceeds the context length"}')
    return None


def test_a_text_that_is_too_long_is_sent_once_then_in_halves(
    peer: Peer, embedder: Embedder
) -> None:
    peer.behaviour = limited
    dense = " ".join(f"word{number}" for number in range(2000))
    vectors = embedder.embed_documents(["kot", dense, "pies"])
    assert np.allclose(vectors[[0, 2]], expected("kot", "pies"), atol=1e-6)
    assert np.linalg.norm(vectors[1]) == pytest.approx(1, abs=1e-5)
    calls = Counter(peer.inputs)
    assert max(count for text, count in calls.items() if len(text.split()) > 300) == 1


LLAMA_CPP = (
    b'{"error": {"code": 500, "message": "input (1041 tokens) is too large to process. '
    b'increase the physical batch size (current batch size: 512)", "type": "server_error"}}'
)
TEI = (
    b'{"error": "`inputs` must have less than 512 tokens. Given: 1041", "error_type": "Validation"}'
)
OLLAMA = b'{"error": "the input length exceeds the context length"}'
VLLM = b'{"error": {"message": "This model\'s maximum context length is 512 tokens."}}'


@pytest.mark.parametrize(
    ("status", "said"),
    [(500, LLAMA_CPP), (400, LLAMA_CPP), (413, TEI), (500, OLLAMA), (400, VLLM), (200, VLLM)],
)
def test_a_text_is_found_too_long_whatever_the_servers_words_and_status(
    peer: Peer, embedder: Embedder, time: FakeTime, status: int, said: bytes
) -> None:
    peer.behaviour = lambda inputs: (
        Reply(status, said) if any(len(text.split()) > 300 for text in inputs) else None
    )
    vectors = embedder.embed_documents(["kot", "word " * 500, "pies"])
    assert np.allclose(vectors[[0, 2]], expected("kot", "pies"), atol=1e-6)
    assert np.linalg.norm(vectors[1]) == pytest.approx(1, abs=1e-5)
    assert time.waits == []


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (422, b'{"error": "batch size 8 > maximum allowed batch size 4", "type": "Validation"}'),
        (413, b"payload too large"),
        (400, b"too many tokens per request"),
        (200, b'{"error": "too many inputs"}'),
    ],
)
def test_a_batch_that_is_too_large_is_split_and_no_text_is(
    peer: Peer, embedder: Embedder, status: int, said: bytes
) -> None:
    peer.behaviour = lambda inputs: Reply(status, said) if len(inputs) > 4 else None
    texts = [f"text number {number} of some words" for number in range(8)]
    assert np.allclose(embedder.embed_documents(texts), expected(*texts), atol=1e-6)
    assert [len(request) for request in peer.requests] == [8, 4, 4]


def test_a_length_once_refused_is_remembered(peer: Peer, embedder: Embedder) -> None:
    peer.behaviour = limited
    embedder.embed_documents(["one " * 400])
    peer.requests.clear()
    embedder.embed_documents(["two " * 400])
    assert all(len(text.split()) <= 300 for text in peer.inputs)


def test_a_server_that_finds_everything_too_long_is_not_asked_for_ever(
    peer: Peer, embedder: Embedder
) -> None:
    peer.behaviour = lambda _: Reply(400, b"input is too long")
    with pytest.raises(MissingVectorsError):
        embedder.embed_documents(["a text of some twenty words " * 5])
    assert len(peer.requests) < 40


# ------------------------------------------------------------ identity and roles


# case EMB-07
def test_another_model_behind_the_same_name_has_other_weights(peer: Peer, tmp_path: Path) -> None:
    before = opened(peer, tmp_path)
    assert opened(peer, tmp_path).weights == before.weights
    other = FakeEmbedder(name="other", dimensions=DIMENSIONS)
    peer.behaviour = lambda inputs: as_reply(
        [(at, row[::-1].tolist()) for at, row in enumerate(other.embed_documents(inputs))]
    )
    after = opened(peer, tmp_path)
    assert after.dimensions == before.dimensions
    assert after.weights != before.weights


def test_noise_in_the_last_digits_is_not_another_model(peer: Peer, tmp_path: Path) -> None:
    before = opened(peer, tmp_path)
    noise = np.random.default_rng(0).normal(0, 1e-4, DIMENSIONS)

    def noisy(inputs: list[str]) -> Reply:
        rows = expected(*inputs) + noise
        return as_reply([(at, row.tolist()) for at, row in enumerate(rows)])

    peer.behaviour = noisy
    assert opened(peer, tmp_path).weights == before.weights


# case EMB-08
def test_models_of_the_e5_family_get_their_prefixes(peer: Peer, tmp_path: Path) -> None:
    embedder = opened(peer, tmp_path, model="intfloat/multilingual-e5-large")
    embedder.embed_documents(["opłata za psa"])
    embedder.embed_query("opłata za psa")
    assert peer.inputs == ["passage: opłata za psa", "query: opłata za psa"]


def test_other_models_get_texts_as_they_are(peer: Peer, embedder: Embedder) -> None:
    embedder.embed_documents(["opłata za psa"])
    embedder.embed_query("opłata za psa")
    assert peer.inputs == ["opłata za psa", "opłata za psa"]


def test_tokens_are_counted_from_above(embedder: Embedder) -> None:
    assert list(embedder.token_ends("Art. 43 żółć 日")) == [2, 3, 4, 6, 7, 10, 12, 14, 14]


@pytest.mark.parametrize("lacking", ["base_url", "model"])
def test_without_a_server_or_a_model_nothing_is_called(lacking: str, tmp_path: Path) -> None:
    named = {"base_url": "http://127.0.0.1:9/v1", "model": "m"} | {lacking: None}
    options = ModelOptions(
        cache=tmp_path,
        model=named["model"],
        base_url=named["base_url"],
        api_key=None,
        timeout_s=1,
    )
    with pytest.raises(SettingsError):
        open_embedder(options)
