"""The chat back-end against a real server on this machine that does what real ones do wrong."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from cytat.backends.openai.chat import OpenAiChat, open_generator
from cytat.backends.openai.event_streams import ServerEvents
from cytat.backends.openai.waiting import Clock
from cytat.errors import BackendError, IncompleteDraftError, UsageError
from cytat.protocols import Generator, ModelOptions
from cytat.testing.generators import PROMPT, GeneratorContract


@dataclass
class Script:
    """What the server replies: status, headers, raw body in the pieces in which it is sent."""

    status: int = 200
    content_type: str = "text/event-stream"
    body: tuple[bytes, ...] = ()
    location: str | None = None
    hang: threading.Event | None = None
    headers: tuple[tuple[str, str], ...] = ()
    seen: list[dict[str, object]] = field(default_factory=list)
    choose: "Callable[[dict[str, object]], Script] | None" = None
    """The request -> the reply to it, instead of this one."""


def _say_nothing(_: object, format: str, *args: object) -> None:  # noqa: A002 (its own name)
    """Keep the test's output clean."""


@contextmanager
def serving(script: Script) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        log_message = _say_nothing

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            script.seen.append(
                {"path": self.path, "key": self.headers.get("Authorization"), **json.loads(sent)}
            )
            reply = script.choose(script.seen[-1]) if script.choose else script
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            for name, value in reply.headers:
                self.send_header(name, value)
            if reply.location:
                self.send_header("Location", reply.location)
            self.end_headers()
            for piece in reply.body:
                self.wfile.write(piece)
                self.wfile.flush()
            if script.hang:
                script.hang.wait(5)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        if script.hang:
            script.hang.set()
        server.shutdown()
        thread.join()
        server.server_close()


