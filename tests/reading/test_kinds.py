"""A file that no installed reader knows: which kind it is, and what to do."""

import io
import zipfile

import pytest
from tests.reading.looking import read_document

from cytat.errors import ReadingError
from cytat.reading.choice import sample_of
from cytat.reading.kinds import KINDS


def archive(*members: str, stored: dict[str, str] | None = None) -> bytes:
    """Return a ZIP archive with these members; `stored` ones come first and are not packed."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in (stored or {}).items():
            packed.writestr(zipfile.ZipInfo(name), text)
        for name in members:
            packed.writestr(name, "<xml/>")
    return made.getvalue()


def open_document(kind: str) -> bytes:
    return archive("content.xml", stored={"mimetype": f"application/vnd.oasis.opendocument.{kind}"})


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
WORD = archive("[Content_Types].xml", "word/document.xml")
NOISE = bytes(range(256)) * 8


@pytest.mark.parametrize(
    ("content", "source", "said"),
    [
        (WORD, "umowa.docx", "a Word document"),
        (WORD, "umowa", "a Word document"),  # the content says so, whatever the name
        (WORD, "umowa.pdf", "a Word document"),
        (archive("xl/workbook.xml"), "ceny.xlsx", "an Excel workbook"),
        (archive("ppt/presentation.xml"), "slajdy.pptx", "a PowerPoint presentation"),
        (open_document("text"), "umowa.odt", "an OpenDocument text"),
        (open_document("spreadsheet"), "ceny.ods", "an OpenDocument spreadsheet"),
        (archive("a.html", stored={"mimetype": "application/epub+zip"}), "b.epub", "an e-book"),
        (archive("a.txt", "b.txt"), "pliki.zip", "an archive"),
        (archive("a.txt"), "pliki.jar", "an archive"),
        (WORD[:200], "urwana.docx", "a Word document"),  # damaged, and known by its name
        (b"PK\x03\x04" + NOISE, "x.xlsx", "an Excel workbook"),
        (OLE, "umowa.doc", "a Word document"),
        (OLE, "ceny.xls", "an Excel workbook"),
        (OLE, "poczta.msg", "a mail file"),
        (OLE, "bez-nazwy", "an Office file"),
        (b"\x89PNG\r\n\x1a\n" + NOISE, "skan.png", "an image"),
        (b"\xff\xd8\xff\xe0" + NOISE, "skan", "an image"),
        (b"II*\0" + NOISE, "skan.tif", "an image"),
        (b"RIFF\x10\0\0\0WEBPVP8 " + NOISE, "a.webp", "an image"),
        (b"GIF89a\x10\0\x10\0" + NOISE, "a.gif", "an image"),
        (b"\0\0\0\x18ftypheic" + NOISE, "a.heic", "an image"),
        (b"ID3\x03\0" + NOISE, "zebranie.mp3", "a sound recording"),
        (b"\xff\xfb\x90\x64" + NOISE, "zebranie.mp3", "a sound recording"),
        (b"RIFF\x10\0\0\0WAVEfmt " + NOISE, "a.wav", "a sound recording"),
        (b"\0\0\0\x18ftypisom" + NOISE, "film.mp4", "a video"),
        (b"\x1f\x8b\x08" + NOISE, "a.tar.gz", "an archive"),
        (b"7z\xbc\xaf\x27\x1c" + NOISE, "a.7z", "an archive"),
        (b"Rar!\x1a\x07\x01\0" + NOISE, "a.rar", "an archive"),
        (b"SQLite format 3\0" + NOISE, "a.db", "a database"),
        (b"\x7fELF\x02" + NOISE, "program", "a program"),
        (b"Subject: a\n\nb\n", "list.eml", "a mail file"),
    ],
)
def test_a_file_that_nobody_reads_is_told_by_its_kind(
    content: bytes, source: str, said: str
) -> None:
    with pytest.raises(ReadingError) as refused:
        read_document(content, source=source)
    assert refused.value.code == "unsupported-type"
    assert said in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Umowa zapisana jako zwykły tekst.", "umowa.doc"),
        ("a;b\n1;2\n", "ceny.xls"),
        ("GIF89a is the name of a format of images.", "formats.txt"),
        ("Rar! is how such archives begin.", "formats.txt"),
        ("MZ are the initials of an engineer.", "formats.txt"),
        ("BZh1 is not a word.", "formats.txt"),
    ],
)
def test_a_text_under_such_a_name_is_still_a_text(text: str, source: str) -> None:
    assert read_document(text.encode(), source=source).text == text


def test_bytes_that_are_nothing_known_say_so() -> None:
    with pytest.raises(ReadingError) as refused:
        read_document(NOISE, source="a.dat")
    assert refused.value.code == "unsupported-type"
    assert "no text" in refused.value.message


def test_every_kind_has_names_and_advice_in_words() -> None:
    for kind in KINDS:
        assert kind.title
        assert kind.title_pl
        assert kind.hint


def test_the_list_of_an_archive_is_looked_at_with_limits() -> None:
    many = archive(*(f"{number:05}.txt" for number in range(3000)))
    assert len(sample_of(many, "many.zip").members) == 1000
    assert sample_of(many[:-1], "cut.zip").members <= {f"{number:05}.txt" for number in range(3000)}
    assert sample_of(WORD[: len(WORD) // 2], "half.docx").members == frozenset()
    assert sample_of(b"no archive", "a.zip").members == frozenset()
