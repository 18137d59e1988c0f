"""A located question + its ranking + its reply -> QuestionOutcome. Pure."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from cytat.analysis.language import detect_language
from cytat.answering import AskOutcome
from cytat.evaluation.gate import shipped_margin
from cytat.evaluation.gold.locating import LocatedNeedle, LocatedQuestion, Place, flattened
from cytat.evaluation.scoring import (
    Scores,
    destroyed_score,
    scores_of_documents,
    scores_of_reply,
    scores_of_targets,
)
from cytat.grounding.model_output import find_markers
from cytat.records import (
    Answer,
    Cause,
    ChunkId,
    Citation,
    DocumentId,
    Hit,
    JudgedBy,
    JudgedCitation,
    Outcome,
    QuestionOutcome,
    RankedHit,
    Ranking,
    Refusal,
    Reply,
    Span,
    Target,
)

SHOWN = 10
"""Hits whose text is kept in the run: what a person looks at to see why."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of a question, and by how much stricter than the shipped gate it was decided."""

    outcome: AskOutcome
    stricter: float

    @property
    def reply(self) -> Answer | Refusal:
        """The answer, or the refusal."""
        return self.outcome.reply

    @property
    def margin(self) -> float | None:
        """Log odds above the threshold in force; None where a rule decided."""
        margin = shipped_margin(self.outcome)
        return None if margin is None else margin - self.stricter


def judge(
    located: LocatedQuestion,
    ranking: Ranking,
    asked: Asked | None,
    *,
    depth: int,
    found_depth: int,
) -> QuestionOutcome:
    """Return how a question turned out.

    Args:
        located: the question, with what it names found in the corpus.
        ranking: its hits, `depth` or fewer.
        asked: its reply; None when only retrieval is measured.
        depth: of the run.
        found_depth: hits that answering looks at; what ranks below was not found for it.
    """
    gold = located.gold
    targets = _targets(located, ranking)
    reply = None if asked is None else _reply(located, asked, ranking.hits)
    scores = _retrieval_scores(located, targets, ranking, depth=depth)
    if reply is not None:
        scores |= scores_of_reply(
            reply.outcome,
            reply.citations,
            recalled=_recalled(located, asked, ranking.hits),
            invented_markers=reply.invented_markers,
            is_answerable=gold.is_answerable,
        )
    return QuestionOutcome(
        id=gold.id,
        question=gold.question,
        group=gold.group,
        language=detect_language(gold.question),
        type=_type(located),
        is_answerable=gold.is_answerable,
        expected=gold.expected or "; ".join(gold.must_contain) or None,
        judged_by=_judged_by(located),
        targets=targets,
        hits=tuple(_ranked_hit(located, hit) for hit in ranking.hits),
        reply=reply,
        judged=(),
        cause=_cause(located, targets, reply, found_depth=found_depth),
        scores=scores,
    )


def _type(located: LocatedQuestion) -> str | None:
    types = {PurePosixPath(source).suffix.lower() for source, _ in located.documents}
    (only,) = types if len(types) == 1 else ("",)
    return only.removeprefix(".") or None


# ---------------------------------------------------------------- retrieval


def _judged_by(located: LocatedQuestion) -> JudgedBy:
    gold = located.gold
    for kind, named in (
        (JudgedBy.NEEDLES, gold.needles),
        (JudgedBy.CHUNKS, gold.chunks),
        (JudgedBy.TITLES, gold.titles),
        (JudgedBy.SOURCES, gold.sources),
    ):
        if named:
            return kind
    return JudgedBy.NOTHING


def _targets(located: LocatedQuestion, ranking: Ranking) -> tuple[Target, ...]:
    kind, hits = _judged_by(located), ranking.hits
    if kind is JudgedBy.NEEDLES:
        return tuple(
            Target(
                kind,
                needle.text,
                _first(hits, [_holds(needle, hit) for hit in hits]),
                needle.is_destroyed,
            )
            for needle in located.needles
        )  # fmt: skip
    if kind is JudgedBy.CHUNKS:
        return tuple(
            Target(kind, chunk_id, _first(hits, [chunk_id in _chunks(hit) for hit in hits]), False)  # noqa: FBT003
            for chunk_id, _ in located.chunks
        )
    if kind is JudgedBy.TITLES:
        return tuple(
            Target(kind, title, _first(hits, [_is_under(hit, title) for hit in hits]), False)  # noqa: FBT003
            for title in located.gold.titles
        )
    return tuple(
        Target(kind, source, _first(hits, [document_id in _documents(hit) for hit in hits]), False)  # noqa: FBT003
        for source, document_id in (located.documents if kind is JudgedBy.SOURCES else ())
    )


def _first(hits: Sequence[Hit], is_right: Sequence[bool]) -> int | None:
    return next((hit.rank for hit, right in zip(hits, is_right, strict=True) if right), None)


