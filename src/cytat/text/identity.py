r"""Names of documents: ids made from content, sources, labels of read rights.

A file under the corpus file's folder is named relative to it, so that the two can move together;
any other file by its absolute path. Always with `/`. Bytes of a name that are not UTF-8 are
written `\xNN`, since a source must be text that any program can print and store.

Ids come from content alone, so that a rerun makes the same corpus and an edit elsewhere in a file
changes neither a chunk's id nor its vector.
"""

import difflib
import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath

from cytat.errors import SourceError, UsageError
from cytat.records import ChunkId, DocumentId, Version

EVERYONE = ""
"""The label of a document that any reader may read."""


def check_label(label: str) -> str:
    """Return a label as it is kept; UsageError for a text that cannot be one."""
    if label.strip() != label or "," in label or not label.isprintable():
        raise UsageError(f"{label!r} is not a label", hint="give a word without commas, such as hr")
    return label


_ESCAPED = re.compile(rb"\\x([0-9a-f]{2})")


def source_of(path: Path, *, base: Path) -> str:
    """Return the source of an absolute `path` in a corpus whose file lies in the folder `base`."""
    name = path.relative_to(base) if path.is_relative_to(base) else path
    return path_text(name)


def path_text(path: Path) -> str:
    r"""Return a path with `/` and, for each byte that is not UTF-8, `\xNN`."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def path_of(source: str, *, base: Path) -> Path:
    r"""Return the absolute path a source stands for; a member's is its container's.

    A name that really holds `\xNN` is told from an odd byte, and a folder `x!` from a container
    `x`, by looking which of the two is there.
    """
    whole = _path_as_named(source, base)
    return (
        whole
        if "!/" not in source or os.path.exists(whole)
        else _path_as_named(source.split("!/", 1)[0], base)
    )


def _path_as_named(name: str, base: Path) -> Path:
    # In a locale without letters a path holds bytes where a source has letters.
    typed = name if os.name == "nt" else os.fsdecode(name.encode("utf-8", "surrogateescape"))
    literal = base / PurePosixPath(typed)
    if "\\x" not in name or os.path.exists(literal):
        return literal
    raw = _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), os.fsencode(literal))
    return Path(os.fsdecode(raw))


MEMBER = "!/"
"""Between the name of a container and that of what is in it."""


def is_address(name: str) -> bool:
    """Say whether a name is an address such as a URL, and no path."""
    return "://" in name


def absolute_name(source: str, *, base: Path) -> str:
    """Return a source with the folder it is named from, as text; an address stays as it is."""
    if is_address(source) or source.startswith("/"):
        return source
    folder = _folder_text(base)
    return (folder or "/") if source == "." else f"{folder}/{source}"


@lru_cache(maxsize=16)
def _folder_text(folder: Path) -> str:
    return path_text(folder).rstrip("/")


def lies_in(source: str, root: str, *, base: Path) -> bool:
    """Say whether a document is in a folder, or in a container; a root is in itself."""
    name, within = (absolute_name(one, base=base) for one in (source, root))
    return name == within or name.startswith((within.rstrip("/") + "/", within + MEMBER))


def containers_of(source: str, *, base: Path) -> list[str]:
    """Return the items that hold this one, outermost first; none for a file in a folder `x!`."""
    pieces = source.split(MEMBER)
    if len(pieces) == 1 or (
        not is_address(source) and os.path.exists(_path_as_named(source, base))
    ):
        return []
    return [MEMBER.join(pieces[:count]) for count in range(1, len(pieces))]


def label_around(labels: Mapping[str, str], source: str, *, base: Path) -> str:
    """Return the label of the innermost folder around a document; "" where none has one.

    Args:
        labels: by absolute folder.
        source: of the document.
        base: the folder that it is named from.
    """
    around = [folder for folder in labels if lies_in(source, folder, base=base)]
    return labels[max(around, key=len)] if around else EVERYONE


def folders_within(folders: Iterable[str], folder: str) -> list[str]:
    """Return those of some absolute folders that lie in another; it lies in itself."""
    return [one for one in folders if f"{one}/".startswith(f"{folder.rstrip('/')}/")]


ID_DIGITS = 20
"""80 bits: two of 10^8 chunks share an id with a probability under 10^-8."""

TITLE_CHARACTERS = 160
"""Two lines: longer than any title of a book, shorter than a chunk."""


def _digest(*parts: str) -> str:
    """Return a hash of the parts; no two different lists of parts are joined alike."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:ID_DIGITS]


def document_id(source: str) -> DocumentId:
    """Return the id of a source. A name in NFC and in NFD (macOS) is one document."""
    return DocumentId("d" + _digest(unicodedata.normalize("NFC", source)))


def version_of(content: bytes) -> Version:
    """Return the SHA-256 of the bytes read, in hexadecimal."""
    return Version(hashlib.sha256(content).hexdigest())


def chunk_id(
    document: DocumentId, heading_path: Sequence[str], words: str, *, occurrence: int
) -> ChunkId:
    """Return a chunk's id; `occurrence` counts, from 0, equal words under equal headings."""
    return ChunkId("c" + _digest(document, *heading_path, words, str(occurrence)))


def passage_text(title: str, heading_path: Sequence[str], context: str, words: str) -> str:
    """Return what is embedded of a chunk: title and heading path, context, its own words.

    The heading path is never quoted; see the chunk's span for what is. Of a title that is a
    whole sentence or more, the beginning says enough and leaves the window to the words.
    """
    title = title[:TITLE_CHARACTERS]
    path = [title, *heading_path] if title and list(heading_path[:1]) != [title] else heading_path
    head = " › ".join(part for part in path if part)
    return "\n".join(part for part in (head, context, words) if part)


def text_hash(text: str) -> bytes:
    """Return the SHA-256 of a text: of a passage, the key under which its vector is found again."""
    return hashlib.sha256(text.encode()).digest()


NAMES_SHOWN = 5


def possible_ids(text: str, *, base: Path) -> Iterator[DocumentId]:
    """Yield the ids that `text` may be, or may be the source or the absolute path of."""
    yield DocumentId(text)
    yield document_id(text)
    path = Path(text)
    if path.is_absolute():
        yield document_id(source_of(path, base=base))


def resolve_tail(text: str, sources: Mapping[DocumentId, str]) -> DocumentId:
    """Return the document whose source ends with `text`.

    Whole path components only: `plan.md` is a tail of `2025/plan.md`, not of `oldplan.md`.

    Raises:
        SourceError: there is none, or there are several.
    """
    tail = "/" + _plain(text).removeprefix("./").lstrip("/")
    found = {known: source for known, source in sources.items() if _plain(source).endswith(tail)}
    if len(found) > 1:
        raise SourceError(
            f"{text!r} names {len(found)} documents: {_listed(list(found.values()))}",
            hint="write more of the path",
        )
    if not found:
        raise SourceError(f"no document is named {text!r}", hint=_hint(text, sources))
    return next(iter(found))


def _hint(text: str, sources: Mapping[DocumentId, str]) -> str:
    by_name = {source.rsplit("/", 1)[-1]: source for source in sources.values()}
    near = difflib.get_close_matches(text.rsplit("/", 1)[-1], by_name, n=3, cutoff=0.5)
    if not near:
        return "`cytat status` lists the documents"
    return f"the nearest names are {_listed([by_name[name] for name in near])}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(names[:NAMES_SHOWN]) + more


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text)
