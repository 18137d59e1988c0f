"""Question -> Answer or Refusal.

    question - survey - retrieve - gate - quote, or: pack - generate - ground - Answer
                   every step may end in a Refusal with its reason and the nearest hits

Nothing leaves here that was not read again at its span; see `grounding`.
"""

import math
from dataclasses import dataclass, replace

from cytat.answering.drafting import Listener, Packed, draft_answer, pack, prompts_hash
from cytat.answering.gate import Gate, GateDecision, decide
from cytat.answering.quoting import choose_quotes
from cytat.answering.scoring import ScoredUnit, score_units
from cytat.answering.survey import QuestionRetriever, Survey, Surveyor
from cytat.errors import UsageError
from cytat.grounding import CitableTexts, Grounder, Grounding, IsStale, text_with_markers
from cytat.protocols import Embedder, Generator
from cytat.records import Answer, Confidence, Coverage, Hit, Ranking, Refusal, RefusalReason
from cytat.retrieval import Record, Stages, ignore

_TEXTS: dict[str, dict[RefusalReason, str]] = {
    "pl": {
        RefusalReason.EMPTY_CORPUS: "Nie ma jeszcze żadnych dokumentów, w których można szukać.",
        RefusalReason.NO_EVIDENCE: "W dokumentach nie ma niczego na ten temat.",
        RefusalReason.WEAK_EVIDENCE: "W dokumentach nie ma odpowiedzi na to pytanie.",
        RefusalReason.NOT_IN_EVIDENCE: (
            "Znalezione fragmenty dokumentów nie zawierają odpowiedzi na to pytanie."
        ),
        RefusalReason.UNSUPPORTED_DRAFT: (
            "Żadnego zdania szkicu odpowiedzi nie udało się potwierdzić w dokumentach."
        ),
        RefusalReason.CONFLICTING_SOURCES: "Dokumenty podają tu sprzeczne odpowiedzi.",
    },
    "en": {
        RefusalReason.EMPTY_CORPUS: "There are no documents to search yet.",
        RefusalReason.NO_EVIDENCE: "The documents hold nothing on this.",
        RefusalReason.WEAK_EVIDENCE: "The documents do not answer this question.",
        RefusalReason.NOT_IN_EVIDENCE: (
            "The passages found in the documents do not hold the answer to this question."
        ),
        RefusalReason.UNSUPPORTED_DRAFT: (
            "No sentence of the drafted answer could be confirmed in the documents."
        ),
        RefusalReason.CONFLICTING_SOURCES: "The documents answer this in conflicting ways.",
    },
}


def refusal_text(reason: RefusalReason, language: str) -> str:
    """Return the sentence in the question's language, or in English."""
    return _TEXTS.get(language, _TEXTS["en"])[reason]


def coverage_notes(coverage: Coverage, language: str) -> tuple[str, ...]:
    """Return a note when part of the documents could not be searched, else none."""
    notes = []
    if coverage.failed:
        notes.append(
            f"Nie udało się odczytać plików: {coverage.failed} z {coverage.documents}."
            if language == "pl"
            else f"{coverage.failed} of {coverage.documents} files could not be read."
        )
    if coverage.unread_parts:
        notes.append(
            f"Części plików (stron), których nie odczytano: {coverage.unread_parts}."
            if language == "pl"
            else f"{coverage.unread_parts} parts (pages) of files could not be read."
        )
    return tuple(notes)


ANSWER_TOKENS = 600
"""Five short sentences in any language, and room for a model that reasons in between."""
CONTEXT_TOKENS = 4096
"""The smallest context among the local servers' defaults; they cut longer prompts in silence."""
NEAREST = 5
"""Hits shown with a refusal."""
QUOTING = "quoting"
"""Name of the generator when no model is configured."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What answering works with. `generator` None: sentences are quoted, no model is called."""

    retriever: QuestionRetriever
    surveyor: Surveyor
    embedder: Embedder
    texts: CitableTexts
    is_stale: IsStale
    generator: Generator | None
    gate: Gate


