"""Statements that people have judged + a judging model -> how far the model agrees with them.

    {"metric": "faithfulness", "statement": "…", "evidence": "…", "label": "yes"}

A judge is worth as much as its agreement with people on texts like those it will judge; the share
of equal verdicts alone flatters one that always says yes.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.evaluation.reading_gold import raise_faults
from cytat.evaluation.summary import metric_value
from cytat.evaluation.text_files import lines_of
from cytat.evaluation.verdicts import NEEDED, Judge
from cytat.metrics import kappa, kappa_interval
from cytat.records import JudgeVerdict, MetricValue

LABELS = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A statement, what it is judged by, and a person's verdict."""

    metric: str
    texts: dict[str, str]
    label: bool


def read_labelled(path: Path) -> tuple[Labelled, ...]:
    """Return the labelled statements of a JSONL file; all faults are told at once, by line."""
    faults: list[str] = []
    read = [
        _labelled(f"{path.name}:{number}", line, faults)
        for number, line in enumerate(lines_of(path, hint="name a JSONL file"), start=1)
        if line.strip()
    ]
    if not read:
        faults.append(f"{path.name}: there is no statement in it")
    raise_faults(faults)
    return tuple(one for one in read if one is not None)


def agreement(judge: Judge, labelled: Sequence[Labelled]) -> Iterator[MetricValue]:
    """Yield by metric: agreement, kappa, and how often the judge passes or fails wrongly."""
    said = [judge.verdict(one.metric, one.texts).verdict for one in labelled]
    for metric in dict.fromkeys(one.metric for one in labelled):
        given = [
            (one.label, None if verdict is JudgeVerdict.UNREADABLE else verdict is JudgeVerdict.YES)
            for one, verdict in zip(labelled, said, strict=True)
            if one.metric == metric
        ]
        yield from _figures(metric, given)


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
        faults.append(f"{where}: `metric` is none of {', '.join(NEEDED)}")
        return None
    missing = [one for one in NEEDED[metric] if not isinstance(row.get(one), str)]
    if missing or row.get("label") not in LABELS:
        told = ", ".join(f"`{one}`" for one in missing) or "`label`, yes or no,"
        faults.append(f"{where}: {told} is missing")
        return None
    return Labelled(metric, {one: row[one] for one in NEEDED[metric]}, LABELS[row["label"]])
