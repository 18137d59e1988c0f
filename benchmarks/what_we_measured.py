"""Kept runs and results -> `docs/explanation/what-we-measured.md`, sentences and all.

    python -m benchmarks.what_we_measured

A test compares the page with the files, so that it cannot say what was not measured.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.compare import ROOT, results_here
from benchmarks.figures import Results
from benchmarks.findings import (
    HEAD,
    NAMES,
    Comparison,
    Runs,
    corrected,
    place,
    probability,
    rate,
    setup,
    share,
    told,
    usual,
)
from benchmarks.kept_runs import KeptRun, read_runs
from benchmarks.needles_refusal import Row
from benchmarks.page import table
from benchmarks.ranking_section import GRADED, encoders, ways_to_rank
from benchmarks.refusal_section import refusal_section

from cytat.records import EQUAL

PAGE = ROOT / "docs" / "explanation" / "what-we-measured.md"
STRUCTURE, PATHLESS = "structure:320", "pathless:320"
FIXED, SHARED = "fixed:128", "fixed:128+32"
SMALL = ("structure:128", "pathless:128")
CUTTINGS = (STRUCTURE, PATHLESS, SMALL[0], FIXED, SHARED, "fixed:40")
BLIND_NAMES = {
    "needles, en": "needles, English",
    "needles, pl": "needles, Polish",
    "poquad_pl": "PoQuAD",
    "nq_gold": "Natural Questions",
}

Lines = Iterator[str]


def page(runs: Sequence[KeptRun], results: Results) -> str:
    """Return the whole page."""
    known = Runs(runs)
    parts = [
        *introduction(known),
        *blind_cutting(results),
        *overlap(known),
        *heading_path(known),
        *cuttings(known, results),
        *ways_to_rank(known),
        *encoders(known, results),
        *reranking(),
        *refusal_section([Row(**row) for row in results("needles_refusal")["questions"]],
                         results("needles_refusal")),
        *broken(results),
    ]  # fmt: skip
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


# ---------------------------------------------------------------- how to read it


def introduction(runs: Runs) -> Lines:
    """Yield what is measured on, and how the tables are read."""
    yield "# What we measured"
    yield (
        "Does cutting matter, does a heading path help, are words and vectors together better than "
        "either, when should a question be refused? Answered here on a corpus built for it and on "
        "public ones. The page is made from the run files in `benchmarks/runs/` and "
        "`benchmarks/results/` by `python -m benchmarks.what_we_measured`, sentences included; a "
        "test compares. No model that writes took part."
    )
    yield table(
        ["corpus", "texts", "chunks", "questions", "a hit is right if it"],
        [_corpus_row(runs.of(name, usual(name))) for name in runs.cut(STRUCTURE)],
    )
    yield (
        "[Needles](../../benchmarks/needles/README.md): 18 Polish and English documents of an "
        "invented association, 64 answers of one to three sentences, each asked for in the "
        "author's words and in a user's; nothing in cytat is fitted to it. *Joined* are samples of "
        "the Wikipedia texts of PoQuAD (Polish) and Natural Questions (English), twenty to a file, "
        "each under its title as a heading, searched by words only. In the other sets each text "
        "is a file and a document counts as its best chunk."
    )
    yield (
        "A rate is followed by its 95 % interval (Wilson; for nDCG the bootstrap). Two setups are "
        "compared question by question: +12 / −3 means that twelve questions are found under the "
        "second alone and three under the first alone, *p* is the exact two-sided sign test on "
        "these, *corrected* is for all rows of the table (Holm). Where it is not below 0.05 the "
        f"two *{EQUAL}*. “Found@5” is the share of questions with a right hit among the first "
        "five. Two phrasings of one needle share its passage: 128 questions tell less than 128 "
        "passages would, and p-values of the needles are somewhat too small."
    )
    yield (
        "“The reference” are figures of another system on one corpus of 32 answers, which were "
        "given to us without their data. They are set beside ours to compare sizes; nothing can be "
        "tested against them."
    )


def _corpus_row(run: KeptRun) -> list[str]:
    right = "is of a judged text" if run.corpus in GRADED else "holds the answer whole"
    counts = (run.texts, run.price.chunks, len(run.found))
    return [NAMES[run.corpus], *(f"{count:,}" for count in counts), right]


# ---------------------------------------------------------------- cutting


def blind_cutting(results: Results) -> Lines:
    """Yield how many answers are torn apart."""
    rows = results("blind_cutting")
    asked_before = [row for row in results("destroyed_answers") if row["set"] in BLIND_NAMES]
    by_place = {(row["set"], row["cutting"]): row for row in (*asked_before, *rows)}
    yield "## How many answers does blind cutting destroy?"
    yield table(
        ["cutting", *BLIND_NAMES.values()],
        [
            [cutting, *(_destroyed(by_place.get((name, cutting))) for name in BLIND_NAMES)]
            for cutting in dict.fromkeys(row["cutting"] for row in rows)
        ],
    )
    english = by_place["needles, en", "512 characters"]
    both = _summed(by_place[name, "512 characters"] for name in ("needles, en", "needles, pl"))
    most = max(by_place[name, "structure"]["destroyed"] for name in BLIND_NAMES)
    yield (
        "An answer is destroyed when no piece holds it whole: no search can find it. The "
        f"reference lost 4 of 32 at 512 characters ({share(4, 32)}); here "
        f"{share(english['destroyed'], english['answers'])} of the English needles and "
        f"{share(*both)} of all: the longer an answer, the likelier the cut goes through it. "
        "Answers of PoQuAD and Natural Questions are mostly a few words. The default cutting, "
        + ("`structure`, destroys none." if most == 0 else "`structure`, destroys some.")
    )


def _destroyed(row: Mapping[str, Any] | None) -> str:
    return "–" if row is None else share(row["destroyed"], row["answers"])


def _summed(rows: Iterator[Mapping[str, Any]]) -> tuple[int, int]:
    known = list(rows)
    return sum(row["destroyed"] for row in known), sum(row["answers"] for row in known)


def overlap(runs: Runs) -> Lines:
    """Yield whether overlap helps where nothing was torn."""
    family = []
    for corpus in runs.cut(FIXED, SHARED):
        before, after = usual(corpus, FIXED), usual(corpus, SHARED)
        base = runs.of(corpus, before).found
        whole = {id_ for id_, one in base.items() if not one.is_destroyed}
        for measure in ("found@5", "found@20"):
            family += [
                runs.compare(corpus, before, after, measure, label="all"),
                runs.compare(
                    corpus,
                    before,
                    after,
                    measure,
                    label="whole before",
                    takes=lambda id_, _, whole=whole: id_ in whole,  # type: ignore[misc]
                ),
            ]
    family = corrected(family)
    yield "## Does overlap do more than repair cuts?"
    yield (
        "Pieces of 128 tokens, about 512 characters of English, cut blindly, beside the same with "
        "32 tokens shared. “Whole before” are the questions whose answer was not torn without "
        "overlap: if overlap did more than repair cuts, it would show there."
    )
    yield table(
        ["corpus", "", "questions", "no overlap", "overlap", *HEAD],
        [
            [f"{NAMES[one.corpus]}, {one.label}", one.metric.name, str(len(one.before)), *one.cells]
            for one in family
        ],
    )
    mended = [one for one in family if one.label == "all"]
    more = [one for one in family if one.label != "all"]
    yield f"Over all questions: {told(mended, what='With overlap', shown=place)}"
    costs = [
        f"{NAMES[name]} {_growth(*(runs.of(name, usual(name, one)) for one in (FIXED, SHARED)))}"
        for name in runs.cut(FIXED, SHARED)
    ]
    yield (
        f"Over those whole before: {told(more, what='With overlap', shown=place)} The price is "
        f"tokens to embed: {', '.join(costs)}."
    )


def _growth(before: KeptRun, after: KeptRun) -> str:
    return f"+{after.price.tokens / before.price.tokens - 1:.0%}"


def heading_path(runs: Runs) -> Lines:
    """Yield what the heading path brings and costs."""
    pairs = [("320 tokens", PATHLESS, STRUCTURE), ("128 tokens", SMALL[1], SMALL[0])]
    family = corrected(
        [
            runs.compare(
                corpus, usual(corpus, without), usual(corpus, with_path), measure, label=label
            )
            for label, without, with_path in pairs
            for corpus in runs.cut(without, with_path)
            for measure in ("found@1", "found@5", "found@20")
        ]
    )
    yield "## Does the heading path help, and what does it cost?"
    yield (
        "The same spans with and without the headings above them in what is embedded and indexed; "
        "the title of the document comes first in both."
    )
    yield table(
        ["corpus", "", "no path", "path", *HEAD],
        [[f"{NAMES[one.corpus]}, {one.label}", one.metric.name, *one.cells] for one in family],
    )
    prices = [
        [
            f"{NAMES[corpus]}, {label}",
            f"{run.price.chunks:,}",
            f"{run.price.tokens:,}",
            f"{run.price.heading_tokens / run.price.tokens:.1%}",
        ]
        for label, without, with_path in pairs
        for corpus in runs.cut(without, with_path)
        for run in [runs.of(corpus, usual(corpus, with_path))]
    ]
    yield table(["corpus", "chunks", "tokens", "of them heading paths"], prices)
    twenty = [one for one in family if one.metric.name == "found@20"]
    shown = "; ".join(
        f"{NAMES[one.corpus]}, {one.label}: +{one.metric.better} / −{one.metric.worse}, "
        f"p {_equals(one.metric.p)}"
        for one in twenty
    )
    yield (
        f"{told(family, what='With the path', shown=place)} The reference found +18 / −3 at rank "
        f"20 (p = 0.0015) for 21 % of the tokens. At rank 20 we find {shown}. "
        f"{_beside_reference(twenty)}"
    )


def _equals(p: float) -> str:
    return probability(p) if p < 0.0001 else f"= {probability(p)}"


def _beside_reference(twenty: Sequence[Comparison]) -> str:
    agrees = [place(one) for one in twenty if one.metric.verdict == "better"]
    if agrees:
        return f"That agrees on {'; '.join(agrees)}, and differs elsewhere."
    room = max(1 - sum(one.before) / len(one.before) for one in twenty)
    return (
        "That differs from the reference: within twenty hits almost everything is found without "
        f"the path too (at most {room:.0%} is not), so that a path has little left to bring."
    )


def cuttings(runs: Runs, results: Results) -> Lines:
    """Yield the cuttings beside each other on the needles."""
    prices = {_budgeted(name): one for name, one in results("needles_sweep")["prices"].items()}
    family = corrected(
        [
            runs.compare("needles", setup(one), setup(), measure, label=one)
            for one in CUTTINGS[1:]
            if "needles" in runs.cut(one)
            for measure in ("found@1", "found@5")
        ]
    )
    tests = {(one.label, one.metric.name): one for one in family}
    yield "## Which cutting, at which price?"
    yield (
        "The 128 questions on the needles under each cutting, searched by both lists. “Beside” is "
        "the default beside that cutting."
    )
    yield table(
        ["cutting", "chunks", "tokens", "destroyed", "found@1", "beside", "found@5", "beside"],
        [
            [
                f"`{one}`",
                f"{run.price.chunks:,}",
                f"{run.price.tokens:,}",
                str(sum(found.is_destroyed for found in run.found.values())),
                rate([float(f.rank == 1) for f in run.found.values()]),
                _beside(tests.get((one, "found@1"))),
                rate([float(f.rank is not None and f.rank <= 5) for f in run.found.values()]),
                _beside(tests.get((one, "found@5"))),
            ]
            for one in CUTTINGS
            if "needles" in runs.cut(one)
            for run in [runs.of("needles", setup(one))]
        ],
    )
    over = {name: one["past_window"] for name, one in prices.items() if one["past_window"]}
    window = (
        f"Chunks whose end the encoder does not see: {over}." if over else
        "No cutting makes a chunk whose end the encoder does not see."
    )  # fmt: skip
    found = told(family, what="The default is", shown=_cutting_place)
    yield f"{found} {window}"


def _cutting_place(one: Comparison) -> str:
    return f"beside `{one.label}` at {one.metric.name}"


def _budgeted(name: str) -> str:
    return STRUCTURE if name == "baseline" else name


def _beside(one: Comparison | None) -> str:
    if one is None:
        return "–"
    return f"+{one.metric.better} / −{one.metric.worse}, {_equals_corrected(one)}"


def _equals_corrected(one: Comparison) -> str:
    return f"{probability(one.metric.p_corrected)}: {one.metric.verdict}"


# ---------------------------------------------------------------- not yet


def reranking() -> Lines:
    """Yield what cannot be said yet."""
    yield "## What does a reranker buy at rank 1?"
    yield "Not measured: cytat has no reranker yet."


# ---------------------------------------------------------------- broken on purpose


def broken(results: Results) -> Lines:
    """Yield what the report says of a corpus that is cut far too small."""
    found = results("needles_sweep")["diagnoses"]
    yield "## Does the report name a broken cutting?"
    yield (
        "The needles in pieces of 40 tokens, about 150 characters, without overlap. The first line "
        "of the report:"
    )
    yield f"> {found['fixed:40'][0]['advice']}"
    yield "And of the same questions on the default cutting, retrieval alone:"
    yield f"> {found['baseline'][0]['advice']}"


def main() -> None:
    PAGE.write_text(page(read_runs(), results_here()), "utf-8")


if __name__ == "__main__":
    main()
