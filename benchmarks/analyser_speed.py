"""How fast does a text become terms? Words a second, beside PyStemmer over the same words.

    python -m benchmarks.analyser_speed DATA

DATA (or $CYTAT_BENCH_DATA) holds the folders `poquad_pl` and `scifact`: the first 1,500 texts of
one, Polish, the first 750 of the other, English. Three ways, in turn, each from empty caches:
PyStemmer alone over a list of words that are cut and in lower case already, `re` cutting the texts
at what is no letter, and the analyser: normal form, cutting, stems, folding. Processor time, best
of five. Writes `results/analyser_speed.json`.
"""

import json
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import Stemmer
from benchmarks.arguments import parser_of_sets

from cytat.analysis import analyser, terms_in_order

RESULTS = Path(__file__).parent / "results" / "analyser_speed.json"
SETS = {"poquad_pl": ("pl", "polish", 1_500), "scifact": ("en", "english", 750)}
WORD = re.compile(r"\w+")
ROUNDS = 5


def read_texts(file: Path, count: int) -> list[str]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line, _ in zip(lines, range(count), strict=False)]


def seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def analyse(texts: Sequence[str], language: str) -> None:
    analyser.terms_in_piece.cache_clear()
    analyser.stems_of.cache_clear()
    for text in texts:
        terms_in_order(text, language)


def measure(texts: Sequence[str], language: str, algorithm: str) -> dict[str, object]:
    """Return what one set of texts costs each way."""
    words = [word for text in texts for word in WORD.findall(text.casefold())]
    ways: dict[str, Callable[[], object]] = {
        "stemmer": lambda: Stemmer.Stemmer(algorithm, 0).stemWords(words),
        "cutting": lambda: [WORD.findall(text.casefold()) for text in texts],
        "analyser": lambda: analyse(texts, language),
        "analyser_again": lambda: [terms_in_order(text, language) for text in texts],
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, work in ways.items():
            times[name].append(seconds(work))
    best = {name: min(found) for name, found in times.items()}
    return {
        "texts": len(texts),
        "words": len(words),
        "words_a_second": {name: round(len(words) / best[name], -3) for name in ways},
        "times_stemmer": {name: round(best[name] / best["stemmer"], 2) for name in ways},
        "ms_a_text": round(1000 * best["analyser"] / len(texts), 3),
    }


def main() -> None:
    parser = parser_of_sets(__doc__, keeps_vectors=False)
    given = parser.parse_args()
    figures = {
        name: measure(read_texts(given.data / name / "corpus.jsonl", count), language, algorithm)
        for name, (language, algorithm, count) in SETS.items()
    }
    RESULTS.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
