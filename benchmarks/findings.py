"""Kept runs -> paired comparisons with their tests, and rates with their intervals. Pure.

The tests of one question belong together: their p-values are corrected for their number (Holm), and
what chance explains as well is called so in words.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.kept_runs import Found, KeptRun

from cytat.evaluation import comparing
from cytat.metrics import interval_of, wilson
from cytat.records import EQUAL, ComparedMetric

DEFAULT = ("structure:320", "e5-small", "hybrid", "best-shares")
NAMES = {
    "needles": "needles",
    "poquad_joined": "PoQuAD, joined",
    "nq_joined": "Natural Questions, joined",
    "cranfield": "Cranfield",
    "scifact": "SciFact",
    "poquad_pl": "PoQuAD",
}
"""Corpus -> what the page calls it, in the order of its tables."""

Setup = tuple[str, str, str, str]
Measure = Callable[[Found], float]
Takes = Callable[[str, Found], bool]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure under two setups, question by question."""

    corpus: str
    label: str
    before: Sequence[float]
    after: Sequence[float]
    metric: ComparedMetric

    @property
    def cells(self) -> list[str]:
        """Return the cells of a table: both rates, the discordant questions, the test."""
        metric = self.metric
        return [
            rate(self.before),
            rate(self.after),
            f"+{metric.better} / −{metric.worse}",
            probability(metric.p),
            probability(metric.p_corrected),
            metric.verdict,
        ]


HEAD = ["+ / −", "p", "corrected", ""]
"""Of the last four cells."""


def setup(
    chunking: str = DEFAULT[0],
    embedder: str = DEFAULT[1],
    mode: str = DEFAULT[2],
    fusion: str = DEFAULT[3],
) -> Setup:
    """Return a setup that is the default but for what is given."""
    return chunking, embedder, mode, fusion if mode == "hybrid" else "none"


def usual(corpus: str, chunking: str = DEFAULT[0]) -> Setup:
    """Return a cutting as a corpus is searched: what is joined, by words alone."""
    return setup(chunking, mode="words" if corpus.endswith("_joined") else DEFAULT[2])


class Runs:
    """All runs, by corpus and setup."""

    def __init__(self, runs: Sequence[KeptRun]) -> None:
        self._runs = {(one.corpus, one.setup): one for one in runs}

    def of(self, corpus: str, wanted: Setup) -> KeptRun:
        """Return a run."""
        return self._runs[corpus, wanted]

    def corpora(self, *wanted: Setup) -> list[str]:
        """Return the corpora that all of these were run on, in the page's order."""
        return [name for name in NAMES if all((name, one) in self._runs for one in wanted)]

    def cut(self, *chunkings: str) -> list[str]:
        """Return the corpora that were cut in all of these ways, in the page's order."""
        return [
            name
            for name in NAMES
            if all((name, usual(name, one)) in self._runs for one in chunkings)
        ]

    def compare(
        self, corpus: str, before: Setup, after: Setup, measure: str, *, label: str = "",
        takes: Takes | None = None,
    ) -> Comparison:  # fmt: skip
        """Return one setup beside another on the questions that are taken."""
        first, second = (self._runs[corpus, one].found for one in (before, after))
        score = measure_of(measure)
        pairs = [
            (score(one), score(second[id_]))
            for id_, one in first.items()
            if takes is None or takes(id_, one)
        ]
        row = comparing.compared_pairs(measure, pairs, higher_is_better=True)
        (metric,) = comparing.corrected([row])
        olds, news = zip(*pairs, strict=True)
        return Comparison(corpus, label, olds, news, metric)


def corrected(family: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons of one question with p-values corrected for their number."""
    metrics = comparing.corrected([one.metric for one in family])
    return [replace(one, metric=metric) for one, metric in zip(family, metrics, strict=True)]


def measure_of(name: str) -> Measure:
    """Return what `found@5` or `nDCG@10` gives one question."""
    kind, _, depth = name.partition("@")
    if kind == "nDCG":
        return _ndcg

    def is_found(one: Found) -> float:
        return float(one.rank is not None and one.rank <= int(depth))

    return is_found


def _ndcg(one: Found) -> float:
    assert one.ndcg is not None
    return one.ndcg


# ---------------------------------------------------------------- figures in words


def rate(values: Sequence[float]) -> str:
    """Return a mean with its 95 % interval: Wilson's for shares, else the bootstrap's."""
    interval = interval_of(values)
    return f"{sum(values) / len(values):.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def share(count: int, among: int) -> str:
    """Return a count as a share with Wilson's interval."""
    interval = wilson(count, among)
    return f"{count} of {among}: {count / among:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def probability(value: float) -> str:
    """Return a p-value with two digits that count."""
    if value < 0.0001:
        return "< 0.0001"
    return f"{value:.4f}" if value < 0.01 else f"{value:.2f}"


def told(family: Sequence[Comparison], *, what: str, shown: Callable[[Comparison], str]) -> str:
    """Return which comparisons of a table are told apart, in a sentence."""
    better = [shown(one) for one in family if one.metric.verdict == "better"]
    worse = [shown(one) for one in family if one.metric.verdict == "worse"]
    parts = list(_told_parts(better, worse, what, rest=len(family) - len(better) - len(worse)))
    return " ".join(parts)


def _told_parts(
    better: Sequence[str], worse: Sequence[str], what: str, *, rest: int
) -> Iterator[str]:
    if better:
        yield f"{what} better: {'; '.join(better)}."
    if worse:
        yield f"{what} worse: {'; '.join(worse)}."
    if rest and (better or worse):
        yield f"In the other {rest} rows the two {EQUAL}."
    elif rest:
        yield f"In none of the {rest} rows can the two be told apart."


def place(one: Comparison) -> str:
    """Return what a comparison is called in a sentence."""
    parts = [NAMES[one.corpus], one.label, one.metric.name]
    return ", ".join(part for part in parts if part)


def by_group(found: Mapping[str, Found], part: str) -> list[Found]:
    """Return what the questions of the groups with that part found."""
    return [one for one in found.values() if one.group is not None and part in one.group.split("-")]
