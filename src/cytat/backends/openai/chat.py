"""Prompt -> draft, through any OpenAI-compatible server's `/chat/completions`, streamed.

The server is the one that settings name and no other: redirects are not followed. What a model
"reasons" in a field of its own is not part of the draft. A stream that ends without its finish
mark raises `IncompleteDraftError` after its last piece; a failure before the first piece is a
`BackendError` that says what to do.
"""

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import urllib3

from cytat.errors import BackendError, IncompleteDraftError, UsageError
from cytat.protocols import Generator, ModelOptions, Prompt

CONNECT_SECONDS = 10.0
"""A server that takes longer to accept a connection is not there."""
TOTAL_TIMES_SILENCE = 5.0
"""A whole draft may take so many times the longest silence that settings allow."""
SEED = 7
"""Any number, the same for every question: servers that support it give the same draft again."""
LONGEST_ERROR_BYTES = 65_536
READ_BYTES = 8_192
REDIRECTS = range(300, 400)
DONE = "[DONE]"
"""The data that ends a chat stream."""

LONGEST_LINE_BYTES = 1_048_576
"""An event of a chat model holds a few words; a longer line is not one."""

_LINE_END = re.compile(rb"\r\n|\n|\r(?!$)")

_LETTERS = re.compile(r"[a-zA-Z]+|[^\W\d_a-zA-Z]|\d|[^\w\s]|\s+|_")
LETTERS_OF_LONG_TOKENS = 32
"""No draft has so many letters per token: a server that sends more ignores its limit."""
LETTERS_A_TOKEN = 3
"""Current tokenizers need about one token for four letters of English and for three of Polish."""


class OpenAiChat:
    """A chat model behind one address."""

    def __init__(self, *, model: str, base_url: str, api_key: str | None, timeout_s: float) -> None:
        self.name = model
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._key = api_key
        self._silence_s = timeout_s
        self._pool = urllib3.PoolManager(retries=False)

    def generate(self, prompt: Prompt, *, max_tokens: int) -> Iterator[str]:
        """Yield the draft in pieces, as the server sends them."""
        with self._reply(prompt, max_tokens) as reply:
            self._check_status(reply)
            kind = reply.headers.get("content-type", "").split(";")[0].strip().lower()
            if kind == "application/json":
                pieces = _whole_reply(reply)
            elif kind in {"text/event-stream", ""}:
                pieces = self._streamed(reply)
            else:
                raise _strange(f"{self._url} replied with {kind}, not with a chat completion")
            yield from _limited(
                _whole_characters(pieces), letters=max_tokens * LETTERS_OF_LONG_TOKENS
            )

    def _check_status(self, reply: urllib3.BaseHTTPResponse) -> None:
        if reply.status == 200:  # noqa: PLR2004
            return
        if reply.status in REDIRECTS:
            raise BackendError(
                f"{self._url} redirects to {reply.headers.get('location', 'another address')}; "
                "a key and a document are not sent on",
                hint="name the address itself as the base URL, if you trust it",
            )
        body = reply.read(LONGEST_ERROR_BYTES, decode_content=True).decode("utf-8", "replace")
        if self._key:
            body = body.replace(self._key, "…")  # some servers repeat the key they refuse
        raise BackendError(
            f"{self._url} replied {reply.status}: {_message_of(body)}", hint=_remedy(reply.status)
        )

    def count_tokens(self, text: str) -> int:
        """Return an estimate of the tokens of `text` that errs towards more."""
        return sum(_tokens_of(match[0]) for match in _LETTERS.finditer(text))

    @contextmanager
    def _reply(self, prompt: Prompt, max_tokens: int) -> Iterator[urllib3.BaseHTTPResponse]:
        timeout = urllib3.Timeout(
            connect=min(CONNECT_SECONDS, self._silence_s), read=self._silence_s
        )
        try:
            reply = self._pool.request(
                "POST", self._url, body=_body(self.name, prompt, max_tokens).encode("utf-8"),
                headers=_headers(self._key), timeout=timeout, preload_content=False,
                redirect=False, retries=False,
            )  # fmt: skip
        except urllib3.exceptions.HTTPError as error:
            raise BackendError(
                f"the model server at {self._url} cannot be reached: {_reason(error)}",
                hint="check that it runs and that the base URL is right, with /v1 at its end",
            ) from error
        try:
            yield reply
        finally:
            reply.close()

    def _streamed(self, reply: urllib3.BaseHTTPResponse) -> Iterator[str]:
        """Yield the pieces of a stream; what breaks it after a piece leaves an incomplete draft."""
        has_begun = False
        try:
            for piece in self._pieces(reply):
                has_begun = True
                yield piece
        except IncompleteDraftError as error:
            if has_begun:
                raise
            raise BackendError(
                f"{error.message}, and said nothing",
                hint="see the server's own log, then ask again",
            ) from error
        except (urllib3.exceptions.HTTPError, BackendError) as error:
            reason = error.message if isinstance(error, BackendError) else _reason(error)
            if has_begun:
                raise IncompleteDraftError(
                    f"the model's stream broke off: {reason}", hint="ask again"
                ) from error
            if isinstance(error, BackendError):
                raise
            raise BackendError(
                f"the model server stopped answering: {reason}",
                hint="ask again, or allow more time with the setting timeout_s",
            ) from error

    def _pieces(self, reply: urllib3.BaseHTTPResponse) -> Iterator[str]:
        deadline = time.monotonic() + self._silence_s * TOTAL_TIMES_SILENCE
        events, finish = ServerEvents(), None
        while received := reply.read1(READ_BYTES):
            for data in events.feed(received):
                if data == DONE:
                    _check_finish(finish or "stop")
                    return
                piece, reason = _parse_event(data)
                finish = reason or finish
                if piece:
                    yield piece
            if time.monotonic() > deadline:
                raise BackendError("it took too long", hint="raise the setting timeout_s")
        _check_finish(finish)


