"""Text -> spans of its sentences: trimmed, in order, covering every character that is not blank.

A line end inside a paragraph is only a wrap unless something says otherwise: a blank line, a list
item, a table row, a heading sign, a `Name: value` record, or a line that stopped although the
next word would have fitted and a new sentence could begin there.

Layout speaks first: blank lines, list items, table rows, headings and records end a sentence,
other line ends do not. Within a stretch of running text each mark (. ! ? …) is judged by what
stands around it. Time is linear: every rule looks a bounded way back or ahead.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from cytat.records import Span
from cytat.text import abbreviations

_LINE = re.compile(r"[^\r\n\u2028\u2029]*(?:\r\n|[\r\n\u2028\u2029]|$)")
_ITEM = re.compile(
    r"\s*(?:[-*+•▪◦‣●○■·]\s|\(?\d{1,3}[a-z]?\)|\(?[^\W\d_]\)|\(?[ivxIVX]{1,5}\)|#{1,6}\s|>)"
)
_ITEM_IF_FINISHED = re.compile(
    r"\s*(?:\d{1,3}(?:\.\d{1,3})*\.?\s|[IVX]{1,5}\.\s|[–—]\s|§\s?\d|(?:Art|Rozdział|Article|Section)\b)"
)
_RECORD = re.compile(r"\s*[^\W\d_][^:|\n]{0,40}:(?:\s|$)")
_TERM = re.compile(r"[\w.]+(?:\(.*\))?")
"""A line of one word, or a call: what a definition list defines, even in small letters."""
_FIGURE = re.compile(r"[$€£(–—-]*(?:\d[\d.,]*[%)]*|[–—-])[%)]*")
_ALONE = re.compile(r"\s*(?:\||#{1,6}\s|[=\-_*~]{3,}\s*$)")
"""Lines that neither go on from the line before nor into the next: rows, headings, rules."""
_ENDS_FIGURES = frozenset("0123456789%)—")
_FINISHED = (".", "!", "?", ":", ";", ",", "…")
_GOES_ON = (",", "-", "–", "—", "/", "(", "\u00ad")
_FITS_WITHIN = 0.8
"""A line is short if the next word would have ended before this share of the widest line.

