"""Words -> bytes of small PDF files, by hand, so that tests know every line's place on its page.

Courier with Polish letters: each is named as a glyph and, unless a test wants otherwise, given
its meaning in a ToUnicode map. Encryption is the oldest kind (RC4, 40 bits).
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

POLISH = {
    "ą": "aogonek", "ć": "cacute", "ę": "eogonek", "ł": "lslash", "ń": "nacute", "ó": "oacute",
    "ś": "sacute", "ź": "zacute", "ż": "zdotaccent", "Ł": "Lslash", "Ś": "Sacute", "Ź": "Zacute",
    "Ż": "Zdotaccent", "§": "section", "\u02db": "ogonek", "\u02d9": "dotaccent", "\u00b4": "acute",
}  # fmt: skip
_FIRST_CODE = 0x80
HEIGHT = 842
_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


@dataclass(frozen=True, slots=True)
class Placed:
    """Words at a place: points from the left, and from the top to their base line."""

    words: str
    left: float
    top: float
    size: float = 10
    font: str = "F1"
    """F1 is Courier, F2 its bold face, F3 has no meaning for any of its codes."""
    angle: float = 0
    """Degrees against the clock."""
    paint: str = ""
    """Operators before it, such as "1 g" for white or "3 Tr" for no paint at all."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A filled rectangle: a drawn line where it is thin."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of four dots, black and white, of this size."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Field:
    """A form field: what it holds, and where. A box is ticked if its value is not "Off"."""

    name: str
    value: str
    left: float
    top: float
    right: float
    bottom: float
    kind: str = "Tx"
    """Tx holds text, Btn is a box to tick."""
    is_drawn: bool = True
    """Whether the file has a drawing of what it holds."""


Drawn: TypeAlias = Placed | Rule | Picture


def lines(
    *rows: str,
    left: float = 60,
    top: float = 70,
    step: float = 14,
    size: float = 10,
    font: str = "F1",
) -> list[Placed]:
    """Return rows below one another."""
    return [Placed(words, left, top + step * n, size, font) for n, words in enumerate(rows)]


def grid(lefts: Sequence[float], tops: Sequence[float]) -> list[Rule]:
    """Return the drawn lines of a ruled table."""
    upright = [Rule(left, tops[0], left + 0.7, tops[-1]) for left in lefts]
    return upright + [Rule(lefts[0], top, lefts[-1], top + 0.7) for top in tops]


def pdf(
    pages: Sequence[Sequence[Drawn]],
    *,
    meanings: Mapping[str, str] | None = None,
    has_unicode_map: bool = True,
    password: str | None = None,
    title: str = "",
    labels: str = "",
    rotated: int = 0,
    outline: Sequence[tuple[str, int]] = (),
    fields: Sequence[Field] = (),
) -> bytes:
    """Return a PDF of these pages.

    Args:
        pages: what stands on each; a page of nothing is a drawing without text.
        meanings: what the ToUnicode map says of a character, where it is not itself.
        has_unicode_map: without it only the names of glyphs tell what they are.
        password: None for no encryption; an empty one opens without asking.
        title: what the file says its title is.
        labels: the PageLabels dictionary of the catalogue.
        rotated: how far viewers turn each page, in degrees with the clock.
        outline: titles and the pages, from 1, that they lead to.
        fields: of a form on the first page.
    """
    codes = _codes(meanings or {})
    objects: list[bytes] = [b"", b"", b""]
    objects.append(_stream(_unicode_map(codes, meanings or {})))
    to_unicode = b" /ToUnicode 4 0 R" if has_unicode_map else b""
    objects[2] = _font(codes, "Courier") + to_unicode + b" >>"
    objects.append(_font(codes, "Courier-Bold") + to_unicode + b" >>")
    objects += _meaningless_font(len(objects) + 1)
    kids: list[bytes] = []
    widgets = _widgets(fields, codes, first=len(objects) + 1)
    objects += widgets
    annotations = b" ".join(b"%d 0 R" % number for number in _numbers(fields, objects, widgets))
    for page in pages:
        objects.append(_stream(_content(page, codes)))
        contents = len(objects)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 %d] /Rotate %d /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 5 0 R /F3 6 0 R >> >> /Annots [%b] >>"
            % (HEIGHT, rotated, contents, b"" if kids else annotations)
        )
        kids.append(b"%d 0 R" % len(objects))
    extra = b" /PageLabels " + labels.encode() if labels else b""
    if fields:
        extra += b" /AcroForm << /Fields [%b] /DR << /Font << /F1 3 0 R >> >> >>" % annotations
    if outline:
        extra += b" /Outlines %d 0 R" % (len(objects) + 1)
        objects += _outline(outline, kids, first=len(objects) + 1)
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R" + extra + b" >>"
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%b] >>" % (len(kids), b" ".join(kids))
    objects.append(b"<< /Title (%b) >>" % title.encode("ascii") if title else b"<< >>")
    return _file(objects, password=password)


