"""Every built-in reader holds the contract of its seam."""

from collections.abc import Mapping

import pytest
from tests.reading.pdf_files import lines, pdf
from tests.reading.test_html import PAGE
from tests.reading.test_markdown import FENCES
from tests.reading.test_plain import STATUTE

from cytat.protocols import FileFormat
from cytat.reading.html.format import HTML
from cytat.reading.pdf.format import PDF
from cytat.reading.text.format import MARKDOWN, PLAIN
from cytat.testing.readers import ReaderContract


class TestPlainReader(ReaderContract):
    @pytest.fixture
    def file_format(self) -> FileFormat:
        return PLAIN

    @pytest.fixture
    def samples(self) -> Mapping[str, bytes]:
        return {
            "ustawa.txt": STATUTE.encode(),
            "stara.txt": STATUTE.encode("cp1250"),
            "szeroka.txt": STATUTE.encode("utf-16"),
            "a/b.csv": b"name;price\nscrew;0,35\n",
            "code.py": b"def f():\n\n    return 1\n",
        }


class TestMarkdownReader(ReaderContract):
    @pytest.fixture
    def file_format(self) -> FileFormat:
        return MARKDOWN

    @pytest.fixture
    def samples(self) -> Mapping[str, bytes]:
        return {
            "fences.md": FENCES.encode(),
            "front.md": b"---\ntitle: Notatka\n---\r\n# A\r\n\r\n- b\r\n\r\n| c |\r\n| - |",
        }


class TestHtmlReader(ReaderContract):
    @pytest.fixture
    def file_format(self) -> FileFormat:
        return HTML

    @pytest.fixture
    def samples(self) -> Mapping[str, bytes]:
        return {"page.html": PAGE.encode(), "https://a.pl/x": b"<html><p>One<p>Two"}


class TestPdfReader(ReaderContract):
    @pytest.fixture
    def file_format(self) -> FileFormat:
        return PDF

    @pytest.fixture
    def samples(self) -> Mapping[str, bytes]:
        return {
            "two.pdf": pdf([lines("One page.", "Two lines."), lines("Another.")], title="Two"),
            "free.pdf": pdf([lines("Opens without asking.")], password=""),
        }
