"""The texts in `pdf/` -> PDF files with a text layer in `documents/`, laid out as offices do it.

    python -m benchmarks.office.make_pdfs FONTS

FONTS is a folder with DejaVuSans.ttf and DejaVuSans-Bold.ttf, which may be embedded freely
(licence of Bitstream Vera). Run once; the results are committed. The name of a text is the path of
its PDF with `--` for each slash. A line is a paragraph, a heading (`#`, `##`) or one of:

    @center TEXT          a centred line, in bold
    @dots LEFT || RIGHT   a line of a table of contents
    @note TEXT            a footnote, at the foot of the page
    @header TEXT          a running header on every page; `@footer TEXT` beside the page number
    @page                 a new page
    @side … @end          lines LEFT || RIGHT, as two blocks beside each other
    @columns … @end       running text in two columns
    @table LINES W W … @end   rows of cells; LINES are fpdf2's names of borders, W in mm

`^{1}` is a raised sign.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF
from fpdf.fonts import FontFace

HERE = Path(__file__).parent
MADE = datetime(2025, 10, 20, 12, tzinfo=UTC)
"""Written into every file, so that the same text gives the same bytes."""
BODY_POINTS, SMALL_POINTS, LINE_MM, GAP_MM = 10, 8, 5, 2
SIDE_MM, COLUMN_GAP_MM, NOTE_MM = 85, 8, 4
FIRST_NOTE_MM = -34
"""Where the first footnote of a page begins, from the lower edge."""
RAISED = re.compile(r"\^\{(.*?)\}")


class Sheet(FPDF):  # type: ignore[misc]  # has no types where fpdf2 is not installed
    """A4 with a running header and footer."""

    head = foot = ""
    notes = 0
    """Footnotes on the page so far."""

    def header(self) -> None:
        """Write the running header and begin to count the page's footnotes."""
        self.notes = 0
        if self.head:
            self.set_font("sans", size=SMALL_POINTS)
            self.cell(0, 6, self.head, align="R", new_x="LMARGIN", new_y="NEXT")
            self.ln(GAP_MM)

    def footer(self) -> None:
        """Write the running footer and the number of the page."""
        self.set_y(-14)
        self.set_font("sans", size=SMALL_POINTS)
        self.cell(0, 6, f"{self.foot}   {self.page_no()}".strip(), align="C")


def render(text: str, *, fonts: Path) -> FPDF:
    """Return the document of a text."""
    pdf = Sheet(format="A4")
    pdf.set_creation_date(MADE)
    pdf.set_margin(18)
    pdf.set_auto_page_break(auto=True, margin=20)
    pdf.add_font("sans", fname=fonts / "DejaVuSans.ttf")
    pdf.add_font("sans", style="B", fname=fonts / "DejaVuSans-Bold.ttf")
    for name in ("head", "foot"):
        if given := re.search(rf"^@{name}er (.*)$", text, re.MULTILINE):
            setattr(pdf, name, given[1])
    pdf.add_page()
    lines = iter(line for line in text.splitlines() if not line.startswith(("@header", "@footer")))
    for line in lines:
        _place(pdf, line, lines)
    return pdf


def _place(pdf: Sheet, line: str, lines: Iterator[str]) -> None:
    """Write one line; what spans several takes them from `lines`, up to `@end`."""
    name, _, rest = line.partition(" ")
    if name == "@side":
        _side(pdf, list(_until_end(lines)))
    elif name == "@columns":
        _columns(pdf, list(_until_end(lines)))
    elif name == "@table":
        borders, *widths = rest.split()
        _table(pdf, list(_until_end(lines)), borders, [float(width) for width in widths])
    elif name == "@page":
        pdf.add_page()
    elif name == "@note":
        _note(pdf, rest)
    elif line:
        _line(pdf, name, rest, line)


