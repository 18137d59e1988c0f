"""Kept runs -> the sections of the page on ways to rank and on encoders."""

from collections.abc import Iterator

from benchmarks.figures import Results
from benchmarks.findings import HEAD, NAMES, Runs, by_group, corrected, place, rate, setup, told
from benchmarks.page import table

GRADED = ("cranfield", "scifact", "poquad_pl")
MODES = ("words", "vectors", "hybrid")

Lines = Iterator[str]


def ways_to_rank(runs: Runs) -> Lines:
    """Yield words, vectors and both."""
    family = corrected(
        [
            runs.compare(corpus, setup(mode=mode), setup(), measure, label=f"beside {mode}")
            for mode in ("words", "vectors")
            for corpus in runs.corpora(setup(mode=mode), setup())
            for measure in (("nDCG@10",) if corpus in GRADED else ("found@1", "found@5"))
        ]
    )
    fusions = corrected(
        [
            runs.compare(corpus, setup(fusion=fusion), setup(), measure, label=f"beside {fusion}")
            for fusion in ("reciprocal-ranks", "standard-scores")
            for corpus in runs.corpora(setup(fusion=fusion), setup())
            for measure in (("nDCG@10",) if corpus in GRADED else ("found@1", "found@5"))
        ]
    )
    yield "## Can hybrid search be told from dense, and from words?"
    yield table(
        ["corpus", "", "alone", "both", *HEAD],
        [[f"{NAMES[one.corpus]}, {one.label}", one.metric.name, *one.cells] for one in family],
    )
    yield told(family, what="Both are", shown=place)
    yield (
        "On the needles, by phrasing, found@5: "
        + "; ".join(
            f"{part} {', '.join(_by_mode(runs, part, mode) for mode in MODES)}"
            for part in ("author", "user")
        )
        + "."
    )
    yield "The default way to fuse, by shares of the best score, beside two others:"
    yield table(
        ["corpus", "", "other", "default", *HEAD],
        [[f"{NAMES[one.corpus]}, {one.label}", one.metric.name, *one.cells] for one in fusions],
    )
    yield told(fusions, what="The default is", shown=place)


def _by_mode(runs: Runs, part: str, mode: str) -> str:
    found = by_group(runs.of("needles", setup(mode=mode)).found, part)
    return f"{mode} {rate([float(f.rank is not None and f.rank <= 5) for f in found])}"


def encoders(runs: Runs, results: Results) -> Lines:
    """Yield the two encoders beside each other, with their margins."""
    other = setup(embedder="minilm")
    family = corrected(
        [
            runs.compare(
                "needles", other, setup(), measure, label=label,
                takes=lambda id_, _, start=start: id_.startswith(start),  # type: ignore[misc]
            )
            for label, start in (("English", "en"), ("Polish", "pl"))
            for measure in ("found@1", "found@5")
        ]
    )  # fmt: skip
    yield "## Which encoder?"
    yield (
        "`e5-small`, which is the default and knows some hundred languages, beside `minilm`, which "
        "knows English; with it the Polish documents are found by words only. Its window is "
        "smaller, and so are its chunks."
    )
    yield table(
        ["needles", "", "minilm", "e5-small", *HEAD],
        [[one.label, one.metric.name, *one.cells] for one in family],
    )
    yield told(family, what="e5-small is", shown=lambda one: f"{one.label}, {one.metric.name}")
    yield (
        "The margin is the lowest cosine of a question and a passage that answers it, less the "
        "highest of a question and one that does not. Above zero one threshold would part all "
        "pairs."
    )
    yield table(
        ["encoder", "pairs", "lowest similar", "highest different", "margin", "questions misled"],
        [
            [
                one["embedder"],
                str(one["pairs"]),
                f"{one['lowest_similar']:.3f}",
                f"{one['highest_different']:.3f}",
                f"{one['margin']:.3f}",
                str(one["negative"]),
            ]
            for one in results("needles_sweep")["margins"].values()
        ],
    )
    margins = [one["margin"] for one in results("needles_sweep")["margins"].values()]
    yield (
        "Neither has a margin: no threshold on a bare cosine parts what answers from what does "
        "not, whichever encoder makes it. “Misled” are questions whose nearest passage is a wrong "
        "one."
        if max(margins) < 0
        else "An encoder with a margin above zero could be thresholded on its cosine alone."
    )
