"""A seed -> damaged copies of a packed PDF of twenty pages, and what its pages say."""

import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

PAGES = 20
LINES = 30


@dataclass(frozen=True, slots=True)
class Wreck:
    """A damaged copy and how it was damaged."""

    kind: str
    content: bytes


def words_of_pages() -> list[str]:
    """Return the words of the whole file, each unlike any other."""
    return [f"w{page:02}x{line:02}y{n}" for page in range(PAGES) for line in range(LINES)
            for n in range(6)]  # fmt: skip


def whole() -> bytes:
    """Return the file before any harm: one font, the content of each page packed."""
    words = words_of_pages()
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"",
               b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"]  # fmt: skip
    kids = []
    for page in range(PAGES):
        rows = [
            " ".join(words[(page * LINES + line) * 6 : (page * LINES + line) * 6 + 6])
            for line in range(LINES)
        ]
        shown = b"\n".join(
            b"BT /F1 9 Tf 50 %d Td (%b) Tj ET" % (780 - 20 * n, row.encode())
            for n, row in enumerate(rows)
        )
        packed = zlib.compress(shown)
        objects.append(
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(packed), packed)
        )
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%b] >>" % (PAGES, b" ".join(kids))
    return _file(objects)


def wrecks(count: int, *, seed: int) -> Iterator[Wreck]:
    """Yield damaged copies, the same ones for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    content = whole()
    for number in range(count):
        kind = ("flips", "cut", "zeroed")[number % 3]
        yield Wreck(kind, _harmed(content, kind, chance))


def _harmed(content: bytes, kind: str, chance: random.Random) -> bytes:
    harmed = bytearray(content)
    if kind == "cut":
        return bytes(harmed[: chance.randrange(200, len(harmed))])
    if kind == "zeroed":
        start = chance.randrange(len(harmed))
        size = chance.choice((64, 256, 1024, 4096))
        harmed[start : start + size] = bytes(len(harmed[start : start + size]))
        return bytes(harmed)
    for _ in range(chance.choice((1, 1, 4, 16))):
        harmed[chance.randrange(len(harmed))] ^= 1 << chance.randrange(8)
    return bytes(harmed)


def _file(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.5\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)
