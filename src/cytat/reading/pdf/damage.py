"""What is damaged in a PDF: lost letters in its lines, and faults in its packed parts. Pure.

A viewer shows what it can of a damaged file and says nothing of the rest. Packed parts carry a
checksum, so that what was changed in them is known even if text still comes out.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import replace

from cytat.reading.pdf.model import PdfFile, PdfPage, Word
from cytat.records import Problem

LOST = "\ufffd"
_UNUSABLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ue000-\uf8ff\ufff0-\uffff\ufdd0-\ufdef]"
)
_BULLETS = dict.fromkeys("\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf0a8\uf06c\uf06e\uf02d", "•")
"""Signs of symbol fonts that office programs put before list items; they are no letters."""
_WESTERN_FOR_POLISH = re.compile(r"[^\W\d_][³¹¿±¶¼][^\W\d_]")
_POLISH = re.compile(r"[ąęłśćńźżĄĘŁŚĆŃŹŻ]")
_MIN_WRONG_PLACES = 2
_SIGNS_OF_1250 = re.compile(r"[œŸ]|[^\W\d_]¹")
_SIGNS_OF_ISO = re.compile(r"[^\W\d_][¶±¼]|[¦¶¬¼](?=[^\W\d_])")
"""How ś and ą of windows-1250 and of ISO-8859-2 look under the western label."""
_ODD = re.compile(r"[\x00-\x1f\x7f-\xa0\u0180-\u0370\ue000-\uffff]")
"""Signs of no language that is read here: control signs, rare letters, marks, private signs."""
_MIN_ODD = 0.2
"""Share of words with such signs among those that are not told."""
_CAPITALS = "A-ZĄĆĘŁŃÓŚŹŻ"
_LOST_CAPITAL = re.compile(
    rf"•(?=(?i:ród[łle]|le\b|rebi|rebak|renic|dźb))|(?<=[{_CAPITALS}])•(?=[{_CAPITALS}])"
)
"""Ź is a code that the western page does not have, and viewers show a bullet for it: only where
a Polish word cannot be without it, for an item may stand glued to a bullet of its own."""


def hidden_text_of(page: PdfPage) -> Iterator[Problem]:
    """Yield what of a page was left out because nobody can see it."""
    if page.hidden:
        message = f"{page.hidden} words are left out, for they cannot be seen on the page"
        yield Problem(f"page {page.number}", "hidden-text", message)


def cleaned(page: PdfPage) -> tuple[PdfPage, int]:
    """Return the page with U+FFFD for characters that mean nothing, and how many those are."""
    lost = 0
    words = []
    for word in page.words:
        said = word.said
        if not said.isprintable() or LOST in said or _UNUSABLE.search(said):
            said = _clean(said)
            lost += said.count(LOST)
            word = word._replace(said=said)  # noqa: PLW2901 - the same word, cleaned
        words.append(word)
    return replace(page, words=tuple(words)), lost


def _clean(said: str) -> str:
    if said in _BULLETS:
        return "•"
    return _UNUSABLE.sub(LOST, said)


def without_garbage(page: PdfPage) -> tuple[PdfPage, int]:
    """Return the page without words whose characters the file does not tell, and how many.

    PDFium then shows the numbers of glyphs as if they were characters. In some files these are
    right by chance: it takes signs that no word has to tell that they are not.
    """
    untold = [word for word in page.words if not word.style.has_meaning]
    odd = sum(_ODD.search(word.said) is not None for word in untold)
    if not untold or odd < _MIN_ODD * len(untold):
        return page, 0
    return replace(page, words=tuple(w for w in page.words if w.style.has_meaning)), len(untold)


def repaired(page: PdfPage) -> PdfPage | None:
    """Return a page whose Polish was labelled otherwise ("zap³aty"), mended; None for others."""
    said = "\n".join(word.said for word in page.words)
    if _POLISH.search(said):
        return None
    if len(_WESTERN_FOR_POLISH.findall(said)) < _MIN_WRONG_PLACES:
        return None
    # Ś, ś, Ź and ź are other codes in the two Polish pages; what they show as tells which.
    codes = (
        "iso8859-2" if _SIGNS_OF_ISO.search(said) and not _SIGNS_OF_1250.search(said) else "cp1250"
    )
    return replace(page, words=tuple(_relabelled(word, codes) for word in page.words))


def _relabelled(word: Word, codes: str) -> Word:
    try:
        said = word.said.encode("cp1252").decode(codes)
    except UnicodeError:
        return word
    return word._replace(said=_LOST_CAPITAL.sub("Ź", said) if codes == "cp1250" else said)


_STREAM = re.compile(rb"stream(?:\r\n|\n|\r)")
_END = b"endstream"
_HEAD_BYTES = 1500
"""Before the stream: its dictionary is rarely longer, and is not looked at further."""
_FLATE_FIRST = re.compile(rb"/Filter\s*(?:\[\s*)?/(?:FlateDecode|Fl)\b")
_PICTURE = re.compile(rb"/Subtype\s*/Image\b")
_ENCRYPTED = re.compile(rb"/Encrypt\s+\d+\s+\d+\s+R|/Encrypt\s*<<")
_PAGE = re.compile(rb"(\d+)\s+\d+\s+obj\s*<<(?:(?!endobj).){0,400}?/Type\s*/Page\b(?!s)", re.DOTALL)
_MAX_UNPACKED = 256 * 1024 * 1024
_STEP = 1024 * 1024


def damage_of(content: bytes, file: PdfFile) -> tuple[Problem, ...]:
    """Return what of the file's packed parts is damaged, and whether pages are missing."""
    problems = []
    if _ENCRYPTED.search(content) is None:
        damaged = sum(_is_damaged(packed) for packed in _packed(content))
        if damaged:
            message = (
                f"{damaged} packed parts of the file are damaged; text may be missing or wrong"
            )
            problems.append(Problem("file", "damaged-text", message))
    # A sound file may still hold pages that were taken out of it.
    described = 0 if file.is_sound else len({found[1] for found in _PAGE.finditer(content)})
    pages = len(file.pages)
    if described > pages:
        message = f"the file describes {described} pages and lists {pages}; some may be missing"
        problems.append(Problem("file", "unreadable", message))
    return tuple(problems)


def _packed(content: bytes) -> Iterator[memoryview]:
    """Yield the packed streams that are no pictures."""
    whole = memoryview(content)
    for found in _STREAM.finditer(content):
        if content[max(0, found.start() - 3) : found.start()] == b"end":
            continue
        head = content[max(0, found.start() - _HEAD_BYTES) : found.start()]
        head = head[head.rfind(b" obj") :] if b" obj" in head else head
        if _FLATE_FIRST.search(head) is None or _PICTURE.search(head) is not None:
            continue
        end = content.find(_END, found.end())
        yield whole[found.end() : end if end >= 0 else len(content)]


def _is_damaged(packed: memoryview) -> bool:
    """Say whether a packed stream does not unpack to its end with the right checksum."""
    unpacker = zlib.decompressobj()
    unpacked = 0
    left: bytes | memoryview = packed
    try:
        while not unpacker.eof:
            piece = unpacker.decompress(left, _STEP)
            left = unpacker.unconsumed_tail
            unpacked += len(piece)
            if unpacked > _MAX_UNPACKED:
                return False  # a bomb is another fault, and the limits of the process hold it
            if not piece and not left:
                return not unpacker.eof
    except zlib.error:
        return True
    return False