def _held(needle: LocatedNeedle, hit: Hit) -> list[Span]:
    """Return where a hit's own text contains a whole needle."""
    return [
        Span(place.span.start - hit.span.start, place.span.end - hit.span.start)
        for place in needle.places
        if hit.document_id == place.document_id and hit.span.holds(place.span)
    ]


def _holds(needle: LocatedNeedle, hit: Hit) -> bool:
    """Say whether a hit, or a copy left out for it, contains the whole needle."""
    return bool(_held(needle, hit)) or any(
        place.document_id == copy.document_id and copy.span.holds(place.span)
        for copy in hit.copies
        for place in needle.places
    )


def _chunks(hit: Hit) -> list[ChunkId]:
    """Return the chunks a hit represents: its own, and its copies'."""
    return [hit.chunk_id, *(copy.chunk_id for copy in hit.copies)]


def _documents(hit: Hit) -> list[DocumentId]:
    """Return the documents a hit represents."""
    return [hit.document_id, *(copy.document_id for copy in hit.copies)]


def _ranked_documents(hits: Sequence[Hit], grades: Mapping[str, int]) -> list[DocumentId]:
    """Return a document for each hit, each once: of those it represents, the best not yet named."""
    ranked: dict[DocumentId, None] = {}
    for hit in hits:
        left = [document_id for document_id in _documents(hit) if document_id not in ranked]
        if left:
            ranked[max(left, key=lambda document_id: grades.get(document_id, 0))] = None
    return list(ranked)


def _is_under(found: Hit | Citation, title: str) -> bool:
    """Say whether a passage is below a heading, or contains it: small sections share a chunk."""
    words = found.text if isinstance(found, Hit) else found.quote
    own = (line.lstrip("#") for line in words.splitlines())
    copies = found.copies if isinstance(found, Hit) else ()
    others = (heading for copy in copies for heading in (copy.title, *copy.heading_path))
    wanted = flattened(title).casefold()
    return any(
        flattened(heading).casefold() == wanted
        for heading in (found.title, *found.heading_path, *own, *others)
    )


def _retrieval_scores(
    located: LocatedQuestion, targets: Sequence[Target], ranking: Ranking, *, depth: int
) -> Scores:
    kind, gold = _judged_by(located), located.gold
    if not gold.is_answerable:
        return {}
    if kind is JudgedBy.NOTHING:
        # Named with a depth nobody asks for by chance: it must be counted as not measured.
        return {"recall@1": None, "mrr": None}
    grades: dict[str, int] = {
        document_id: gold.grades.get(source, 1) for source, document_id in located.documents
    }
    ranked = _ranked_documents(ranking.hits, grades)
    if kind is JudgedBy.SOURCES:
        return scores_of_documents(ranked, grades, depth=depth, prefix="")
    scores = scores_of_targets(targets, depth=depth) | destroyed_score(targets)
    if grades:
        scores |= scores_of_documents(ranked, grades, depth=depth, prefix="document-")
    return scores


def _ranked_hit(located: LocatedQuestion, hit: Hit) -> RankedHit:
    held = [span for needle in located.needles for span in _held(needle, hit)]
    return RankedHit(
        rank=hit.rank,
        chunk_id=hit.chunk_id,
        source=hit.source,
        place=hit.locator.label,
        heading_path=hit.heading_path,
        score=hit.score,
        is_right=any(_holds(needle, hit) for needle in located.needles)
        or _is_right_without_needles(located, hit),
        text=hit.text if hit.rank <= SHOWN else None,
        marks=tuple(held) if hit.rank <= SHOWN else (),
    )


def _is_right_without_needles(located: LocatedQuestion, hit: Hit) -> bool:
    kind = _judged_by(located)
    if kind is JudgedBy.CHUNKS:
        return any(chunk_id in _chunks(hit) for chunk_id, _ in located.chunks)
    if kind is JudgedBy.TITLES:
        return any(_is_under(hit, title) for title in located.gold.titles)
    if kind is JudgedBy.SOURCES:
        return any(document_id in _documents(hit) for _, document_id in located.documents)
    return False


# ---------------------------------------------------------------- the reply


def _reply(located: LocatedQuestion, asked: Asked, hits: Sequence[Hit]) -> Reply:
    outcome = _outcome(located, asked.reply)
    match asked.reply:
        case Refusal(text=text, reason=reason):
            return Reply(outcome, text, reason.value, (), (), _invented(asked), asked.margin)
        case Answer() as answer:
            return Reply(
                outcome,
                answer.text,
                None,
                tuple(_judged_citation(located, citation, hits) for citation in answer.citations),
                tuple(
                    f"{dropped.text} [{dropped.verdict}: {dropped.reason}]"
                    for dropped in answer.dropped
                ),
                _invented(asked),
                asked.margin,
            )


