"""Lines as PDFium gives them -> lines of clean characters, and how many letters were lost. Pure."""

import re
from dataclasses import replace

from cytat.reading.pdf_pages import PdfLine, PdfPage

LOST = "\ufffd"
_UNUSABLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ue000-\uf8ff\ufff0-\uffff\ufdd0-\ufdef]"
)
_BULLETS = dict.fromkeys("\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf0a8\uf06c\uf06e\uf02d", "•")
"""Signs of symbol fonts that office programs put before list items; they are no letters."""
_BULLET_FIRST = re.compile(rf"\s*([{''.join(_BULLETS)}])(?=\s|$)")
_WESTERN_FOR_POLISH = re.compile(r"[^\W\d_][³¹¿][^\W\d_]")
_POLISH = re.compile(r"[ąęłśćńźżĄĘŁŚĆŃŹŻ]")
_MIN_WRONG_PLACES = 2
_CAPITALS = "A-ZĄĆĘŁŃÓŚŹŻ"
_LOST_CAPITAL = re.compile(
    rf"•(?=(?i:ród[łle]|le\b|rebi|rebak|renic|dźb))|(?<=[{_CAPITALS}])•(?=[{_CAPITALS}])"
)
"""Ź is a code that the western page does not have, and viewers show a bullet for it: only where
a Polish word cannot be without it, for an item may stand glued to a bullet of its own."""


def cleaned(page: PdfPage) -> tuple[PdfPage, int]:
    """Return the page with U+FFFD for characters that mean nothing, and how many those are."""
    if not any(_UNUSABLE.search(line.words) for line in page.lines):
        return page, sum(line.words.count(LOST) for line in page.lines)
    lines = tuple(replace(line, words=_clean(line.words)) for line in page.lines)
    words = tuple(
        tuple(replace(word, words=_clean(word.words)) for word in line) for line in page.line_words
    )
    return replace(page, lines=lines, line_words=words), sum(
        line.words.count(LOST) for line in lines
    )


def _clean(words: str) -> str:
    bullet = _BULLET_FIRST.match(words)
    if bullet is not None:
        words = "•" + words[bullet.end(1) :]
    return _UNUSABLE.sub(LOST, words)


def repaired(page: PdfPage) -> PdfPage | None:
    """Return a page whose Polish was labelled western ("zap³aty"), mended; None for all others."""
    said = "\n".join(line.words for line in page.lines)
    if len(_WESTERN_FOR_POLISH.findall(said)) < _MIN_WRONG_PLACES or _POLISH.search(said):
        return None
    lines = tuple(_relabelled(line) for line in page.lines)
    return replace(page, lines=lines, line_words=())


def _relabelled(line: PdfLine) -> PdfLine:
    try:
        words = line.words.encode("cp1252").decode("cp1250")
    except UnicodeError:
        return line
    return replace(line, words=_LOST_CAPITAL.sub("Ź", words))