def event(content: str | None, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": content}, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]}, ensure_ascii=False)}\n\n".encode()


GOOD = (event("Kaucja 4300 zł "), event("[1]."), event(None, "stop"), b"data: [DONE]\n\n")


AT_ONCE = Clock(sleep=lambda _: None)


def draft(
    script: Script, *, timeout_s: float = 5.0, key: str | None = None, model: str = "m"
) -> str:
    with serving(script) as url:
        chat = OpenAiChat(model="m", base_url=url, api_key=key, timeout_s=timeout_s, clock=AT_ONCE)
        return "".join(chat.generate(PROMPT, max_tokens=50))


class TestChatContract(GeneratorContract):
    @pytest.fixture
    def generator(self) -> Iterator[Generator]:
        with serving(Script(body=GOOD)) as url:
            yield OpenAiChat(model="m", base_url=url, api_key=None, timeout_s=5)


def test_a_stream_becomes_its_text() -> None:
    assert draft(Script(body=GOOD)) == "Kaucja 4300 zł [1]."


def test_the_request_is_repeatable_and_carries_the_key_and_both_texts() -> None:
    script = Script(body=GOOD)
    draft(script, key="secret")
    (seen,) = script.seen
    assert (seen["path"], seen["key"]) == ("/v1/chat/completions", "Bearer secret")
    assert (seen["temperature"], seen["stream"], seen["max_tokens"]) == (0, True, 50)
    assert [m["role"] for m in seen["messages"]] == ["system", "user"]  # type: ignore[attr-defined]


def test_a_character_split_between_two_packets_is_whole() -> None:
    whole = b"".join(GOOD)
    assert draft(Script(body=tuple(whole[at : at + 1] for at in range(len(whole))))) == (
        "Kaucja 4300 zł [1]."
    )


def escaped(content: str) -> bytes:
    """Return an event whose content is written in JSON escapes, as some servers do."""
    return f'data: {{"choices": [{{"delta": {{"content": "{content}"}}}}]}}\n\n'.encode()


def test_a_character_whose_two_escapes_stand_in_two_events_is_whole() -> None:
    body = (escaped(r"ok \ud83d"), escaped(r"\ude00!"), event(None, "stop"))
    assert draft(Script(body=body)) == "ok \U0001f600!"


def test_half_a_character_is_a_replacement_and_breaks_nothing() -> None:
    body = (escaped(r"a\ude00b\ud83d"), event(None, "stop"))
    assert draft(Script(body=body)) == "a\ufffdb\ufffd"


def test_a_draft_that_goes_on_and_on_is_cut_and_incomplete() -> None:
    with pytest.raises(IncompleteDraftError):
        draft(Script(body=(event("słowo " * 50_000), *GOOD)))


def test_an_event_nested_too_deep_is_an_error_and_no_crash() -> None:
    with pytest.raises(BackendError):
        draft(Script(body=(b"data: " + b"[" * 100_000 + b"\n\n", *GOOD)))


def test_comments_other_fields_and_carriage_returns_are_passed_over() -> None:
    body = b": ping\r\n\r\nevent: message\r\nid: 4\r\n" + event("tak").replace(b"\n", b"\r\n")
    assert draft(Script(body=(body, event(None, "stop")))) == "tak"


def test_reasoning_in_its_own_field_is_no_part_of_the_draft() -> None:
    thought = b'data: {"choices":[{"delta":{"reasoning_content":"hm [2]","content":null}}]}\n\n'
    assert draft(Script(body=(thought, *GOOD))) == "Kaucja 4300 zł [1]."


def test_usage_figures_without_choices_are_no_part_of_the_draft() -> None:
    usage = b'data: {"choices":[],"usage":{"total_tokens":9}}\n\n'
    assert draft(Script(body=(*GOOD[:3], usage, GOOD[3]))) == "Kaucja 4300 zł [1]."


def test_a_server_that_does_not_stream_is_understood() -> None:
    reply = {"choices": [{"message": {"content": "Tak [1]."}, "finish_reason": "stop"}]}
    body = (json.dumps(reply).encode(),)
    assert draft(Script(content_type="application/json; charset=utf-8", body=body)) == "Tak [1]."


@pytest.mark.parametrize(
    "rest", [(), (event("zł")[:-9],), (event(None, "length"),), (b'data: {"error":"gone"}\n\n',)]
)
def test_a_stream_without_its_finish_gives_its_pieces_then_says_so(rest: tuple[bytes, ...]) -> None:
    with serving(Script(body=(event("Kaucja "), *rest))) as url:
        chat = OpenAiChat(model="m", base_url=url, api_key=None, timeout_s=5)
        stream = chat.generate(PROMPT, max_tokens=50)
        assert next(stream) == "Kaucja "
        with pytest.raises(IncompleteDraftError):
            list(stream)


def test_a_server_that_falls_silent_leaves_an_incomplete_draft() -> None:
    script = Script(body=(event("Kaucja "),), hang=threading.Event())
    with pytest.raises(IncompleteDraftError):
        draft(script, timeout_s=0.2)


def test_a_server_that_never_answers_is_a_backend_error() -> None:
    with pytest.raises(BackendError, match="stopped answering"):
        draft(Script(hang=threading.Event()), timeout_s=0.2)


def test_a_stream_without_anything_is_a_backend_error() -> None:
    with pytest.raises(BackendError, match="said nothing"):
        draft(Script(body=(b": nothing here\n\n",)))


def test_an_error_object_under_status_200_is_an_error() -> None:
    body = (b'data: {"error":{"message":"context length exceeded"}}\n\n',)
    with pytest.raises(BackendError, match="context length exceeded"):
        draft(Script(body=body))


@pytest.mark.parametrize(
    ("status", "remedy"),
    [(401, "OPENAI_API_KEY"), (404, "--model"), (429, "wait"), (500, "log"), (503, "log")],
)
def test_a_refused_request_says_what_to_do(status: int, remedy: str) -> None:
    body = (json.dumps({"error": {"message": "no"}}).encode(),)
    with pytest.raises(BackendError, match=str(status)) as caught:
        draft(Script(status=status, content_type="application/json", body=body), key="s3cret")
    assert remedy in caught.value.hint
    assert "s3cret" not in caught.value.message + caught.value.hint


def test_a_key_that_the_server_repeats_is_not_told() -> None:
    said = b'{"error": {"message": "Incorrect key sk-abc123"}}'
    with pytest.raises(BackendError) as caught:
        draft(Script(status=401, body=(said,)), key="sk-abc123")
    assert "Incorrect key" in caught.value.message
    assert "sk-abc123" not in caught.value.message


def test_a_web_page_is_no_chat_server() -> None:
    page = Script(content_type="text/html", body=(b"<html>Welcome</html>",))
    with pytest.raises(BackendError) as caught:
        draft(page)
    assert "/v1" in caught.value.hint


def test_a_redirect_is_not_followed_with_a_key() -> None:
    elsewhere = Script(body=GOOD)
    with serving(elsewhere) as other, pytest.raises(BackendError, match="redirects"):
        draft(Script(status=307, location=other + "/chat/completions"), key="secret")
    assert not elsewhere.seen


@pytest.mark.parametrize(
    "body", [b"data: nonsense\n\n", b"data: 7\n\n", b'data: {"choices":[3]}\n\n']
)
def test_events_that_are_no_chat_are_an_error(body: bytes) -> None:
    with pytest.raises(BackendError):
        draft(Script(body=(body,)))


def test_an_endless_line_is_given_up() -> None:
    events = ServerEvents()
    list(events.feed(b"x" * 1_000_000))
    with pytest.raises(BackendError, match="without end"):
        list(events.feed(b"x" * 100_000))


def test_nobody_listening_is_a_backend_error_with_a_remedy() -> None:
    chat = OpenAiChat(model="m", base_url="http://127.0.0.1:9/v1", api_key=None, timeout_s=1)
    with pytest.raises(BackendError) as caught:
        list(chat.generate(PROMPT, max_tokens=5))
    assert "/v1" in caught.value.hint


def test_a_model_without_an_address_is_misuse() -> None:
    options = ModelOptions(
        cache=Path("unused"), model="m", base_url=None, api_key=None, timeout_s=5
    )
    with pytest.raises(UsageError, match="address"):
        open_generator(options)


def test_the_token_estimate_lies_above_one_token_a_word() -> None:
    chat = OpenAiChat(model="m", base_url="http://127.0.0.1:9/v1", api_key=None, timeout_s=1)
    # 4 words of at most 3 letters, two longer ones (4 -> 2, 7 -> 3), one stop.
    assert chat.count_tokens("The cat sat on that blanket.") == 4 + 2 + 3 + 1


# ------------------------------------------------------------ a busy server


def waits(*replies: Script) -> tuple[str, list[float], int]:
    """Return the draft of a server that gives these replies in turn, and how long was waited."""
    left, slept = list(replies), list[float]()
    script = Script(choose=lambda _: left.pop(0))
    clock = Clock(sleep=slept.append, jitter=lambda: 0.5)
    with serving(script) as url:
        chat = OpenAiChat(model="m", base_url=url, api_key=None, timeout_s=5, clock=clock)
        try:
            said = "".join(chat.generate(PROMPT, max_tokens=50))
        except BackendError as error:
            said = error.message
    return said, slept, len(script.seen)


def busy(status: int, *headers: tuple[str, str], said: str = "busy") -> Script:
    return Script(status=status, headers=headers, body=(said.encode(),))


def test_a_busy_server_is_asked_again_after_the_time_it_names() -> None:
    until = ("Retry-After", "Mon, 01 Sep 2025 10:00:00 GMT")
    replies = [busy(429, ("Retry-After", "3")), busy(503, until), Script(body=GOOD)]
    said, slept, asked = waits(*replies)
    assert (said, asked) == ("Kaucja 4300 zł [1].", 3)
    assert slept == [3.0, 1.0]  # the date is long past: the usual second wait


def test_a_server_that_stays_busy_is_asked_three_times() -> None:
    said, slept, asked = waits(*[busy(503)] * 5)
    assert "replied 503: busy" in said
    assert (slept, asked) == ([0.5, 1.0], 3)


@pytest.mark.parametrize(
    "reply",
    [
        busy(429, ("Retry-After", "3600")),
        busy(429, said='{"error": {"code": "insufficient_quota"}}'),
        busy(500),
        busy(401),
    ],
)
def test_what_a_short_wait_does_not_help_is_reported_at_once(reply: Script) -> None:
    said, slept, asked = waits(reply)
    assert f"replied {reply.status}" in said
    assert (slept, asked) == ([], 1)