def _outcome(located: LocatedQuestion, reply: Answer | Refusal) -> Outcome:
    gold = located.gold
    if isinstance(reply, Refusal):
        return Outcome.LOST if gold.is_answerable else Outcome.REFUSED
    if not gold.is_answerable:
        return Outcome.BLUFF
    said = _folded(" ".join(statement.text for statement in reply.statements))
    if any(_says(said, words) for words in gold.must_not_contain):
        return Outcome.WRONG
    if gold.must_contain:
        is_right = all(_says(said, words) for words in gold.must_contain)
    elif gold.needles:
        quoted = _folded(" ".join(citation.quote for citation in reply.citations))
        is_right = any(
            _folded(needle) in said or _folded(needle) in quoted for needle in gold.needles
        )
    else:
        return Outcome.NOT_JUDGED
    return Outcome.RIGHT if is_right else Outcome.WRONG


def _says(said: str, words: str) -> bool:
    """Say whether folded words are said, whole: "0 zł" is not in "50 zł", 35 is in 35.00."""
    wanted = _folded(words)
    if not wanted:
        return True
    before = after = ""
    if wanted[0].isalnum():
        # The rest of a number: decimals, or a group of three digits after a blank.
        group = r"(?<!\d\s)" if re.match(r"\d{3}(?!\d)", wanted) else ""
        before = rf"(?<!\w)(?<!\d[.,]){group}" if wanted[0].isdigit() else r"(?<!\w)"
    if wanted[-1].isalnum():
        after = r"(?!\w)(?![.,]0*[1-9])" if wanted[-1].isdigit() else r"(?!\w)"
    return re.search(before + re.escape(wanted) + after, said) is not None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", flattened(text)).casefold()


def _judged_citation(
    located: LocatedQuestion, citation: Citation, hits: Sequence[Hit]
) -> JudgedCitation:
    return JudgedCitation(
        citation.marker,
        citation.source,
        citation.locator.label,
        citation.quote,
        _is_right_citation(located, citation, hits),
    )


def _is_right_citation(
    located: LocatedQuestion, citation: Citation, hits: Sequence[Hit]
) -> bool | None:
    cited = _cited(located, citation, hits)
    return any(cited) if cited else None


def _cited(located: LocatedQuestion, citation: Citation, hits: Sequence[Hit]) -> list[bool]:
    """Return for each target whether a citation overlaps it or lies in it.

    What is cited from a hit is in the copies of the hit too.
    """
    kind = _judged_by(located)
    if kind is JudgedBy.NEEDLES:
        places = [needle.places for needle in located.needles]
        return [any(_overlaps(citation, place) for place in of_needle) for of_needle in places]
    if kind is JudgedBy.TITLES:
        return [_is_under(citation, title) for title in located.gold.titles]
    copies = [copy for hit in hits if _is_from(citation, hit) for copy in hit.copies]
    if kind is JudgedBy.CHUNKS:
        chunks = {copy.chunk_id for copy in copies}
        return [chunk_id in chunks or _overlaps(citation, at) for chunk_id, at in located.chunks]
    documents = {citation.document_id, *(copy.document_id for copy in copies)}
    return [document_id in documents for _, document_id in located.documents]


def _is_from(citation: Citation, hit: Hit) -> bool:
    return hit.document_id == citation.document_id and hit.span.overlaps(citation.span)


def _overlaps(citation: Citation, place: Place) -> bool:
    return citation.document_id == place.document_id and citation.span.overlaps(place.span)


def _recalled(located: LocatedQuestion, asked: Asked | None, hits: Sequence[Hit]) -> float | None:
    """Return the share of targets that some citation covers; None without targets."""
    if asked is None or not isinstance(asked.reply, Answer):
        return None
    by_citation = [_cited(located, citation, hits) for citation in asked.reply.citations]
    covered = [any(column) for column in zip(*by_citation, strict=True)]
    return sum(covered) / len(covered) if covered else None


def _invented(asked: Asked) -> int:
    numbers = {number for marker in find_markers(asked.outcome.draft) for number in marker.numbers}
    return sum(number > len(asked.outcome.evidence) for number in numbers)


# ---------------------------------------------------------------- what went wrong


def _cause(
    located: LocatedQuestion, targets: Sequence[Target], reply: Reply | None, *, found_depth: int
) -> Cause | None:
    outcome = None if reply is None else reply.outcome
    if outcome is Outcome.BLUFF:
        return Cause.REFUSING
    if not located.gold.is_answerable or not targets or outcome is Outcome.RIGHT:
        return None
    if any(target.rank is not None and target.rank <= found_depth for target in targets):
        return Cause.ANSWERING if outcome in {Outcome.LOST, Outcome.WRONG} else None
    is_destroyed = any(target.is_destroyed for target in targets)
    return Cause.CUTTING if is_destroyed else Cause.RETRIEVAL
