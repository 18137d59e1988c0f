"""An answer, its evidence and a judging model -> verdicts: faithfulness, relevancy, recall.

Each verdict is one question with one word for a reply. A reply that is neither yes nor no is no
verdict: it is counted apart, never as a pass and never as a failure. A model's verdict is not a
measurement of the world: the judge's name stands by every figure.

faithfulness        statements of the answer that the passages they cite say
answer-relevancy    statements of the answer that answer the question
contextual-recall   what a right answer says that the passages found say
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cytat.errors import IncompleteDraftError
from cytat.evaluation.gold import GoldQuestion
from cytat.evaluation.prompting import filled, hash_of_prompts, prompt_text
from cytat.evaluation.scoring import Scores
from cytat.grounding.reasoning import ReasoningFilter
from cytat.protocols import Generator, Prompt
from cytat.records import (
    Answer,
    Hit,
    JudgedStatement,
    JudgeVerdict,
    QuestionOutcome,
    Refusal,
    Statement,
)
from cytat.text.sentences import sentence_spans

PROMPTS = {
    "faithfulness": "judge_faithfulness",
    "answer-relevancy": "judge_relevancy",
    "contextual-recall": "judge_recall",
}
"""Metric -> the text that asks for its verdicts."""
NEEDED = {
    "faithfulness": ("statement", "evidence"),
    "answer-relevancy": ("statement", "question"),
    "contextual-recall": ("statement", "question", "evidence"),
}
"""Metric -> what the judge is shown."""
REPLY_TOKENS = 512
"""One word is wanted; a model that reasons first is let reason."""
SAID_CHARACTERS = 200
_WORD = re.compile(r"[\s\"'*`]*(yes|no)[\s\"'*`.!]*", re.IGNORECASE)
_FENCE = re.compile(r"\s*```(?:json)?\s*(.*?)\s*```\s*", re.DOTALL)


class Judge:
    """Asks a model for verdicts."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator

    @property
    def name(self) -> str:
        """The model's name."""
        return self._generator.name

    @property
    def fingerprint(self) -> str:
        """What verdicts depend on: the model, and the texts it is asked with."""
        return f"{self.name} {hash_of_prompts(['judge_system', *PROMPTS.values()])}"

    def judge(
        self, gold: GoldQuestion, hits: Sequence[Hit], reply: Answer | Refusal | None
    ) -> tuple[JudgedStatement, ...]:
        """Return a verdict for each statement of an answer, and of the answer that is expected."""
        found = list(self._of_context(gold, hits))
        if isinstance(reply, Answer):
            for statement in reply.statements:
                found += self._of_statement(gold, reply, statement)
        return tuple(found)

    def verdict(self, metric: str, texts: Mapping[str, str]) -> JudgedStatement:
        """Return the verdict on one statement; `texts` are those that the metric needs."""
        statement = texts["statement"]
        if not texts.get("evidence", "anything"):
            return JudgedStatement(metric, statement, JudgeVerdict.NO, "nothing was found")
        user = filled(PROMPTS[metric], **texts)
        prompt = Prompt(prompt_text("judge_system"), user, statement, "en", ())
        said = _reply(self._generator.generate(prompt, max_tokens=REPLY_TOKENS))
        return JudgedStatement(metric, statement, parse_verdict(said), said[:SAID_CHARACTERS])

    def _of_statement(
        self, gold: GoldQuestion, answer: Answer, statement: Statement
    ) -> Iterator[JudgedStatement]:
        quotes = [one.quote for one in answer.citations if one.marker in statement.markers]
        told = {"statement": statement.text}
        yield self.verdict("faithfulness", told | {"evidence": "\n\n".join(quotes)})
        yield self.verdict("answer-relevancy", told | {"question": gold.question})

    def _of_context(self, gold: GoldQuestion, hits: Sequence[Hit]) -> Iterator[JudgedStatement]:
        evidence = "\n\n".join(hit.text for hit in hits)
        for statement in expected_statements(gold):
            texts = {"statement": statement, "question": gold.question, "evidence": evidence}
            yield self.verdict("contextual-recall", texts)


def expected_statements(gold: GoldQuestion) -> tuple[str, ...]:
    """Return what a right answer says: the sentences of `expected`, else the needles."""
    if gold.expected:
        return tuple(one.of(gold.expected) for one in sentence_spans(gold.expected))
    return gold.needles


def parse_verdict(said: str) -> JudgeVerdict:
    """Return the verdict of a reply: one word, or JSON with `verdict`; nothing is guessed."""
    found = _FENCE.fullmatch(said)
    words = found[1] if found else said
    if plain := _WORD.fullmatch(words):
        return JudgeVerdict(plain[1].lower())
    try:
        value = json.loads(words)
    except (ValueError, RecursionError):
        return JudgeVerdict.UNREADABLE
    verdict = value.get("verdict") if isinstance(value, dict) else None
    if isinstance(verdict, bool):
        return JudgeVerdict.YES if verdict else JudgeVerdict.NO
    plain = _WORD.fullmatch(verdict) if isinstance(verdict, str) else None
    return JudgeVerdict(plain[1].lower()) if plain else JudgeVerdict.UNREADABLE


def scores_of_verdicts(judged: Sequence[JudgedStatement]) -> Scores:
    """Return for each metric the share of its readable verdicts that are yes."""
    scores: Scores = {}
    for metric in PROMPTS:
        given = [one.verdict for one in judged if one.metric == metric]
        read = [one for one in given if one is not JudgeVerdict.UNREADABLE]
        if given:
            scores[metric] = (
                sum(one is JudgeVerdict.YES for one in read) / len(read) if read else None
            )
    return scores


def judge_notes(
    judge: Judge, outcomes: Sequence[QuestionOutcome], *, drafted_by: Generator | None
) -> Iterator[str]:
    """Yield what a reader of judged figures has to know."""
    names = ", ".join(PROMPTS)
    yield f"Judged by the model {judge.name}, which may be wrong: {names}."
    if drafted_by is not None and drafted_by.name == judge.name:
        yield (
            f"The judge {judge.name} is the model that answered: it judges itself, and models "
            "find their own answers better than others do."
        )
    given = [one.verdict for outcome in outcomes for one in outcome.judged]
    unreadable = given.count(JudgeVerdict.UNREADABLE)
    if unreadable:
        yield (
            f"{unreadable} of {len(given)} replies of the judge were neither yes nor no; they "
            "count neither for nor against."
        )


def _reply(pieces: Iterable[str]) -> str:
    """Return what a model said, without its reasoning; one that was cut short said nothing."""
    visible: list[str] = []
    reasoning = ReasoningFilter()
    try:
        for piece in pieces:
            _take(visible, reasoning.feed(piece))
    except IncompleteDraftError:
        return "".join(visible).strip() + " …"
    _take(visible, reasoning.finish())
    return "".join(visible).strip()


def _take(visible: list[str], events: Iterable[object]) -> None:
    for event in events:
        if isinstance(event, str):
            visible.append(event)
        else:
            visible.clear()
