"""A key, and a password in a base URL, go to their own server and into no message, log or draft."""

import base64
import json
import logging
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.backends.raw_servers import raw_server, saying
from tests.backends.test_openai_chat import AT_ONCE, GOOD, Script, event, serving

from cytat.backends.openai.addresses import ServerAddress
from cytat.backends.openai.chat import OpenAiChat
from cytat.backends.openai.embeddings import open_embedder
from cytat.backends.openai.embeddings_server import EmbeddingsServer
from cytat.errors import CytatError, IncompleteDraftError, SettingsError
from cytat.protocols import ModelOptions
from cytat.testing.generators import PROMPT

KEY = 'sk-Ala/ma+"kota"&7'
PASSWORD = "taj ne@7/x"
BASE64 = base64.b64encode(KEY.encode()).decode()
SPELLED = [KEY, KEY.upper(), quote(KEY, safe=""), json.dumps(KEY)[1:-1], BASE64]


def failure(script: Script, *, key: str | None = KEY, user: str = "") -> CytatError:
    """Return what a chat model raises, with nothing chained that a traceback would print."""
    with serving(script) as url:
        base = url.replace("http://", f"http://{user}@") if user else url
        chat = OpenAiChat(model="m", base_url=base, api_key=key, timeout_s=5, clock=AT_ONCE)
        with pytest.raises(CytatError) as caught:
            list(chat.generate(PROMPT, max_tokens=50))
    assert caught.value.__cause__ is None
    return caught.value


def assert_hidden(error: CytatError, *secrets: str) -> None:
    said = (error.message + error.hint).casefold()
    assert not [secret for secret in secrets if secret.casefold() in said]


@pytest.mark.parametrize("spelled", SPELLED)
@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_key_that_an_error_repeats_is_not_reported(spelled: str, status: int) -> None:
    for body in (spelled, json.dumps({"error": {"message": f"Wrong key {spelled}!"}})):
        error = failure(Script(status=status, body=(body.encode(),)))
        assert_hidden(error, *SPELLED)


def test_a_key_in_json_escapes_is_not_reported() -> None:
    escaped = "".join(f"\\u{ord(sign):04x}" for sign in KEY)
    body = f'{{"error": "Wrong key {escaped}"}}'.encode()
    error = failure(Script(status=401, body=(body,)))
    assert "Wrong key …" in error.message


@pytest.mark.parametrize("spelled", SPELLED)
def test_a_key_in_the_target_of_a_redirect_is_not_reported(spelled: str) -> None:
    target = quote(spelled, safe="%")
    for place in (f"http://b/{target}", f"http://{target}@b/v1", f"http://b/v1?key={target}"):
        error = failure(Script(status=307, location=place))
        assert "redirects to http://b/" in error.message
        assert_hidden(error, *SPELLED, target)


@pytest.mark.parametrize("spelled", SPELLED)
@pytest.mark.parametrize("begun", [(), (event("Kaucja "),)])
def test_a_key_in_an_error_inside_a_stream_is_not_reported(
    spelled: str, begun: tuple[bytes, ...]
) -> None:
    said = f"data: {json.dumps({'error': {'message': f'no {spelled}'}})}\n\n".encode()
    error = failure(Script(body=(*begun, said)))
    assert isinstance(error, IncompleteDraftError) == bool(begun)
    assert_hidden(error, *SPELLED)
    torn = f"data: {{{spelled}\n\n".encode()
    assert_hidden(failure(Script(body=(*begun, torn))), *SPELLED)


def test_a_key_that_the_model_says_is_taken_out_of_the_draft_wherever_it_is_split() -> None:
    said = f"Klucz to {KEY}, sk-Al."
    for size in (1, 2, 7, len(said)):
        pieces = [said[at : at + size] for at in range(0, len(said), size)]
        body = (*(event(piece) for piece in pieces), event(None, "stop"))
        with serving(Script(body=body)) as url:
            chat = OpenAiChat(model="m", base_url=url, api_key=KEY, timeout_s=5)
            assert "".join(chat.generate(PROMPT, max_tokens=50)) == "Klucz to …, sk-Al."


def test_a_key_that_is_a_plain_word_leaves_the_draft_as_it_is() -> None:
    body = (event("ollama says no [1]."), event(None, "stop"))
    with serving(Script(body=body)) as url:
        chat = OpenAiChat(model="m", base_url=url, api_key="ollama", timeout_s=5)
        assert "".join(chat.generate(PROMPT, max_tokens=50)) == "ollama says no [1]."


