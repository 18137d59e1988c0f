"""An answer, its evidence and a judging model -> verdicts; and how far judge and people agree.

Each verdict is one question with one word for a reply. A reply that is neither yes nor no is not a
verdict: it is counted apart, never as a pass and never as a failure. A model's verdict is not a
measurement of the world: the judge's name is beside every figure.

faithfulness        statements of the answer that the passages they cite say
answer-relevancy    statements of the answer that answer the question
contextual-recall   what a right answer says that the passages found say

Statements that people have judged are JSONL, one a line:

    {"metric": "faithfulness", "statement": "…", "evidence": "…", "label": "yes"}

A judge is worth as much as its agreement with people on texts like those it will judge; the share
of equal verdicts alone flatters one that always says yes.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.errors import IncompleteDraftError, NoDraftError, SettingsError
from cytat.evaluation.gold.questions import GoldQuestion, raise_faults
from cytat.evaluation.scoring import Scores, metric_value
from cytat.evaluation.text_files import filled, hash_of_prompts, lines_of, prompt_text
from cytat.grounding.model_output import ReasoningFilter
from cytat.metrics import kappa, kappa_interval
from cytat.protocols import Generator, Prompt
from cytat.records import (
    Answer,
    Hit,
    JudgeAgreement,
    JudgedStatement,
    JudgeVerdict,
    MetricValue,
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
        quotes = [
            citation.quote for citation in answer.citations if citation.marker in statement.markers
        ]
        asked = {"statement": statement.text}
        yield self.verdict("faithfulness", asked | {"evidence": "\n\n".join(quotes)})
        yield self.verdict("answer-relevancy", asked | {"question": gold.question})

    def _of_context(self, gold: GoldQuestion, hits: Sequence[Hit]) -> Iterator[JudgedStatement]:
        evidence = "\n\n".join(hit.text for hit in hits)
        for statement in expected_statements(gold):
            texts = {"statement": statement, "question": gold.question, "evidence": evidence}
            yield self.verdict("contextual-recall", texts)


def expected_statements(gold: GoldQuestion) -> tuple[str, ...]:
    """Return what a right answer says: the sentences of `expected`, else the needles."""
    if gold.expected:
        return tuple(sentence.of(gold.expected) for sentence in sentence_spans(gold.expected))
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
        given = [
            judged_metric.verdict for judged_metric in judged if judged_metric.metric == metric
        ]
        read = [verdict for verdict in given if verdict is not JudgeVerdict.UNREADABLE]
        if given:
            scores[metric] = (
                sum(verdict is JudgeVerdict.YES for verdict in read) / len(read) if read else None
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
    given = [found.verdict for outcome in outcomes for found in outcome.judged]
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
    except NoDraftError:
        return ""
    _take(visible, reasoning.finish())
    return "".join(visible).strip()


def _take(visible: list[str], events: Iterable[object]) -> None:
    for event in events:
        if isinstance(event, str):
            visible.append(event)
        else:
            visible.clear()


LABELS = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A statement, what it is judged by, and a person's verdict."""

    metric: str
    texts: dict[str, str]
    label: bool


def read_labelled(path: Path) -> tuple[Labelled, ...]:
    """Return the labelled statements of a JSONL file; all faults are reported at once, by line."""
    faults: list[str] = []
    read = [
        _labelled(f"{path.name}:{number}", line, faults)
        for number, line in enumerate(lines_of(path, hint="name a JSONL file"), start=1)
        if line.strip()
    ]
    if not read:
        faults.append(f"{path.name}: no statements in it")
    raise_faults(faults)
    return tuple(statement for statement in read if statement is not None)


def agreement(judge: Judge, labelled: Sequence[Labelled]) -> Iterator[MetricValue]:
    """Yield by metric: agreement, kappa, and how often the judge passes or fails wrongly."""
    said = [judge.verdict(statement.metric, statement.texts).verdict for statement in labelled]
    for metric in dict.fromkeys(statement.metric for statement in labelled):
        given = [
            (
                statement.label,
                None if verdict is JudgeVerdict.UNREADABLE else verdict is JudgeVerdict.YES,
            )
            for statement, verdict in zip(labelled, said, strict=True)
            if statement.metric == metric
        ]
        yield from _figures(metric, given)


def check_judge(generator: Generator | None, labels: Path) -> JudgeAgreement:
    """Return how far a judging model agrees with the labels of people.

    Raises:
        SettingsError: no judge is named.
    """
    if generator is None:
        raise SettingsError("no judge is named", hint="name one: --judge NAME, or CYTAT_JUDGE")
    judge = Judge(generator)
    found = tuple(agreement(judge, read_labelled(labels)))
    unreadable = sum(metric.not_measured for metric in found if metric.name == "agreement")
    notes = (
        (f"{unreadable} replies of the judge were neither yes nor no and are left out.",)
        if unreadable
        else ()
    )
    return JudgeAgreement(judge.fingerprint, found, notes)


def _figures(metric: str, given: Sequence[tuple[bool, bool | None]]) -> Iterator[MetricValue]:
    equal = [None if said is None else float(said == label) for label, said in given]
    yield metric_value("agreement", metric, equal)
    pairs = [(label, said) for label, said in given if said is not None]
    yield _kappa(metric, pairs, unreadable=len(given) - len(pairs))
    for name, label in (("wrongly-passed", False), ("wrongly-failed", True)):
        wrong = [float(said != label) for person, said in pairs if person is label]
        yield metric_value(name, metric, wrong)


def _kappa(metric: str, pairs: Sequence[tuple[bool, bool]], *, unreadable: int) -> MetricValue:
    value, found = kappa(pairs), kappa_interval(pairs)
    if found is None:
        return MetricValue("kappa", metric, None, None, None, None, 0, len(pairs) + unreadable)
    return MetricValue(
        "kappa", metric, value, found.low, found.high, found.method, len(pairs), unreadable
    )


def _labelled(where: str, line: str, faults: list[str]) -> Labelled | None:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        faults.append(f"{where}: not JSON: {error.msg}")
        return None
    metric = row.get("metric") if isinstance(row, dict) else None
    if metric not in NEEDED:
        faults.append(f"{where}: `metric` must be one of {', '.join(NEEDED)}")
        return None
    missing = [key for key in NEEDED[metric] if not isinstance(row.get(key), str)]
    if missing or row.get("label") not in LABELS:
        named = ", ".join(f"`{key}`" for key in missing) or "`label`, yes or no,"
        faults.append(f"{where}: {named} is missing")
        return None
    return Labelled(metric, {key: row[key] for key in NEEDED[metric]}, LABELS[row["label"]])
