"""What one moment holds for a question -> Answer or Refusal.

    found - survey - gate - quote, or: pack - generate - ground - Answer
                   every step may end in a Refusal with its reason and the nearest hits

All that is read of the corpus is here as values, so that no step waits for the file, and the file
for none. Nothing leaves here that was not read again at its span; see `grounding`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cytat.answering.drafting import Drafted, Listener, Packed, draft_answer, pack, prompts_hash
from cytat.answering.gate import Gate, GateDecision, decide
from cytat.answering.lists import asks_for_all
from cytat.answering.particulars import Lacking, lacking
from cytat.answering.quoting import Quoted, choose_quotes
from cytat.answering.replying import reply_language
from cytat.answering.scoring import ScoredUnit, score_units
from cytat.answering.survey import Survey, survey_of
from cytat.answering.units import UnitAnswer, answer_from_unit, without_wrong_notes
from cytat.errors import UsageError
from cytat.grounding import CitableTexts, Grounder, Grounding, IsStale, text_with_markers
from cytat.protocols import Embedder, Generator
from cytat.records import (
    Answer,
    ChunkId,
    Citation,
    Coverage,
    DroppedStatement,
    Hit,
    Refusal,
    RefusalReason,
    Statement,
    TraceStage,
)
from cytat.retrieval import Retrieved, Stages, UnitSearch
from cytat.text.notes import Note, NoteKind, note, refusal_text, texts_of

ANSWER_TOKENS = 600
"""Five short sentences in any language, and room for a model that reasons in between."""
CONTEXT_TOKENS = 4096
"""The smallest context among the local servers' defaults; they cut longer prompts in silence."""
NEAREST = 5
"""Hits shown with a refusal."""
QUOTING = "quoting"
"""Name of the generator when no model is configured."""
UNIT_NAMED = GateDecision(None, 1.0, None, compares_words=True, signals={}, note=None)
"""A unit that is named and there is evidence by itself."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a question is answered from, all of one moment of the corpus."""

    found: Retrieved
    depth: int
    """Hits that are considered; with a model, those that it may be given."""
    coverage: Coverage
    """How much of the corpus could be searched at all."""
    texts: CitableTexts
    """The text around the hits considered."""
    is_stale: IsStale
    unit: UnitSearch | None = None
    """The legal unit that the question names; None: it names none."""

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The hits considered, best first."""
        return self.found.hits[: self.depth]


@dataclass(frozen=True, slots=True)
class Means:
    """What a question is answered with. `generator` None: sentences are quoted."""

    embedder: Embedder
    generator: Generator | None
    gate: Gate
    context_tokens: int = CONTEXT_TOKENS
    """That the generator can take, its answer included."""


@dataclass(frozen=True, slots=True)
class AskOutcome:
    """What became of a question: the reply, and what it was decided and made from.

    `decision`: the gate's; None where there was nothing to decide on. `draft`: what a model wrote,
    "" without one. `evidence`: the passages that the model was given, in the order of the prompt.
    """

    reply: Answer | Refusal
    decision: GateDecision | None
    draft: str
    evidence: tuple[ChunkId, ...]
    generation: int
    """Of the corpus, in the moment that was asked."""
    stages: tuple[TraceStage, ...]
    """For the trace, and for nothing else."""


def nobody(_: Statement | DroppedStatement | Citation) -> None:
    """Listen to no part of an answer."""


def check_question(question: str) -> None:
    """Refuse a blank question (UsageError)."""
    if not question.strip():
        raise UsageError("the question is empty", hint="ask something")


def answer_question(material: Material, means: Means, *, listen: Listener = nobody) -> AskOutcome:
    """Return an answer whose every statement is cited, or a refusal that says why there is none.

    `listen` is given each citation and statement as soon as it is certain.

    Raises:
        BackendError: the generator failed before it said anything.
    """
    return _Asked(material, means, listen).outcome()


class _Asked:
    """One question on its way to a reply."""

    def __init__(self, material: Material, means: Means, listen: Listener) -> None:
        """Take the parts, and look how the question lies in the corpus."""
        found = material.found
        self._material, self._means, self._listen = material, means, listen
        self._stages = Stages()
        self._survey = survey_of(
            found.query,
            found.statistics,
            language=reply_language(found.query, material.hits),
            coverage=material.coverage,
        )
        self._stages.end("survey", {"question": found.query.text}, _seen_of_survey(self._survey))

    def outcome(self) -> AskOutcome:
        """Return what becomes of it."""
        if not self._survey.chunks:
            return self._refused(RefusalReason.EMPTY_CORPUS)
        of_unit = answer_from_unit(self._survey, self._material.unit)
        if of_unit is not None:
            return self._answer_unit(of_unit)
        hits = self._material.hits
        seen = {"chunks": [hit.chunk_id for hit in hits]}
        self._stages.end("retrieve", {"depth": self._material.depth}, seen)
        if not hits:
            return self._refused(RefusalReason.NO_EVIDENCE)
        gate = self._means.gate
        units = score_units(
            self._survey, hits, embedder=self._means.embedder, weights=gate.model.sentence
        )
        decision = decide(self._survey, hits, units, model=gate.model, stricter=gate.stricter)
        self._stages.end("gate", _given_to_gate(hits, gate), _seen_of_gate(decision))
        if decision.reason:
            own = (decision.note,) if decision.note else ()
            return self._refused(decision.reason, decision, own=own)
        if self._means.generator is None:
            return self._quote(units, decision)
        return self._draft(self._means.generator, decision)

    # ------------------------------------------------------------ the two ways to an answer

    def _answer_unit(self, of_unit: UnitAnswer) -> AskOutcome:
        known = without_wrong_notes(self._material.found.notes)
        hits = (*(quoted.reading.hit for quoted in of_unit.quotes), *self._material.found.hits)
        found = replace(self._material.found, notes=(*known, *of_unit.notes), hits=hits)
        self._material = replace(self._material, found=found)
        if not of_unit.quotes:
            is_there = self._material.unit is not None and self._material.unit.found
            reason = RefusalReason.NOT_IN_EVIDENCE if is_there else RefusalReason.NO_EVIDENCE
            return self._refused(reason)
        if self._means.generator is not None:
            return self._draft(self._means.generator, UNIT_NAMED)
        quotes = [quoted.text for quoted in of_unit.quotes]
        self._stages.end("generate", {"units": len(quotes)}, {"quotes": quotes})
        return self._quoted(of_unit.quotes, UNIT_NAMED)

    def _quote(self, units: Sequence[ScoredUnit], decision: GateDecision) -> AskOutcome:
        texts, hits = self._material.texts, self._material.hits
        quotes = choose_quotes(self._survey, hits, units, texts=texts)
        self._stages.end(
            "generate", {"units": len(units)}, {"quotes": [quoted.text for quoted in quotes]}
        )
        lacks = lacking(self._survey, [(one.reading.hit, one.text) for one in quotes], hits)
        if quotes and lacks.is_about_another:
            own = _said_of_lacking(lacks)
            return self._refused(RefusalReason.NOT_IN_EVIDENCE, decision, own=own)
        own = (*_said_of_list(self._survey.query.text), *_said_of_lacking(lacks))
        return self._quoted(quotes, decision, own)

    def _quoted(
        self, quotes: Sequence[Quoted], decision: GateDecision, own: tuple[Note, ...] = ()
    ) -> AskOutcome:
        texts = self._material.texts
        grounder = Grounder((), texts=texts, is_stale=self._material.is_stale)
        for quoted in quotes:
            hit = quoted.reading.hit
            grounded = grounder.quote([(hit, span) for span in quoted.spans], quoted.text)
            for citation in grounded.citations:
                self._listen(citation)
            self._listen(grounded.statement)
        grounding = grounder.result()
        self._stages.end("ground", {"quotes": len(quotes)}, _seen_of_grounding(grounding))
        if not grounding.statements:
            return self._refused(RefusalReason.NOT_IN_EVIDENCE, decision)
        quoted_hits = tuple(dict.fromkeys(quoted.reading.hit.chunk_id for quoted in quotes))
        answer = self._answer(grounding, decision, quoted_hits, generator=QUOTING)
        said = texts_of(own, self._survey.language)
        answer = replace(answer, notes=(*said, *answer.notes))
        return self._ended(answer, decision, "", ())

    def _draft(self, generator: Generator, decision: GateDecision) -> AskOutcome:
        packed = self._pack(generator)
        evidence = tuple(hit.chunk_id for hit in packed.evidence)
        drafted = draft_answer(
            packed,
            generator,
            max_tokens=ANSWER_TOKENS,
            listen=self._listen,
            texts=self._material.texts,
            is_stale=self._material.is_stale,
        )
        self._stages.end("generate", {"generator": generator.name}, {"draft": drafted.text})
        grounding, cut = drafted.grounding, _said_of_its_end(drafted)
        given = {"complete": drafted.is_complete}
        self._stages.end("ground", given, _seen_of_grounding(grounding))
        if not grounding.statements:
            declined = grounding.says_no_answer and not grounding.dropped
            reason = RefusalReason.NOT_IN_EVIDENCE if declined else RefusalReason.UNSUPPORTED_DRAFT
            refusal = self._refused(reason, decision, own=cut)
            return replace(refusal, draft=drafted.text, evidence=evidence)
        answer = self._answer(grounding, decision, evidence, generator=generator.name)
        own = texts_of((*_said_of_packing(packed), *cut), self._survey.language)
        notes = (*own, *answer.notes)
        answer = replace(answer, complete=drafted.is_complete, notes=notes)
        return self._ended(answer, decision, drafted.text, evidence)

    def _pack(self, generator: Generator) -> Packed:
        budget_tokens = self._means.context_tokens - ANSWER_TOKENS
        packed = pack(
            self._survey.query.text,
            self._material.hits,
            language=self._survey.language,
            budget_tokens=budget_tokens,
            count_tokens=generator.count_tokens,
        )
        seen = {
            "evidence": [hit.chunk_id for hit in packed.evidence],
            "left_out": packed.left_out,
            "system": packed.prompt.system,
            "user": packed.prompt.user,
        }
        given = {"budget_tokens": budget_tokens, "prompts": prompts_hash()}
        self._stages.end("pack", given, seen)
        return packed

    # ------------------------------------------------------------ results

    def _answer(
        self,
        grounding: Grounding,
        decision: GateDecision,
        evidence: tuple[ChunkId, ...],
        *,
        generator: str,
    ) -> Answer:
        survey = self._survey
        return Answer(
            question=survey.query.text,
            language=survey.language,
            text=text_with_markers(grounding.statements),
            complete=True,
            statements=grounding.statements,
            dropped=grounding.dropped,
            citations=grounding.citations,
            generator=generator,
            evidence=evidence,
            confidence=self._means.gate.confidence(decision.margin),
            notes=self._notes(self._material.found.notes),
            trace_id=None,
        )

    def _refused(
        self,
        reason: RefusalReason,
        decision: GateDecision | None = None,
        *,
        own: tuple[Note, ...] = (),
    ) -> AskOutcome:
        survey = self._survey
        # An empty corpus is said to be empty, and nothing else.
        is_empty = reason is RefusalReason.EMPTY_CORPUS
        found = () if is_empty else self._material.found.notes
        refusal = Refusal(
            question=survey.query.text,
            language=survey.language,
            reason=reason,
            text=refusal_text(reason, survey.language),
            nearest=self._material.hits[:NEAREST],
            coverage=survey.coverage,
            notes=self._notes((*found, *own, *coverage_notes(survey.coverage))),
            trace_id=None,
        )
        return self._ended(refusal, decision, "", ())

    def _notes(self, notes: Sequence[Note]) -> tuple[str, ...]:
        return texts_of(notes, self._survey.language)

    def _ended(
        self,
        reply: Answer | Refusal,
        decision: GateDecision | None,
        draft: str,
        evidence: tuple[ChunkId, ...],
    ) -> AskOutcome:
        stages = (*self._material.found.stages, *self._stages.taken())
        generation = self._material.found.generation
        return AskOutcome(reply, decision, draft, evidence, generation, stages)


def coverage_notes(coverage: Coverage) -> tuple[Note, ...]:
    """Return a note when part of the documents could not be searched, else none."""
    notes = []
    if coverage.failed:
        notes.append(note(NoteKind.FILES_FAILED, coverage.failed, coverage.documents))
    if coverage.unread_parts:
        notes.append(note(NoteKind.PARTS_UNREAD, coverage.unread_parts))
    return tuple(notes)


def _said_of_list(question: str) -> tuple[Note, ...]:
    """Return a note that a list may lack entries, where all of something is asked for."""
    return (note(NoteKind.LIST_MAY_LACK),) if asks_for_all(question) else ()


def _said_of_lacking(lacks: Lacking) -> tuple[Note, ...]:
    """Return a note that names the year, name or number that the evidence lacks, else none."""
    return (note(NoteKind.PARTICULARS_LACKING, ", ".join(lacks.words)),) if lacks.words else ()


def _said_of_packing(packed: Packed) -> tuple[Note, ...]:
    given = len(packed.evidence)
    if not packed.left_out:
        return ()
    return (note(NoteKind.PASSAGES_LEFT_OUT, given, given + packed.left_out),)


def _said_of_its_end(drafted: Drafted) -> tuple[Note, ...]:
    return () if drafted.is_complete else (note(NoteKind.DRAFT_CUT_SHORT),)


# ---------------------------------------------------------------- the trace


def _seen_of_survey(survey: Survey) -> dict[str, object]:
    return {
        "language": survey.language,
        "chunks": survey.chunks,
        "words": {word: survey.frequencies[word] for word in sorted(survey.frequencies)},
        "cosine_mean": survey.cosine_mean,
        "cosine_deviation": survey.cosine_deviation,
    }


def _given_to_gate(hits: Sequence[Hit], gate: Gate) -> dict[str, object]:
    calibration = gate.calibration
    on = None if calibration is None else calibration.calibrated_on
    is_open = math.isinf(gate.stricter)
    return {
        "chunks": len(hits),
        "calibrated_on": on,
        "stricter": None if is_open else gate.stricter,
    }


def _seen_of_gate(decision: GateDecision) -> dict[str, object]:
    return {
        "refused": decision.reason.value if decision.reason else None,
        "probability": round(decision.probability, 4),
        "margin": None if decision.margin is None else round(decision.margin, 4),
        "compares_words": decision.compares_words,
        "signals": {name: round(value, 4) for name, value in decision.signals.items()},
    }


def _seen_of_grounding(grounding: Grounding) -> dict[str, object]:
    return {
        "statements": [
            {"text": kept.text, "markers": list(kept.markers), "verdict": kept.verdict.value}
            for kept in grounding.statements
        ],
        "dropped": [
            {"text": dropped.text, "verdict": dropped.verdict.value, "reason": dropped.reason}
            for dropped in grounding.dropped
        ],
    }
