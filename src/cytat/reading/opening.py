"""A format -> its reader, checked to be the one that the format names."""

from cytat.errors import ReadingError
from cytat.protocols import FileFormat, Reader


def open_reader(format_: FileFormat) -> Reader:
    """Return the reader of a format.

    Raises:
        ReadingError: the plug-in is wrong: stamps name what the format says, and would never fit.
    """
    reader = format_.open()
    if reader.name != format_.reader:
        raise ReadingError(
            "unreadable",
            f"a reader names itself {reader.name!r}, and its format names it {format_.reader!r}",
            hint="repair the plug-in: both must be the same",
        )
    return reader
