"""The office's questions, asked without a language model: right, partly, wrong, refused, bluffed.

    python -m benchmarks.office.trial [--corpus FILE] [--out FILE]

Indexes `documents/` with the default encoder, asks every question of `gold.jsonl` and counts the
replies as `judging` says, by kind, with Wilson's 95 % intervals. Writes
`results/office_trial.json`: the counts, and of each question the reply, what it cites, and where
the passage that answers stood among the first ten hits, so that failures can be read. FILE is a
corpus that holds the documents already.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.arguments import parser_of
from benchmarks.office.judging import GOOD, Outcome, judged, outcome_of

from cytat import Corpus
from cytat.evaluation import Evaluator, LocatedQuestion
from cytat.metrics import wilson
from cytat.records import Answer, Hit, Refusal

HERE = Path(__file__).parent
DOCUMENTS = HERE / "documents"
GOLD = HERE / "gold.jsonl"
RESULTS = HERE.parent / "results" / "office_trial.json"
DEPTH = 10
"""Hits looked at, as many as `cytat search` shows."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question and what came of it. Ranks count from 1; None: not among the hits."""

    id: str
    kind: str
    question: str
    outcome: Outcome
    language: str
    """Of the reply."""
    text: str
    reason: str | None
    """Of a refusal."""
    missing: tuple[str, ...]
    unwanted: tuple[str, ...]
    notes: tuple[str, ...]
    cited: tuple[str, ...]
    """Source, heading path and quote of each citation."""
    needle_rank: int | None
    source_rank: int | None
    hits: tuple[str, ...]
    margin: float | None
    """Log odds of the gate above its threshold; None where a rule decided or nothing was asked."""


@dataclass(frozen=True, slots=True)
class Count:
    """Outcomes of some questions, and the share that was good with its interval."""

    name: str
    questions: int
    outcomes: dict[str, int]
    good: float
    low: float
    high: float


def row_of(corpus: Corpus, located: LocatedQuestion) -> Row:
    """Ask one question and return what came of it."""
    gold = located.gold
    hits = corpus.search(gold.question, depth=DEPTH).hits
    reply = corpus.ask(gold.question)
    seen = judged(located, reply) if isinstance(reply, Answer) else None
    return Row(
        id=gold.id,
        kind=gold.group or "",
        question=gold.question,
        outcome=outcome_of(located, reply),
        language=reply.language,
        text=reply.text,
        reason=reply.reason.value if isinstance(reply, Refusal) else None,
        missing=seen.missing if seen else (),
        unwanted=seen.unwanted if seen else (),
        notes=reply.notes,
        cited=_cited(reply),
        needle_rank=_rank(hits, lambda hit: _holds_needle(located, hit)),
        source_rank=_rank(hits, lambda hit: _is_right_document(located, hit)),
        hits=tuple(_short(hit.source) for hit in hits),
        margin=_margin(corpus, reply),
    )


def _cited(reply: Answer | Refusal) -> tuple[str, ...]:
    citations = reply.citations if isinstance(reply, Answer) else ()
    return tuple(
        " › ".join((_short(one.source), *one.heading_path, " ".join(one.quote.split())))
        for one in citations
    )


def _short(source: str) -> str:
    """Return a source as a path inside `documents/`."""
    return source.partition("/documents/")[2] or source


def _rank(hits: Sequence[Hit], is_wanted: Callable[[Hit], bool]) -> int | None:
    return next((hit.rank for hit in hits if is_wanted(hit)), None)


def _holds_needle(located: LocatedQuestion, hit: Hit) -> bool:
    places = (place for needle in located.needles for place in needle.places)
    return any(
        place.document_id == hit.document_id and hit.span.holds(place.span) for place in places
    )


def _is_right_document(located: LocatedQuestion, hit: Hit) -> bool:
    return hit.document_id in {document for _, document in located.documents}


def _margin(corpus: Corpus, reply: Answer | Refusal) -> float | None:
    stages = corpus.why(reply.trace_id).stages
    margin = next((one.output.get("margin") for one in stages if one.name == "gate"), None)
    return round(margin, 3) if isinstance(margin, float) else None


# ---------------------------------------------------------------- counting


def counts(rows: Sequence[Row]) -> Iterator[Count]:
    """Yield the counts of each kind, of all answerable and unanswerable, and by way of writing."""
    for kind in dict.fromkeys(row.kind for row in rows):
        yield count(kind, [row for row in rows if row.kind == kind])
    answerable = [row for row in rows if not row.kind.startswith("refuse-")]
    yield count("answerable", answerable)
    yield count("unanswerable", [row for row in rows if row not in answerable])
    for name, tells in WRITINGS.items():
        yield count(f"answerable, {name}", [row for row in answerable if tells(row.id)])


WRITINGS: dict[str, Callable[[str], bool]] = {
    "Polish": lambda id_: id_.startswith("pl-") and id_[-1].isdigit(),
    "Polish without its letters": lambda id_: id_.endswith("-bare"),
    "Polish with a slip": lambda id_: id_.endswith("-typo"),
    "English": lambda id_: id_.startswith("en-"),
}
"""Ways of writing by what a question's id says."""


def count(name: str, rows: Sequence[Row]) -> Count:
    """Return the counts of some rows."""
    outcomes = Counter(row.outcome for row in rows)
    good = sum(outcomes[one] for one in GOOD)
    interval = wilson(good, len(rows))
    return Count(
        name,
        len(rows),
        {one.value: outcomes[one] for one in Outcome},
        round(good / len(rows), 3) if rows else 0.0,
        round(interval.low, 3),
        round(interval.high, 3),
    )


def table(made: Sequence[Count]) -> str:
    """Return the counts as a table in Markdown."""
    head = ["kind", "questions", *(one.value for one in Outcome), "good", "95 % interval"]
    lines = [head, ["---", *["--:"] * (len(head) - 1)]]
    lines += [
        [
            one.name,
            str(one.questions),
            *map(str, one.outcomes.values()),
            f"{one.good:.0%}",
            f"{one.low:.0%} to {one.high:.0%}",
        ]
        for one in made
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Corpus.open(given.corpus or Path(folder) / "office.db") as corpus,
    ):
        if given.corpus is None:
            corpus.add([DOCUMENTS])
        evaluation = Evaluator(corpus).evaluation(GOLD)
        rows = [row_of(corpus, located) for located in evaluation.questions]
        documents = len(corpus.status().documents)
    made = list(counts(rows))
    report = {
        "documents": documents,
        "questions": len(rows),
        "in another language than asked": [
            row.id for row in rows if not row.id.startswith(row.language)
        ],
        "bluffed, with a note": [
            row.id for row in rows if row.outcome is Outcome.BLUFFED and row.notes
        ],
        "counts": [asdict(one) for one in made],
        "replies": [asdict(row) for row in rows],
    }
    given.out.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(table(made))


if __name__ == "__main__":
    main()
