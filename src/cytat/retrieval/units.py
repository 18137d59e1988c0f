"""A question that names a legal unit + a moment -> the unit, whole, in the documents that have it.

The words index finds passages; a unit may be several of them, or a line of one. So units are read
off the text of documents that can have it, by their markers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cytat.analysis import analyse_question
from cytat.analysis.analyser import terms_of
from cytat.analysis.language import stop_words
from cytat.protocols import Moment
from cytat.records import (
    Block,
    BlockKind,
    ChunkId,
    DocumentId,
    Hit,
    Span,
    StoredPassage,
    Why,
)
from cytat.retrieval.search import Retrieved, SearchRequest
from cytat.text.unit_references import Step, UnitReference, reference_in, written
from cytat.text.units import LegalUnit, find_unit, highest_number, spans_without, units_of

MOST_DOCUMENTS = 60
"""Texts that are read for units. With 60 of 100 pages, 295,000 characters each, an `ask` for a unit
took 1.2 s of processor time."""
MOST_CHARACTERS = 3_000_000
"""Of a document whose units are looked for."""
MOST_QUOTED = 3
"""Documents that are quoted where several have the unit."""
OPENING_CHARACTERS = 300
"""Where a document says what it is."""
_ASKING_WORDS = """
    co mowi mówi jest jaka jaki jakie brzmi brzmienie tresc treść podaj pokaz pokaż przytocz
    zacytuj stanowi reguluje zawiera dotyczy opisuje napisane what does say says show quote text
    read state states contain contains cover about tell me give the according pod na temat
"""
_ASKING = frozenset(_ASKING_WORDS.split())
"""Words with which a unit is asked for, and nothing in it."""
_WORDS_FOR_DOCUMENTS = """
    umowa umowy umowie ustawa ustawy ustawie regulamin regulaminu regulaminie kodeks kodeksu
    kodeksie statut statutu statucie rozporządzenie rozporządzenia rozporządzeniu uchwała uchwały
    uchwale contract agreement act law lease regulations code statute terms policy
"""
_DOCUMENT_WORDS = frozenset(_WORDS_FOR_DOCUMENTS.split())
"""Words for documents: they say where the unit is, not what is asked of it."""


@dataclass(frozen=True, slots=True)
class FoundUnit:
    """One unit in one document: a hit whose span is the unit, and the spans to quote."""

    hit: Hit
    quoted: tuple[Span, ...]
    """Without running headers of pages."""


@dataclass(frozen=True, slots=True)
class UnitSearch:
    """What became of a unit that a question names."""

    reference: UnitReference
    is_bare: bool
    """Nothing but the unit is asked for."""
    found: tuple[FoundUnit, ...]
    sources: tuple[str, ...]
    """Of all documents that have it, best first."""
    highest: tuple[tuple[str, str], ...]
    """Where none has it: a document's source, and the last unit of this kind it has."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A document whose units have been read."""

    document_id: DocumentId
    source: str
    text: str
    blocks: Sequence[Block]
    units: Sequence[LegalUnit]


def search_unit(moment: Moment, request: SearchRequest, found: Retrieved) -> UnitSearch | None:
    """Return the unit a question names and where it is; None when it names none."""
    reference = reference_in(request.question)
    if reference is None:
        return None
    names = _candidates(moment, request, found, reference)
    texts = [text for name, source in names.items() if (text := _read(moment, name, source))]
    words = _words(reference.rest)
    holding = [(text, units) for text in texts if (units := _units_named(text, reference))]
    holding = _best_named(holding, words)
    hits = [_found(moment, held, unit) for held, units in holding[:MOST_QUOTED] for unit in units]
    return UnitSearch(
        reference=reference,
        is_bare=not _asked_of_unit(words, holding),
        found=tuple(filter(None, hits)),
        sources=tuple(held.source for held, _ in holding),
        highest=() if holding else tuple(_highest(texts, reference)),
    )


# ---------------------------------------------------------------- documents


def _candidates(
    moment: Moment, request: SearchRequest, found: Retrieved, reference: UnitReference
) -> Mapping[DocumentId, str]:
    """Return documents that can have the unit, by source: those of hits first."""
    sources = moment.sources()
    names = list(dict.fromkeys(hit.document_id for hit in found.hits))
    if request.conditions or len(sources) > MOST_DOCUMENTS:
        names += _documents_with_words(moment, request, reference)
    else:
        names += sorted(sources, key=sources.__getitem__)
    kept = list(dict.fromkeys(names))[:MOST_DOCUMENTS]
    return {name: sources[name] for name in kept if name in sources}


def _documents_with_words(
    moment: Moment, request: SearchRequest, reference: UnitReference
) -> Iterator[DocumentId]:
    """Yield documents that hold the outermost unit's words, or those of the rest."""
    allowed = moment.allowed(request.conditions) if request.conditions else None
    first = reference.chains[0][0]
    heads = {"article": "art.", "§": "§"}
    texts = (f"{heads.get(first.kind.value, first.kind.value)} {first.number}", reference.rest)
    for text in texts:
        query = analyse_question(text, languages=moment.languages())
        if query.groups:
            scored = moment.by_words(query, depth=4 * MOST_DOCUMENTS, allowed=allowed).scored
            passages = moment.passages([hit.chunk_id for hit in scored.hits])
            yield from (passages[hit.chunk_id].chunk.document_id for hit in scored.hits)