def open_generator(options: ModelOptions) -> Generator:
    """Return the chat model that settings name."""
    if not options.model or not options.base_url:
        raise UsageError(
            "a chat model needs a name and the address of its server",
            hint="give --model NAME and --base-url URL, such as http://127.0.0.1:11434/v1",
        )
    return OpenAiChat(
        model=options.model, base_url=options.base_url, api_key=options.api_key,
        timeout_s=options.timeout_s,
    )  # fmt: skip


# ---------------------------------------------------------------- what is sent


def _body(model: str, prompt: Prompt, max_tokens: int) -> str:
    return json.dumps(
        {
            "model": model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "stream": True,
            "temperature": 0,
            "seed": SEED,
            "max_tokens": max_tokens,
        }
    )


def _headers(key: str | None) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
    return headers | ({"Authorization": f"Bearer {key}"} if key else {})


def _tokens_of(run: str) -> int:
    if run.isspace():
        return run.count("\n")
    return -(-len(run) // LETTERS_A_TOKEN) if run.isascii() else len(run)


# ---------------------------------------------------------------- what comes back


def _whole_characters(pieces: Iterator[str]) -> Iterator[str]:
    """Yield the pieces; characters whose two JSON escapes came in two events are joined.

    Half of a character without the other half becomes U+FFFD.
    """
    held = ""
    for piece in pieces:
        seen = held + piece
        held = seen[-1] if "\ud800" <= seen[-1] <= "\udbff" else ""
        if whole := seen.removesuffix(held):
            yield whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if held:
        yield "\ufffd"


def _limited(pieces: Iterator[str], *, letters: int) -> Iterator[str]:
    """Yield the pieces up to so many letters; what goes on beyond them is an incomplete draft."""
    for piece in pieces:
        yield piece[:letters]
        letters -= len(piece)
        if letters < 0:
            raise IncompleteDraftError(
                "the model wrote more than it was asked for", hint="ask again, or another model"
            )


def _parse_event(data: str) -> tuple[str, str | None]:
    """Return the piece of text of one event and the finish reason, if it has one."""
    try:
        event = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _strange(f"the model server sent an event that is not JSON: {data[:80]!r}") from error
    if not isinstance(event, dict):
        raise _strange(f"the model server sent {data[:80]!r}")
    if event.get("error"):
        raise BackendError(
            f"the model server failed: {_error_message(event['error'])}",
            hint="see the server's own log; a smaller --evidence makes the prompt shorter",
        )
    choices = event.get("choices")
    if not choices:
        return "", None  # usage figures
    try:
        choice = choices[0]
        said = choice.get("delta") or choice.get("message") or {}
        content, finish = said.get("content"), choice.get("finish_reason")
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise _strange(f"the model server sent {data[:80]!r}") from error
    if content is not None and not isinstance(content, str):
        raise _strange("the model server sent content that is not text")
    return content or "", finish if isinstance(finish, str) else None


def _check_finish(reason: str | None) -> None:
    """Raise when a stream that has ended was not finished by its model."""
    if reason is None:
        raise IncompleteDraftError(
            "the model's stream ended without its finish mark", hint="ask again"
        )
    if reason in {"length", "content_filter"}:
        raise IncompleteDraftError(
            f"the model stopped before its end ({reason})", hint="ask a narrower question"
        )


def _whole_reply(reply: urllib3.BaseHTTPResponse) -> Iterator[str]:
    """Yield the draft of a server that does not stream."""
    body = reply.read(LONGEST_LINE_BYTES, decode_content=True)
    piece, finish = _parse_event(body.decode("utf-8", "replace"))
    if not piece:
        raise _strange("the model server sent no draft")
    yield piece
    _check_finish(finish or "stop")


def _remedy(status: int) -> str:
    known: Mapping[int, str] = {
        400: "the server did not take the prompt: a smaller --evidence makes it shorter",
        401: "the key is missing or wrong: set OPENAI_API_KEY",
        403: "the key may not use this model: set another OPENAI_API_KEY or --model",
        404: "no such model or address: check --model, and that --base-url ends in /v1",
        413: "the prompt is too long for the server: use a smaller --evidence",
        429: "too many requests, or no credit left: wait and ask again",
    }
    server = "the model server has a fault of its own: see its log, then ask again"
    return known.get(status, server if status >= 500 else "check --model and --base-url")  # noqa: PLR2004


def _message_of(body: str) -> str:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        plain = re.sub(r"<[^>]*>", " ", body)
        return " ".join(plain.split())[:200] or "nothing more"
    return _error_message(said.get("error", said) if isinstance(said, dict) else said)


def _error_message(error: object) -> str:
    message = error.get("message", error) if isinstance(error, dict) else error
    return " ".join(str(message).split())[:200]


def _strange(message: str) -> BackendError:
    return BackendError(
        message, hint="check that --base-url is an OpenAI-compatible server, with /v1 at its end"
    )


def _reason(error: Exception) -> str:
    """Return an error of the transport in a few words, without addresses of objects."""
    return re.sub(r"<[^>]*>:?\s*", "", str(error))[:200] or type(error).__name__


# ---------------------------------------------------------------- event streams


class ServerEvents:
    """Bytes of an event stream -> the data of its events; the same for every split of the bytes.

    A line ends with CR, LF or both; an event ends with a blank line; comments and other fields are
    passed over. A character that is split between two reads is whole again in its line.

    Source:
        WHATWG HTML, section 9.2 "Server-sent events".
    """

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
