"""Bytes and a name -> the reader that fits: by content first, then by the name.

Every format that is installed is asked, ours and those of others alike; the surest reads. Of two
that are equally sure, ours comes first, so that nothing installed beside it changes what a file
says: another reader for the same format is chosen by its name.
"""

import struct
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from cytat.errors import SettingsError
from cytat.protocols import FileFormat, FileSample, Fit
from cytat.reading.extraction import name_of, suffix_of
from cytat.reading.kinds import KINDS, named_kind, not_text, unsupported
from cytat.reading.opening import open_reader
from cytat.records import Document, ReadingOptions

AUTO: Final = "auto"
"""In place of a reader's name: the one that fits."""
SAMPLED_BYTES = 4096
MEMBERS_LISTED = 1000
"""Names at the beginning of an archive's list: those that tell its kind stand there."""
DIRECTORY_BYTES = 16 * 1024 * 1024
"""Of an archive whose list of members is longer no member is named; its kind is not told."""
_ZIP = b"PK\x03\x04"
_ZIP_END = struct.Struct("<4s4H2LH")
_ZIP_END_MARK = b"PK\x05\x06"
_LONGEST_COMMENT = 65_535


@dataclass(frozen=True, slots=True)
class InstalledReader:
    """A format as it is registered."""

    entry: str
    """The name of the entry point: what `--reader` takes."""
    target: str
    """Where the format stands, `module:name`: a child process imports it from there."""
    format: FileFormat


class Formats:
    """The formats that are installed, the built-in ones first."""

    def __init__(self, installed: Sequence[InstalledReader]) -> None:
        self.installed = tuple(installed)

    def reader_for(
        self, content: bytes, source: str, *, named: str | None, media_type: str | None
    ) -> InstalledReader:
        """Return the reader for a file: the one that is named, else the one that fits best.

        Raises:
            ReadingError: no reader fits; the message says which kind of file it is.
            SettingsError: none is installed under that name.
        """
        if named is not None and named != AUTO:
            return self.named(named)
        sample = sample_of(content, source, media_type=media_type)
        fits = [(_fit(one, sample), one) for one in self.installed]
        best = max((fit for fit, _ in fits), default=Fit.NONE)
        refuse_other_kinds(sample, unless=best)
        if best is Fit.NONE:
            raise not_text(sample.suffix)
        return next(one for fit, one in fits if fit is best)

    def read(self, content: bytes, *, source: str, options: ReadingOptions) -> Document:
        """Read a file in this process, with the reader that fits; ReadingError as a reader."""
        found = self.reader_for(content, source, named=None, media_type=None)
        return open_reader(found.format).read(content, source=source, options=options)

    def named(self, name: str) -> InstalledReader:
        """Return the reader of a name: that of its entry point, or its own without a version."""
        for one in self.installed:
            if name in {one.entry, one.format.reader, one.format.reader.partition("/")[0]}:
                return one
        known = ", ".join(sorted(one.entry for one in self.installed))
        raise SettingsError(f"there is no reader named {name!r}", hint=f"installed: {known}")

    def of_stamp(self, reader: str) -> InstalledReader | None:
        """Return the reader that made a document with this name in its stamp, if it is here."""
        return next((one for one in self.installed if one.format.reader == reader), None)

    def with_boxes(self) -> list[InstalledReader]:
        """Return the readers that can say where characters stand on a page."""
        return [one for one in self.installed if one.format.draws_boxes]


def sample_of(content: bytes, source: str, *, media_type: str | None = None) -> FileSample:
    """Return what a file shows before it is parsed."""
    return FileSample(
        name=name_of(source),
        suffix=suffix_of(source),
        head=content[:SAMPLED_BYTES],
        members=_members(content),
        media_type=media_type,
    )


def refuse_other_kinds(sample: FileSample, *, unless: Fit) -> None:
    """Refuse a file of a kind that needs another reader, unless one is as sure of it as that.

    Raises:
        ReadingError: with the code `unsupported-type`, and what kind it is.
    """
    kinds = [(kind.fits(sample), kind) for kind in KINDS]
    best = max(fit for fit, _ in kinds)
    if best is Fit.NONE or best <= unless:
        return
    # Of a wider kind the name tells more: "an Office file" named .doc is "a Word document".
    named = named_kind(sample.suffix) if best is Fit.FAMILY else None
    raise unsupported(named or next(kind for fit, kind in kinds if fit is best))


def _fit(installed: InstalledReader, sample: FileSample) -> Fit:
    try:
        return installed.format.fits(sample)
    except Exception as error:
        error.add_note(f"raised by the reader plug-in {installed.entry!r}")
        raise


def _members(content: bytes) -> frozenset[str]:
    """Return the first names in a ZIP archive; none where it is none, damaged, or its list huge."""
    if not content.startswith(_ZIP):
        return frozenset()
    at = content.rfind(_ZIP_END_MARK, -_ZIP_END.size - _LONGEST_COMMENT)
    if at < 0 or len(content) - at < _ZIP_END.size:
        return frozenset()
    directory_bytes = _ZIP_END.unpack_from(content, at)[5]
    if directory_bytes > DIRECTORY_BYTES:
        return frozenset()
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return frozenset(archive.namelist()[:MEMBERS_LISTED])
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, struct.error):
        return frozenset()