def _read(moment: Moment, document_id: DocumentId, source: str) -> _Text | None:
    document = moment.document(document_id)
    if document is None or document.version is None or document.characters > MOST_CHARACTERS:
        return None
    text, blocks = moment.text(document_id), moment.blocks(document_id)
    headings = [block.span for block in blocks if block.kind is BlockKind.HEADING]
    return _Text(document_id, source, text, blocks, units_of(text, headings))


# ---------------------------------------------------------------- the unit in a document


def _units_named(text: _Text, reference: UnitReference) -> list[LegalUnit]:
    """Return the unit in a document: all of a range, the fullest of several with one number."""
    named = []
    for chain in reference.chains:
        units = find_unit(text.units, chain)
        if units:
            named.append(max(units, key=lambda unit: len(unit.span)))
            if not reference.is_range:
                break
    return [unit for unit in named if text.text[unit.body : unit.span.end].strip(" .*_\n")]


def _best_named(
    holding: list[tuple[_Text, list[LegalUnit]]], words: frozenset[str]
) -> list[tuple[_Text, list[LegalUnit]]]:
    """Return the documents that the rest of the question names, best first; all if it names none.

    A document is named by words of its title and source, or of the unit itself.
    """
    if len(holding) < 2 or not words:  # noqa: PLR2004 - one document needs no choice
        return holding
    met = [_met(words, held, units) for held, units in holding]
    best = max(met)
    return [pair for pair, count in zip(holding, met, strict=True) if count == best]


def _met(words: frozenset[str], text: _Text, units: Sequence[LegalUnit]) -> int:
    said = " ".join(
        (text.source, text.text[:OPENING_CHARACTERS], *(unit.span.of(text.text) for unit in units))
    )
    terms = _stems(said)
    return sum(not terms.isdisjoint(_stems(word)) for word in words)


def _asked_of_unit(
    words: frozenset[str], holding: Sequence[tuple[_Text, Sequence[LegalUnit]]]
) -> bool:
    """Say whether the rest of a question asks for something: no name of the document alone."""
    asked = words - _DOCUMENT_WORDS
    heads = [_stems(f"{held.source} {_first_line(held.text)}") for held, _ in holding]
    return any(all(head.isdisjoint(_stems(word)) for head in heads) for word in asked)


def _first_line(text: str) -> str:
    return text[:OPENING_CHARACTERS].lstrip().partition("\n")[0]


def _words(rest: str) -> frozenset[str]:
    words = "".join(sign if sign.isalnum() else " " for sign in rest).split()
    idle = stop_words("pl") | stop_words("en") | _ASKING
    return frozenset(word for word in words if word not in idle and len(word) > 1)


def _stems(text: str) -> frozenset[str]:
    plain = text.replace("-", " ").replace("_", " ").replace("/", " ")
    return terms_of(plain, "pl") | terms_of(plain, "en")


def _highest(texts: Sequence[_Text], reference: UnitReference) -> Iterator[tuple[str, str]]:
    """Yield what documents have instead of the unit: "§ 3 ust. 2", the last of its kind."""
    chain = reference.chains[-1]
    for text in texts:
        for depth in range(len(chain), 0, -1):
            above = find_unit(text.units, chain[: depth - 1]) if depth > 1 else []
            if depth > 1 and not above:
                continue
            number = highest_number(text.units, chain[depth - 1].kind, above[0] if above else None)
            inner = () if number is None else (Step(chain[depth - 1].kind, number),)
            if inner or above:
                yield text.source, written((*chain[: depth - 1], *inner))
            break


def _found(moment: Moment, text: _Text, unit: LegalUnit) -> FoundUnit | None:
    passage = _passage_at(moment, text.document_id, unit.span)
    if passage is None:
        return None
    path = next((b.heading_path for b in text.blocks if b.span.end > unit.span.start), ())
    hit = Hit(
        chunk_id=passage.chunk.id,
        document_id=text.document_id,
        source=text.source,
        title=passage.title,
        rank=1,
        score=0.0,
        span=unit.span,
        locator=passage.locator,
        heading_path=path,
        text=unit.span.of(text.text),
        why=Why(None, None, None, None, None),
    )
    furniture = [block.span for block in text.blocks if block.kind is BlockKind.FURNITURE]
    return FoundUnit(hit, spans_without(unit.span, furniture))


def _passage_at(moment: Moment, document_id: DocumentId, span: Span) -> StoredPassage | None:
    """Return the passage that a unit is in, or begins in, or whose heading it is."""
    chunks = [stored.chunk for stored in moment.chunks(document_id)]
    after = [chunk for chunk in chunks if chunk.span.end > span.start]
    if not after:
        return None
    chosen: ChunkId = after[0].id
    return moment.passages([chosen])[chosen]
