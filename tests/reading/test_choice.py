"""Which reader a file gets: the surest, then the built-in one."""

import pytest
from tests.reading.looking import FORMATS

from cytat.errors import SettingsError
from cytat.protocols import FileFormat, FileSample, Fit
from cytat.reading.choice import Formats, InstalledReader
from cytat.reading.text.format import PLAIN
from cytat.records import LocatorKind


def chosen(content: bytes, source: str, *, media_type: str | None = None) -> str:
    return FORMATS.reader_for(content, source, named=None, media_type=media_type).entry


@pytest.mark.parametrize(
    ("content", "source", "entry"),
    [
        (b"%PDF-1.7", "a.txt", "pdf"),
        (b"\xef\xbb\xbf %PDF-1.7", "a", "pdf"),
        (b"words", "a.pdf", "pdf"),  # it fails there, and its failure says what it should be
        (b"<!DOCTYPE html><p>a", "a.md", "html"),
        (b"<html><p>a", "a.pdf", "html"),
        (b"<p>a", "a.htm", "html"),
        ("<html><p>a".encode("utf-16"), "a", "html"),
        (b"# A", "a.MD", "markdown"),
        (b"# A", "a.txt", "text"),
        (b"", "a", "text"),
        (b"<note/>", "a.xml", "text"),
    ],
)
def test_content_counts_for_more_than_the_name(content: bytes, source: str, entry: str) -> None:
    assert chosen(content, source) == entry


@pytest.mark.parametrize(
    ("media_type", "entry"),
    [
        ("text/html", "html"),
        ("application/pdf", "pdf"),
        ("text/markdown", "markdown"),
        ("text/plain", "text"),
        (None, "text"),
    ],
)
def test_what_a_source_says_of_the_type_counts_as_a_name(
    media_type: str | None, entry: str
) -> None:
    assert chosen(b"some words", "https://a.pl/page", media_type=media_type) == entry


def beside(fit: Fit, *, content: bytes = b"some words") -> str:
    """Return which entry reads a text beside a format that is so sure of it."""

    def fits(_: FileSample) -> Fit:
        return fit

    other = FileFormat("other/1", {"en": "x"}, frozenset({LocatorKind.LINE}), fits, PLAIN.open)
    formats = Formats([*FORMATS.installed, InstalledReader("other", "other:OTHER", other)])
    return formats.reader_for(content, "a.md", named=None, media_type=None).entry


def test_the_surer_format_reads_and_of_two_alike_the_built_in_one() -> None:
    assert beside(Fit.NONE) == "markdown"
    assert beside(Fit.NAME) == "markdown"
    assert beside(Fit.FAMILY) == "other"
    assert beside(Fit.CONTENT) == "other"
    assert beside(Fit.CONTENT, content=b"%PDF-1.7") == "pdf"


def test_a_format_that_is_sure_of_an_archive_reads_it() -> None:
    assert beside(Fit.CONTENT, content=b"PK\x03\x04words") == "other"


def test_a_reader_is_known_by_three_names_and_no_other() -> None:
    for name in ("text", "plain", "plain/2"):
        assert FORMATS.named(name).format is PLAIN
    with pytest.raises(SettingsError) as refused:
        FORMATS.named("plain/3")
    assert refused.value.hint == "installed: html, markdown, pdf, text"


def test_every_installed_format_says_what_its_reader_says() -> None:
    for installed in FORMATS.installed:
        assert installed.format.open().name == installed.format.reader
