r"""GoldSet + documents -> the place of each needle, source, title and chunk, or all that is wrong.

A needle is found in the canonical text as it is written, except that any white space equals any
other: lines of a PDF break where they like. It must occur once in the whole corpus and in no
heading, else a hit that holds it proves nothing; where several `sources` are named, once in each
that holds it, and nowhere else. It is destroyed when no chunk holds it whole.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cytat.evaluation.gold.questions import GoldQuestion, GoldSet, raise_faults
from cytat.protocols import Moment
from cytat.records import BlockKind, ChunkId, DocumentId, Span, Version

PLACES_TOLD = 3


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What evaluation looks at in one document."""

    id: DocumentId
    source: str
    version: Version
    text: str
    titles: frozenset[str]
    """The document's title and every heading in it."""
    headings: tuple[Span, ...]
    chunks: tuple[tuple[ChunkId, Span], ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of one document."""

    document_id: DocumentId
    span: Span


@dataclass(frozen=True, slots=True)
class LocatedNeedle:
    """A needle at its place, or at one place in each of several named sources."""

    text: str
    places: tuple[Place, ...]
    is_destroyed: bool


@dataclass(frozen=True, slots=True)
class LocatedQuestion:
    """A gold question with everything it names found in the corpus."""

    gold: GoldQuestion
    needles: tuple[LocatedNeedle, ...]
    chunks: tuple[tuple[ChunkId, Place], ...]
    documents: tuple[tuple[str, DocumentId], ...]
    """Each named source with its document; for a question with needles alone, theirs."""


@dataclass(frozen=True, slots=True)
class _Occurrence:
    place: Place
    source: str
    is_whole: bool
    is_in_heading: bool


@dataclass(slots=True)
class _Seen:
    """What of one question was found while the documents went by."""

    needles: dict[str, list["_Occurrence"]] = field(default_factory=lambda: defaultdict(list))
    chunks: dict[str, Place] = field(default_factory=dict)
    sources: dict[str, list[tuple[DocumentId, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    titles: set[str] = field(default_factory=set)


def document_views(moment: Moment) -> Iterator[DocumentView]:
    """Yield what is looked at in each document that has a text."""
    for document in moment.documents():
        if document.version is None:
            continue
        blocks = moment.blocks(document.id)
        yield DocumentView(
            id=document.id,
            source=document.source,
            version=document.version,
            text=moment.text(document.id),
            titles=frozenset(
                (document.title, *(name for block in blocks for name in block.heading_path))
            ),
            headings=tuple(block.span for block in blocks if block.kind is BlockKind.HEADING),
            chunks=tuple(
                (stored.chunk.id, stored.chunk.span) for stored in moment.chunks(document.id)
            ),
        )


def locate_gold(gold: GoldSet, documents: Iterable[DocumentView]) -> tuple[LocatedQuestion, ...]:
    """Return every question with its judgments found.

    Raises:
        GoldSetError: something named is missing, or occurs too often; every fault is listed.
    """
    seen = {question.id: _Seen() for question in gold.questions}
    for document in documents:
        flat = flattened(document.text)
        titles = {flattened(title).casefold() for title in document.titles}
        for question in gold.questions:
            _look(question, document, flat, titles, seen[question.id])
    faults: list[str] = []
    located = [_located(question, seen[question.id], faults) for question in gold.questions]
    raise_faults(faults)
    return tuple(located)


def flattened(text: str) -> str:
    """Return a text with every run of white space as one blank."""
    return " ".join(text.split())


def occurrences(needle: str, text: str) -> list[Span]:
    """Return the places of a needle, with any white space between its words."""
    pattern = r"\s+".join(map(re.escape, needle.split()))
    return [Span(found.start(), found.end()) for found in re.finditer(pattern, text)]


def names_source(tail: str, source: str) -> bool:
    """Say whether `tail` is a source or the last parts of its path."""
    return source == tail or source.endswith("/" + tail.removeprefix("./").lstrip("/"))


def _look(
    question: GoldQuestion, document: DocumentView, flat: str, titles: set[str], seen: _Seen
) -> None:
    for needle in question.needles:
        if flattened(needle) in flat:
            for span in occurrences(needle, document.text):
                occurrence = _Occurrence(
                    Place(document.id, span),
                    document.source,
                    is_whole=any(chunk.holds(span) for _, chunk in document.chunks),
                    is_in_heading=any(heading.overlaps(span) for heading in document.headings),
                )
                seen.needles[needle].append(occurrence)
    for tail in question.sources:
        if names_source(tail, document.source):
            seen.sources[tail].append((document.id, document.source))
    if question.chunks:
        wanted = set(question.chunks)
        seen.chunks |= {
            chunk_id: Place(document.id, span)
            for chunk_id, span in document.chunks
            if chunk_id in wanted
        }
    seen.titles |= {title for title in question.titles if flattened(title).casefold() in titles}


def _located(question: GoldQuestion, seen: _Seen, faults: list[str]) -> LocatedQuestion:
    wrong = [*_faults_of_needles(question, seen), *_faults_of_names(question, seen)]
    faults += [f"{question.where}: {question.id}: {fault}" for fault in wrong]
    needles = tuple(
        LocatedNeedle(
            needle,
            tuple(found.place for found in seen.needles[needle]),
            is_destroyed=not any(found.is_whole for found in seen.needles[needle]),
        )
        for needle in question.needles
    )
    chunks = tuple(
        (ChunkId(chunk_id), seen.chunks[chunk_id])
        for chunk_id in question.chunks
        if chunk_id in seen.chunks
    )
    documents = tuple(
        (source, seen.sources[source][0][0]) for source in question.sources if seen.sources[source]
    )
    if not documents:
        found = [match for needle in question.needles for match in seen.needles[needle]]
        documents = tuple({match.source: match.place.document_id for match in found}.items())
    return LocatedQuestion(question, needles, chunks, documents)


def _faults_of_needles(question: GoldQuestion, seen: _Seen) -> Iterator[str]:
    for needle in question.needles:
        found, short = seen.needles[needle], repr(_shortened(needle))
        sources = [match.source for match in found]
        named = [any(names_source(tail, source) for tail in question.sources) for source in sources]
        if not found:
            yield (
                f"the needle {short} is not found in any document; it must be verbatim, and its "
                "document indexed"
            )
        elif len(found) > 1 and not (all(named) and len(set(sources)) == len(sources)):
            yield (
                f"the needle {short} occurs {len(found)} times in the corpus "
                f"({_listed(sources)}); take a longer one that occurs once"
            )
        elif any(match.is_in_heading for match in found):
            yield (
                f"the needle {short} is in a heading of {sources[0]}; headings are indexed "
                "with every chunk below them"
            )
        elif question.sources and not all(named):
            yield f"the needle {short} is in {sources[0]}, which is not in `sources`"


def _faults_of_names(question: GoldQuestion, seen: _Seen) -> list[str]:
    faults = []
    for tail in question.sources:
        sources = [source for _, source in seen.sources[tail]]
        if not sources:
            faults.append(f"the source {tail!r} is not in the corpus; `cytat status` lists them")
        elif len(sources) > 1:
            faults.append(f"the source {tail!r} names {len(sources)}: {_listed(sources)}")
    faults += [
        f"the corpus holds no chunk {chunk_id}; ids change with the chunking, needles do not"
        for chunk_id in question.chunks
        if chunk_id not in seen.chunks
    ]
    faults += [
        f"no document and no heading is called {title!r}"
        for title in question.titles
        if title not in seen.titles
    ]
    return faults


def _shortened(text: str) -> str:
    flat = flattened(text)
    return flat if len(flat) <= 60 else flat[:59] + "…"  # noqa: PLR2004 - a line of a terminal


def _listed(sources: Sequence[str]) -> str:
    more = len(sources) - PLACES_TOLD
    return ", ".join(sources[:PLACES_TOLD]) + (f" and {more} more" if more > 0 else "")