def test_a_password_in_the_base_url_is_sent_as_basic_authorization_and_not_reported() -> None:
    user = f"anna:{quote(PASSWORD, safe='')}"
    script = Script(status=401, body=(f"who is anna:{PASSWORD}, {user}?".encode(),))
    error = failure(script, key=None, user=user)
    basic = base64.b64encode(f"anna:{PASSWORD}".encode()).decode()
    assert script.seen[0]["key"] == f"Basic {basic}"
    assert_hidden(error, PASSWORD, user, basic)
    assert_hidden(failure(Script(status=500), user=user), PASSWORD, user, "anna")


def test_a_server_that_cannot_be_reached_is_named_without_password_and_query() -> None:
    base = f"http://anna:{quote(PASSWORD, safe='')}@127.0.0.1:9/v1?api-version=2&key=tajny"
    chat = OpenAiChat(model="m", base_url=base, api_key=None, timeout_s=1)
    with pytest.raises(CytatError) as caught:
        list(chat.generate(PROMPT, max_tokens=5))
    assert "http://127.0.0.1:9/v1/chat/completions" in caught.value.message
    assert_hidden(caught.value, PASSWORD, "tajny", "anna")


def test_a_query_of_the_base_url_is_sent() -> None:
    script = Script(body=GOOD)
    with serving(script) as url:
        chat = OpenAiChat(model="m", base_url=f"{url}/?api-version=2", api_key=None, timeout_s=5)
        list(chat.generate(PROMPT, max_tokens=5))
    assert script.seen[0]["path"] == "/v1/chat/completions?api-version=2"


def test_headers_that_cannot_be_read_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with raw_server(saying(f"HTTP/1.1 200 OK\r\nYour key {KEY}\r\n\r\n".encode())) as url:
        chat = OpenAiChat(model="m", base_url=url, api_key=KEY, timeout_s=5)
        with pytest.raises(CytatError) as caught:
            list(chat.generate(PROMPT, max_tokens=5))
    assert_hidden(caught.value, KEY)
    assert KEY not in caplog.text


@pytest.mark.parametrize("spelled", SPELLED)
@pytest.mark.parametrize(("status", "location"), [(200, None), (401, None), (307, "http://b/")])
def test_an_embeddings_server_may_repeat_a_key_as_well(
    spelled: str, status: int, location: str | None
) -> None:
    body = (json.dumps({"error": f"no {spelled}"}).encode(),)
    place = location and location + quote(spelled, safe="%")
    script = Script(status=status, body=body, location=place)
    with serving(script) as url:
        server = EmbeddingsServer(url, api_key=KEY, timeout_s=5, clock=AT_ONCE)
        with pytest.raises(CytatError) as caught:
            server.ask({"input": ["kot"]})
    assert_hidden(caught.value, *SPELLED)


@pytest.mark.parametrize("key", ["sk-1\nX-Evil: 1", "sk-\u017c\u00f3\u0142w", "sk-\x00"])
def test_a_key_that_no_header_takes_is_an_error_that_does_not_show_it(key: str) -> None:
    with pytest.raises(SettingsError) as caught:
        ServerAddress("http://a/v1", "/x", api_key=key)
    assert key not in caught.value.message


def test_white_space_around_a_key_is_not_part_of_it() -> None:
    assert ServerAddress("http://a/v1", "/x", api_key=" sk-1\n").authorization == "Bearer sk-1"


@pytest.mark.parametrize(
    "base", ["", "127.0.0.1:80", "ftp://u:tajne@a/v1", "http://", "http://[:tajne"]
)
def test_what_is_no_http_address_is_an_error_that_shows_no_password(base: str) -> None:
    with pytest.raises(SettingsError) as caught:
        ServerAddress(base, "/x", api_key=None)
    assert "tajne" not in caught.value.message
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("base", "host", "port", "target"),
    [
        ("http://[::1]:8080/v1/", "::1", 8080, "/v1/x"),
        ("https://a.example", "a.example", 443, "/x"),
        (" http://A.example/v1 ", "a.example", 80, "/v1/x"),
    ],
)
def test_an_address_has_its_parts(base: str, host: str, port: int, target: str) -> None:
    address = ServerAddress(base, "/x", api_key=None)
    assert (address.host, address.port, address.target) == (host, port, target)


def test_opening_an_embedder_with_a_wrong_address_shows_no_password(tmp_path: Path) -> None:
    options = ModelOptions(
        cache=tmp_path, model="m", base_url="http://u:tajne@[/v1", api_key=None, timeout_s=1
    )
    with pytest.raises(SettingsError) as caught:
        open_embedder(options)
    assert_hidden(caught.value, "tajne")
