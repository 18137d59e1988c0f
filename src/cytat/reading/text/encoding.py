"""Bytes -> text with the name of its encoding. Pure: the whole file decides, never its first part.

Order: byte-order mark, what the format itself declares, UTF-16 by its pattern of NUL bytes, strict
UTF-8, an East Asian encoding whose characters are common ones, then the code page whose letters are
most plausible in one language. Where another reading is nearly as plausible, that is a problem of
the file: a wrong guess looks like text.
"""

import codecs
import re
from collections import Counter
from dataclasses import dataclass

from cytat.errors import ReadingError
from cytat.reading.extraction import suffix_of
from cytat.reading.kinds import not_text
from cytat.reading.text.code_pages import by_letters
from cytat.reading.text.east_asian import by_characters
from cytat.records import Problem

REPLACEMENT = "\ufffd"

MARKS = (
    (codecs.BOM_UTF8, "utf-8", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
)
"""UTF-32 stands before UTF-16: its little-endian mark begins with that of UTF-16."""

CONTROLS = bytes(sorted({*range(0x20), 0x7F} - set(b"\t\n\v\f\r\x1b\b")))
MAX_CONTROL_SHARE = 0.1
"""Above it a file is binary even where it happens to be valid UTF-8."""
MAX_CONTROL_SHARE_UNDECODABLE = 0.005
"""The same for bytes that are no UTF-8: text in a code page has next to no control bytes."""
WIDE_SHARE = 0.4
"""Share of NUL at one parity from which bytes are read as UTF-16."""
MIN_WIDE_BYTES = 8
"""Fewer show no pattern: a digit and a NUL are no UTF-16."""
MIN_VALID_PER_BROKEN = 3
"""Valid multi-byte sequences per broken one from which a file is UTF-8 with a few broken bytes."""

SIGNATURES = (
    b"PK\x03\x04", b"PK\x05\x06", b"\x89PNG", b"\xff\xd8\xff", b"\x7fELF", b"\x1f\x8b",
    b"\xd0\xcf\x11\xe0", b"7z\xbc\xaf", b"\xfd7zXZ", b"SQLite format 3\0",
)  # fmt: skip
"""First bytes that no text begins with; "GIF8" or "RIFF" could be words of a text."""

_BROKEN_OR_MULTIBYTE = re.compile(r"\ufffd|[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file without its byte-order mark, and what had to be replaced in it."""

    text: str
    encoding: str
    problems: tuple[Problem, ...]


def decode(content: bytes, *, declared: str | None) -> Decoded:
    """Return the text; `declared` is the encoding the format names inside itself, if it does.

    Raises `ReadingError` with `unsupported-type` for bytes that are no text.
    """
    if content.startswith(SIGNATURES):
        raise not_text("")
    marked = _by_mark(content)
    doubt: tuple[Problem, ...] = ()
    if marked is not None:
        text, encoding = marked
    elif declared is not None and (as_declared := _strictly(content, declared)) is not None:
        text, encoding = as_declared, declared
    else:
        text, encoding, doubt = _by_content(content)
    broken = text.count(REPLACEMENT) - _replacements_in(content)
    return _without_nul(text, encoding, broken=broken, doubt=doubt)


def decode_file(content: bytes, *, declared: str | None, source: str) -> Decoded:
    """Return the text of a file; the failure of one that is none names its kind by its name."""
    try:
        return decode(content, declared=declared)
    except ReadingError as failure:
        raise not_text(suffix_of(source)) from failure


def _by_mark(content: bytes) -> tuple[str, str] | None:
    for mark, codec, name in MARKS:
        if content.startswith(mark):
            text = content[len(mark) :].decode(codec, "replace")
            if _control_share(text.encode()) > MAX_CONTROL_SHARE:
                raise not_text("")
            return text, name
    return None


def _by_content(content: bytes) -> tuple[str, str, tuple[Problem, ...]]:
    wide = _wide_codec(content)
    if wide is not None:
        return content.decode(wide), "utf-16", ()
    if _ESCAPES.search(content) and (escaped := _strictly(content, "iso2022_jp")) is not None:
        return escaped, "iso-2022-jp", ()
    text = _strictly(content, "utf-8")
    most = MAX_CONTROL_SHARE if text is not None else MAX_CONTROL_SHARE_UNDECODABLE
    if _control_share(content) > most:
        raise not_text("")
    if text is not None:
        return text, "utf-8", ()
    if _is_mostly_utf8(content):
        return content.decode("utf-8", "replace"), "utf-8", ()
    return _guessed(content)


_ESCAPES = re.compile(rb"\x1b\$[@B]")
"""What switches ISO-2022-JP to Japanese: its bytes are ASCII."""


def _guessed(content: bytes) -> tuple[str, str, tuple[Problem, ...]]:
    asian = by_characters(content)
    if asian is not None:
        return content.decode(asian.codec), asian.name, ()
    guess = by_letters(content)
    doubt: tuple[Problem, ...] = ()
    if guess.rival is not None:
        message = (
            f"the file does not say its encoding; it was read as {guess.name}, but "
            f"{guess.rival} fits nearly as well: compare its letters with the original"
        )
        doubt = (Problem("file", "encoding-uncertain", message),)
    return content.decode(guess.codec), guess.name, doubt


def _strictly(content: bytes, codec: str) -> str | None:
    try:
        return content.decode(codec)
    except UnicodeDecodeError:
        return None


def _control_share(content: bytes) -> float:
    kept = len(content.translate(None, CONTROLS))
    return (len(content) - kept) / len(content) if content else 0.0


def _wide_codec(content: bytes) -> str | None:
    """Return the UTF-16 codec whose pattern the content shows, if it does.

    Every second byte is NUL in Latin letters; in Greek, Cyrillic, Hebrew and Arabic it is one of
    a few low values, and NUL with blanks.
    """
    half = len(content) // 2
    if len(content) % 2 or len(content) < MIN_WIDE_BYTES:
        return None
    shares = (content[0::2].count(0) / half, content[1::2].count(0) / half)
    codec = "utf-16-le" if shares[1] > shares[0] else "utf-16-be"
    text = _strictly(content, codec)
    if text is None:
        return None
    if max(shares) >= WIDE_SHARE and min(shares) <= WIDE_SHARE / 10:
        return codec if _control_share(text.encode()) < MAX_CONTROL_SHARE else None
    high = content[1::2] if codec == "utf-16-le" else content[0::2]
    are_low = len(high.translate(None, _HIGH_BYTES)) <= half * (1 - _LOW_SHARE)
    return codec if are_low and min(shares) == 0 and _reads_as_words(text) else None


_HIGH_BYTES = bytes(range(7))
"""Of letters up to U+06FF; U+0700 and above are other scripts."""
_LOW_SHARE = 0.9
_MIN_BLANKS = 0.02
_MIN_LETTERS = 0.8


def _reads_as_words(text: str) -> bool:
    letters = sum(sign.isalpha() for sign in text)
    blanks = sum(sign in " \n" for sign in text)
    return (
        blanks >= _MIN_BLANKS * len(text)
        and letters + blanks >= _MIN_LETTERS * len(text)
        and _control_share(text.encode()) < MAX_CONTROL_SHARE_UNDECODABLE
    )


def _is_mostly_utf8(content: bytes) -> bool:
    found = Counter(_BROKEN_OR_MULTIBYTE.findall(content.decode("utf-8", "replace")))
    broken = found.pop(REPLACEMENT, 0)
    valid = sum(found.values())
    # A file cut in the middle of its last character has one broken sequence, at its very end.
    cut_short = broken == 1 and _ends_inside_character(content)
    return valid >= MIN_VALID_PER_BROKEN * broken or (cut_short and valid > 0)


def _ends_inside_character(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as problem:
        return problem.reason == "unexpected end of data"
    return False


def _replacements_in(content: bytes) -> int:
    return content.count(REPLACEMENT.encode())


def _without_nul(text: str, encoding: str, *, broken: int, doubt: tuple[Problem, ...]) -> Decoded:
    problems = list(doubt)
    nul = text.count("\0")
    if nul:
        message = f"{nul} NUL characters were replaced by U+FFFD"
        problems.append(Problem("file", "nul-characters", message))
    if broken > 0:
        message = f"{broken} places are no valid {encoding} and read as U+FFFD"
        problems.append(Problem("file", "broken-characters", message))
    return Decoded(text.replace("\0", REPLACEMENT), encoding, tuple(problems))
