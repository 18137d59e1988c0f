"""What a store returns of the text around some hits, so that it can be cited without the store."""

from dataclasses import dataclass
from typing import NamedTuple

from cytat.records import Block, Excerpt, FileStamp, FragmentStyle, Part, Span, Version


class Stretch(NamedTuple):
    """A stretch of a document's text, with its lines."""

    span: Span
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Stretches of a document, and all that is needed to cite from them without the store."""

    version: Version
    file: FileStamp | None
    """None: it was added from memory, and nobody else has it."""
    fragments: FragmentStyle
    blocks: tuple[Block, ...]
    """Those that begin in a stretch or reach into one, in text order."""
    parts: tuple[Part, ...]
    """All pages, slides, sheets …; none where the format has none."""
    stretches: tuple[Stretch, ...]
