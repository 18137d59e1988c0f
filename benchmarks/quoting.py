"""How often do the sentences that are quoted hold the answer?

    python -m benchmarks.quoting DATA --cache FOLDER

DATA holds `poquad_pl` and `nq_gold` in BEIR layout. Two ways: the right passage is given and the
one, two or three best sentences are looked at; or the passage has to be found among all others of
its half and what would be quoted is looked at. Only articles that the weights were not fitted on
count. Also: how often the first sentence stays the same when more sentences are embedded than
cytat does. Writes `results/quoting.json`.
"""

import json
from pathlib import Path

from benchmarks.arguments import parser_of_sets
from benchmarks.gate_cases import Pool, english_pool, holds_answer, is_held_out, polish_pool
from benchmarks.question_sets import KeptEmbedder, Question, SmallCorpus, open_kept

from cytat.answering import scoring
from cytat.answering.quoting import choose_quotes
from cytat.answering.scoring import ScoredUnit, score_units, shipped_model
from cytat.records import DocumentId, Hit, Locator, LocatorKind, Span, Version

HERE = Path(__file__).parent
DEPTH = 8
MANY_UNITS = 48
"""Sentences embedded in the comparison: those of five passages, nearly always all."""


def main() -> None:
    parser = parser_of_sets(__doc__)
    arguments = parser.parse_args()
    embedder = open_kept(arguments.cache)
    pools = polish_pool(arguments.data / "poquad_pl"), english_pool(arguments.data / "nq_gold")
    try:
        report = {one.language: measure(one, embedder) for one in pools}
    finally:
        embedder.save()
    text = json.dumps({"encoder": embedder.name, "sets": report}, indent=2)
    (HERE / "results" / "quoting.json").write_text(text + "\n", "utf-8")
    print(text)


def measure(pool: Pool, embedder: KeptEmbedder) -> dict[str, object]:
    """Return the shares of held-out questions whose answer is in what is quoted."""
    passages = [hit for hit in pool.passages.values() if is_held_out(hit)]
    corpus = SmallCorpus(passages, embedder=embedder)
    texts = PassageTexts(passages)
    asked = [one for one in pool.asked if is_held_out(pool.passages[one.gold]) and one.answers]
    given = [_given(one, pool.passages[one.gold], corpus, embedder) for one in asked]
    found = [_found(one, corpus, texts, embedder) for one in asked]
    same = [_is_same(one, corpus, embedder) for one in asked]
    count = max(1, len(asked))
    return {
        "questions": len(asked),
        "passages": len(passages),
        "right passage given": {
            f"{size} best": round(sum(rank <= size for rank in given) / count, 3)
            for size in (1, 2, 3)
        },
        "end to end, quoted": round(sum(held for held, _ in found) / count, 3),
        "statements quoted, mean": round(sum(size for _, size in found) / count, 2),
        f"same first sentence with {MANY_UNITS} embedded": round(sum(same) / count, 3),
    }


class PassageTexts:
    """Each passage as a document of its own; implements `grounding.CitableTexts`."""

    def __init__(self, passages: list[Hit]) -> None:
        self._texts = {str(hit.document_id): hit.text for hit in passages}

    def slice(self, document_id: str, span: Span) -> str:
        """Return the characters of the passage."""
        return span.of(self._texts[document_id])

    def locate(self, document_id: str, span: Span) -> Locator:
        """Return no place in particular."""
        return Locator(LocatorKind.LINE, document_id, f"#char={span.start},{span.end}")

    def heading_path(self, document_id: str, span: Span) -> tuple[str, ...]:  # noqa: ARG002
        """Return no headings."""
        return ()

    def version(self, document_id: str) -> Version:
        """Return no version in particular."""
        return Version(DocumentId(document_id))


def _units(
    question: Question, corpus: SmallCorpus, embedder: KeptEmbedder, hits: list[Hit]
) -> list[ScoredUnit]:
    survey, _ = corpus.ask(question.text, depth=1)
    return score_units(survey, hits, embedder=embedder, weights=shipped_model().sentence)


def _given(question: Question, right: Hit, corpus: SmallCorpus, embedder: KeptEmbedder) -> int:
    """Return the rank of the first sentence with the answer; past all when none has it."""
    units = _units(question, corpus, embedder, [right])
    ranks = [rank for rank, unit in enumerate(units, 1) if holds_answer(unit.unit.text, question)]
    return min(ranks, default=len(units) + 99)


def _found(
    question: Question, corpus: SmallCorpus, texts: PassageTexts, embedder: KeptEmbedder
) -> tuple[bool, int]:
    survey, hits = corpus.ask(question.text, depth=DEPTH)
    units = score_units(survey, hits, embedder=embedder, weights=shipped_model().sentence)
    quotes = choose_quotes(survey, hits, units, texts=texts)
    return holds_answer(" ".join(quoted.text for quoted in quotes), question), len(quotes)


def _is_same(question: Question, corpus: SmallCorpus, embedder: KeptEmbedder) -> bool:
    _, hits = corpus.ask(question.text, depth=DEPTH)
    few = _units(question, corpus, embedder, list(hits))
    kept, scoring.MOST_UNITS = scoring.MOST_UNITS, MANY_UNITS
    try:
        many = _units(question, corpus, embedder, list(hits))
    finally:
        scoring.MOST_UNITS = kept
    return few[0].unit == many[0].unit


if __name__ == "__main__":
    main()
