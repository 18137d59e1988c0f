"""Text -> documents/biuro/umowa-najmu.pdf, by hand, with a subset of a TrueType font inside.

Run once: `python examples/make_pdf.py /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf`. The result
is committed. DejaVu fonts may be embedded freely (licence of Bitstream Vera).
"""

import struct
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

OUTPUT = Path(__file__).parent / "documents" / "biuro" / "umowa-najmu.pdf"
HEADER = "Umowa najmu lokalu użytkowego nr 3/2024"
TABLES = ("cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep")
"""What a font program inside a PDF needs."""

CMAP_FORMAT = 4
"""The table that maps characters of the basic plane."""

COMPOSITE_FONT = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+DejaVuSans /Encoding /Identity-H "
    b"/DescendantFonts [4 0 R] /ToUnicode 7 0 R >>"
)
DESCENDANT_FONT = (
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+DejaVuSans "
    b"/CIDToGIDMap /Identity /CIDSystemInfo "
    b"<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
    b"/FontDescriptor 5 0 R /W [%b] >>"
)
FONT_DESCRIPTOR = (
    b"<< /Type /FontDescriptor /FontName /ABCDEF+DejaVuSans /Flags 4 "
    b"/FontBBox [-1021 -463 1793 1232] /ItalicAngle 0 /Ascent 928 /Descent -236 "
    b"/CapHeight 729 /StemV 80 /FontFile2 6 0 R >>"
)
PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
    b"/Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>"
)

PAGES: tuple[tuple[str, ...], ...] = (
    (
        "UMOWA NAJMU LOKALU UŻYTKOWEGO",
        "",
        "zawarta w Krakowie dnia 15 stycznia 2024 r. między:",
        "Jadwigą Ćwiklińską, zwaną dalej Wynajmującą,",
        "a Biurem rachunkowym Jodła, ul. Leśna 7, 30-001 Kraków, zwanym dalej Najemcą.",
        "",
        "§ 1. Przedmiot umowy",
        "1. Wynajmująca oddaje Najemcy do używania lokal o powierzchni 64 m² na parterze",
        "budynku przy ul. Leśnej 7 w Krakowie, składający się z trzech pokoi i łazienki.",
        "2. Lokal będzie używany wyłącznie jako biuro.",
        "",
        "§ 2. Czas trwania",
        "1. Umowa zostaje zawarta na czas oznaczony od 1 lutego 2024 r. do 31 stycznia 2029 r.",
        "2. Strony mogą przedłużyć umowę aneksem podpisanym najpóźniej 3 miesiące przed jej",
        "końcem.",
        "",
        "§ 3. Czynsz",
        "1. Czynsz wynosi 3 200 zł netto miesięcznie i jest płatny z góry do 10. dnia miesiąca.",
        "2. Czynsz jest waloryzowany raz w roku, od 1 marca, o wskaźnik inflacji ogłoszony",
        "przez Prezesa GUS.",
        "3. Opłaty za prąd, wodę i ogrzewanie Najemca pokrywa osobno, według liczników.",
    ),
    (
        "§ 4. Kaucja",
        "1. Najemca wpłaca kaucję w wysokości 9 600 zł w dniu podpisania umowy.",
        "2. Wynajmująca zwraca kaucję w ciągu 30 dni od oddania lokalu, po potrąceniu",
        "zaległych opłat i kosztów naprawy szkód.",
        "",
        "§ 5. Naprawy",
        "1. Drobne naprawy, w tym wymiana żarówek, zamków i uszczelek, obciążają Najemcę.",
        "2. Naprawy instalacji, dachu i okien obciążają Wynajmującą. Usterkę należy zgłosić",
        "na piśmie w ciągu 3 dni od jej zauważenia.",
        "",
        "§ 6. Podnajem",
        "Najemca nie może oddać lokalu w podnajem ani do bezpłatnego używania bez pisemnej",
        "zgody Wynajmującej.",
        "",
        "§ 7. Wypowiedzenie",
        "1. Wynajmująca może wypowiedzieć umowę bez zachowania terminu, jeżeli Najemca zalega",
        "z czynszem za dwa pełne okresy płatności i nie zapłacił mimo wezwania.",
        "2. Najemca może wypowiedzieć umowę z zachowaniem sześciomiesięcznego terminu, jeżeli",
        "zakończy prowadzenie działalności gospodarczej.",
    ),
    (
        "§ 8. Zwrot lokalu",
        "1. Po zakończeniu umowy Najemca oddaje lokal opróżniony i pomalowany na biało.",
        "2. Za każdy dzień opóźnienia Najemca płaci karę umowną w wysokości 200 zł.",
        "",
        "§ 9. Postanowienia końcowe",
        "1. Zmiany umowy wymagają formy pisemnej pod rygorem nieważności.",
        "2. Spory rozstrzyga sąd właściwy dla miejsca położenia lokalu.",
        "3. Umowę sporządzono w dwóch jednobrzmiących egzemplarzach.",
        "",
        "Wynajmująca: Jadwiga Ćwiklińska",
        "Najemca: Łucja Dąbrowska-Święch, za Biuro rachunkowe Jodła",
    ),
)


