"""Data of events of a chat server -> what the model says in each, and whether it came to its end.

A draft is text alone: what a model reasons, and tools it asks for, are not part of it. A message
that repeats what was said before is not said twice. A model that says nothing is a `NoDraftError`
that tells why; one that stops early leaves an `IncompleteDraftError`.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, TypeAlias

from cytat.errors import BackendError, IncompleteDraftError, NoDraftError

LONGEST_REPORT = 1_000
"""Characters of a server's own words in an error, which is cut again once keys are out of it."""
REPEATED_LETTERS = 16
"""A piece that is all that was said before repeats it, if that is so much: "ha ha ha" is less."""
BEGUN_LETTERS = 5
"""A longer piece that begins with all that was said repeats it: some servers send the whole text so
far in every event."""

_FINISHED = frozenset(
    {"stop", "eos", "eos_token", "end", "end_turn", "stop_sequence", "stop_token"}
    | {"complete", "completed", "done"}
)
"""How servers name the end of a whole reply; "length", "error" or any other is an early end."""
_NOT_YET = frozenset({"", "null", "none"})
_OWN_WORDS = frozenset({"text", "output_text"})
_REASONING = re.compile(r"\s*<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_REASONED = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
HINT_NO_DRAFT = "ask again, turn the model's reasoning and tools off, or name another model"
_TAG = re.compile(r"<[^<>]*>")

Json: TypeAlias = "dict[str, Any]"


class ServerFailedError(BackendError):
    """The server reports a failure of its own; `error` is what it sent."""

    def __init__(self, error: object) -> None:
        self.error = error
        super().__init__(
            f"the model server failed: {report_of(error)}",
            hint="see the server's own log; a smaller --evidence makes the prompt shorter",
        )


@dataclass(frozen=True, slots=True)
class ChatEvent:
    """What one event says. `is_whole`: the text is that of the whole message."""

    text: str
    is_whole: bool
    finish: str | None
    reasons: bool
    tool: str | None
    refusal: str


NOTHING = ChatEvent("", is_whole=False, finish=None, reasons=False, tool=None, refusal="")


def parse_event(data: str) -> ChatEvent:
    """Return what an event says: `NOTHING` for figures of use and signs of life.

    Raises:
        ServerFailedError: the event is an error.
        BackendError: it is torn, or is no event of a chat.
    """
    if not data.lstrip().startswith(("{", "[")):
        return NOTHING  # ": keepalive", "ping", "null"
    try:
        event = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise strange(
            f"the model server sent an event that is not JSON: {data[:LONGEST_REPORT]!r}"
        ) from error
    if not isinstance(event, dict):
        raise strange(f"the model server sent {data[:LONGEST_REPORT]!r}")
    if _is_error(event):
        raise ServerFailedError(event.get("error") or event)
    choices = event.get("choices")
    if not choices:
        return NOTHING
    try:
        return _said(choices[0])
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise strange(f"the model server sent {data[:LONGEST_REPORT]!r}") from error


def _is_error(event: Json) -> bool:
    if event.get("error"):
        return True
    is_named = "error" in (event.get("object"), event.get("type"))
    return "choices" not in event and (is_named or isinstance(event.get("detail"), str | list))


def _said(choice: Json) -> ChatEvent:
    delta, message = choice.get("delta") or {}, choice.get("message") or {}
    text = _text_of(delta.get("content")) or choice.get("text") or ""
    whole = _text_of(message.get("content"))
    source = delta or message
    finish = choice.get("finish_reason")
    return ChatEvent(
        text=text or whole,
        is_whole=bool(whole) and not text,
        finish=finish if isinstance(finish, str) and finish.casefold() not in _NOT_YET else None,
        reasons=bool(source.get("reasoning_content") or source.get("reasoning")),
        tool=_tool_of(source),
        refusal=str(source.get("refusal") or ""),
    )


def _text_of(content: object) -> str:
    """Return the text of a message's content: a string, or parts of which some are text."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list):
        return "".join(map(_text_of_part, content))
    if isinstance(content, dict):
        return _text_of_part(content)
    raise strange("the model server sent content that is not text")


def _text_of_part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("type", "text") not in _OWN_WORDS:
        return ""  # what it reasons, a picture
    text = part.get("text")
    value = text.get("value") if isinstance(text, dict) else text
    return value if isinstance(value, str) else ""


def _tool_of(source: Json) -> str | None:
    """Return the name of the tool that a model asks for, "" if it has none; None without one."""
    calls = source.get("tool_calls") or source.get("function_call")
    if not calls:
        return None
    call = calls[0] if isinstance(calls, list) else calls
    return str(call.get("function", call).get("name") or "")


# ---------------------------------------------------------------- the draft


class DraftReply:
    """Takes what the events say, and gives out each piece of the draft once."""

    def __init__(self) -> None:
        self._text = ""
        self._has_pieces = False
        self._finish: str | None = None
        self._reasons = False
        self._tool: str | None = None
        self._refusal = ""

    @property
    def has_text(self) -> bool:
        """Say whether the model has said anything."""
        return bool(self._text.strip())

    def take(self, said: ChatEvent) -> str:
        """Return what is new in an event."""
        self._finish = said.finish or self._finish
        self._reasons = self._reasons or said.reasons
        self._tool = self._tool if said.tool is None else said.tool or self._tool or ""
        self._refusal += said.refusal
        new = self._new(said)
        self._text += new
        return new

    def _new(self, said: ChatEvent) -> str:
        is_sum = said.is_whole and self._has_pieces
        least = BEGUN_LETTERS if len(said.text) > len(self._text) else REPEATED_LETTERS
        self._has_pieces = self._has_pieces or bool(said.text and not said.is_whole)
        if len(self._text) < least and not (is_sum and self.has_text):
            return said.text
        if said.text.startswith(self._text):
            return said.text[len(self._text) :]
        is_repeated = is_sum or said.text.strip() == self._text.strip()
        return "" if is_repeated else said.text

    def check_end(self, *, is_told: bool) -> None:
        """Raise unless the model has said something and come to its end.

        `is_told`: the server has marked the end of its reply, so a missing reason is not a fault.
        """
        if not _after_reasoning(self._text):
            self._raise_nothing(is_told=is_told)
        if self._finish is None and not is_told:
            raise IncompleteDraftError(
                "the model's stream ended without its finish mark", hint="ask again"
            )
        if self._finish and self._finish.casefold() not in _FINISHED:
            raise IncompleteDraftError(
                f"the model stopped before its end ({self._finish[:LONGEST_REPORT]})",
                hint="ask a narrower question",
            )

    def _raise_nothing(self, *, is_told: bool) -> None:
        if self._finish is None and not is_told and not self._reasons and self._tool is None:
            raise BackendError(
                "the model's stream ended without its finish mark, and said nothing",
                hint="see the server's own log, then ask again",
            )
        raise NoDraftError(self._why_nothing(), hint=HINT_NO_DRAFT)

    def _why_nothing(self) -> str:
        finish = (self._finish or "").casefold()
        if self._refusal:
            return f"the model refused to answer: {report_of(self._refusal)}"
        if "filter" in finish or finish == "safety":
            return f"the server's filter withheld the model's answer ({self._finish})"
        if self._tool is not None:
            name = f" ({report_of(self._tool)})" if self._tool else ""
            return f"the model asked for a tool{name} and wrote no answer"
        if self._reasons or self._text.strip():
            return "the model reasoned and wrote no answer"
        return "the model wrote no answer"


def _after_reasoning(text: str) -> str:
    """Return what a model wrote after its reasoning, where it marks that with tags."""
    ends = [match.end() for match in _REASONED.finditer(text)]
    if ends:
        return text[ends[-1] :].strip()
    return "" if _REASONING.match(text) else text.strip()


# ---------------------------------------------------------------- errors


def strange(message: str) -> BackendError:
    """Return the error of a server that is no chat server."""
    return BackendError(
        message, hint="check that --base-url is an OpenAI-compatible server, with /v1 at its end"
    )


def parse_error(text: str) -> object:
    """Return the body of an error: parsed if it is JSON, else its text without tags."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _TAG.sub(" ", text)


def report_of(error: object) -> str:
    """Return a server's error in one line of its own words."""
    for _ in range(4):  # {"error": {"message": [{"msg": …}]}}
        if isinstance(error, list) and error:
            error = error[0]
        elif isinstance(error, dict):
            known = (error.get(key) for key in ("error", "message", "msg", "detail"))
            error = next((value for value in known if value), str(error))
    return " ".join(str(error).split())[:LONGEST_REPORT] or "nothing more"
