"""Question -> Answer or Refusal.

    question - survey - retrieve - gate - quote, or: pack - generate - ground - Answer
                   every step may end in a Refusal with its reason and the nearest hits

Nothing leaves here that was not read again at its span; see `grounding`.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cytat.answering.drafting import Listener, draft_answer
from cytat.answering.gate import GateDecision, decide
from cytat.answering.packing import Packed, pack, prompts_hash
from cytat.answering.quoting import choose_quotes
from cytat.answering.refusals import coverage_notes, refusal_text
from cytat.answering.scoring import ScoredUnit, score_units
from cytat.answering.survey import QuestionRetriever, Survey, Surveyor
from cytat.answering.weights import shipped_model
from cytat.errors import UsageError
from cytat.grounding import CitableTexts, Grounder, Grounding, IsStale, text_with_markers
from cytat.protocols import Embedder, Generator
from cytat.records import (
    Answer,
    Hit,
    Ranking,
    Refusal,
    RefusalReason,
    TraceStage,
)

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


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told what happens: stages as they end, parts of the answer as they are certain."""

    record: Callable[[TraceStage], None]
    listen: Listener


def _ignore(_: object) -> None:
    """Nobody watches."""


UNWATCHED = Watch(_ignore, _ignore)


def answer_question(
    question: str,
    parts: Parts,
    *,
    depth: int,
    watch: Watch = UNWATCHED,
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
    stage = _Stages(watch.record)
    survey = parts.surveyor.survey(question)
    stage.end("analyse", {"question": question}, _seen_of_survey(survey))
    if not survey.chunks:
        return _refuse(question, survey, RefusalReason.EMPTY_CORPUS, None)
    ranking = parts.retriever.retrieve(question, depth=depth)
    stage.end("retrieve", {"depth": depth}, {"chunks": [hit.chunk_id for hit in ranking.hits]})
    if not ranking.hits:
        return _refuse(question, survey, RefusalReason.NO_EVIDENCE, ranking)
    units = score_units(
        survey, ranking.hits, embedder=parts.embedder, weights=shipped_model().sentence
    )
    decision = decide(survey, ranking.hits, units, model=shipped_model())
    stage.end("gate", {"chunks": len(ranking.hits)}, _seen_of_gate(decision))
    if decision.reason:
        return _refuse(question, survey, decision.reason, ranking, note=decision.note)
    if parts.generator is None:
        return _quote(question, survey, ranking, units, parts, watch, stage)
    packed = _pack(question, survey, ranking, parts.generator, context_tokens, stage)
    return _draft(question, survey, ranking, packed, parts, watch, stage)


# ---------------------------------------------------------------- the two ways to an answer


def _quote(
    question: str,
    survey: Survey,
    ranking: Ranking,
    units: list[ScoredUnit],
    parts: Parts,
    watch: Watch,
    stage: "_Stages",
) -> Answer | Refusal:
    quotes = choose_quotes(units)
    grounder = Grounder((), texts=parts.texts, is_stale=parts.is_stale)
    stage.end("generate", {"units": len(units)}, {"quotes": [quote.text for quote in quotes]})
    for quoted in quotes:
        grounded = grounder.quote([(quoted.reading.hit, quoted.span)], quoted.text)
        for event in (*grounded.citations, grounded.statement):
            watch.listen(event)
    grounding = grounder.result()
    stage.end("ground", {"quotes": len(quotes)}, _seen_of_grounding(grounding))
    if not grounding.statements:
        return _refuse(question, survey, RefusalReason.NOT_IN_EVIDENCE, ranking)
    evidence = dict.fromkeys(quoted.reading.hit for quoted in quotes)
    return _answer(question, survey, ranking, grounding, tuple(evidence), generator=QUOTING)


def _pack(
    question: str,
    survey: Survey,
    ranking: Ranking,
    generator: Generator,
    context_tokens: int,
    stage: "_Stages",
) -> Packed:
    packed = pack(
        question, ranking.hits, language=survey.language,
        budget_tokens=context_tokens - ANSWER_TOKENS, count_tokens=generator.count_tokens,
    )  # fmt: skip
    given = {"budget_tokens": context_tokens - ANSWER_TOKENS, "prompts": prompts_hash()}
    seen = {
        "evidence": [hit.chunk_id for hit in packed.evidence], "left_out": packed.left_out,
        "system": packed.prompt.system, "user": packed.prompt.user,
    }  # fmt: skip
    stage.end("pack", given, seen)
    return packed


def _draft(
    question: str,
    survey: Survey,
    ranking: Ranking,
    packed: Packed,
    parts: Parts,
    watch: Watch,
    stage: "_Stages",
) -> Answer | Refusal:
    generator = parts.generator
    assert generator is not None  # noqa: S101 - the caller chose this way because there is one
    drafted = draft_answer(
        packed, generator, max_tokens=ANSWER_TOKENS, listen=watch.listen,
        texts=parts.texts, is_stale=parts.is_stale,
    )  # fmt: skip
    stage.end("generate", {"generator": generator.name}, {"draft": drafted.text})
    grounding = drafted.grounding
    stage.end("ground", {"complete": drafted.is_complete}, _seen_of_grounding(grounding))
    notes = _packing_notes(packed, survey.language)
    if not grounding.statements:
        declined = grounding.says_no_answer and not grounding.dropped
        reason = RefusalReason.NOT_IN_EVIDENCE if declined else RefusalReason.UNSUPPORTED_DRAFT
        return _refuse(question, survey, reason, ranking)
    return _answer(
        question, survey, ranking, grounding, packed.evidence,
        generator=generator.name, is_complete=drafted.is_complete, notes=notes,
    )  # fmt: skip


# ---------------------------------------------------------------- results


def _answer(
    question: str,
    survey: Survey,
    ranking: Ranking,
    grounding: Grounding,
    evidence: tuple[Hit, ...],
    *,
    generator: str,
    is_complete: bool = True,
    notes: tuple[str, ...] = (),
) -> Answer:
    return Answer(
        question=question,
        language=survey.language,
        text=text_with_markers(grounding.statements),
        complete=is_complete,
        statements=grounding.statements,
        dropped=grounding.dropped,
        citations=grounding.citations,
        generator=generator,
        evidence=tuple(hit.chunk_id for hit in evidence),
        confidence=None,
        notes=(*ranking.notes, *notes, *coverage_notes(survey.coverage, survey.language)),
        trace_id=ranking.trace_id,
    )


def _refuse(
    question: str,
    survey: Survey,
    reason: RefusalReason,
    ranking: Ranking | None,
    *,
    note: str | None = None,
) -> Refusal:
    own = (note,) if note else ()
    notes = (ranking.notes if ranking else ()) + own
    return Refusal(
        question=question,
        language=survey.language,
        reason=reason,
        text=refusal_text(reason, survey.language),
        nearest=ranking.hits[:NEAREST] if ranking else (),
        coverage=survey.coverage,
        notes=(*notes, *coverage_notes(survey.coverage, survey.language)),
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


class _Stages:
    """Times stages from the end of the one before."""

    def __init__(self, record: Callable[[TraceStage], None]) -> None:
        self._record = record
        self._since = time.perf_counter()

    def end(self, name: str, given: Mapping[str, object], seen: Mapping[str, object]) -> None:
        now = time.perf_counter()
        self._record(TraceStage(name, given, seen, (now - self._since) * 1000))
        self._since = now


def _seen_of_survey(survey: Survey) -> dict[str, object]:
    return {
        "language": survey.language,
        "chunks": survey.chunks,
        "words": {word: survey.frequencies[word] for word in sorted(survey.frequencies)},
        "cosine_mean": survey.cosine_mean,
        "cosine_deviation": survey.cosine_deviation,
    }


def _seen_of_gate(decision: GateDecision) -> dict[str, object]:
    return {
        "refused": decision.reason.value if decision.reason else None,
        "probability": round(decision.probability, 4),
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
