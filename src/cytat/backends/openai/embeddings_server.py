"""A request to an embeddings server -> its reply as JSON, or a typed error; within limits.

Temporary failures (busy, timeouts, resets, a proxy's page) are retried a few times, with longer
waits each time; after that the server is not called for a while, so that a thousand files do not
cause thousands of calls.
"""

import json
import re
from collections.abc import Mapping
from http import HTTPStatus

from cytat.backends.openai.addresses import ServerAddress
from cytat.backends.openai.exchange import Endpoint, ExchangeLimits, ServerReply, TransportError
from cytat.backends.openai.waiting import Clock, asked_wait_s, wait_s
from cytat.errors import BackendError

ATTEMPTS = 4
REST_S = 30.0
"""How long a server that failed every attempt is not called again."""
MOST_BYTES = 64 * 1024 * 1024
LONGEST_REPORT = 300
"""Characters of a server's own words in a message."""
HINT = "check that the server runs and that base URL, key and model name are right"

_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_REFUSED = frozenset({400, 413, 422})
_TOO_LONG = re.compile(
    r"context.{0,10}length|context size|(?:maximum|max_seq).{0,20}(?:token|length)|token limit|"
    r"too (?:long|large|many tokens)|exceed|longer than|(?:less|fewer) than \d+ tokens",
    re.IGNORECASE,
)
_WHOLE_REQUEST = re.compile(
    r"per request|(?<!physical )batch|payload|request (?:entity|body)", re.IGNORECASE
)
"""llama.cpp's "physical batch size" is the room of one text."""
_OWN_ROOM = re.compile(r"physical batch size", re.IGNORECASE)


class InputTooLongError(BackendError):
    """The server refused the request for the length of one of its texts."""


class RequestRefusedError(BackendError):
    """The server refused the request: for its size as a whole, or for what is in one text."""


class _PassingError(BackendError):
    """Worth another attempt, after `wait_s` seconds if the server asked for some."""

    def __init__(self, message: str, *, wait_s: float | None = None) -> None:
        super().__init__(message, hint=HINT)
        self.wait_s = wait_s


class EmbeddingsServer:
    """One server; keeps its connections, safe to share between threads."""

    def __init__(
        self, base_url: str, *, api_key: str | None, timeout_s: float, clock: Clock | None = None
    ) -> None:
        self._address = ServerAddress(base_url, "/embeddings", api_key=api_key)
        self.url = self._address.url
        self._endpoint = Endpoint(self._address, ExchangeLimits(timeout_s, timeout_s, MOST_BYTES))
        self._clock = clock or Clock()
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
            raise BackendError(message, hint=HINT)
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
                self._clock.sleep(wait_s(attempt, error.wait_s, self._clock))
                attempt += 1

    def _ask_once(self, body: bytes) -> object:
        try:
            with self._endpoint.post(body, accept="application/json") as reply:
                if reply.status != HTTPStatus.OK:
                    said = self._own_words(reply.error_text())
                    raise self._refusal(reply, said)
                return self._parsed(reply, reply.content())
        except TransportError as error:
            if error.is_passing:
                raise _PassingError(error.message) from error
            raise

    def _refusal(self, reply: ServerReply, said: str) -> BackendError:
        """Return what a status other than 200, or an error in place of a reply, means."""
        status = reply.status
        message = f"{self.url} answered {status}: {said}"
        is_of_one_text = _OWN_ROOM.search(said) or not _WHOLE_REQUEST.search(said)
        # llama.cpp and others give the fault of one text the status 500.
        if status in {*_REFUSED, 200, 500} and _TOO_LONG.search(said) and is_of_one_text:
            return InputTooLongError(message, hint=HINT)
        if status in _PASSING:
            return _PassingError(message, wait_s=asked_wait_s(reply.headers, self._clock))
        if status in {*_REFUSED, 200}:
            return RequestRefusedError(message, hint=HINT)
        return BackendError(message, hint=HINT)

    def _parsed(self, reply: ServerReply, content: bytes) -> object:
        try:
            parsed: object = json.loads(content.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            said = self._own_words(content[:LONGEST_REPORT].decode("utf-8", "replace"))
            raise _PassingError(
                f"{self.url} answered with something other than JSON: {said}"
            ) from error
        if isinstance(parsed, dict) and parsed.get("error") and not parsed.get("data"):
            raise self._refusal(reply, self._own_words(json.dumps(parsed["error"])))
        return parsed

    def _own_words(self, text: str) -> str:
        """Return the beginning of what a server says, without key and password."""
        return " ".join(self._address.hidden(text).split())[:LONGEST_REPORT]
