"""A request to an embeddings server -> its reply as JSON, or a typed error; within limits.

Temporary failures (busy, timeouts, resets, a proxy's page) are retried a few times, with longer
waits each time; after that the server is not called for a while, so that a thousand files do not
cause thousands of calls. Redirects are not followed: they would send the key to another server.
"""

import json
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus

import numpy as np
import urllib3
from numpy.typing import NDArray

from cytat.errors import BackendError
from cytat.protocols import Vectors

ATTEMPTS = 4
FIRST_WAIT_S = 0.5
"""Doubled at each attempt; the waits of one request end after about 3.5 s, if none is asked for."""
LONGEST_WAIT_S = 30.0
"""What a server may ask for with Retry-After; a longer wait is cut to this."""
REST_S = 30.0
"""How long a server that failed every attempt is not called again."""
MOST_BYTES = 64 * 1024 * 1024
READ_BYTES = 64 * 1024

_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_REDIRECTS = range(300, 400)
_TOO_LONG = re.compile(
    r"context.{0,10}length|context size|maximum.{0,20}token|too (long|large|many tokens)|exceed",
    re.IGNORECASE,
)
_WHOLE_REQUEST = re.compile(r"per request|batch|payload|request (entity|body)", re.IGNORECASE)


class InputTooLongError(BackendError):
    """The server refused the request for the length of one of its texts."""


class RequestRefusedError(BackendError):
    """The server refused the request: for its size as a whole, or for what is in one text."""


