"""Odd replies of chat servers: each draft once and whole, and what is missing has its reason."""

import json

import pytest
from tests.backends.test_openai_chat import GOOD, Script, draft, event

from cytat.backends.openai.event_streams import LONGEST_EVENT_BYTES, ServerEvents
from cytat.errors import BackendError, IncompleteDraftError, NoDraftError

SAID = "Kaucja wynosi 4300 zł [1]."
PIECES = ("Kaucja ", "wynosi ", "4300 zł ", "[1].")
WORDS = tuple(event(piece) for piece in PIECES)
STOP = event(None, "stop")
DONE = b"data: [DONE]\n\n"


def data(value: object) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def choice(**members: object) -> bytes:
    return data({"choices": [{"index": 0, **members}]})


def delta(**members: object) -> bytes:
    return choice(delta=members)


def whole(content: object, finish: str = "stop", **members: object) -> Script:
    message = {"role": "assistant", "content": content, **members}
    reply = {"choices": [{"message": message, "finish_reason": finish}]}
    return Script(content_type="application/json", body=(json.dumps(reply).encode(),))


# ------------------------------------------------------------ content in parts


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": SAID}],
        [{"text": SAID[:9]}, {"type": "output_text", "text": SAID[9:]}],
        [SAID[:9], SAID[9:]],
        {"type": "text", "text": SAID},
        [{"type": "text", "text": {"value": SAID, "annotations": []}}],
        [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, SAID],
        [{"type": "reasoning", "text": "hm"}, {"type": "image_url"}, SAID],
    ],
)
def test_the_text_parts_of_content_are_joined_and_the_others_left_out(content: object) -> None:
    assert draft(Script(body=(delta(content=content), STOP))) == SAID
    assert draft(whole(content)) == SAID


# ------------------------------------------------------------ signs of life


@pytest.mark.parametrize(
    "sign",
    [
        b"data: : keepalive\n\n",
        b": keepalive\n\n",
        b"data: ping\n\n",
        b"data:\n\n",
        b"data: null\n\n",
        b'data: ""\n\n',
        b'event: ping\ndata: {"type": "ping"}\n\n',
        b"data: {}\n\n",
        b'data: {"choices": []}\n\n',
        b"retry: 3000\n\n",
    ],
)
def test_a_sign_of_life_says_nothing_wherever_it_comes(sign: bytes) -> None:
    assert draft(Script(body=(sign, *WORDS[:2], sign, *WORDS[2:], sign, STOP, DONE))) == SAID


def test_an_event_of_several_data_lines_is_one_value() -> None:
    lines = json.dumps(json.loads(WORDS[0][6:]), indent=1, ensure_ascii=False).split("\n")
    first = "".join(f"data: {line}\n" for line in lines).encode() + b"\n"
    assert draft(Script(body=(first, *WORDS[1:], STOP))) == SAID


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_stream_without_blank_lines_is_read_event_by_event(end: bytes) -> None:
    body = b"".join((*WORDS, STOP, DONE)).replace(b"\n\n", end)
    assert draft(Script(body=(body,))) == SAID
    assert draft(Script(body=tuple(body[at : at + 1] for at in range(len(body))))) == SAID


def test_a_last_event_without_its_blank_line_counts() -> None:
    assert draft(Script(body=(*WORDS, STOP.rstrip()))) == SAID
    assert draft(Script(body=(*WORDS, DONE.rstrip()))) == SAID


def test_a_byte_order_mark_loses_nothing() -> None:
    mark = b"\xef\xbb\xbf"
    assert draft(Script(body=(mark, *WORDS, STOP))) == SAID
    assert draft(Script(body=(mark[:1], mark[1:] + WORDS[0], *WORDS[1:], STOP))) == SAID
    reply = whole(SAID)
    reply.body = (mark, *reply.body)
    assert draft(reply) == SAID


def test_a_stream_is_known_by_what_it_holds_and_not_by_its_name() -> None:
    assert draft(Script(content_type="application/json", body=(*WORDS, STOP))) == SAID
    assert draft(Script(content_type="text/plain", body=(*WORDS, STOP))) == SAID
    reply = whole(SAID)
    reply.content_type = "text/event-stream"
    assert draft(reply) == SAID