@dataclass(frozen=True, slots=True)
class AnswerObserver:
    """Who is told what happens: stages as they end, parts of the answer as they are certain."""

    record: Record
    listen: Listener


UNWATCHED = AnswerObserver(ignore, ignore)


def answer_question(
    question: str,
    parts: Parts,
    *,
    depth: int,
    watch: AnswerObserver = UNWATCHED,
    context_tokens: int = CONTEXT_TOKENS,
) -> Answer | Refusal:
    """Return an answer whose every statement is cited, or a refusal that says why there is none.

    Args:
        question: as the person asked it.
        parts: what to answer with.
        depth: passages considered; with a generator, those offered to it.
        watch: is told of stages, statements, citations.
        context_tokens: that the generator can take, its answer included.

    Raises:
        UsageError: the question is blank.
        BackendError: the generator failed before it said anything.
    """
    if not question.strip():
        raise UsageError("the question is empty", hint="ask something")
    stages = Stages(watch.record)
    survey = parts.surveyor.survey(question)
    stages.end("survey", {"question": question}, _seen_of_survey(survey))
    if not survey.chunks:
        return _refuse(survey, RefusalReason.EMPTY_CORPUS, None)
    ranking = parts.retriever.retrieve(question, depth=depth)
    stages.end("retrieve", {"depth": depth}, {"chunks": [hit.chunk_id for hit in ranking.hits]})
    if not ranking.hits:
        return _refuse(survey, RefusalReason.NO_EVIDENCE, ranking)
    gate = parts.gate
    units = score_units(survey, ranking.hits, embedder=parts.embedder, weights=gate.model.sentence)
    decision = decide(survey, ranking.hits, units, model=gate.model, stricter=gate.stricter)
    stages.end("gate", _given_to_gate(ranking, gate), _seen_of_gate(decision))
    if decision.reason:
        return _refuse(survey, decision.reason, ranking, note=decision.note)
    asked = _GatedQuestion(survey, ranking, gate.confidence(decision.margin), parts, watch, stages)
    if parts.generator is None:
        return _quote(asked, units)
    return _draft(asked, parts.generator, context_tokens)


@dataclass(frozen=True, slots=True)
class _GatedQuestion:
    """A question that passed the gate, with everything the two ways to an answer need."""

    survey: Survey
    ranking: Ranking
    confidence: Confidence | None
    parts: Parts
    watch: AnswerObserver
    stages: Stages


# ---------------------------------------------------------------- the two ways to an answer


def _quote(asked: _GatedQuestion, units: list[ScoredUnit]) -> Answer | Refusal:
    texts = asked.parts.texts
    quotes = choose_quotes(asked.survey, asked.ranking.hits, units, texts=texts)
    asked.stages.end("generate", {"units": len(units)}, {"quotes": [one.text for one in quotes]})
    grounder = Grounder((), texts=texts, is_stale=asked.parts.is_stale)
    for quoted in quotes:
        hit = quoted.reading.hit
        grounded = grounder.quote([(hit, span) for span in quoted.spans], quoted.text)
        for citation in grounded.citations:
            asked.watch.listen(citation)
        asked.watch.listen(grounded.statement)
    grounding = grounder.result()
    asked.stages.end("ground", {"quotes": len(quotes)}, _seen_of_grounding(grounding))
    if not grounding.statements:
        return _refuse(asked.survey, RefusalReason.NOT_IN_EVIDENCE, asked.ranking)
    evidence = dict.fromkeys(quoted.reading.hit for quoted in quotes)
    return _answer(asked, grounding, tuple(evidence), generator=QUOTING)