class _PassingError(BackendError):
    """Worth another attempt, after `wait_s` seconds if the server asked for some."""

    def __init__(self, message: str, *, hint: str, wait_s: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as the server's client sees it; tests bring their own."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


class EmbeddingsServer:
    """One server; keeps its connections, safe to share between threads."""

    def __init__(
        self, base_url: str, *, api_key: str | None, timeout_s: float, clock: Clock | None = None
    ) -> None:
        self.url = f"{base_url.rstrip('/')}/embeddings"
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._key = api_key
        self._timeout_s = timeout_s
        self._clock = clock or Clock()
        self._pool = urllib3.PoolManager(retries=False, maxsize=4)
        self._rests_until = float("-inf")

    def ask(self, request: Mapping[str, object]) -> object:
        """Return the parsed reply.

        Raises:
            InputTooLongError: one of the texts is too long.
            RequestRefusedError: the server will not take these texts together.
            BackendError: the server cannot be used.
        """
        if self._clock.now() < self._rests_until:
            message = f"{self.url} failed a moment ago and is not called again yet"
            raise BackendError(message, hint=self._hint())
        body = json.dumps(request, ensure_ascii=True).encode("ascii")
        attempt = 1
        while True:
            try:
                return self._ask_once(body)
            except _PassingError as error:
                if attempt == ATTEMPTS:
                    self._rests_until = self._clock.now() + REST_S
                    message = f"{error.message} ({ATTEMPTS} attempts)"
                    raise BackendError(message, hint=error.hint) from error
                self._clock.sleep(self._wait_s(attempt, error.wait_s))
                attempt += 1

    def _wait_s(self, attempt: int, asked_s: float | None) -> float:
        """Return how long to wait: what the server asks for, else doubling, with jitter."""
        own_s = FIRST_WAIT_S * (1 << (attempt - 1)) * (0.5 + self._clock.jitter())
        return min(max(own_s, asked_s or 0.0), LONGEST_WAIT_S)

    def _ask_once(self, body: bytes) -> object:
        try:
            reply = self._pool.request(
                "POST",
                self.url,
                body=body,
                headers=self._headers,
                timeout=urllib3.Timeout(total=self._timeout_s),
                redirect=False,
                preload_content=False,
            )
            try:
                content = self._content(reply)
            finally:
                reply.release_conn()
        except urllib3.exceptions.LocationParseError as error:
            raise BackendError(f"{self.url} is not an address", hint=self._hint()) from error
        except (urllib3.exceptions.HTTPError, OSError) as error:
            message = f"{self.url} cannot be reached: {type(error).__name__}: {error}"
            raise _PassingError(message, hint=self._hint()) from error
        self._check_status(reply, content)
        return self._parsed(content)

    def _content(self, reply: urllib3.BaseHTTPResponse) -> bytes:
        """Read the reply; slow drops and endless bodies end here, not in memory."""
        deadline = self._clock.now() + self._timeout_s
        parts = []
        size = 0
        while part := reply.read1(READ_BYTES):
            parts.append(part)
            size += len(part)
            if size > MOST_BYTES or self._clock.now() > deadline:
                reply.close()
                message = f"{self.url} did not finish its reply ({size} bytes)"
                raise _PassingError(message, hint=self._hint())
        return b"".join(parts)

    def _check_status(self, reply: urllib3.BaseHTTPResponse, content: bytes) -> None:
        status = reply.status
        if status == HTTPStatus.OK:
            return
        said = content[:300].decode("utf-8", "replace")
        if self._key:
            said = said.replace(self._key, "…")  # some servers repeat the key they refuse
        message = f"{self.url} answered {status}: {said}"
        if status in _PASSING:
            wait_s = _seconds(reply.headers.get("Retry-After"))
            raise _PassingError(message, hint=self._hint(), wait_s=wait_s)
        if status in _REDIRECTS:
            place = reply.headers.get("Location")
            message = f"{self.url} redirects to {place}, which is not followed"
            raise BackendError(message, hint="set the base URL to the address it redirects to")
        if status in {400, 422} and _TOO_LONG.search(said) and not _WHOLE_REQUEST.search(said):
            raise InputTooLongError(message, hint=self._hint())
        if status in {400, 413, 422}:
            raise RequestRefusedError(message, hint=self._hint())
        raise BackendError(message, hint=self._hint())

    def _parsed(self, content: bytes) -> object:
        try:
            parsed: object = json.loads(content)
        except (ValueError, RecursionError) as error:
            said = content[:80].decode("utf-8", "replace")
            message = f"{self.url} answered with something other than JSON: {said}"
            raise _PassingError(message, hint=self._hint()) from error
        return parsed

    def _hint(self) -> str:
        return "check that the server runs and that base URL, key and model name are right"


def _seconds(header: str | None) -> float | None:
    """Return Retry-After in seconds; None for a date or an invalid value."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


# ---------------------------------------------------------------- replies

HINT = "the server does not keep to the protocol of /v1/embeddings; try another one"


class UnpairedReplyError(BackendError):
    """The vectors of a reply cannot be assigned to their texts."""


@dataclass(frozen=True, slots=True)
class EmbeddingsReply:
    """Unit vectors by position of their text, and what is wrong with the others."""

    vectors: dict[int, Vectors]
    faults: dict[int, str]


def parse_reply(reply: object, *, texts: int) -> EmbeddingsReply:
    """Return the vectors of a reply to `texts` texts.

    Raises:
        UnpairedReplyError: the entries are not exactly one for each text.
    """
    entries = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(entries, list):
        raise UnpairedReplyError("the reply holds no list of embeddings", hint=HINT)
    by_index = {
        entry["index"]: entry.get("embedding")
        for entry in entries
        if isinstance(entry, dict) and type(entry.get("index")) is int
    }
    if len(entries) != texts or by_index.keys() != set(range(texts)):
        found = [entry.get("index") if isinstance(entry, dict) else entry for entry in entries]
        message = f"{texts} texts were sent; the reply's indexes are {str(found)[:200]}"
        raise UnpairedReplyError(message, hint=HINT)
    vectors: dict[int, Vectors] = {}
    faults: dict[int, str] = {}
    for index, numbers in by_index.items():
        try:
            vectors[index] = _unit(_numbers(numbers))
        except ValueError as error:
            faults[index] = str(error)
    return EmbeddingsReply(vectors, faults)


def _numbers(values: object) -> NDArray[np.float64]:
    if not isinstance(values, list) or not values:
        raise ValueError("the server sent no list of numbers for it")
    if not all(type(value) in {int, float} for value in values):
        raise ValueError("the server sent something other than numbers for it")
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError as error:
        raise ValueError("the server sent a number without bound for it") from error


def _unit(numbers: NDArray[np.float64]) -> Vectors:
    with np.errstate(over="ignore"):
        single = numbers.astype(np.float32)
    if not np.isfinite(single).all():
        raise ValueError("the server sent numbers that are not finite for it")
    length = float(np.linalg.norm(numbers))
    if length == 0:
        raise ValueError("the server sent a vector of length zero for it")
    return np.asarray(numbers / length, dtype=np.float32)
