"""The options of an `add`, and what is added when it is not a file: text or bytes with a name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Self, TypedDict

from cytat.errors import UsageError


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What a person says of how files are read; handed to the reader as it is."""

    password: str | None = None
    """For encrypted files."""


class AddKeywords(TypedDict, total=False):
    """The fields of `AddOptions` but its metadata, as keywords of `Corpus.add` and `.watch`."""

    label: str | None
    prune: bool
    chunking: str | None
    reader: str | None
    password: str | None


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What is said of everything that one call adds."""

    metadata: Mapping[str, str] = field(default_factory=dict)
    """Added to what the documents say of themselves."""
    label: str | None = None
    """Who may read the documents, "" for everyone; None leaves it as it is."""
    prune: bool = False
    """Remove the documents of a folder also when it is empty or missing."""
    chunking: str | None = None
    """How a new corpus is cut; None: as the settings or the corpus say."""
    reader: str | None = None
    """Name of the reader for all these files, "auto" for the one that fits; None: as before."""
    password: str | None = None
    """For encrypted files."""

    @property
    def reading(self) -> ReadingOptions:
        """What is passed to the reader."""
        return ReadingOptions(password=self.password)


@dataclass(frozen=True, slots=True)
class ItemBytes:
    """What an item held when it was read, and when it was last changed before that."""

    content: bytes
    modified_ns: int
    """Nanoseconds since 1970; 0 where nobody knows."""


Fetch = Callable[[int], ItemBytes]
"""The most bytes wanted -> the item's bytes.

Raises `ReadingError`, with the code `unreadable` where it is gone, `too-large` where it is larger.
It is called once, in another thread than the one that listed the item.
"""


@dataclass(frozen=True, slots=True)
class SourceItem:
    """Something to be read: a file, an archive's member, a page of a site, a note."""

    name: str
    """The document's source; a member's is its parent's with `!/` and its own: `a.zip!/b.txt`."""
    fetch: Fetch
    size: int
    """Bytes, for progress alone; 0 where it is not known ahead."""
    state: str
    """What shows a change without reading; equal states may hide one."""
    parent: str | None = None
    """Name of the item that holds it: with the parent, it leaves the index, too."""
    media_type: str | None = None
    """What the source says it is; a hint, the bytes decide."""
    is_kept: bool = True
    """Whether its source can be asked for it again. If not, its document stays until removed."""

    @classmethod
    def of_text(cls, name: str, text: str) -> Self:
        """Return a text from memory under a name; `text` is read as the name's suffix says."""
        return cls.of_bytes(name, text.encode("utf-8", "surrogatepass"))

    @classmethod
    def of_bytes(cls, name: str, content: bytes) -> Self:
        """Return bytes from memory under a name.

        Raises:
            UsageError: the name cannot be shown on one line.
        """
        if not name.strip() or not name.isprintable():
            raise UsageError(
                f"{name!r} cannot be the name of a document", hint="use printable characters"
            )
        return cls(
            name=name,
            fetch=lambda _: ItemBytes(content, modified_ns=0),
            size=len(content),
            state="",
            is_kept=False,
        )
