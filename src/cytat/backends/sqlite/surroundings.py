"""Spans of documents -> their text and lines in one statement, and what citing reads of them."""

import json
from collections.abc import Mapping, Sequence

import apsw

from cytat.backends.sqlite.rows import dump_json, parse_fragments, parse_parts
from cytat.protocols import Stretch, Surroundings
from cytat.records import Block, BlockKind, DocumentId, Excerpt, FileStamp, Span, Version
from cytat.text.offsets import line_of

SELECT_SEGMENTS = """
select wanted.key, segment.start, segment.line, segment.text
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
    pieces: dict[int, list[tuple[int, int, str]]] = {}
    for number, start, line, text in connection.execute(SELECT_SEGMENTS, {"spans": spans}):
        pieces.setdefault(int(number), []).append((start, line, text))
    return {
        number: _stretch(wanted[number][1], found)
        for number, found in pieces.items()
        if wanted[number][1].start <= found[-1][0] + len(found[-1][2])
    }


def _stretch(span: Span, pieces: Sequence[tuple[int, int, str]]) -> Stretch:
    """Cut a span out of the segments that hold it: each start, line breaks before it, text."""
    first_start, line, _ = pieces[0]
    held = "".join(text for _, _, text in pieces)
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


def blocks_at(reading: str, spans: Sequence[Span]) -> tuple[Block, ...]:
    """Return the blocks in a `reading` column that share a character with a span."""
    return tuple(
        Block(BlockKind(kind), Span(start, end), tuple(path), anchor[0] if anchor else None)
        for kind, start, end, path, *anchor in json.loads(reading)["blocks"]
        if any(start < span.end and span.start < end for span in spans)
    )
