"""What a model refuses -> the next way to ask it. Pure.

Some models refuse `max_tokens`, `temperature`, `seed`, a stream or a system message; servers say so
in errors of every shape. What is refused by its name is left out of the next request, or, for
`max_tokens`, asked for by its newer name.
"""

import json
import re
from collections.abc import Iterator

from cytat.protocols import Prompt

SEED = 7
"""Any number, the same for every question: servers that support it give the same draft again."""
LIMIT, NEWER_LIMIT = "max_tokens", "max_completion_tokens"
STREAM, SYSTEM = "stream", "system"

ALL = frozenset({STREAM, SYSTEM, "temperature", "seed", LIMIT})
"""What a first request uses beside the model and the messages."""

REFUSALS = frozenset({400, 405, 406, 409, 415, 422, 500, 501})
"""Statuses under which servers refuse a parameter; 500 is that of a Python TypeError."""

_MENTIONS = {
    STREAM: re.compile(r"\bstream(?:ing)?\b", re.IGNORECASE),
    SYSTEM: re.compile(r"\bsystem\b.{0,20}\brole|\brole\b.{0,40}\bsystem\b", re.IGNORECASE),
    "temperature": re.compile(r"\btemperature\b", re.IGNORECASE),
    "seed": re.compile(r"\bseed\b", re.IGNORECASE),
    LIMIT: re.compile(r"\bmax[ _-]?tokens\b", re.IGNORECASE),
    NEWER_LIMIT: re.compile(r"\bmax[ _-]?completion[ _-]?tokens\b", re.IGNORECASE),
}
_COMPLAINT = re.compile(
    r"(?:unsupported|unknown|unexpected|unrecogni[sz]ed|invalid|extra|additional).{0,20}"
    r"(?:parameter|argument|field|input|propert)|not (?:permitted|allowed)",
    re.IGNORECASE,
)
"""An error about a parameter that it does not name."""


def body(model: str, prompt: Prompt, max_tokens: int, *, used: frozenset[str]) -> bytes:
    """Return a request that uses the parameters `used`."""
    values: dict[str, object] = {
        STREAM: True, "temperature": 0, "seed": SEED, LIMIT: max_tokens, NEWER_LIMIT: max_tokens,
    }  # fmt: skip
    chosen = {name: value for name, value in values.items() if name in used}
    request = {"model": model, "messages": _messages(prompt, used), **chosen}
    return json.dumps(request).encode("ascii")


def _messages(prompt: Prompt, used: frozenset[str]) -> list[dict[str, str]]:
    if SYSTEM not in used:
        return [{"role": "user", "content": f"{prompt.system}\n\n{prompt.user}"}]
    return [
        {"role": "system", "content": prompt.system},
        {"role": "user", "content": prompt.user},
    ]


def after_refusal(used: frozenset[str], error: object) -> frozenset[str] | None:
    """Return what to use after an error, its parsed JSON or its text; None: the same again.

    Each answer leaves something out that is never asked for again, so there are few of them.
    """
    strings = list(_strings(error))
    named = {name for name in used if any(_is_name(name, string) for string in strings)}
    text = "\n".join(strings)
    if not named:
        named = {name for name in used if _MENTIONS[name].search(text)}
    if not named and _COMPLAINT.search(text):
        named = set(used - {STREAM, SYSTEM})
    if not named:
        return None
    return (used - named) | ({NEWER_LIMIT} if LIMIT in named else frozenset())


def _is_name(name: str, string: str) -> bool:
    return string == name or string.endswith(f".{name}")


def _strings(error: object) -> Iterator[str]:
    """Yield the strings of a parsed JSON value, however deep."""
    left = [error]
    while left:
        match left.pop():
            case str() as string:
                yield string
            case list() as items:
                left.extend(items)
            case dict() as members:
                left.extend(members.values())
            case _:
                pass
