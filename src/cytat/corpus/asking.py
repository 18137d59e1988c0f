"""A store and a question -> an answer or a refusal, from one moment that no model waits in."""

from dataclasses import dataclass, replace

from cytat.answering import (
    AskOutcome,
    Gate,
    Listener,
    Material,
    Means,
    answer_question,
    calibrated_gate,
    check_question,
    gate_hash,
    shipped_gate,
)
from cytat.corpus.installed import VersionsNow
from cytat.corpus.models import EmbedderChoice
from cytat.corpus.searching import find
from cytat.grounding import keep_texts
from cytat.protocols import Generator, Moment, Store
from cytat.records import Answer, Calibration, Citation, DocumentId
from cytat.retrieval import Retrieved, SearchRequest, search_unit
from cytat.text.notes import Note, NoteKind, note


def gate_in_force(moment: Moment) -> tuple[Gate, Note | None]:
    """Return the gate that answers are decided by, and why it is not the calibrated one."""
    calibration, misfit = stored_calibration(moment)
    if calibration is None or misfit is not None:
        return shipped_gate(), misfit
    return calibrated_gate(calibration), None


def stored_calibration(moment: Moment) -> tuple[Calibration | None, Note | None]:
    """Return the corpus' calibration, and why it does not fit the corpus as it is."""
    calibration = moment.calibration()
    if calibration is None:
        return None, None
    space = moment.space()
    if space is None or space.weights != calibration.weights:
        return calibration, note(NoteKind.CALIBRATED_WITH_OTHER_ENCODER)
    is_other = calibration.gate != gate_hash()
    return calibration, note(NoteKind.CALIBRATED_WITH_OTHER_GATE) if is_other else None


SURVEY_DEPTH = 50
"""Hits of the one retrieval; answers look at fewer, and copies are counted in all of them."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a question is answered with, and how many hits it is answered from.

    `generator` None: sentences are quoted. `gate` None: the corpus' own, with a note where its
    calibration no longer fits.
    """

    choice: EmbedderChoice
    generator: Generator | None
    gate: Gate | None
    depth: int


def ask_corpus(
    store: Store,
    request: SearchRequest,
    asking: Asking,
    *,
    listen: Listener,
    found: Retrieved | None = None,
) -> AskOutcome:
    """Return what the corpus answers; see `answering.answer_question`.

    `found`: what the request found a moment ago; it is looked for again if the corpus has changed.

    All that is read is of one moment. It has ended before anything is drafted: a citation of a
    document that has changed since is marked stale, and a note says so.
    """
    check_question(request.question)
    with store.moment() as moment:
        material = _material(moment, request, asking, found, VersionsNow(store))
        embedder = asking.choice.embedder(moment.space())
        gate, misfit = (asking.gate, None) if asking.gate else gate_in_force(moment)
    means = Means(embedder, asking.generator, gate)
    outcome = answer_question(material, means, listen=listen)
    if asking.generator is not None:
        outcome = _checked_again(store, material, outcome)
    return outcome if misfit is None else _with_notes(outcome, (misfit,))


def _material(
    moment: Moment,
    request: SearchRequest,
    asking: Asking,
    found: Retrieved | None,
    versions_now: VersionsNow,
) -> Material:
    if found is None or found.generation != moment.generation:
        found = find(moment, asking.choice, request)
    hits = found.hits[: asking.depth]
    unit = search_unit(moment, request, found)
    of_unit = [one.hit for one in unit.found] if unit else []
    texts = keep_texts(moment, (*hits, *of_unit))
    sources = {hit.document_id: hit.source for hit in (*hits, *of_unit)}

    def is_stale(document_id: DocumentId) -> bool:
        kept = texts.documents[document_id]
        now = versions_now.of(sources[document_id], kept.version, kept.file)
        return now != kept.version

    allowed = moment.allowed(request.conditions) if request.conditions else None
    return Material(found, asking.depth, moment.coverage(allowed), texts, is_stale, unit)


# ---------------------------------------------------------------- what changed meanwhile


def _checked_again(store: Store, material: Material, outcome: AskOutcome) -> AskOutcome:
    """Mark the citations of documents that have another version now, or none."""
    reply = outcome.reply
    if not isinstance(reply, Answer):
        return outcome
    with store.moment() as moment:
        changed = _changed(moment, material, reply)
    if not changed:
        return outcome
    citations = tuple(
        replace(citation, stale=True) if citation.document_id in changed else citation
        for citation in reply.citations
    )
    notes = tuple(note(NoteKind.CHANGED_SINCE, source) for source in changed.values())
    return _with_notes(replace(outcome, reply=replace(reply, citations=citations)), notes)


def _changed(moment: Moment, material: Material, answer: Answer) -> dict[DocumentId, str]:
    """Return the cited documents, by their source, that are not as they were found."""
    if moment.generation == material.found.generation:
        return {}
    cited: dict[DocumentId, Citation] = {one.document_id: one for one in answer.citations}
    changed = {}
    for document_id, citation in cited.items():
        document = moment.document(document_id)
        if document is None or document.version != citation.version:
            changed[document_id] = citation.source
    return changed


def _with_notes(outcome: AskOutcome, notes: tuple[Note, ...]) -> AskOutcome:
    reply = outcome.reply
    said = (*reply.notes, *(one.text(reply.language) for one in notes))
    return replace(outcome, reply=replace(reply, notes=said))
