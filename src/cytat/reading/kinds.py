"""Kinds of files that no built-in reader reads: what people call them, and what would read them.

Without this table a Word file would be "empty", and a mail would be indexed with its code: letters
are encoded there, words are broken anywhere, and times are of another zone. To quote that would
bring quotes that nobody wrote. A reader that is as sure of a file comes before this table.
"""

import re
from dataclasses import dataclass

from cytat.errors import ReadingError
from cytat.protocols import FileSample, Fit

_BEFORE_ANY_TEXT = b"\xef\xbb\xbf \t\r\n"


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file that people have and that needs a reader of its own."""

    title: str
    """In English, as in "the file is …"."""
    title_pl: str
    hint: str
    suffixes: frozenset[str]
    """Names of its files. A text under such a name is still a text, see `is_text_inside`."""
    opening: re.Pattern[bytes] | None
    """What its files begin with; None where that does not tell."""
    members: frozenset[str]
    """Names one of which each of its ZIP archives holds."""
    is_text_inside: bool
    """Whether its bytes are text, so that the name alone says that it must not be read as such."""
    is_family: bool
    """Whether the opening is that of a wider kind."""

    def fits(self, sample: FileSample) -> Fit:
        """Say how sure it is that a file is of this kind."""
        if self.members & sample.members:
            return Fit.CONTENT
        if self.opening is not None and self._opens(sample.head):
            return Fit.FAMILY if self.is_family else Fit.CONTENT
        is_named = self.is_text_inside and sample.suffix in self.suffixes
        return Fit.NAME if is_named else Fit.NONE

    def _opens(self, head: bytes) -> bool:
        pattern = self.opening
        return pattern is not None and bool(
            pattern.match(head) or pattern.match(head.lstrip(_BEFORE_ANY_TEXT))
        )


def named_kind(suffix: str) -> FileKind | None:
    """Return the kind of files with this suffix."""
    return next((kind for kind in KINDS if suffix in kind.suffixes), None)


def unsupported(kind: FileKind) -> ReadingError:
    """Return the failure of a file that no installed reader reads."""
    return ReadingError(
        "unsupported-type",
        f"the file is {kind.title}, which no installed reader reads",
        hint=f"{kind.hint}; or install a plug-in that reads it.",
    )


def not_text(suffix: str) -> ReadingError:
    """Return the failure of a file whose bytes are no text, told by its name where that says."""
    kind = named_kind(suffix)
    if kind is not None:
        return unsupported(kind)
    return ReadingError(
        "unsupported-type",
        "the file holds no text that an installed reader knows to read",
        hint="Save it as text, Markdown, HTML or PDF and add that file.",
    )


def _kind(  # noqa: PLR0913 - a row of the table below
    title: str,
    title_pl: str,
    hint: str,
    *,
    suffixes: str = "",
    opening: bytes | None = None,
    members: str = "",
    is_text_inside: bool = False,
    is_family: bool = False,
) -> FileKind:
    return FileKind(
        title=title,
        title_pl=title_pl,
        hint=hint,
        suffixes=frozenset(suffixes.split()),
        opening=None if opening is None else re.compile(opening, re.DOTALL),
        members=frozenset(members.split()),
        is_text_inside=is_text_inside,
        is_family=is_family,
    )


_SAVE_TEXT = "Save it as PDF, HTML or text in a word processor and add that"
_SAVE_TABLE = "Save each sheet as CSV, or print it into a PDF, and add that"
_SAVE_SLIDES = "Save it as PDF in a presentation program and add that"
_UNPACK = "Unpack it and add the folder"
_OCR = "Run text recognition (OCR) over it and add the result"
_TRANSCRIBE = "Add a transcript of it as text"
_OLE = rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

KINDS = (
    _kind("a Word document", "dokument Worda", _SAVE_TEXT, suffixes=".doc .docx .docm .dot .dotx",
          members="word/document.xml"),
    _kind("an Excel workbook", "skoroszyt Excela", _SAVE_TABLE,
          suffixes=".xls .xlsx .xlsm .xlsb .xlt .xltx",
          members="xl/workbook.xml xl/workbook.bin"),
    _kind("a PowerPoint presentation", "prezentacja PowerPointa", _SAVE_SLIDES,
          suffixes=".ppt .pptx .pptm .pps .ppsx", members="ppt/presentation.xml"),
    _kind("an OpenDocument text", "dokument tekstowy OpenDocument", _SAVE_TEXT,
          suffixes=".odt .ott .fodt",
          opening=rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.text"),
    _kind("an OpenDocument spreadsheet", "arkusz OpenDocument", _SAVE_TABLE,
          suffixes=".ods .ots .fods",
          opening=rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet"),
    _kind("an OpenDocument presentation", "prezentacja OpenDocument", _SAVE_SLIDES,
          suffixes=".odp .otp .fodp",
          opening=rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.presentation"),
    _kind("an e-book (EPUB)", "książka elektroniczna (EPUB)",
          "Convert it to HTML or PDF and add that", suffixes=".epub",
          opening=rb"PK\x03\x04.{26}mimetypeapplication/epub\+zip"),
    _kind("RTF", "dokument RTF", _SAVE_TEXT, opening=rb"\{\\rtf"),
    _kind("a mail file", "plik poczty",
          "Save the message as text, HTML or PDF, its attachments beside it, and add those",
          suffixes=".eml .emlx .mbox .msg .mht .mhtml", is_text_inside=True),
    _kind("a calendar", "kalendarz", "Export the events as CSV or print them to a PDF and add that",
          opening=rb"(?i:BEGIN:VCALENDAR)\b"),
    _kind("a file of contacts", "plik kontaktów", "Export the contacts as CSV and add that",
          opening=rb"(?i:BEGIN:VCARD)\b"),
    _kind("PostScript", "plik PostScript", "Turn it into a PDF and add that", opening=rb"%!PS"),
    _kind("an image", "obraz", _OCR,
          suffixes=".png .jpg .jpeg .gif .tif .tiff .bmp .webp .heic .heif .avif .jp2 .psd .ico",
          opening=rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a.{0,6}[\x00-\x08]|II\*\0|MM\0\*|RIFF.{4}WEBP"
                  rb"|.{4}ftyp(?:hei|mif1|avif)"),
    _kind("an archive", "archiwum", _UNPACK,
          suffixes=".zip .tar .tgz .gz .bz2 .xz .7z .rar .zst .lz4",
          opening=rb"PK\x03\x04|PK\x05\x06|\x1f\x8b|7z\xbc\xaf\x27\x1c|\xfd7zXZ\0|Rar!\x1a\x07"
                  rb"|BZh[1-9]1AY|\x28\xb5\x2f\xfd", is_family=True),
    _kind("a sound recording", "nagranie dźwięku", _TRANSCRIBE,
          suffixes=".mp3 .wav .ogg .oga .opus .flac .m4a .aac .wma .amr",
          opening=rb"ID3[\x02-\x04]\0|RIFF.{4}WAVE|OggS\0|fLaC\0|.{4}ftypM4A"),
    _kind("a video", "film", _TRANSCRIBE,
          suffixes=".mp4 .m4v .mkv .webm .avi .mov .wmv .mpg .mpeg",
          opening=rb"\x1a\x45\xdf\xa3|RIFF.{4}AVI |.{4}ftyp(?:isom|mp4|qt|avc1|iso2|M4V)"),
    _kind("a database", "baza danych", "Export its tables as CSV and add those",
          suffixes=".sqlite .sqlite3 .mdb .accdb", opening=rb"SQLite format 3\0"),
    _kind("a program", "program", "Programs hold no text to quote: leave it out",
          suffixes=".exe .dll .so .dylib .class .pyc .o", opening=rb"\x7fELF|MZ\x90\0"),
    _kind("an Office file of before 2007", "plik Office sprzed 2007 roku",
          "Save it in a present format, as PDF or as text, and add that",
          opening=_OLE, is_family=True),
)  # fmt: skip
"""The more certain kind first: of two that fit alike, the first counts."""
