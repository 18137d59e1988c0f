"""Bytes of a PDF -> problems with what is packed in it. Pure.

A viewer shows what it can of a damaged file and says nothing of the rest. Packed parts carry a
checksum, so that what was changed in them is known even if text still comes out.
"""

import re
import zlib
from collections.abc import Iterator

from cytat.reading.pdf_model import PdfFile
from cytat.records import Problem

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