def test_an_event_without_end_is_given_up() -> None:
    events = ServerEvents()
    line = b"data: " + b"x" * 1000 + b"\n"
    with pytest.raises(BackendError, match="an event without end"):
        list(events.feed(line * (LONGEST_EVENT_BYTES // 1000 + 1)))


# ------------------------------------------------------------ text that is repeated


@pytest.mark.parametrize(
    "last",
    [
        choice(delta={}, finish_reason="stop", message={"content": SAID}),
        choice(delta={"content": ""}, finish_reason="stop", message={"content": SAID}),
        choice(delta={"content": None}, message={"content": [{"type": "text", "text": SAID}]}),
        choice(message={"content": SAID}, finish_reason="stop"),
        choice(delta={"content": SAID}, finish_reason="stop"),
        choice(delta={"content": f" {SAID}\n"}, finish_reason="stop"),
        choice(message={"content": "Kaucja wynosi"}, finish_reason="stop"),
    ],
)
def test_a_last_event_that_repeats_the_message_adds_nothing(last: bytes) -> None:
    assert draft(Script(body=(*WORDS, last, STOP))) == SAID


def test_a_message_that_comes_in_the_last_event_alone_is_the_draft() -> None:
    last = choice(delta={}, finish_reason="stop", message={"content": SAID})
    assert draft(Script(body=(delta(role="assistant", content=""), last))) == SAID


def test_a_last_event_with_more_than_was_said_gives_the_rest() -> None:
    last = choice(delta={}, finish_reason="stop", message={"content": SAID})
    assert draft(Script(body=(*WORDS[:3], last))) == SAID


def test_a_server_that_sends_all_so_far_in_every_event_is_understood() -> None:
    so_far = ["".join(PIECES[:end]) for end in range(1, len(PIECES) + 1)]
    assert draft(Script(body=(*map(event, so_far), STOP))) == SAID
    body = (*(choice(message={"content": text}) for text in so_far), STOP)
    assert draft(Script(body=body)) == SAID


def test_pieces_in_messages_in_place_of_deltas_are_joined() -> None:
    body = (*(choice(message={"content": piece}) for piece in PIECES), STOP)
    assert draft(Script(body=body)) == SAID


def test_pieces_that_are_equal_are_all_said() -> None:
    pieces = ["ha ", "ha ", "ha ", "2150 zł, ", "2150 zł."]
    body = (*(event(piece) for piece in pieces), STOP)
    assert draft(Script(body=body)) == "".join(pieces)


# ------------------------------------------------------------ nothing said


NAMED = {"index": 0, "function": {"name": "search", "arguments": "{}"}}
CALL = delta(content=None, tool_calls=[NAMED])
THOUGHT = delta(content=None, reasoning_content="Kaucja wynosi 4300 zł [1].")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ((CALL, event(None, "tool_calls")), r"a tool \(search\)"),
        ((delta(function_call={"name": "find"}), event(None, "function_call")), r"tool \(find\)"),
        ((THOUGHT, STOP), "reasoned and wrote no answer"),
        ((delta(reasoning="hm"), event(None, "length")), "reasoned and wrote no answer"),
        ((event(None, "content_filter"),), "filter withheld"),
        ((delta(refusal="I cannot help."), STOP), "refused to answer: I cannot help"),
        ((event("<think>Kaucja wynosi 4300 zł [1].</think>\n"), STOP), "reasoned and wrote no"),
        ((event("<think>Kaucja wynosi"), event(None, "length")), "reasoned and wrote no"),
        ((event("Kaucja?"), event("</think>"), STOP), "reasoned and wrote no"),
        ((event(""), STOP), "wrote no answer"),
        ((event(" \n"), STOP), "wrote no answer"),
        ((DONE,), "wrote no answer"),
    ],
)
def test_a_model_that_says_nothing_is_an_error_with_its_reason(
    body: tuple[bytes, ...], reason: str
) -> None:
    with pytest.raises(NoDraftError, match=reason):
        draft(Script(body=body))


def test_a_reply_in_one_piece_that_says_nothing_is_an_error_too() -> None:
    with pytest.raises(BackendError, match=r"a tool \(search\)"):
        draft(whole(None, "tool_calls", tool_calls=[NAMED]))
    with pytest.raises(BackendError, match="reasoned"):
        draft(whole("", reasoning_content="hm"))


# ------------------------------------------------------------ early ends


@pytest.mark.parametrize(
    "finish", ["length", "max_tokens", "error", "content_filter", "tool_calls", "abort", "SAFETY"]
)
def test_a_draft_that_ends_early_is_incomplete_whatever_the_end_is_called(finish: str) -> None:
    with pytest.raises(IncompleteDraftError, match=finish):
        draft(Script(body=(*WORDS, event(None, finish))))
    with pytest.raises(IncompleteDraftError, match=finish):
        draft(whole(SAID, finish))


@pytest.mark.parametrize("finish", ["stop", "STOP", "eos", "end_turn", "stop_sequence", "COMPLETE"])
def test_a_draft_that_came_to_its_end_is_whole(finish: str) -> None:
    assert draft(Script(body=(*WORDS, event(None, finish)))) == SAID


@pytest.mark.parametrize("finish", ["", "null", "None"])
def test_a_reason_that_is_none_is_no_early_end(finish: str) -> None:
    body = (*(event(piece, finish) for piece in PIECES), STOP)
    assert draft(Script(body=body)) == SAID


@pytest.mark.parametrize(
    "error",
    [
        {"error": "gone"},
        {"object": "error", "message": "gone", "code": 500},
        {"type": "error", "message": "gone"},
        {"detail": "gone"},
        {"error": {"message": [{"msg": "gone"}]}},
    ],
)
def test_an_error_of_any_shape_ends_a_stream_with_its_own_words(error: object) -> None:
    with pytest.raises(BackendError, match="failed: gone"):
        draft(Script(body=(data(error), *GOOD)))
    with pytest.raises(IncompleteDraftError, match="gone"):
        draft(Script(body=(event("Kaucja "), data(error))))
