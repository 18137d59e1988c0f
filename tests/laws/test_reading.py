"""The laws of offset and cover for reading: every word of any file lies in one block, in order."""

from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.reading.looking import read_document

from cytat.errors import ReadingError
from cytat.testing.readers import assert_document, assert_named

LINES = st.sampled_from([
    "", "", " ", "Art. 43. 1. Zwalnia się:", "1) towary;", "2. Przepis.", "§ 5", "§ 6. Kaucja",
    "Rozdział II", "Zwolnienia", "# A", "## B ##", "===", "---", "- x", "  - y", "1. One",
    "| a | b |",
    "| - | - |", "```", "~~~", "> q", "\tcode", "title: T", "a: [", "<b>x</b>",
    "<!-- c -->", "a\tb",
    "1.2 Title", "[a]: /x", "***", "\ufeff", "word\u2028word", "a\fb", "\u00a0", "🙂 é", "\x1c",
])  # fmt: skip
BREAKS = st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n"])
LAYOUTS = st.lists(st.tuples(LINES, BREAKS), max_size=30).map(
    lambda pairs: "".join(line + end for line, end in pairs)
)
TAGS = st.sampled_from([
    "<p>", "</p>", "<div>", "</div>", "<ul>", "<li>", "</ul>", "<ol>", "<table>", "<tr>", "<td>",
    "</table>", "<h1>", "</h1>", "<h2>", "</h2>", "<pre>", "</pre>", "<br>", "<nav>", "</nav>",
    "<code>", "</code>", "<b>", "</b>", "<script>", "</script>", "<!--", "-->", "<dl><dt>", "<dd>",
    "<main>", "<header>",
    "<span hidden>", "&nbsp;", "&#0;", "&#xD800;", "&shy;", " ", "\n", "word",
    "Art. 1. 1. Tekst", "two words", "<caption>", "<th>", "<details><summary>",
    "<a href='#'>", "</a>",
])  # fmt: skip
PAGES = st.lists(TAGS, max_size=40).map("".join)


def read_or_refused(content: bytes, source: str) -> str:
    """Check the document and return its text; a file may be refused, with a code."""
    try:
        document = read_document(content, source=source)
    except ReadingError as refused:
        assert_named(refused)
        return ""
    assert_document(document)
    return document.text


MAY_BE_COMMENTS = ("<!--", "]:", "{:", "%%", "+++")
"""What comments of Markdown, which are blanks in its text, begin with or hold."""


def is_file(read: str, text: str, *, source: str) -> bool:
    """Say whether a text is the file's, but for comments."""
    if source != "a.md" or not any(mark in text for mark in MAY_BE_COMMENTS):
        return read == text
    return len(read) == len(text) and all(
        one in {other, " "} for one, other in zip(read, text, strict=True)
    )


@pytest.mark.parametrize("source", ["a.txt", "a.md", "a.csv", "a.json"])
@settings(deadline=None, max_examples=60)
@given(text=st.one_of(st.text(max_size=400), LAYOUTS))
def test_the_text_of_a_text_like_file_is_the_file(source: str, text: str) -> None:
    content = text.encode("utf-8")
    # With NUL at every second place, the bytes are those of another text in UTF-16.
    assume(not (text.count("\0") > 1 and len(content) % 2 == 0))
    read = read_or_refused(content, source)
    expected = text.removeprefix("\ufeff").replace("\0", "\ufffd")
    assert not read or is_file(read, expected, source=source)


@pytest.mark.parametrize("source", ["a.txt", "a.md", "a.html", "a.pdf", "a.csv"])
@settings(deadline=None, max_examples=60)
@given(content=st.binary(max_size=400))
def test_any_bytes_are_a_document_or_refused(source: str, content: bytes) -> None:
    read_or_refused(content, source)


@settings(deadline=None, max_examples=150)
@given(page=st.one_of(PAGES, st.text(max_size=200)))
def test_blocks_of_any_page_hold_every_word(page: str) -> None:
    read_or_refused(page.encode("utf-8"), "a.html")


@pytest.mark.parametrize("encode", [str.encode, lambda text: text.encode("utf-16")])
@settings(deadline=None, max_examples=40)
@given(text=LAYOUTS)
def test_the_encoding_changes_nothing_but_its_name(
    encode: Callable[[str], bytes], text: str
) -> None:
    text = text.replace("\ufeff", "")
    read = read_or_refused(encode(text), "a.md")
    assert not read or is_file(read, text, source="a.md")