def _widgets(fields: Sequence[Field], codes: Mapping[str, int], *, first: int) -> list[bytes]:
    """Return two objects for each field: its drawing and itself."""
    made: list[bytes] = []
    for field in fields:
        shown = _escaped(field.value, codes)
        drawn = b"BT /F1 10 Tf 2 4 Td (%b) Tj ET" % shown if field.kind == "Tx" else b""
        width, height = field.right - field.left, field.bottom - field.top
        made.append(
            b"<< /Type /XObject /Subtype /Form /BBox [0 0 %.1f %.1f] "
            b"/Resources << /Font << /F1 3 0 R >> >> /Length %d >>\nstream\n%b\nendstream"
            % (width, height, len(drawn), drawn)
        )
        number = first + len(made) - 1
        state = field.value.encode()
        value = b"(%b)" % field.value.encode("latin-1") if field.kind == "Tx" else b"/" + state
        drawings = b"%d 0 R" % number
        if field.kind == "Btn":
            drawings = b"<< /%b %b /Off %b >>" % (b"Yes", drawings, drawings)
            value += b" /AS /" + state
        made.append(
            b"<< /Type /Annot /Subtype /Widget /FT /%b /T (%b) /V %b /F 4 "
            b"/Rect [%.1f %.1f %.1f %.1f] /DA (/F1 10 Tf 0 g) %b >>"
            % (
                field.kind.encode(), field.name.encode(), value, field.left,
                HEIGHT - field.bottom, field.right, HEIGHT - field.top,
                b"/AP << /N %b >>" % drawings if field.is_drawn else b"",
            )
        )  # fmt: skip
    return made


def _numbers(
    fields: Sequence[Field], objects: Sequence[bytes], widgets: Sequence[bytes]
) -> list[int]:
    start = len(objects) - len(widgets)
    return [start + 2 * place + 2 for place in range(len(fields))]


def _codes(meanings: Mapping[str, str]) -> dict[str, int]:
    return {sign: _FIRST_CODE + n for n, sign in enumerate({**POLISH, **meanings})}


def _outline(
    titles: Sequence[tuple[str, int]], kids: Sequence[bytes], *, first: int
) -> list[bytes]:
    root = b"<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>" % (
        first + 1, first + len(titles), len(titles),
    )  # fmt: skip
    made = [root]
    for place, (title, page) in enumerate(titles, 1):
        told = ("\ufeff" + title).encode("utf-16-be").hex().encode()
        onward = b"/Next %d 0 R" % (first + place + 1) if place < len(titles) else b""
        back = b"/Prev %d 0 R" % (first + place - 1) if place > 1 else b""
        made.append(
            b"<< /Title <%b> /Parent %d 0 R /Dest [%b /Fit] %b %b >>"
            % (told, first, kids[page - 1], onward, back)
        )
    return made


def _meaningless_font(first: int) -> list[bytes]:
    """Return a composite font whose codes are glyph numbers of a font that is not there."""
    composite = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Nameless /Encoding /Identity-H "
        b"/DescendantFonts [%d 0 R] >>"
    )
    descendant = (
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Nameless /CIDSystemInfo "
        b"<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 "
        b"/FontDescriptor %d 0 R >>"
    )
    descriptor = (
        b"<< /Type /FontDescriptor /FontName /ABCDEF+Nameless /Flags 4 /FontBBox [0 0 600 800] "
        b"/ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>"
    )
    return [composite % (first + 1), descendant % (first + 2), descriptor]


def _font(codes: Mapping[str, int], name: str) -> bytes:
    names = b" ".join(
        b"%d /%b" % (code, POLISH.get(sign, f"g{code}").encode()) for sign, code in codes.items()
    )
    widths = b" ".join([b"600"] * 224)
    return (
        b"<< /Type /Font /Subtype /Type1 /BaseFont /" + name.encode() + b" /FirstChar 32 "
        b"/LastChar 255 /Widths ["
        + widths
        + b"] /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding "
        b"/Differences [" + names + b"] >>"
    )


def _unicode_map(codes: Mapping[str, int], meanings: Mapping[str, str]) -> bytes:
    pairs = [(code, chr(code)) for code in range(32, 127)]
    pairs += [(code, meanings.get(sign, sign)) for sign, code in codes.items()]
    rows = [f"<{code:02X}> <{said.encode('utf-16-be').hex()}>" for code, said in pairs]
    parts = [rows[n : n + 100] for n in range(0, len(rows), 100)]
    body = "".join(
        f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar\n" for part in parts
    )
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def "
        "/CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{body}endcmap end end"
    ).encode()