def _draft(asked: _GatedQuestion, generator: Generator, context_tokens: int) -> Answer | Refusal:
    packed = _pack(asked, generator, context_tokens)
    drafted = draft_answer(
        packed,
        generator,
        max_tokens=ANSWER_TOKENS,
        listen=asked.watch.listen,
        texts=asked.parts.texts,
        is_stale=asked.parts.is_stale,
    )
    asked.stages.end("generate", {"generator": generator.name}, {"draft": drafted.text})
    grounding = drafted.grounding
    asked.stages.end("ground", {"complete": drafted.is_complete}, _seen_of_grounding(grounding))
    if not grounding.statements:
        declined = grounding.says_no_answer and not grounding.dropped
        reason = RefusalReason.NOT_IN_EVIDENCE if declined else RefusalReason.UNSUPPORTED_DRAFT
        return _refuse(asked.survey, reason, asked.ranking)
    answer = _answer(asked, grounding, packed.evidence, generator=generator.name)
    notes = (*_packing_notes(packed, asked.survey.language), *answer.notes)
    return replace(answer, complete=drafted.is_complete, notes=notes)


def _pack(asked: _GatedQuestion, generator: Generator, context_tokens: int) -> Packed:
    budget_tokens = context_tokens - ANSWER_TOKENS
    packed = pack(
        asked.survey.query.text,
        asked.ranking.hits,
        language=asked.survey.language,
        budget_tokens=budget_tokens,
        count_tokens=generator.count_tokens,
    )
    seen = {
        "evidence": [hit.chunk_id for hit in packed.evidence],
        "left_out": packed.left_out,
        "system": packed.prompt.system,
        "user": packed.prompt.user,
    }
    asked.stages.end("pack", {"budget_tokens": budget_tokens, "prompts": prompts_hash()}, seen)
    return packed


# ---------------------------------------------------------------- results


def _answer(
    asked: _GatedQuestion, grounding: Grounding, evidence: tuple[Hit, ...], *, generator: str
) -> Answer:
    survey, ranking = asked.survey, asked.ranking
    return Answer(
        question=survey.query.text,
        language=survey.language,
        text=text_with_markers(grounding.statements),
        complete=True,
        statements=grounding.statements,
        dropped=grounding.dropped,
        citations=grounding.citations,
        generator=generator,
        evidence=tuple(hit.chunk_id for hit in evidence),
        confidence=asked.confidence,
        notes=(*ranking.notes, *coverage_notes(survey.coverage, survey.language)),
        trace_id=ranking.trace_id,
    )


def _refuse(
    survey: Survey, reason: RefusalReason, ranking: Ranking | None, *, note: str | None = None
) -> Refusal:
    found = ranking.notes if ranking else ()
    own = (note,) if note else ()
    return Refusal(
        question=survey.query.text,
        language=survey.language,
        reason=reason,
        text=refusal_text(reason, survey.language),
        nearest=ranking.hits[:NEAREST] if ranking else (),
        coverage=survey.coverage,
        notes=(*found, *own, *coverage_notes(survey.coverage, survey.language)),
        trace_id=ranking.trace_id if ranking else None,
    )


def _packing_notes(packed: Packed, language: str) -> tuple[str, ...]:
    if not packed.left_out:
        return ()
    given, found = len(packed.evidence), len(packed.evidence) + packed.left_out
    if language == "pl":
        return (f"Model otrzymał {given} z {found} fragmentów: tyle mieści jego kontekst.",)
    return (f"The model was given {given} of {found} passages: its context holds no more.",)


# ---------------------------------------------------------------- the trace


def _seen_of_survey(survey: Survey) -> dict[str, object]:
    return {
        "language": survey.language,
        "chunks": survey.chunks,
        "words": {word: survey.frequencies[word] for word in sorted(survey.frequencies)},
        "cosine_mean": survey.cosine_mean,
        "cosine_deviation": survey.cosine_deviation,
    }


def _given_to_gate(ranking: Ranking, gate: Gate) -> dict[str, object]:
    calibration = gate.calibration
    on = None if calibration is None else calibration.calibrated_on
    is_open = math.isinf(gate.stricter)
    return {
        "chunks": len(ranking.hits),
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
            {"text": one.text, "markers": list(one.markers), "verdict": one.verdict.value}
            for one in grounding.statements
        ],
        "dropped": [
            {"text": one.text, "verdict": one.verdict.value, "reason": one.reason}
            for one in grounding.dropped
        ],
    }