Ragged setting and PDF columns leave ends uneven; a fifth of the width is more than one long word.
"""


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    words: str
    """The line without its break and without blanks around."""
    width: int


def stretches(text: str) -> Iterator[Span]:
    """Yield the stretches of running text in order."""
    for paragraph in _paragraphs(text):
        widest = max(line.width for line in paragraph)
        start = paragraph[0]
        for before, line in pairwise(paragraph):
            if _breaks(before, line, widest):
                yield _trimmed(start, before)
                start = line
        yield _trimmed(start, paragraph[-1])


def _trimmed(first: _Line, last: _Line) -> Span:
    return Span(first.start, last.start + len(last.words))


def _paragraphs(text: str) -> Iterator[list[_Line]]:
    """Yield runs of lines that are not blank."""
    paragraph: list[_Line] = []
    for found in _LINE.finditer(text):
        line = found.group()
        words = line.strip()
        if words:
            indent = len(line) - len(line.lstrip())
            paragraph.append(_Line(found.start() + indent, words, len(line.rstrip())))
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _breaks(before: _Line, line: _Line, widest: int) -> bool:
    """Say whether a sentence ends with `before` and another begins with `line`."""
    if _stands_apart(before.words, line.words):
        return True
    if not _may_begin(line.words) or before.words.endswith(_GOES_ON):
        return False
    next_word = line.words.split(None, 1)[0]
    stopped_short = before.width + 1 + len(next_word) < _FITS_WITHIN * widest
    return stopped_short or _ends_record(before.words, line.words)


def _ends_record(before: str, line: str) -> bool:
    """Say whether a record ends: another follows, or its value is a figure and words follow."""
    if not _RECORD.match(before):
        return False
    has_figure = before[-1].isdigit() and line[0].isupper()
    return has_figure or bool(_RECORD.match(line))


def _stands_apart(before: str, line: str) -> bool:
    """Say whether the form of two lines parts them: rows, headings, items, terms."""
    if _ALONE.match(before) or _ALONE.match(line) or _ITEM.match(line):
        return True
    if "|" in line and "|" in before:
        return True
    if before[-1] in _ENDS_FIGURES and line[-1] in _ENDS_FIGURES and _rows(before, line):
        return True
    if before.endswith((".", "!", "?")) and _TERM.fullmatch(line):
        return True
    finished = before.endswith(_FINISHED) or _ITEM_IF_FINISHED.match(before)
    return bool(finished and _ITEM_IF_FINISHED.match(line))


def _rows(before: str, line: str) -> bool:
    """Say whether both are rows of a table that lost its rules, as PDF pages give them."""
    return _ends_with_two_figures(before) and _ends_with_two_figures(line)


def _ends_with_two_figures(words: str) -> bool:
    last = [word for word in words.rsplit(None, 4)[1:] if word not in {"$", "€", "£"}]
    return len(last) > 1 and all(_FIGURE.fullmatch(word) for word in last[-2:])


def _may_begin(words: str) -> bool:
    """Say whether a sentence could begin with these words: not with a small letter."""
    first = next((character for character in words if character.isalnum()), "")
    return not first.islower()


_CLOSING = r"[\"'”’»“«)\]}*_`›¹²³⁰⁴-⁹]"
_MARK = re.compile(
    # A run of marks, what closes after it, and footnote signs; the next character is blank, except
    # that CJK marks need no blank.
    rf"(?<![.!?…؟۔।])[.!?…؟۔।]+{_CLOSING}*(?:\[\d{{1,3}}\]{_CLOSING}*)*(?=\s)"
    r"|[。！？｡]+[」』）”’》】]*"
)
_TOKEN_LENGTH = 48
"""Characters looked back at for the word before a dot; longer words are no abbreviations."""
_OPENING_LENGTH = 64
"""Characters looked at from a sentence's start for an adverbial of time, such as "W dniu … r."."""

_WORD_SIGN = re.compile(r"[^\W_]")
_LEAD_TO_NUMBERS = abbreviations.BEFORE_NUMBERS | abbreviations.MONTHS_CUT_SHORT

_SHORT_WORD = 5
_ORDINAL_DIGITS = 2
"""Days, quarters and centuries; "w 2021." is a year at the end of a sentence."""

_NEXT_TOKEN = re.compile(r"\s*([\"'„“”‚‘«»(\[{*_`–—-]*\s?)(\S?)")
_NEXT_WORD = re.compile(r"[^\W\d_]{1,24}")
_NEXT_IS_MONTH = re.compile(r"\s*([^\W\d_]{3,12})\b")
_NUMBERING = re.compile(
    # Only one branch matches a single letter: if two did, a run of letters would be tried in every
    # combination.
    r"[\s(\[*_#>•–—-]*(?:(?:art|rozdział|dział|część|pkt|ust|section|sec|chapter|part)\.?|§+)?"
    r"(?:[\s.()§\d]|[a-z](?=[.)])|[IVXLC]{2,}(?=[.)]))*",
    re.IGNORECASE,
)
"""All that stands before the words of an item: "1.", "Art. 43. 1.", "§ 5.", "(2) IV."."""
_TIME_ADVERBIAL = re.compile(
    r"(?:(?:w|we|z|od|do|po|przed|na|dnia|dniu|dniem|roku|ustawą|uchwałą|wyrokiem|postanowieniem|"
    r"decyzją|umową|zarządzeniem|rozporządzeniem|pismem|końcem|początkiem|początku|połowie|końcu|"
    r"latach|wieku|i|oraz|a|między|in|przykład|\d[\d./–-]*|[ivxlc]+|stycz\w+|lut\w+|mar\w+|kwie\w+|maj\w*|"
    r"czerw\w+|lip\w+|sierp\w+|wrze\w+|paźdz\w+|listop\w+|grud\w+)\s+)+(?:r|w)$",
    re.IGNORECASE,
)
_NEXT_IS_CENTURY = re.compile(r"\s*[IVX]{1,5}\s+w(?:\.|iek)")
_PERHAPS_ORDINAL = re.compile(r"(?:^|\s)(?:na|ramach|podczas|przed|dla)\s+$", re.IGNORECASE)
_ORDINAL_LEADS = re.compile(
    r"(?:^|\s)(?:w|we|am|im|vom|zum|der|den|dem|des|die|das)\s+$", re.IGNORECASE
)


