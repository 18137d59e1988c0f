"""Prompt -> draft, through any OpenAI-compatible server's `/chat/completions`, streamed.

The server is the one that settings name and no other. A model that refuses a parameter is asked
again without it, and so from then on in this process; a busy server is asked again after a while. A
stream that ends without its finish mark raises `IncompleteDraftError` after its last piece; a
failure before the first piece is a `BackendError` that says what to do.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain

from cytat.backends.openai import parameters
from cytat.backends.openai.addresses import ServerAddress
from cytat.backends.openai.chat_replies import (
    DraftReply,
    ServerFailedError,
    parse_error,
    parse_event,
    report_of,
    strange,
)
from cytat.backends.openai.event_streams import BYTE_ORDER_MARK, DONE, ServerEvents
from cytat.backends.openai.exchange import Endpoint, ExchangeLimits, ServerReply, TransportError
from cytat.backends.openai.waiting import LONGEST_WAIT_S, Clock, asked_wait_s, wait_s
from cytat.errors import BackendError, CytatError, IncompleteDraftError, NoDraftError, UsageError
from cytat.protocols import Generator, ModelOptions, Prompt

TOTAL_TIMES_SILENCE = 5.0
"""A whole draft may take so many times the longest silence that settings allow."""
MOST_BYTES = 32 * 1024 * 1024
"""A hundred thousand events: what a model reasons is sent too, a token in about 300 bytes."""
LONGEST_MESSAGE = 500
"""Characters of an error, with what the server says itself."""
LONGEST_BLANK = 1_024
"""Bytes of white space before a reply; what begins with more is taken for a stream."""
ATTEMPTS = 3
"""Of a question, while the server is busy."""

_BUSY = frozenset({429, 503})
_NO_CREDIT = re.compile(r"quota|credit|billing|balance", re.IGNORECASE)
_NOT_A_SERVER = frozenset({"text/html", "application/xhtml+xml"})

_LETTERS = re.compile(r"[a-zA-Z]+|[^\W\d_a-zA-Z]|\d|[^\w\s]|\s+|_")
LETTERS_OF_LONG_TOKENS = 32
"""No draft has so many letters per token: a server that sends more ignores its limit."""
LETTERS_A_TOKEN = 3
"""Current tokenizers need about one token for four letters of English and for three of Polish."""

_USED: dict[tuple[str, str], frozenset[str]] = {}
"""Server and model -> the parameters that it takes, as far as this process has learned."""


class _RefusedError(Exception):
    """The request was refused for its parameters; `used` are those of the next one."""

    def __init__(self, used: frozenset[str]) -> None:
        self.used = used


class _BusyError(Exception):
    """The server is busy; `asked_s`: how long it asks to wait, if it does."""

    def __init__(self, asked_s: float | None) -> None:
        self.asked_s = asked_s


class OpenAiChat:
    """A chat model behind one address."""

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        api_key: str | None,
        timeout_s: float,
        clock: Clock | None = None,
    ) -> None:
        self.name = model
        self._address = ServerAddress(base_url, "/chat/completions", api_key=api_key)
        limits = ExchangeLimits(timeout_s, timeout_s * TOTAL_TIMES_SILENCE, MOST_BYTES)
        self._endpoint = Endpoint(self._address, limits)
        self._clock = clock or Clock()

    def generate(self, prompt: Prompt, *, max_tokens: int) -> Iterator[str]:
        """Yield the draft in pieces, as the server sends them."""
        drafted = self._address.hidden_in_draft(self._drafted(prompt, max_tokens))
        try:
            yield from _limited(
                _whole_characters(drafted), letters=max_tokens * LETTERS_OF_LONG_TOKENS
            )
        except (BackendError, IncompleteDraftError) as error:
            raise self._told(error) from None  # the causes may hold the key

    def count_tokens(self, text: str) -> int:
        """Return an estimate of the tokens of `text` that errs towards more."""
        return sum(_tokens_of(match[0]) for match in _LETTERS.finditer(text))

    def _told(self, error: CytatError) -> CytatError:
        """Return the error without the key and the password that a server may have repeated."""
        kinds = (IncompleteDraftError, NoDraftError)
        kind = next((kind for kind in kinds if isinstance(error, kind)), BackendError)
        return kind(self._address.hidden(error.message)[:LONGEST_MESSAGE], hint=error.hint)

    def _drafted(self, prompt: Prompt, max_tokens: int) -> Iterator[str]:
        """Ask until the server takes the parameters and is not busy."""
        server = (self._address.url, self.name)
        attempt = 1
        while True:
            used = _USED.get(server, parameters.ALL)
            body = parameters.body(self.name, prompt, max_tokens, used=used)
            try:
                yield from self._asked(body, used, is_last=attempt == ATTEMPTS)
            except _RefusedError as refused:
                _USED[server] = refused.used
            except _BusyError as busy:
                self._clock.sleep(wait_s(attempt, busy.asked_s, self._clock))
                attempt += 1
            else:
                return

    def _asked(self, body: bytes, used: frozenset[str], *, is_last: bool) -> Iterator[str]:
        with self._endpoint.post(body, accept="text/event-stream, application/json") as reply:
            if reply.status != 200:  # noqa: PLR2004
                self._raise_status(reply, used, is_last=is_last)
            draft = DraftReply()
            try:
                yield from self._pieces(reply, draft)
            except BackendError as error:
                if draft.has_text and not isinstance(error, NoDraftError):
                    reason = error.reason if isinstance(error, TransportError) else error.message
                    raise IncompleteDraftError(
                        f"the model's stream broke off: {reason}", hint="ask again"
                    ) from error
                if isinstance(error, ServerFailedError):
                    self._check_refusal(error.error, used)
                raise

    def _check_refusal(self, error: object, used: frozenset[str]) -> None:
        """Have the question asked in another way if an error is about one of its parameters."""
        after = parameters.after_refusal(used, error)
        if after is not None:
            raise _RefusedError(after)

    def _raise_status(self, reply: ServerReply, used: frozenset[str], *, is_last: bool) -> None:
        error = parse_error(self._address.hidden(reply.error_text()))
        if reply.status in parameters.REFUSALS:
            self._check_refusal(error, used)
        asked_s = asked_wait_s(reply.headers, self._clock)
        may_wait = (asked_s or 0) <= LONGEST_WAIT_S and not _NO_CREDIT.search(str(error))
        if reply.status in _BUSY and may_wait and not is_last:
            raise _BusyError(asked_s)
        raise BackendError(
            f"{self._address.url} replied {reply.status}: {report_of(error)}",
            hint=_remedy(reply.status),
        )

    def _pieces(self, reply: ServerReply, draft: DraftReply) -> Iterator[str]:
        kind = reply.headers.get("content-type", "").split(";")[0].strip().lower()
        if kind in _NOT_A_SERVER:
            raise strange(f"{self._address.url} replied with {kind}, not with a chat completion")
        parts = reply.parts()
        opening = _opening(parts)
        received = chain((opening,), parts)
        if _without_mark(opening).startswith(b"{"):
            yield from _whole(received, draft)
        else:
            yield from _streamed(received, draft)


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


def _opening(parts: Iterator[bytes]) -> bytes:
    """Return what a reply begins with, to its first character that is not blank."""
    held = b""
    for part in parts:
        held += part
        if len(held) > LONGEST_BLANK or _without_mark(held):
            break
    return held


def _without_mark(opening: bytes) -> bytes:
    """Return a reply's beginning without a byte-order mark, or a part of one, and blanks."""
    return opening.lstrip(BYTE_ORDER_MARK + b" \t\r\n")


def _whole(received: Iterator[bytes], draft: DraftReply) -> Iterator[str]:
    """Yield the draft of a server that does not stream."""
    text = b"".join(received).decode("utf-8-sig", "replace")
    if piece := draft.take(parse_event(text)):
        yield piece
    draft.check_end(is_told=True)


def _streamed(received: Iterator[bytes], draft: DraftReply) -> Iterator[str]:
    """Yield the pieces of a stream as they arrive."""
    events = ServerEvents()
    for part in received:
        for data in events.feed(part):
            if data.strip() == DONE:
                draft.check_end(is_told=True)
                return
            if piece := draft.take(parse_event(data)):
                yield piece
    yield from _last(events.finish(), draft)


def _last(rest: Iterator[str], draft: DraftReply) -> Iterator[str]:
    """Yield what the last event says if its blank line is all that is missing."""
    is_told = False
    for data in rest:
        is_told = data.strip() == DONE
        with suppress(ValueError):  # torn
            json.loads(data)
            if piece := draft.take(parse_event(data)):
                yield piece
    draft.check_end(is_told=is_told)


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
