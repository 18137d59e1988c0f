"""Folded words -> the numbers that they spell, in Polish and English; Roman numerals. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

_PLAIN: dict[int, str] = {
    1: "one jeden jedna jedno jednego jednej jednym",
    2: "two dwa dwie dwoch dwom dwoma dwu twice dwukrotnie",
    3: "three trzy trzech trzem trzema trzej", 4: "four cztery czterech czterem czterema",
    5: "five piec pieciu", 6: "six szesc szesciu", 7: "seven siedem siedmiu",
    8: "eight osiem osmiu", 9: "nine dziewiec dziewieciu", 10: "ten dziesiec dziesieciu",
    11: "eleven jedenascie jedenastu", 12: "twelve dwanascie dwunastu dozen",
    13: "thirteen trzynascie trzynastu", 14: "fourteen czternascie czternastu",
    15: "fifteen pietnascie pietnastu", 16: "sixteen szesnascie szesnastu",
    17: "seventeen siedemnascie siedemnastu", 18: "eighteen osiemnascie osiemnastu",
    19: "nineteen dziewietnascie dziewietnastu", 20: "twenty dwadziescia dwudziestu",
    30: "thirty trzydziesci trzydziestu", 40: "forty czterdziesci czterdziestu",
    50: "fifty piecdziesiat piecdziesieciu", 60: "sixty szescdziesiat szescdziesieciu",
    70: "seventy siedemdziesiat siedemdziesieciu", 80: "eighty osiemdziesiat osiemdziesieciu",
    90: "ninety dziewiecdziesiat dziewiecdziesieciu", 100: "sto stu", 200: "dwiescie dwustu",
    300: "trzysta trzystu", 400: "czterysta czterystu", 500: "piecset pieciuset",
    600: "szescset szesciuset", 700: "siedemset siedmiuset", 800: "osiemset osmiuset",
    900: "dziewiecset dziewieciuset",
}  # fmt: skip
_SCALES: dict[int, str] = {
    100: "hundred hundreds",
    1000: "thousand thousands tysiac tysiaca tysiecy tysiace tysiacami tysiacom tysiacach tys k",
    10**6: "million millions milion miliona milionow miliony milionem milionach mln",
    10**9: "billion billions miliard miliarda miliardow miliardy miliardem miliardach mld bn",
    10**12: "bilion biliona bilionow biliony",
}
_VALUE = {word: value for value, words in _PLAIN.items() for word in words.split()}
_SCALE = {word: value for value, words in _SCALES.items() for word in words.split()}
SCALE_WORDS = "|".join(sorted(_SCALE, key=len, reverse=True))
"""What may follow digits: "900 mln", "70 tysięcy"."""
_ANY = "|".join(sorted((*_VALUE, *_SCALE.keys() - {"k"}), key=len, reverse=True))
_RUN = re.compile(rf"\b(?:{_ANY})\b(?:[ \n-](?:and |i )?(?:{_ANY})\b)*")
_WORD = re.compile(rf"\b(?:{_ANY})\b")
_ROMAN = re.compile(r"(?<![\w.'’/-])[IVXLC]{2,8}(?![\w'’/-])")
_ROMAN_FORM = re.compile(r"C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_SIGNS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_NO_NUMBERS = frozenset(("CC", "CV", "LI", "XL", "XX", "XXL", "CL", "LC"))
"""Copies, sizes and codes that look like numerals."""
HUNDRED = 100


@dataclass(frozen=True, slots=True)
class Spelt:
    """A number in words, and where it stands."""

    value: Decimal
    start: int
    end: int


def scale_of(word: str) -> int:
    """Return what a word after digits multiplies them by."""
    return _SCALE[word.rstrip(".")]


def is_number_word(folded: str) -> bool:
    """Say whether a folded word is a number, or part of one."""
    return folded in _VALUE or folded in _SCALE


def spelt_numbers(folded: str) -> Iterator[Spelt]:
    """Yield the numbers of two and more that a folded text spells: "one" is often no number."""
    for run in _RUN.finditer(folded):
        for spelt in _parted([*_WORD.finditer(folded, run.start(), run.end())]):
            if spelt.value > 1:
                yield spelt


def _parted(words: list[re.Match[str]]) -> Iterator[Spelt]:
    """Yield the numbers of a run: "dwa trzy" is two, "dwa tysiące trzysta" one."""
    total = current = 0
    start, last = words[0].start(), 0
    for at, word in enumerate(words):
        value, scale = _VALUE.get(word[0]), _SCALE.get(word[0])
        if value is not None and last and last <= max(value, 9):
            yield Spelt(Decimal(total + current), start, words[at - 1].end())
            total, current, start = 0, 0, word.start()
        if value is not None:
            current, last = current + value, value
        elif scale == HUNDRED:
            current, last = max(1, current) * HUNDRED, HUNDRED
        elif scale:
            total, current, last = total + max(1, current) * scale, 0, scale
    yield Spelt(Decimal(total + current), start, words[-1].end())


def roman_numbers(text: str) -> Iterator[Spelt]:
    """Yield the Roman numerals of two letters and more: "IX", "XII"."""
    for found in _ROMAN.finditer(text):
        if _ROMAN_FORM.fullmatch(found[0]) and found[0] not in _NO_NUMBERS:
            yield Spelt(Decimal(_roman(found[0])), found.start(), found.end())


def _roman(numeral: str) -> int:
    values = [_ROMAN_SIGNS[sign] for sign in numeral]
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )
