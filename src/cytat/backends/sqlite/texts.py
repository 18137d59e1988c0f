"""Spans -> characters and lines of the canonical text, and what citing reads around them."""

import json
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

import apsw

from cytat.backends.sqlite.rows import (
    Row,
    damage_named,
    dump_json,
    parse_blocks,
    parse_fragments,
    parse_parts,
    parse_path,
)
from cytat.backends.sqlite.seals import segment_hash
from cytat.errors import CorpusFormatError, SourceError
from cytat.protocols import Stretch, Surroundings
from cytat.records import (
    Block,
    BlockKind,
    Chunk,
    ChunkId,
    DocumentId,
    Excerpt,
    FileStamp,
    FragmentStyle,
    Part,
    Span,
    StoredPassage,
    Version,
)
from cytat.text.locators import line_of, locate

Piece: TypeAlias = tuple[int, int, str]
"""Of a text: the first character's place, line breaks before it, the piece itself."""

SELECT_SEGMENTS = """
select wanted.key, document.source, document.version,
       segment.start, segment.line, segment.text, segment.hash
from json_each(:spans) as wanted
cross join document on document.id = wanted.value ->> 0
cross join segment
    on segment.document = document.row
    and segment.start < wanted.value ->> 2
    and segment.start >= (   -- the segment in which the span begins
        select max(earlier.start)
        from segment as earlier
        where earlier.document = document.row and earlier.start <= wanted.value ->> 1
    )
order by wanted.key, segment.start
"""
SELECT_DOCUMENTS = """
select document.id, document.version, document.size, document.modified_ns, document.reading
from json_each(:ids) as wanted
join document on document.id = wanted.value
where document.version is not null
"""


def read_stretches(
    connection: apsw.Connection, wanted: Sequence[tuple[str, Span]]
) -> dict[int, Stretch]:
    """Return the text at spans of documents, by their number in `wanted`.

    A span that ends past the text is cut to it; one that begins there, or whose document is not
    there, is absent.
    """
    spans = dump_json([[name, span.start, max(span.end, span.start + 1)] for name, span in wanted])
    pieces: dict[int, list[Piece]] = {}
    checked: set[tuple[str, int]] = set()
    for number, *segment in connection.execute(SELECT_SEGMENTS, {"spans": spans}):
        place = wanted[int(number)][0], segment[2]
        piece = _piece(segment) if place in checked else _checked_piece(segment)
        checked.add(place)
        pieces.setdefault(int(number), []).append(piece)
    return {
        number: _stretch(wanted[number][1], found)
        for number, found in pieces.items()
        if wanted[number][1].start <= found[-1][0] + len(found[-1][2])
    }


def _piece(segment: Sequence[Any]) -> Piece:
    _, _, start, line, text, _ = segment
    return start, line, text


def _checked_piece(segment: Sequence[Any]) -> Piece:
    """Return a piece of a text, which is the one that was written.

    Raises:
        CorpusFormatError: it is another, or nobody has ever compared it with anything.
    """
    source, version, start, line, text, kept = segment
    if kept is None or kept != segment_hash(version, start, line, text):
        raise CorpusFormatError(
            f"the stored text of {source} is damaged: what is there at character {start} is not "
            "what was written",
            hint="run `cytat reindex`, which reads damaged documents again, or restore a backup",
        )
    return start, line, text


def _joined(pieces: Sequence[Piece]) -> str:
    """Return the text of pieces that follow each other; CorpusFormatError where one is missing."""
    for (start, _, text), (following, _, _) in pairwise(pieces):
        if start + len(text) != following:
            raise CorpusFormatError(
                f"a stored text breaks off at character {start + len(text)}",
                hint="run `cytat reindex`, or restore a backup",
            )
    return "".join(text for _, _, text in pieces)


def _stretch(span: Span, pieces: Sequence[Piece]) -> Stretch:
    """Cut a span out of the segments that hold it: each start, line breaks before it, text."""
    first_start, line, _ = pieces[0]
    held = _joined(pieces)
    within = Span(span.start - first_start, min(span.end - first_start, len(held)))
    last = max(within.start, within.end - 1)
    excerpt = Excerpt(
        within.of(held), line + line_of(held, within.start), line + line_of(held, last)
    )
    return Stretch(Span(span.start, first_start + within.end), excerpt)


def read_surroundings(
    connection: apsw.Connection, spans: Mapping[DocumentId, Sequence[Span]]
) -> dict[DocumentId, Surroundings]:
    """Return what is at spans of some documents, in two statements."""
    wanted = [(name, span) for name, its_spans in spans.items() for span in its_spans]
    stretches: dict[str, list[Stretch]] = {name: [] for name in spans}
    for number, stretch in sorted(read_stretches(connection, wanted).items()):
        stretches[wanted[number][0]].append(stretch)
    found = connection.execute(SELECT_DOCUMENTS, {"ids": dump_json(sorted(spans))})
    return {
        DocumentId(name): Surroundings(
            version=Version(version),
            file=None if size is None else FileStamp(size=size, modified_ns=modified_ns),
            fragments=parse_fragments(reading),
            blocks=blocks_at(reading, [stretch.span for stretch in stretches[name]]),
            parts=parse_parts(reading),
            stretches=tuple(stretches[name]),
        )
        for name, version, size, modified_ns, reading in found
    }


@damage_named
def blocks_at(reading: str, spans: Sequence[Span]) -> tuple[Block, ...]:
    """Return the blocks in a `reading` column that share a character with a span."""
    return tuple(
        Block(BlockKind(kind), Span(start, end), tuple(path), anchor[0] if anchor else None)
        for kind, start, end, path, *anchor in json.loads(reading)["blocks"]
        if any(start < span.end and span.start < end for span in spans)
    )


SELECT_SEGMENTS_BEFORE = """
select document.source, document.version,
       segment.start, segment.line, segment.text, segment.hash
from document join segment on segment.document = document.row
where document.id = :id and segment.start < :end
order by segment.start desc   -- read only down to the segment in which the span begins
"""
SELECT_TEXT = """
select document.source, document.version,
       segment.start, segment.line, segment.text, segment.hash
from document join segment on segment.document = document.row
where document.id = :id
order by segment.start
"""
SELECT_READING = "select reading from document where id = :id"


def read_excerpt(connection: apsw.Connection, document_id: str, span: Span) -> Excerpt:
    """Return exactly the characters at `span`; ValueError when they are not all there."""
    pieces = _pieces(connection, document_id, span)
    if not pieces:
        return _excerpt_of_nothing(connection, document_id, span)
    first_start, line, _ = pieces[0]
    held = _joined(pieces)
    within = Span(span.start - first_start, span.end - first_start)
    text = within.of(held)
    last = max(within.start, within.end - 1)
    return Excerpt(text, line + line_of(held, within.start), line + line_of(held, last))


def _pieces(connection: apsw.Connection, document_id: str, span: Span) -> list[Piece]:
    """Return the segments that hold a span, in order: each start, line breaks before it, text."""
    bindings = {"id": document_id, "end": max(span.end, span.start + 1)}
    pieces = []
    for segment in connection.execute(SELECT_SEGMENTS_BEFORE, bindings):
        pieces.append(_checked_piece(segment))
        if pieces[-1][0] <= span.start:
            break
    return pieces[::-1]


def read_text(connection: apsw.Connection, document_id: str) -> str:
    """Return a document's whole canonical text."""
    found = connection.execute(SELECT_TEXT, {"id": document_id})
    text = _joined([_checked_piece(segment) for segment in found])
    if not text:
        _check_known(connection, document_id)
    return text


def read_parts(connection: apsw.Connection, document_id: str) -> tuple[Part, ...]:
    """Return a document's pages, slides, sheets …; none where its format has none."""
    return parse_parts(_check_known(connection, document_id))


def read_fragments(connection: apsw.Connection, document_id: str) -> FragmentStyle:
    """Return how links lead into a document."""
    return parse_fragments(_check_known(connection, document_id))


def read_blocks(connection: apsw.Connection, document_id: str) -> tuple[Block, ...]:
    """Return a document's blocks in text order."""
    return parse_blocks(_check_known(connection, document_id))


