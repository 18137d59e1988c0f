"""How often do the sentences that are quoted hold the answer?

    python -m benchmarks.quoting DATA --cache FOLDER

DATA holds `poquad_pl` and `nq_gold` in BEIR layout. Two ways: the right passage is given and the
one, two or three best sentences are looked at; or the passage has to be found among all others
and what would be quoted is looked at. Only questions that the weights were not fitted on count.
Writes `results/quoting.json`.
"""

import argparse
import json
from pathlib import Path

from benchmarks.fit_gate import holds_answer, open_kept, open_sets
from benchmarks.question_sets import KeptEmbedder, Question, QuestionSet, SmallCorpus

from cytat.answering.quoting import choose_quotes
from cytat.answering.scoring import score_units
from cytat.answering.weights import shipped_model

HERE = Path(__file__).parent
DEPTH = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    arguments = parser.parse_args()
    embedder = open_kept(arguments.cache)
    report = {one.name: measure(one, embedder) for one in open_sets(arguments.data)}
    embedder.save()
    text = json.dumps({"encoder": embedder.name, "sets": report}, indent=2)
    (HERE / "results" / "quoting.json").write_text(text + "\n", "utf-8")
    print(text)


def measure(one: QuestionSet, embedder: KeptEmbedder) -> dict[str, object]:
    """Return the shares of held-out questions whose answer is in what is quoted."""
    corpus = SmallCorpus(one.passages, language=one.language, embedder=embedder)
    asked = [question for question in one.questions[1::2] if question.answers]
    given = [_given(question, one, corpus, embedder) for question in asked]
    found = [_found(question, corpus, embedder) for question in asked]
    count = max(1, len(asked))
    return {
        "questions": len(asked),
        "passages": len(one.passages),
        "right passage given": {
            f"{size} best": round(sum(rank <= size for rank in given) / count, 3)
            for size in (1, 2, 3)
        },
        "end to end, quoted": round(sum(held for held, _ in found) / count, 3),
        "statements quoted, mean": round(sum(size for _, size in found) / count, 2),
    }


def _given(
    question: Question, one: QuestionSet, corpus: SmallCorpus, embedder: KeptEmbedder
) -> int:
    """Return the rank of the first sentence with the answer; past all when none has it."""
    survey, _ = corpus.ask(question.text, depth=1)
    right = [hit for hit in one.passages if hit.chunk_id == question.gold]
    units = score_units(survey, right, embedder=embedder, weights=shipped_model().sentence)
    ranks = [rank for rank, unit in enumerate(units, 1) if holds_answer(unit.unit.text, question)]
    return min(ranks, default=len(units) + 99)


def _found(question: Question, corpus: SmallCorpus, embedder: KeptEmbedder) -> tuple[bool, int]:
    survey, hits = corpus.ask(question.text, depth=DEPTH)
    units = score_units(survey, hits, embedder=embedder, weights=shipped_model().sentence)
    quotes = choose_quotes(survey, units)
    return holds_answer(" ".join(quoted.text for quoted in quotes), question), len(quotes)


if __name__ == "__main__":
    main()
