"""Texts of documents, file names and servers -> texts that steer no terminal, renderer or shell."""

import re

_STEERING = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(f"[{_STEERING}]")
"""What steers a terminal or turns the order of letters; in a name or a quote it is a trick."""
_BREAKS = re.compile(r"[\n\u2028\u2029]")
_UNTYPABLE = re.compile(f"[{_STEERING}\\t\\n\\u2028\\u2029\\ud800-\\udfff]")
"""What cannot be typed between quotes; halves of surrogates are bytes that are no UTF-8."""
_MARKUP = re.compile(r"[\\`*_\[\]<>&|~]")
_BACKTICKS = re.compile(r"`+")
_AT_LINE_START = re.compile(r"^([ \t]*)([#+=-]|\d+(?=[.)]))", re.MULTILINE)


def steering_nothing(text: str) -> str:
    """Return text whose control and direction marks are written as escapes; lines stay lines."""
    plain = text.replace("\r\n", "\n")
    return _CONTROL.sub(lambda sign: ascii(sign[0])[1:-1], plain)


def visible(text: str) -> str:
    """Return text on one line that steers nothing: what would is written as an escape."""
    return _BREAKS.sub(" ", steering_nothing(text))


def markdown(text: str) -> str:
    """Return Markdown that shows a text as it is: no link, image, HTML, heading or list of it.

    A backslash stands before each sign that CommonMark or a table could take for its own.
    """
    escaped = _MARKUP.sub(lambda sign: "\\" + sign[0], text)
    return _AT_LINE_START.sub(_escaped_start, escaped)


def code(text: str) -> str:
    """Return Markdown that shows a line as code; its fence is longer than any in the text."""
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(text)), default=0))
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{visible(text)}{padding}{fence}"


def _escaped_start(found: re.Match[str]) -> str:
    """A number at the start of a line opens a list by the sign behind it."""
    blank, sign = found[1], found[2]
    return f"{blank}{sign}\\" if sign.isdigit() else f"{blank}\\{sign}"


def shell(text: str) -> str:
    """Return a source as one would type it; in bash, zsh and ksh also what cannot be typed."""
    if _UNTYPABLE.search(text):
        return f"$'{''.join(map(_typed, text))}'"
    plain = all(sign.isalnum() or sign in "/._-+:@%" for sign in text)
    return text if plain else "'" + text.replace("'", "'\\''") + "'"


def _typed(sign: str) -> str:
    if sign in "'\\":
        return "\\" + sign
    if not _UNTYPABLE.match(sign):
        return sign
    return "".join(f"\\{byte:03o}" for byte in sign.encode("utf-8", "surrogateescape"))
