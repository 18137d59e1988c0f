"""Bytes -> text with the name of its encoding. Pure: the whole file decides, never its first part.

Order: byte-order mark, what the format itself declares, strict UTF-8, UTF-16 by its pattern of
NUL bytes, then the code page whose letters are most plausible in one language.
"""

import codecs
import re
from collections import Counter
from dataclasses import dataclass

from cytat.errors import ReadingError
from cytat.reading.extraction import suffix_of
from cytat.reading.kinds import not_text
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

CODE_PAGES = (
    ("windows-1250", "cp1250"),
    ("iso-8859-2", "iso8859-2"),
    ("windows-1252", "cp1252"),
    ("iso-8859-15", "iso8859-15"),
    ("iso-8859-1", "iso8859-1"),
    ("windows-1251", "cp1251"),
    ("ibm852", "cp852"),
)
"""Name shown and Python's name, the commoner first: an earlier one wins a tie."""

LETTERS = {
    "pl": "ąćęłńóśźż",
    "cs": "áčďéěíňóřšťúůýž",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "hu": "áéíóöőúüű",
    "hr": "čćđšž",
    "de": "äöüß",
    "fr": "àâçèéêëîïôùûüœ",
    "es": "áéíñóúü",
    "pt": "àáâãçéêíóôõú",
    "it": "àèéìòù",
    "sv": "äåöé",
    "da": "æøåé",
    "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
}
COMMON_WORDS = {
    "pl": "w z na do i o nie jest po od dla przez oraz lub za to jak ma są",
    "cs": "je na se do v z s a i o po za pro od jako není jsou nebo",
    "sk": "je na sa do v z s a i o po za pre od ako nie alebo",
    "hu": "a az és is nem hogy egy van volt",
    "hr": "je na se u i za od do s o ne su ili kao",
    "de": "der die das und ist nicht von zu den mit ein im auf",
    "fr": "le la les de des et est un une en pour que dans du",
    "es": "el la los de y es un una en por que con para se",
    "pt": "o a os de e um uma em por que com para se do da",
    "it": "il la di e un una in per che con non si del",
    "sv": "och att det som en i av den med ett inte",
    "da": "og at det som en i af den med et ikke er",
    "ru": "",
}
TYPOGRAPHIC = frozenset("„”“’‘‚–—…«»§°€•\u00a0\u00ad·×™©®‰")

INSIDE_WORDS = frozenset("\u00ad’–—·")
"""Typographic signs that may stand between letters."""

CONTROLS = bytes(sorted({*range(0x20), 0x7F} - set(b"\t\n\v\f\r\x1b\b")))
MAX_CONTROL_SHARE = 0.1
"""Above it a file is binary even where it happens to be valid UTF-8."""
MAX_CONTROL_SHARE_UNDECODABLE = 0.005
"""The same for bytes that are no UTF-8: text in a code page has next to no control bytes."""
WIDE_SHARE = 0.4
"""Share of NUL at one parity from which bytes are read as UTF-16."""
MIN_VALID_PER_BROKEN = 3
"""Valid multi-byte sequences per broken one from which a file is UTF-8 with a few broken bytes."""

SIGNATURES = (
    b"PK\x03\x04", b"PK\x05\x06", b"\x89PNG", b"\xff\xd8\xff", b"\x7fELF", b"\x1f\x8b",
    b"\xd0\xcf\x11\xe0", b"7z\xbc\xaf", b"\xfd7zXZ", b"SQLite format 3\0",
)  # fmt: skip
"""First bytes that no text begins with; "GIF8" or "RIFF" could be words of a text."""

_BROKEN_OR_MULTIBYTE = re.compile(r"\ufffd|[^\x00-\x7f]")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
_MAX_WORDS = 1000
"""Words with accented letters that vote, the most frequent first."""


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
    if marked is not None:
        text, encoding = marked
    elif declared is not None and (as_declared := _strictly(content, declared)) is not None:
        text, encoding = as_declared, declared
    else:
        text, encoding = _by_content(content)
    return _without_nul(text, encoding, broken=text.count(REPLACEMENT) - _replacements_in(content))


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


