"""Do lemmas rank better than stems in Polish? One corpus, its words index filled with each.

    python -m benchmarks.lemmas DATA [--cache FOLDER] [--modes words hybrid]

DATA (or $CYTAT_BENCH_DATA) holds the folder `poquad_pl`; its dev questions are asked. Needs
`morfeusz2`, which cytat does not. One corpus is made as `cytat add` makes it; then its words index
is filled anew for each way, and the same questions are ranked by words alone and by both lists.
Words that Morfeusz does not know keep their stem. Writes `results/lemmas.json`.
"""

import json
import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from importlib import metadata
from pathlib import Path

import morfeusz2  # type: ignore[import-not-found]  # no dependency of cytat
from benchmarks.arguments import options_of, parser_of_sets
from benchmarks.reading import tools_of
from benchmarks.retrieval_quality import BUDGET_TOKENS, KeptEmbedder, read_set

from benchmarks import retrieval_quality
from cytat.analysis import analyser
from cytat.backends.e5.embedder import open_embedder
from cytat.backends.sqlite import SqliteStore as Store
from cytat.backends.sqlite.index_writing import rebuild_words
from cytat.backends.sqlite.repairing import terms_of_chunks
from cytat.chunking import StructureChunker
from cytat.fulltext import terms_of_chunk
from cytat.ingestion import ingest
from cytat.retrieval import Fusion, Mode
from cytat.text.folding import fold

RESULTS = Path(__file__).parent / "results" / "lemmas.json"
SPEED_WORDS = 20_000
Forms = Callable[[str, str | None], tuple[str, ...]]
Analyse = Callable[[str], list[tuple[int, int, tuple[str, ...]]]]
"""A word -> its segments: where they begin and end; each written form, lemma, tag."""


def lemmas_of(analyse: Analyse, *, most: int) -> Forms:
    """Return what gives the lemmas of a Polish word, `most` at most; of other words, the stems."""

    @lru_cache(maxsize=262_144)
    def forms(word: str, language: str | None) -> tuple[str, ...]:
        if language != "pl" or not word.isalpha():
            return analyser.stems_of(word, language)
        found = [one[2] for one in analyse(word) if one[0] == 0 and one[2][2] != "ign"]
        lemmas = dict.fromkeys(fold(re.sub(r":.*", "", one[1]).casefold()) for one in found)
        return tuple(lemmas)[:most] or analyser.stems_of(word, language)

    return forms


def fill_words(store: Store, forms: Forms) -> None:
    """Fill the words index anew with these forms; questions get them, too."""
    vars(analyser)["stems_of"] = forms
    analyser.terms_in_piece.cache_clear()
    with store.writing() as writing:
        writing.mark_changed()
        rebuild_words(writing.connection, terms_of_chunks(writing.connection, terms_of_chunk))


def words_a_second(forms: Forms, words: list[str]) -> int:
    begin = time.process_time()
    for word in words:
        forms(word, "pl")
    return round(len(words) / (time.process_time() - begin))


def main() -> None:
    parser = parser_of_sets(__doc__)
    parser.add_argument(
        "--modes", nargs="+", default=["words", "hybrid"], choices=["words", "hybrid"]
    )
    options = parser.parse_args()
    encoder = open_embedder(options_of(options.cache))
    embedder = KeptEmbedder(encoder, options.cache)
    begin = time.process_time()
    morfeusz = morfeusz2.Morfeusz()
    morfeusz.analyse("początek")
    load_s = round(time.process_time() - begin, 2)
    ways: dict[str, Forms] = {
        "stems": analyser.stems_of,
        "first lemma": lemmas_of(morfeusz.analyse, most=1),
        "all lemmas": lemmas_of(morfeusz.analyse, most=8),
    }
    judged = read_set(options.data / "poquad_pl", "dev", questions=None, texts=None)
    words = sorted(
        {one for _, text in judged.texts.values() for one in re.findall(r"[^\W\d_]+", text.lower())}
    )
    speeds = {way: words_a_second(lemmas, words[:SPEED_WORDS]) for way, lemmas in ways.items()}
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder) / "texts"
        texts.mkdir()
        for name, (title, text) in judged.texts.items():
            (texts / f"{name}.md").write_text(f"# {title}\n\n{text}\n", "utf-8")
        with Store.open_or_create(Path(folder) / "corpus.db") as store:
            chunker = StructureChunker(BUDGET_TOKENS, embedder.token_ends)
            ingest(store, [texts], tools_of(store, embedder, chunker))
            for mode in map(Mode, options.modes):
                for way, forms in ways.items():
                    fill_words(store, forms)
                    ranked = (mode, Fusion.BEST_SHARES)
                    row = retrieval_quality.row_of(
                        judged, "structure", store, embedder, ranked, weight=0.7
                    )
                    rows.append({"forms": way, **asdict(row)})
                    sys.stdout.write(f"{rows[-1]}\n")
                    sys.stdout.flush()
    size = sum(one.size or 0 for one in metadata.files("morfeusz2") or ())
    body = {
        "morfeusz": morfeusz2.__version__,
        "installed_mb": round(size / 1e6, 1),
        "load_s": load_s,
        "words_a_second": speeds,
        "rows": rows,
    }
    RESULTS.write_text(json.dumps(body, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
