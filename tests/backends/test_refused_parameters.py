"""A model that refuses a parameter is asked again without it, whatever its error looks like."""

import json
from typing import Any

import pytest
from tests.backends.test_openai_chat import AT_ONCE, GOOD, Script, draft, event, serving

from cytat.backends.openai import parameters
from cytat.backends.openai.chat import OpenAiChat
from cytat.errors import BackendError
from cytat.testing.generators import PROMPT

SAID = "Kaucja 4300 zł [1]."


def refusing(name: str, error: object, *, status: int = 400) -> Script:
    """Return a server that takes any request without `name`, and says `error` to the others."""

    def choose(request: dict[str, Any]) -> Script:
        if name not in request:
            return Script(body=GOOD)
        text = error if isinstance(error, str) else json.dumps(error)
        return Script(status=status, content_type="application/json", body=(text.encode(),))

    return Script(choose=choose)


NEWER = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
REFUSALS = [
    ("max_tokens", {"error": {"message": NEWER, "param": "max_tokens"}}, 400),
    ("temperature", {"error": {"message": "'temperature' does not support 0."}}, 400),
    ("temperature", {"error": "Input validation error: `temperature` must be positive"}, 422),
    ("seed", {"message": [{"type": "extra_forbidden", "loc": ["body", "seed"]}]}, 422),
    ("seed", {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, 422),
    ("seed", {"errors": {"body.seed": ["unknown"]}, "field": "body.seed"}, 400),
    ("seed", "create() got an unexpected keyword argument 'seed'", 500),
    ("seed", {"error": {"message": "Unrecognized request argument supplied: seed"}}, 400),
    ("seed", {"detail": "Extra inputs are not permitted"}, 422),
    ("stream", {"error": {"message": "Verify to use it", "param": "stream"}}, 400),
]


@pytest.mark.parametrize(("name", "error", "status"), REFUSALS)
def test_a_refused_parameter_is_left_out_of_the_next_request(
    name: str, error: object, status: int
) -> None:
    assert draft(refusing(name, error, status=status), model=f"no-{name}") == SAID


def test_the_newer_name_of_the_limit_takes_its_place() -> None:
    script = refusing("max_tokens", REFUSALS[0][1])
    draft(script, model="newer")
    first, second = script.seen
    assert first["max_tokens"] == 50
    assert (second.get("max_tokens"), second["max_completion_tokens"]) == (None, 50)
    assert (second["temperature"], second["seed"]) == (0, parameters.SEED)


def test_a_model_that_takes_no_limit_at_all_is_asked_without_one() -> None:
    def choose(request: dict[str, Any]) -> Script:
        named = [name for name in ("max_tokens", "max_completion_tokens") if name in request]
        error = json.dumps({"error": f"{named[0]} is not permitted"}) if named else ""
        return Script(status=400, body=(error.encode(),)) if named else Script(body=GOOD)

    script = Script(choose=choose)
    assert draft(script, model="endless") == SAID
    assert len(script.seen) == 3


def test_a_model_without_a_system_role_gets_both_texts_in_one_message() -> None:
    def choose(request: dict[str, Any]) -> Script:
        if request["messages"][0]["role"] != "system":
            return Script(body=GOOD)
        return Script(status=500, body=(b'{"error": "System role not supported"}',))

    script = Script(choose=choose)
    assert draft(script, model="user-only") == SAID
    both = f"{PROMPT.system}\n\n{PROMPT.user}"
    assert script.seen[-1]["messages"] == [{"role": "user", "content": both}]


def test_an_error_inside_a_stream_counts_as_a_refusal_too() -> None:
    def choose(request: dict[str, Any]) -> Script:
        error = b'data: {"error": {"message": "seed is not supported", "code": 400}}\n\n'
        return Script(body=(error,) if "seed" in request else GOOD)

    assert draft(Script(choose=choose), model="late") == SAID


def test_several_refusals_are_learned_one_after_the_other_and_remembered() -> None:
    def choose(request: dict[str, Any]) -> Script:
        named = [name for name in ("seed", "temperature", "max_tokens") if name in request]
        error = json.dumps({"error": {"param": named[0]}}) if named else ""
        return Script(status=400, body=(error.encode(),)) if named else Script(body=GOOD)

    script = Script(choose=choose)
    with serving(script) as url:
        for _ in range(2):  # another object: a question of its own
            chat = OpenAiChat(model="picky", base_url=url, api_key=None, timeout_s=5, clock=AT_ONCE)
            assert "".join(chat.generate(PROMPT, max_tokens=50)) == SAID
    assert len(script.seen) == 4 + 1


def test_another_model_of_the_server_is_asked_in_full() -> None:
    script = refusing("seed", {"error": {"param": "seed"}})
    with serving(script) as url:
        for model in ("strict", "other"):
            chat = OpenAiChat(model=model, base_url=url, api_key=None, timeout_s=5)
            list(chat.generate(PROMPT, max_tokens=50))
    assert ["seed" in request for request in script.seen] == [True, False, True, False]


def test_a_server_that_refuses_everything_is_asked_a_few_times() -> None:
    error = json.dumps({"error": "stream, system role, temperature, seed, max_tokens: refused"})
    script = Script(status=400, body=(error.encode(),))
    with pytest.raises(BackendError, match="refused"):
        draft(script, model="never")
    assert len(script.seen) == 2


@pytest.mark.parametrize(
    "error",
    ["context length exceeded: 5000 tokens", "no such model", "invalid request"],
)
def test_an_error_about_something_else_is_reported_at_once(error: str) -> None:
    script = Script(status=400, body=(json.dumps({"error": error}).encode(),))
    with pytest.raises(BackendError, match=error):
        draft(script, model="other-trouble")
    assert len(script.seen) == 1


def test_a_stream_that_has_begun_is_not_asked_for_again() -> None:
    script = Script(body=(event("Kaucja "), b'data: {"error": "seed is not supported"}\n\n'))
    with serving(script) as url:
        chat = OpenAiChat(model="begun", base_url=url, api_key=None, timeout_s=5)
        stream = chat.generate(PROMPT, max_tokens=50)
        assert next(stream) == "Kaucja "
        with pytest.raises(Exception, match="broke off"):
            list(stream)
    assert len(script.seen) == 1