def _by_content(content: bytes) -> tuple[str, str]:
    wide = _wide_codec(content)
    if wide is not None:
        return content.decode(wide), "utf-16"
    text = _strictly(content, "utf-8")
    most = MAX_CONTROL_SHARE if text is not None else MAX_CONTROL_SHARE_UNDECODABLE
    if _control_share(content) > most:
        raise not_text("")
    if text is not None:
        return text, "utf-8"
    if _is_mostly_utf8(content):
        return content.decode("utf-8", "replace"), "utf-8"
    return _by_letters(content)


def _strictly(content: bytes, codec: str) -> str | None:
    try:
        return content.decode(codec)
    except UnicodeDecodeError:
        return None


def _control_share(content: bytes) -> float:
    kept = len(content.translate(None, CONTROLS))
    return (len(content) - kept) / len(content) if content else 0.0


def _wide_codec(content: bytes) -> str | None:
    """Return the UTF-16 codec whose pattern of NUL bytes the content shows, if it does."""
    half = len(content) // 2
    if len(content) % 2 or half == 0:
        return None
    shares = (content[0::2].count(0) / half, content[1::2].count(0) / half)
    if max(shares) < WIDE_SHARE or min(shares) > WIDE_SHARE / 10:
        return None
    codec = "utf-16-le" if shares[1] > shares[0] else "utf-16-be"
    text = _strictly(content, codec)
    return codec if text is not None and _control_share(text.encode()) < MAX_CONTROL_SHARE else None


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


def _by_letters(content: bytes) -> tuple[str, str]:
    """Return the text in the code page whose decoded words look most like one language."""
    words = Counter(_WORD.findall(content))
    accented = [item for item in words.most_common() if not item[0].isascii()][:_MAX_WORDS]
    plain = {word.decode().lower(): n for word, n in words.items() if word.isascii()}
    fondness = {language: _share_of_common(language, plain) for language in LETTERS}
    # Python's sort is stable, so that an earlier code page wins a tie.
    scored = [
        (_plausibility(accented, codec, fondness), name, codec)
        for name, codec in CODE_PAGES
        if _strictly(content, codec) is not None
    ]
    _, name, codec = max(scored, key=lambda item: item[0])
    return content.decode(codec), name


def _share_of_common(language: str, words: dict[str, int]) -> float:
    total = sum(words.values())
    common = sum(words.get(word, 0) for word in COMMON_WORDS[language].split())
    return common / total if total else 0.0


def _plausibility(words: list[tuple[bytes, int]], codec: str, fondness: dict[str, float]) -> float:
    decoded = [(word.decode(codec), count) for word, count in words]
    return max(_fit_of_all(decoded, language) * (1 + fondness[language]) for language in LETTERS)


def _fit_of_all(words: list[tuple[str, int]], language: str) -> float:
    alphabet = frozenset(LETTERS[language] + LETTERS[language].upper())
    return sum(count * _fit(word, alphabet) for word, count in words)


def _fit(word: str, alphabet: frozenset[str]) -> float:
    """Return how well the non-ASCII characters of a word fit an alphabet: 1 a letter, or less."""
    fit = 0.0
    for place, sign in enumerate(word):
        if sign.isascii():
            continue
        if sign in alphabet:
            fit += 1.0 if _has_case_of_neighbours(word, place) else -1.0
        elif sign.isalpha():
            fit -= 1.0
        elif sign not in TYPOGRAPHIC:
            fit -= 3.0
        elif 0 < place < len(word) - 1 and sign not in INSIDE_WORDS:
            fit -= 1.0
        else:
            fit += 0.5
    return fit


def _has_case_of_neighbours(word: str, place: int) -> bool:
    """Say whether no capital follows a small letter there: "zapŁaty" is of another code page."""
    before, sign, after = word[:place][-1:], word[place], word[place + 1 : place + 2]
    return not (sign.isupper() and before.islower()) and not (sign.islower() and after.isupper())


def _replacements_in(content: bytes) -> int:
    return content.count(REPLACEMENT.encode())


def _without_nul(text: str, encoding: str, *, broken: int) -> Decoded:
    problems = []
    nul = text.count("\0")
    if nul:
        message = f"{nul} NUL characters were replaced by U+FFFD"
        problems.append(Problem("file", "nul-characters", message))
    if broken > 0:
        message = f"{broken} places are no valid {encoding} and read as U+FFFD"
        problems.append(Problem("file", "broken-characters", message))
    return Decoded(text.replace("\0", REPLACEMENT), encoding, tuple(problems))