def _until_end(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line == "@end":
            return
        yield line


def _line(pdf: Sheet, name: str, rest: str, line: str) -> None:
    """Write a heading, a centred line, a line with leaders or a paragraph."""
    if name == "#":
        pdf.set_title(rest)
    size = {"#": 15, "##": 11.5}.get(name, BODY_POINTS)
    pdf.set_font("sans", style="B" if name in ("#", "##", "@center") else "", size=size)
    if name in ("#", "##"):
        pdf.ln(GAP_MM)
    if name == "@dots":
        _leaders(pdf, *rest.split(" || "))
    elif name in ("#", "##", "@center"):
        align = "C" if name == "@center" else "L"
        pdf.multi_cell(0, LINE_MM + 1, rest, align=align, new_x="LMARGIN", new_y="NEXT")
    else:
        _raised(pdf, line)
    pdf.ln(GAP_MM)


def _raised(pdf: Sheet, line: str) -> None:
    """Write a paragraph whose `^{…}` are raised and smaller."""
    for at, part in enumerate(RAISED.split(line)):
        pdf.char_vpos = "SUP" if at % 2 else "LINE"
        pdf.write(LINE_MM, part)
    pdf.char_vpos = "LINE"
    pdf.ln(LINE_MM)


def _leaders(pdf: Sheet, left: str, right: str) -> None:
    """Write an entry, dots up to the right margin, and its page."""
    dots = ""
    while pdf.get_string_width(f"{left} {dots}. {right}") < pdf.epw - 2:
        dots += "."
    pdf.cell(0, LINE_MM, f"{left} {dots} {right}", new_x="LMARGIN", new_y="NEXT")


def _side(pdf: Sheet, lines: Sequence[str]) -> None:
    """Write two blocks beside each other, line by line."""
    pdf.set_font("sans", size=BODY_POINTS)
    for line in lines:
        left, _, right = line.partition("||")
        pdf.cell(SIDE_MM, LINE_MM, left.strip())
        pdf.cell(0, LINE_MM, right.strip(), new_x="LMARGIN", new_y="NEXT")
    pdf.ln(2 * GAP_MM)


def _columns(pdf: Sheet, lines: Sequence[str]) -> None:
    """Write running text in two columns; `##` begins a heading in bold."""
    with pdf.text_columns(ncols=2, gutter=COLUMN_GAP_MM, balance=True, line_height=1.25) as columns:
        for line in filter(None, lines):
            is_heading = line.startswith("## ")
            pdf.set_font("sans", style="B" if is_heading else "", size=BODY_POINTS)
            with columns.paragraph(bottom_margin=GAP_MM) as paragraph:
                paragraph.write(line.removeprefix("## "))
    pdf.ln(GAP_MM)


def _table(pdf: Sheet, lines: Sequence[str], borders: str, widths: Sequence[float]) -> None:
    """Write a table with borders of that kind; figures stand to the right."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    rows = [[*row, *[""] * (len(widths) - len(row))] for row in rows]
    pdf.set_font("sans", size=SMALL_POINTS)
    aligns = ["RIGHT" if re.fullmatch(r"[£\d ,.%]+", cell) else "LEFT" for cell in rows[1]]
    with pdf.table(
        borders_layout=borders,
        col_widths=tuple(widths),
        width=sum(widths),
        align="LEFT",
        text_align=tuple(aligns),
        headings_style=FontFace(emphasis="BOLD"),
    ) as made:
        for cells in rows:
            made.row(cells)
    pdf.ln(2 * GAP_MM)


def _note(pdf: Sheet, text: str) -> None:
    """Write a footnote at the foot of the page and go back to where the text was."""
    at = pdf.get_y()
    pdf.set_auto_page_break(auto=False)
    pdf.set_y(FIRST_NOTE_MM + NOTE_MM * pdf.notes)
    pdf.notes += 1
    pdf.set_font("sans", size=SMALL_POINTS - 1)
    _raised(pdf, text)
    pdf.set_auto_page_break(auto=True, margin=20)
    pdf.set_y(at)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("fonts", type=Path)
    given = parser.parse_args()
    for source in sorted((HERE / "pdf").glob("*.txt")):
        target = HERE / "documents" / (source.stem.replace("--", "/") + ".pdf")
        target.parent.mkdir(parents=True, exist_ok=True)
        render(source.read_text("utf-8"), fonts=given.fonts).output(str(target))


if __name__ == "__main__":
    main()
