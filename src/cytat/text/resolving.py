"""A SOURCE as a person writes it -> the one document it names. Pure."""

import difflib
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

from cytat.errors import SourceError
from cytat.records import DocumentId
from cytat.text.identity import document_id, source_of

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
