"""The Markdown files in `pdf/` -> PDF files with a text layer in `documents/`.

    python -m benchmarks.needles.make_pdfs FONTS

FONTS is a folder with DejaVuSerif.ttf and DejaVuSerif-Bold.ttf, which may be embedded freely
(licence of Bitstream Vera). Run once; the results are committed. Only what the texts use is
known: two levels of headings, paragraphs, and tables.
"""

import argparse
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from fpdf import FPDF
from fpdf.fonts import FontFace

HERE = Path(__file__).parent
MADE = datetime(2025, 5, 5, 12, tzinfo=UTC)
"""Written into every file, so that the same text gives the same bytes."""
BODY_POINTS, LINE_MM, GAP_MM = 10.5, 5.2, 2.4


class Page(FPDF):  # type: ignore[misc]  # has no types where fpdf2 is not installed
    """A4 with a page number at the foot."""

    def footer(self) -> None:
        """Write the number of the page."""
        self.set_y(-15)
        self.set_font("serif", size=8)
        self.cell(0, 8, f"{self.page_no()}", align="C")


def render(text: str, *, fonts: Path) -> FPDF:
    """Return a document of a Markdown text."""
    pdf = Page(format="A4")
    pdf.set_creation_date(MADE)
    pdf.set_margin(22)
    pdf.set_auto_page_break(auto=True, margin=20)
    pdf.add_font("serif", fname=fonts / "DejaVuSerif.ttf")
    pdf.add_font("serif", style="B", fname=fonts / "DejaVuSerif-Bold.ttf")
    pdf.add_page()
    for is_row, lines in groupby(text.splitlines(), key=lambda line: line.startswith("|")):
        if is_row:
            _table(pdf, list(lines))
        else:
            for line in filter(None, lines):
                _line(pdf, line)
    return pdf


def _line(pdf: FPDF, line: str) -> None:
    """Write a heading or a paragraph."""
    if line.startswith("## "):
        pdf.ln(GAP_MM)
        pdf.set_font("serif", style="B", size=12)
    elif line.startswith("# "):
        pdf.set_title(line.removeprefix("# "))
        pdf.set_font("serif", style="B", size=16)
    else:
        pdf.set_font("serif", size=BODY_POINTS)
    words = line.lstrip("# ")
    pdf.multi_cell(0, LINE_MM, words, align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(GAP_MM)


def _table(pdf: FPDF, lines: list[str]) -> None:
    """Write a table with ruled cells; the line of dashes under its head is left out."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    pdf.set_font("serif", size=9)
    with pdf.table(text_align="LEFT", headings_style=FontFace(emphasis="BOLD")) as made:
        for cells in (rows[0], *rows[2:]):
            made.row(cells)
    pdf.ln(GAP_MM)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("fonts", type=Path)
    given = parser.parse_args()
    for source in sorted((HERE / "pdf").glob("*.md")):
        pdf = render(source.read_text("utf-8"), fonts=given.fonts)
        pdf.output(str(HERE / "documents" / f"{source.stem}.pdf"))


if __name__ == "__main__":
    main()