class Font:
    """The parts of a TrueType file that are needed to draw and measure a few characters."""

    def __init__(self, content: bytes) -> None:
        count = struct.unpack_from(">H", content, 4)[0]
        entries = [struct.unpack_from(">4sLLL", content, 12 + 16 * i) for i in range(count)]
        self.tables = {tag.decode(): content[at : at + size] for tag, _, at, size in entries}
        self.units: int = struct.unpack_from(">H", self.tables["head"], 18)[0]
        self.glyphs: int = struct.unpack_from(">H", self.tables["maxp"], 4)[0]
        self.offsets = struct.unpack(f">{self.glyphs + 1}L", self.tables["loca"])
        self.metrics: int = struct.unpack_from(">H", self.tables["hhea"], 34)[0]

    def glyph(self, character: str) -> int:
        """Return the glyph of a character of the basic plane, from the format 4 table."""
        cmap = self.tables["cmap"]
        at = next(
            offset
            for i in range(struct.unpack_from(">H", cmap, 2)[0])
            for offset in struct.unpack_from(">L", cmap, 8 + 8 * i)
            if struct.unpack_from(">H", cmap, offset)[0] == CMAP_FORMAT
        )
        half = struct.unpack_from(">H", cmap, at + 6)[0]
        code = ord(character)
        for i in range(0, half, 2):
            end = struct.unpack_from(">H", cmap, at + 14 + i)[0]
            start = struct.unpack_from(">H", cmap, at + 16 + half + i)[0]
            delta, offset = (
                struct.unpack_from(">H", cmap, at + 16 + part * half + i)[0] for part in (2, 3)
            )
            if start <= code <= end:
                if not offset:
                    return int(code + delta) & 0xFFFF
                place = at + 16 + 3 * half + i + offset + 2 * (code - start)
                return int(struct.unpack_from(">H", cmap, place)[0] + delta) & 0xFFFF
        raise KeyError(character)

    def width(self, glyph: int) -> int:
        """Return the advance width in thousandths of the type size."""
        at = 4 * min(glyph, self.metrics - 1)
        advance: int = struct.unpack_from(">H", self.tables["hmtx"], at)[0]
        return round(1000 * advance / self.units)

    def _parts(self, glyph: int) -> list[int]:
        """Return the glyphs a composite glyph is made of."""
        outline = self.tables["glyf"][self.offsets[glyph] : self.offsets[glyph + 1]]
        if not outline or struct.unpack_from(">h", outline)[0] >= 0:
            return []
        parts, at, more = [], 10, True
        while more:
            flags, part = struct.unpack_from(">HH", outline, at)
            parts.append(part)
            at += 4 + (4 if flags & 1 else 2)
            at += 2 * bool(flags & 8) + 4 * bool(flags & 0x40) + 8 * bool(flags & 0x80)
            more = bool(flags & 0x20)
        return parts

    def subset(self, glyphs: Sequence[int]) -> bytes:
        """Return a font file that keeps glyph numbers and only the outlines of `glyphs`."""
        wanted, queue = {0}, list(glyphs)
        while queue:
            glyph = queue.pop()
            wanted.add(glyph)
            queue += [part for part in self._parts(glyph) if part not in wanted]
        outlines, loca = b"", []
        for glyph in range(self.glyphs):
            loca.append(len(outlines))
            if glyph in wanted:
                outlines += self.tables["glyf"][self.offsets[glyph] : self.offsets[glyph + 1]]
        loca.append(len(outlines))
        tables = self.tables | {"glyf": outlines, "loca": struct.pack(f">{len(loca)}L", *loca)}
        return _font_file({tag: tables[tag] for tag in TABLES})