def sentence_spans(text: str) -> list[Span]:
    """Return the sentences of `text` in order."""
    return [
        sentence for stretch in stretches(text) for sentence in _sentences_within(text, stretch)
    ]


_CELLS = re.compile(r"[^|\n]*\s\|(?:\s[^\n]*)?")
"""A line with the border of a cell."""


def _sentences_within(text: str, stretch: Span) -> Iterator[Span]:
    """Yield the sentences of one stretch of running text; a row of a table is one."""
    if _CELLS.fullmatch(text, stretch.start, stretch.end):
        yield stretch
        return
    start = stretch.start
    for mark in _MARK.finditer(text, stretch.start, stretch.end):
        if mark.end() < stretch.end and _ends_sentence(text, mark, start, stretch.end):
            yield Span(start, mark.end())
            start = _skip_blank(text, mark.end(), stretch.end)
    if start < stretch.end:
        yield Span(start, stretch.end)


def _skip_blank(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _ends_sentence(text: str, mark: re.Match[str], start: int, end: int) -> bool:
    """Decide from both sides; the characters after the mark say more, so they are asked first."""
    signs = mark.group()
    if not _has_word(text, start, mark.start()):
        return False
    if signs[0] in "。！？｡":
        return True
    opener = _NEXT_TOKEN.match(text, mark.end(), end)
    following = opener.group(2) if opener else ""
    if following.islower() or following in {",", ";", ":", "=", "<", ">", "%", "/", "&", "+"}:
        return False
    if signs[0] != "." or signs.startswith(".."):
        return bool(following)
    return _dot_ends_sentence(text, start, mark, opener.start(2) if opener else end)


def _has_word(text: str, start: int, end: int) -> bool:
    """Say whether something was said: "[…]" and "(...)" are no sentences of their own."""
    return _WORD_SIGN.search(text, start, min(end, start + _OPENING_LENGTH)) is not None


def _dot_ends_sentence(text: str, start: int, mark: re.Match[str], following: int) -> bool:
    """Judge a single dot whose next word does not begin with a small letter."""
    dot = mark.start()
    token = _token_before(text, start, dot)
    word = token.lower()
    if token.isdigit():
        return _number_ends_sentence(text, start, dot, token, following)
    if mark.group() != ".":
        # What closes after an abbreviation says nothing: "(ul.) Długa".
        return word not in abbreviations.LEANING_FORWARD
    if word == "al" and _token_before(text, start, dot - len(token)) == "et":
        return not _starts_number(text, following)
    if _leads_on(token, text, start, dot, following):
        return False
    if len(token) == 1 and token.isalpha():
        return _letter_ends_sentence(text, start, dot, following)
    return _word_ends_sentence(text, start, dot, following)


def _leads_on(token: str, text: str, start: int, dot: int, following: int) -> bool:
    """Say whether the word is an abbreviation of what follows it.

    Units and names in capitals look like some: "400 bp. This", "the HR. Moreover".
    """
    word = token.lower()
    if _starts_number(text, following):
        return word in _LEAD_TO_NUMBERS or word in abbreviations.LEANING_FORWARD
    if word not in abbreviations.LEANING_FORWARD or (len(token) > 1 and token.isupper()):
        return False
    counted = text[max(start, dot - len(token) - 2) : dot - len(token)].strip()[-1:].isdigit()
    return not ((counted or token in abbreviations.UNITS) and _opens_sentence(text, following))


def _word_ends_sentence(text: str, start: int, dot: int, following: int) -> bool:
    """Most words end it; closing abbreviations and initials are judged by what stands around."""
    token = _token_before(text, start, dot)
    if token.lower() in abbreviations.EITHER_WAY:
        return _phrase_ends_sentence(text, start, dot, following)
    hesitates = (
        _is_initials(token)
        or token.lower() in abbreviations.MULTIPLES
        or _is_short_in_brackets(text, start, dot, token)
    )
    return not hesitates or _opens_sentence(text, following)


def _is_short_in_brackets(text: str, start: int, dot: int, token: str) -> bool:
    """A short word before a dot inside open brackets is an abbreviation: "(port. Madeira)"."""
    before = text[max(start + 1, dot - _OPENING_LENGTH) : dot]
    return len(token) <= _SHORT_WORD and token.islower() and before.rfind("(") > before.rfind(")")


def _token_before(text: str, start: int, end: int) -> str:
    """Return the run of non-blank characters that ends at `end`, without opening signs."""
    window = text[max(start, end - _TOKEN_LENGTH) : max(end, start)].rstrip()
    pieces = window.split()
    return pieces[-1].lstrip("([{„“”\"'«»‚‘*_/–—-") if pieces else ""


def _number_ends_sentence(text: str, start: int, dot: int, token: str, following: int) -> bool:
    """A number with a dot is an item's number, an ordinal, or the last word of a sentence."""
    if dot - start <= _TOKEN_LENGTH and _NUMBERING.fullmatch(text, start, dot):
        return False
    before = text[max(start, dot - _TOKEN_LENGTH) : dot - len(token)]
    month = _NEXT_IS_MONTH.match(text, dot + 1)
    if month and month.group(1).lower() in abbreviations.MONTHS:
        return False
    if len(token) > _ORDINAL_DIGITS:
        return True
    if _ORDINAL_LEADS.search(before) or _NEXT_IS_CENTURY.match(text, dot + 1):
        return False
    return not _PERHAPS_ORDINAL.search(before) or _opens_sentence(text, following)


def _letter_ends_sentence(text: str, start: int, dot: int, following: int) -> bool:
    """A letter with a dot is an item's number, an initial, or a label such as "witamina C"."""
    letter = text[dot - 1]
    if text[start : dot - 1] in {"", "(", "["}:
        return False
    if letter.lower() in abbreviations.EITHER_WAY and letter.islower():
        return _phrase_ends_sentence(text, start, dot, following)
    if letter.islower():
        return letter not in abbreviations.NEVER_LAST
    before = _token_before(text, start, dot - 1).lower()
    return before in abbreviations.LABELLING_NOUNS or (
        letter.lower() not in abbreviations.NEVER_LAST and _opens_sentence(text, following)
    )


def _phrase_ends_sentence(text: str, start: int, dot: int, following: int) -> bool:
    """Tell "W 2021 r. Sąd orzekł" from "Umowę zawarto w 2021 r. Strony ustaliły"."""
    if text[following - 1] == "(":
        return False
    if _starts_number(text, following):
        return text[dot - 1] not in "rw"
    adverbial = dot - start <= _OPENING_LENGTH and _TIME_ADVERBIAL.fullmatch(text, start, dot)
    if adverbial:
        return False
    return not _is_initials(_token_before(text, start, dot)) or _opens_sentence(text, following)


def _is_initials(token: str) -> bool:
    """Say whether a token reads as "J.K" or "U.S"."""
    return bool(re.fullmatch(r"(?:[^\W\d_]\.)+-?[^\W\d_]", token)) and token.isupper()


def _opens_sentence(text: str, following: int) -> bool:
    word = _NEXT_WORD.match(text, following)
    return word is not None and word.group().lower() in abbreviations.OPENING_WORDS


def _starts_number(text: str, following: int) -> bool:
    return text[following : following + 1].isdigit()