def _excerpt_of_nothing(connection: apsw.Connection, document_id: str, span: Span) -> Excerpt:
    """An empty text has one empty span; every other span lies outside."""
    _check_known(connection, document_id)
    return Excerpt(span.of(""), 1, 1)


def _check_known(connection: apsw.Connection, document_id: str) -> str:
    for (reading,) in connection.execute(SELECT_READING, {"id": document_id}):
        return str(reading)
    raise SourceError(
        f"the corpus holds no document {document_id}", hint="`cytat status` lists the documents"
    )


SELECT_PASSAGES = """
select chunk.id, chunk.start, chunk.end, chunk.heading_path, chunk.context,
       document.id, document.source, document.title, document.version
from json_each(:ids) as wanted
join chunk on chunk.id = wanted.value
join document on document.row = chunk.document
"""
SELECT_PLACES = """
select document.id, document.reading
from json_each(:ids) as wanted
join document on document.id = wanted.value
where document.reading -> 'parts' is not null         -- others are located by headings and lines
   or document.reading -> 'fragments' is not null
"""


@dataclass(frozen=True, slots=True)
class _Places:
    """What of one document says where a span is: its parts, or the blocks that links need."""

    parts: tuple[Part, ...]
    fragments: FragmentStyle
    blocks: tuple[Block, ...]

    def anchor(self, span: Span) -> str | None:
        """Return the id nearest before a span."""
        at = bisect_right(self.blocks, span.start, key=lambda block: block.span.start)
        return self.blocks[at - 1].anchor if at else None


_NO_PLACES = _Places((), FragmentStyle.CHARACTERS, ())


@damage_named
def read_passages(
    connection: apsw.Connection, chunk_ids: Collection[str]
) -> dict[ChunkId, StoredPassage]:
    """Return some chunks with their words and places; CorpusFormatError when one is missing."""
    bindings = {"ids": dump_json(sorted(chunk_ids))}
    found: list[Row] = connection.execute(SELECT_PASSAGES, bindings).fetchall()
    places = _read_places(connection, {row[5] for row in found})
    stretches = read_stretches(connection, [(row[5], Span(row[1], row[2])) for row in found])
    passages = {
        ChunkId(row[0]): _passage(row, stretches.get(at), places.get(row[5], _NO_PLACES))
        for at, row in enumerate(found)
    }
    for chunk_id in chunk_ids:
        if chunk_id not in passages:
            raise CorpusFormatError(
                f"an index names chunk {chunk_id}, which is not there", hint="run `cytat reindex`"
            )
    return passages


def _read_places(connection: apsw.Connection, document_ids: Collection[str]) -> dict[str, _Places]:
    """Return what says where spans are, once for each document however many passages it has."""
    found = connection.execute(SELECT_PLACES, {"ids": dump_json(sorted(document_ids))})
    return {document_id: _places(reading) for document_id, reading in found}


@lru_cache(maxsize=64)
def _places(reading: str) -> _Places:
    """Return the places of a document; the next question often finds the same documents."""
    fragments = parse_fragments(reading)
    blocks = parse_blocks(reading) if fragments is FragmentStyle.WORDS else ()
    return _Places(parse_parts(reading), fragments, blocks)


def _passage(row: Row, stretch: Stretch | None, places: _Places) -> StoredPassage:
    chunk_id, start, end, path, context, document_id, source, title, version = row
    span, heading_path = Span(start, end), parse_path(path)
    if stretch is None or stretch.span != span:
        raise ValueError(f"{source} has no characters {start}:{end}")
    excerpt = stretch.excerpt
    locator = locate(
        span,
        parts=places.parts,
        fragments=places.fragments,
        heading_path=heading_path,
        first_line=excerpt.first_line,
        last_line=excerpt.last_line,
        text=excerpt.text,
        text_start=span.start,
        anchor=places.anchor(span),
    )
    chunk = Chunk(ChunkId(chunk_id), DocumentId(document_id), span, heading_path, context)
    return StoredPassage(chunk, source, title, Version(version), locator, excerpt)