def _font_file(tables: dict[str, bytes]) -> bytes:
    head, body = struct.pack(">LHHHH", 0x10000, len(tables), 128, 3, 16), b""
    at = 12 + 16 * len(tables)
    for tag, table in tables.items():
        padded = table + b"\0" * (-len(table) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}L", padded)) & 0xFFFFFFFF
        head += struct.pack(">4sLLL", tag.encode(), total, at + len(body), len(table))
        body += padded
    return head + body


def _stream(content: bytes, extra: str = "") -> bytes:
    packed = zlib.compress(content, 9)
    head = f"<< /Length {len(packed)} /Filter /FlateDecode {extra}>>\nstream\n"
    return head.encode() + packed + b"\nendstream"


def _page_content(font: Font, lines: Sequence[str], number: int) -> bytes:
    """Return the drawing of one A4 page: running header, lines, page number in the footer."""
    placed = [(HEADER, 72, 800, 9), (f"Strona {number} z {len(PAGES)}", 270, 40, 9)]
    placed += [(line, 72, 750 - 20 * i, 11) for i, line in enumerate(lines) if line]
    drawn = [
        f"BT /F1 {size} Tf {x} {y} Td <{''.join(f'{font.glyph(c):04X}' for c in text)}> Tj ET"
        for text, x, y, size in placed
    ]
    return "\n".join(drawn).encode()


def _unicode_map(glyphs: dict[int, str]) -> bytes:
    pairs = "\n".join(f"<{glyph:04X}> <{ord(c):04X}>" for glyph, c in sorted(glyphs.items()))
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Text def "
        "/CMapType 2 def 1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        f"{len(glyphs)} beginbfchar\n{pairs}\nendbfchar endcmap end end"
    ).encode()


def make_pdf(font: Font) -> bytes:
    """Return the bytes of the file; the same font makes the same bytes."""
    characters = sorted(
        {c for page in PAGES for line in page for c in line} | set(HEADER + "Strona 0123456789 z")
    )
    glyphs = {font.glyph(c): c for c in characters}
    widths = " ".join(f"{glyph} [{font.width(glyph)}]" for glyph in sorted(glyphs))
    kids = " ".join(f"{8 + 2 * i} 0 R" for i in range(len(PAGES)))
    program = font.subset(list(glyphs))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Lang (pl) >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(PAGES)} >>".encode(),
        COMPOSITE_FONT,
        DESCENDANT_FONT % widths.encode(),
        FONT_DESCRIPTOR,
        _stream(program, f"/Length1 {len(program)} "),
        _stream(_unicode_map(glyphs)),
    ]
    for i, lines in enumerate(PAGES):
        objects.append(PAGE % (9 + 2 * i))
        objects.append(_stream(_page_content(font, lines, i + 1)))
    title = (b"\xfe\xff" + HEADER.encode("utf-16-be")).hex()
    objects.append(f"<< /Title <{title}> /CreationDate (D:20240115120000Z) >>".encode())
    return _file(objects)


def _file(objects: Sequence[bytes]) -> bytes:
    content, places = b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(content))
        content += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    rows = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    return (
        content
        + (
            f"xref\n0 {size}\n0000000000 65535 f \n{rows}trailer\n<< /Size {size} /Root 1 0 R "
            f"/Info {len(objects)} 0 R >>\nstartxref\n{len(content)}\n%%EOF\n"
        ).encode()
    )


if __name__ == "__main__":
    OUTPUT.write_bytes(make_pdf(Font(Path(sys.argv[1]).read_bytes())))
