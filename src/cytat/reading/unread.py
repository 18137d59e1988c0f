"""Head of a file and its suffix -> ReadingError for text formats whose raw text misleads. Pure.

Their bytes are text, but not the text that a person reads: letters are encoded, words are broken
anywhere, and times are of another zone. To index them as they stand would bring quotes that
nobody wrote, so they are refused by name until a reader for them exists.
"""

import re
from dataclasses import dataclass

from cytat.errors import ReadingError


@dataclass(frozen=True, slots=True)
class _Format:
    name: str
    suffixes: frozenset[str]
    """Names that only this format has; empty where the opening alone tells."""
    opening: re.Pattern[bytes] | None
    """What every file of the format begins with, where it begins with anything."""
    hint: str


_FORMATS = (
    _Format(
        "a mail file",
        frozenset({".eml", ".emlx", ".mbox", ".mht", ".mhtml"}),
        None,
        "Save the message as text, HTML or PDF, its attachments beside it, and add those.",
    ),
    _Format(
        "RTF",
        frozenset(),
        re.compile(rb"\{\\rtf"),
        "Save it as text, HTML or PDF in a word processor and add that.",
    ),
    _Format(
        "a calendar",
        frozenset(),
        re.compile(rb"BEGIN:VCALENDAR\b", re.IGNORECASE),
        "Export the events as CSV or print them to a PDF and add that.",
    ),
    _Format(
        "a file of contacts",
        frozenset(),
        re.compile(rb"BEGIN:VCARD\b", re.IGNORECASE),
        "Export the contacts as CSV and add that.",
    ),
    _Format(
        "PostScript",
        frozenset(),
        re.compile(rb"%!PS"),
        "Turn it into a PDF and add that.",
    ),
)
_BEFORE_ANY_TEXT = b"\xef\xbb\xbf \t\r\n"


def refuse_misleading(head: bytes, suffix: str) -> None:
    """Raise `ReadingError` with `unsupported-type` for a format that is not to be read raw."""
    opening = head.lstrip(_BEFORE_ANY_TEXT)
    for format_ in _FORMATS:
        is_opened = format_.opening is not None and format_.opening.match(opening)
        if is_opened or suffix in format_.suffixes:
            raise ReadingError(
                "unsupported-type",
                f"the file is {format_.name}, which cytat does not read yet",
                hint=format_.hint,
            )