def _content(page: Sequence[Drawn], codes: Mapping[str, int]) -> bytes:
    if not page:
        return b"100 100 200 200 re f"
    return b"\n".join(_operators(drawn, codes) for drawn in page)


def _operators(drawn: Drawn, codes: Mapping[str, int]) -> bytes:
    if isinstance(drawn, Placed):
        shown = _shown(drawn, codes)
        return b"q %b %b Q" % (drawn.paint.encode(), shown) if drawn.paint else shown
    if isinstance(drawn, Picture):
        width, height = drawn.right - drawn.left, drawn.bottom - drawn.top
        return (
            b"q %.1f 0 0 %.1f %.1f %.1f cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x00\xff\xff\x00 EI Q"
            % (width, height, drawn.left, HEIGHT - drawn.bottom)
        )
    return _filled(drawn)


def _shown(placed: Placed, codes: Mapping[str, int]) -> bytes:
    turned = math.radians(placed.angle)
    cosine, sine = math.cos(turned), math.sin(turned)
    matrix = b"%.5f %.5f %.5f %.5f" % (cosine, sine, -sine, cosine)
    told = b"(%b)" % _escaped(placed.words, codes)
    if placed.font == "F3":
        told = b"<%b>" % b"".join(b"%04X" % (ord(sign) * 7) for sign in placed.words)
    return b"BT /%b %.1f Tf %b %.1f %.1f Tm %b Tj ET" % (
        placed.font.encode(), placed.size, matrix, placed.left, HEIGHT - placed.top, told,
    )  # fmt: skip


def _filled(rule: Rule) -> bytes:
    width, height = rule.right - rule.left, rule.bottom - rule.top
    return b"%.2f %.2f %.2f %.2f re f" % (rule.left, HEIGHT - rule.bottom, width, height)


def _escaped(words: str, codes: Mapping[str, int]) -> bytes:
    plain = bytes(codes.get(sign, ord(sign)) for sign in words)
    return plain.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _stream(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content)


def _file(objects: list[bytes], *, password: str | None) -> bytes:
    identity = hashlib.md5(b"".join(objects), usedforsecurity=False).digest()
    trailer = b"/Root 1 0 R /Info %d 0 R" % len(objects)
    if password is not None:
        key, encryption = _encryption(password.encode(), identity)
        objects = [_encrypted(body, number, key) for number, body in enumerate(objects, 1)]
        objects.append(encryption)
        trailer += b" /Encrypt %d 0 R" % len(objects)
    out = bytearray(b"%PDF-1.5\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    named = identity.hex().encode()
    out += b"trailer\n<< /Size %d %b /ID [<%b> <%b>] >>\n" % (size, trailer, named, named)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def _encryption(password: bytes, identity: bytes) -> tuple[bytes, bytes]:
    """Return the file's key and its encryption dictionary (PDF 1.7, 7.6.3, revision 2)."""
    padded = (password + _PADDING)[:32]
    owner_key = hashlib.md5((b"owner" + _PADDING)[:32], usedforsecurity=False).digest()[:5]
    owner = _rc4(owner_key, padded)
    permissions = (-44).to_bytes(4, "little", signed=True)
    whole = padded + owner + permissions + identity
    key = hashlib.md5(whole, usedforsecurity=False).digest()[:5]
    user = _rc4(key, _PADDING)
    return key, b"<< /Filter /Standard /V 1 /R 2 /Length 40 /P -44 /O <%b> /U <%b> >>" % (
        owner.hex().encode(),
        user.hex().encode(),
    )


def _encrypted(body: bytes, number: int, key: bytes) -> bytes:
    head, separator, rest = body.partition(b"\nstream\n")
    if not separator:
        return body
    content = rest.removesuffix(b"\nendstream")
    salted = key + number.to_bytes(3, "little") + b"\0\0"
    object_key = hashlib.md5(salted, usedforsecurity=False).digest()[:10]
    return head + separator + _rc4(object_key, content) + b"\nendstream"


def _rc4(key: bytes, content: bytes) -> bytes:
    state = list(range(256))
    other = 0
    for place in range(256):
        other = (other + state[place] + key[place % len(key)]) % 256
        state[place], state[other] = state[other], state[place]
    out = bytearray()
    place = other = 0
    for byte in content:
        place = (place + 1) % 256
        other = (other + state[place]) % 256
        state[place], state[other] = state[other], state[place]
        out.append(byte ^ state[(state[place] + state[other]) % 256])
    return bytes(out)
