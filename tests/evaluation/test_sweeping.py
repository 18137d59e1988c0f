"""Runs -> variants beside the baseline: tests, corrections and groups worked out by hand."""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.corpora import write_files
from tests.evaluation.conftest import WriteGold
from tests.stores import Store

from cytat import Corpus
from cytat.config import Settings
from cytat.errors import CorpusError, GoldSetError, SettingsError, UsageError
from cytat.evaluation import Evaluator
from cytat.evaluation.sweeps.setups import NamedSetup
from cytat.evaluation.sweeps.variants import SweptRun, beside_baseline, groups_of
from cytat.records import (
    Cause,
    EvalReport,
    EvalSweep,
    Price,
    Setup,
    SweepAxes,
    SweepProgress,
    Variant,
)

RENT = {"id": "rent", "question": "Ile wynosi czynsz?", "needles": ["Czynsz wynosi 2150 zł"]}
SETUP = Setup("structure:320", "fake", "hybrid", "best-shares")
FREE = Price(0, 0, 0.0, 0, 0.0, 0, None, None, 0.0, 0)


@pytest.fixture
def run(corpus: Corpus, gold: WriteGold) -> EvalReport:
    """A run of one question, to be made into others."""
    return Evaluator(corpus).evaluation(gold(RENT), retrieval_only=True).report()


def scored(
    run: EvalReport, recalls: Sequence[float], groups: Mapping[int, str] | None = None
) -> EvalReport:
    """Return a run of as many questions as there are recalls at 5."""
    (first,) = run.questions
    questions = tuple(
        replace(first, id=str(at), scores={"recall@5": value}, group=(groups or {}).get(at))
        for at, value in enumerate(recalls)
    )
    return replace(run, questions=questions)


def swept(name: str, run: EvalReport, *differs: str) -> SweptRun:
    return SweptRun(NamedSetup(name, differs, SETUP), run, FREE)


def beside(run: EvalReport, *others: EvalReport) -> tuple[Variant, ...]:
    named = [swept(str(at), replace(one), "mode") for at, one in enumerate(others)]
    return beside_baseline([swept("baseline", run), *named])


def test_gained_and_lost_questions_are_tested_exactly(run: EvalReport) -> None:
    before = scored(run, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
    after = scored(run, [1, 1, 1, 1, 1, 1, 1, 0, 0, 1])
    baseline, variant = beside(before, after)
    assert baseline.compared == ()
    (row,) = variant.compared
    assert (row.better, row.worse, row.n) == (7, 1, 10)
    assert row.p == pytest.approx(2 * (1 + 8) / 2**8)  # 8 coins, at most one head, two-sided
    assert row.p_corrected == row.p
    assert row.verdict == "cannot be told apart"


def test_every_comparison_counts_in_the_correction(run: EvalReport) -> None:
    before = scored(run, [0.0] * 6)
    gained = scored(run, [1.0] * 6)  # p = 2 / 2^6 = 0.03125
    _, alone = beside(before, gained)
    assert alone.compared[0].verdict == "better"
    _, first, same, _ = beside(before, gained, before, before)
    assert first.compared[0].p == pytest.approx(2 / 2**6)
    assert first.compared[0].p_corrected == pytest.approx(3 * 2 / 2**6)
    assert first.compared[0].verdict == "cannot be told apart"
    assert (same.compared[0].p, same.compared[0].p_corrected) == (1.0, 1.0)


def test_groups_are_compared_in_a_family_of_their_own(run: EvalReport) -> None:
    groups = {0: "pl", 1: "pl", 2: "en", 3: "en"}
    _, variant = beside(scored(run, [0, 0, 1, 1], groups), scored(run, [1, 1, 1, 0], groups))
    told = {one.group: (one.metric.better, one.metric.worse) for one in variant.by_group}
    assert told == {"pl": (2, 0), "en": (0, 1)}
    # Two gained of two: 2 / 2^2 = 0.5, and one of one is 1; corrected for two groups: 1 and 1.
    assert {one.group: one.metric.p for one in variant.by_group} == {"pl": 0.5, "en": 1.0}
    assert {one.metric.p_corrected for one in variant.by_group} == {1.0}
    values = {(one.group, one.name): one.value for one in variant.metrics}
    assert values["pl", "recall@5"] == 1.0
    assert values["en", "recall@5"] == 0.5


def test_groups_that_share_a_part_of_their_name_are_pooled(run: EvalReport) -> None:
    names = dict(enumerate(("pl-author", "pl-user", "en-author", "en-user")))
    assert groups_of(scored(run, [0.0] * 4, names).questions) == {
        "author": ("en-author", "pl-author"),
        "en": ("en-author", "en-user"),
        "pl": ("pl-author", "pl-user"),
        "user": ("en-user", "pl-user"),
        "en-author": ("en-author",),
        "en-user": ("en-user",),
        "pl-author": ("pl-author",),
        "pl-user": ("pl-user",),
    }


def test_one_group_or_a_part_that_all_share_makes_no_group(run: EvalReport) -> None:
    assert groups_of(scored(run, [0.0], {0: "pl"}).questions) == {}
    names = {0: "set one", 1: "set two"}
    assert groups_of(scored(run, [0.0] * 2, names).questions) == {
        "set one": ("set one",),
        "set two": ("set two",),
    }


def test_a_run_that_differs_in_more_than_was_asked_is_refused(run: EvalReport) -> None:
    as_asked = replace(run, fingerprint=replace(run.fingerprint, mode="words", generation=99))
    assert len(beside_baseline([swept("baseline", run), swept("words", as_asked, "mode")])) == 2
    more = replace(run, fingerprint=replace(run.fingerprint, mode="words", chunks=99))
    with pytest.raises(UsageError, match=r"words differs .* than was asked: chunks: 3 → 99"):
        beside_baseline([swept("baseline", run), swept("words", more, "mode")])
    other = replace(run, fingerprint=replace(run.fingerprint, documents="changed"))
    with pytest.raises(UsageError, match="their corpora hold different documents"):
        beside_baseline([swept("baseline", run), swept("words", other, "mode")])


# ---------------------------------------------------------------- a whole sweep


def axes(**tried: tuple[str, ...] | tuple[int, ...]) -> SweepAxes:
    empty: dict[str, tuple[object, ...]] = {
        "chunking": (),
        "budget": (),
        "embedder": (),
        "mode": (),
        "fusion": (),
    }
    return SweepAxes(**(empty | tried))  # type: ignore[arg-type]


def swept_whole(corpus: Corpus, gold: Path, tried: SweepAxes, **options: object) -> EvalSweep:
    with Evaluator(corpus).sweep(gold, tried, **options) as sweep:  # type: ignore[arg-type]
        return sweep.report(list(sweep.runs()))


LONG = (
    "Najemca płaci za {} według wskazań licznika, który odczytuje się co kwartał w obecności "
    "obu stron, a różnicę wyrównuje się w ciągu trzydziestu dni od doręczenia rozliczenia."
)
MATTERS = ("wodę", "gaz", "prąd", "śmieci")


@pytest.fixture
def bills(tmp_path: Path, gold: WriteGold) -> Iterator[tuple[Corpus, Path]]:
    """Four documents, each with one long sentence that answers, and their questions."""
    texts = {
        f"{name}.txt": f"Wstęp o czymś innym, numer {name}. " * 3 + LONG.format(name)
        for name in MATTERS
    }
    write_files(tmp_path / "bills", texts)
    cases = [
        {
            "id": name,
            "question": f"Jak rozlicza się {name}?",
            "needles": [LONG.format(name)[8:-28]],
            "group": "pl" if name == "wodę" else "other",
        }
        for name in MATTERS
    ]
    with Corpus(Settings(corpus=tmp_path / "bills.db", embedder="fake")) as opened:
        opened.add([tmp_path / "bills"])
        yield opened, gold(*cases)


def figure(variant: Variant, name: str) -> float | None:
    (found,) = [one for one in variant.metrics if (one.name, one.group) == (name, None)]
    return found.value


def test_cutting_to_pieces_shows_as_destroyed_answers_and_a_diagnosis_that_names_it(
    bills: tuple[Corpus, Path],
) -> None:
    # 30 tokens are about 150 characters.
    made = swept_whole(*bills, axes(chunking=("fixed:30", "sentences")))
    whole, pieces, sentences = made.variants
    assert [one.name for one in made.variants] == ["baseline", "fixed:30", "sentences"]
    assert [figure(one, "destroyed") for one in made.variants] == [0, 1, 0]
    assert pieces.diagnosis[0].cause is Cause.CUTTING
    assert pieces.diagnosis[0].advice.startswith("Fix the chunking: 4 of 4 answers are not whole")
    assert figure(whole, "recall@5") == 1
    assert figure(pieces, "recall@20") == 0
    assert sentences.diagnosis[0].cause is not Cause.CUTTING
    (at_5,) = [one for one in pieces.compared if one.name == "recall@5"]
    # All four are lost, and four are too few to tell: 2 / 2^4 = 0.125.
    assert (at_5.better, at_5.worse, at_5.p) == (0, 4, 0.125)
    assert made.comparisons == 8
    assert at_5.verdict == "cannot be told apart"


def test_the_corpus_and_its_file_are_as_they_were(bills: tuple[Corpus, Path]) -> None:
    corpus, gold = bills
    file = Path(corpus.settings.corpus)
    corpus.search("woda")
    before = (corpus.status(), corpus.why(), sorted(file.parent.iterdir()))
    swept_whole(corpus, gold, axes(chunking=("fixed:30",), mode=("words",)))
    assert (corpus.status(), corpus.why(), sorted(file.parent.iterdir())) == before


def test_what_costs_what_is_told_for_each(bills: tuple[Corpus, Path]) -> None:
    made = swept_whole(*bills, axes(chunking=("fixed:30",), mode=("words",)))
    whole, pieces, words = (one.price for one in made.variants)
    assert whole.chunks == words.chunks == 4
    assert pieces.chunks > 4
    assert pieces.mean_tokens <= 30
    assert pieces.tokens == pytest.approx(pieces.mean_tokens * pieces.chunks)
    assert {one.past_window for one in (whole, pieces)} == {0}
    # The baseline's vectors were there: it is priced at the rate measured on the others.
    assert whole.embedding_s is not None
    assert pieces.embedding_s is not None
    assert whole.embedding_s / whole.tokens == pytest.approx(pieces.embedding_s / pieces.tokens)
    assert whole.indexing_s is not None
    assert whole.indexing_s > whole.embedding_s
    assert words.file_bytes == whole.file_bytes > 0


def test_where_nothing_is_embedded_no_time_is_invented(bills: tuple[Corpus, Path]) -> None:
    made = swept_whole(*bills, axes(mode=("words", "vectors"), fusion=("reciprocal-ranks",)))
    assert {(one.price.embedding_s, one.price.indexing_s) for one in made.variants} == {
        (None, None)
    }
    assert [one.differs for one in made.variants] == [(), ("mode",), ("mode",), ("fusion",)]
    assert [one.fingerprint.fusion for one in made.variants][-1] == "reciprocal-ranks"
    assert made.varied == ("mode", "fusion")


def test_encoders_have_their_margins_beside_the_baseline(bills: tuple[Corpus, Path]) -> None:
    made = swept_whole(*bills, axes(embedder=("fake:second",), mode=("words",)))
    assert [(one.variant, one.embedder) for one in made.margins] == [
        ("baseline", "fake"),
        ("fake:second", "fake:second"),
    ]
    # The two fakes differ in their names alone, which make another vector space.
    assert all(one.price.embedding_s for one in made.variants)
    first, second = made.margins
    assert first.pairs == second.pairs == 8
    assert first.margin == second.margin == first.lowest_similar - first.highest_different
    assert made.variants[1].fingerprint.encoder == "fake:second"


def test_margins_are_measured_on_pairs_of_ones_own(
    bills: tuple[Corpus, Path], tmp_path: Path
) -> None:
    pairs = tmp_path / "pairs.jsonl"
    lines = [
        {"question": "kot", "passage": "kot", "similar": True},
        {"question": "kot", "passage": "kot pies", "similar": False},
    ]
    pairs.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    made = swept_whole(*bills, axes(mode=("words",)), pairs=pairs)
    (margin,) = made.margins
    assert margin.lowest_similar == pytest.approx(1)
    assert 0 < margin.highest_different < 1
    assert (margin.pairs, margin.negative) == (2, 0)


def test_kept_files_are_used_again(bills: tuple[Corpus, Path], tmp_path: Path) -> None:
    keep = tmp_path / "indexes"
    tried = axes(chunking=("fixed:30",))
    first = swept_whole(*bills, tried, keep=keep)
    files = {path.name: path.stat().st_mtime_ns for path in sorted(keep.glob("*.db"))}
    assert [name.partition("-fake")[0] for name in files] == ["fixed-1-30+0", "structure-1-128"]
    second = swept_whole(*bills, tried, keep=keep)
    told = [[(row.name, row.value) for row in one.variants[1].metrics] for one in (first, second)]
    assert told[0] == told[1]
    assert second.variants[1].price.embedding_s == first.variants[1].price.embedding_s


def test_a_sweep_that_is_stopped_reports_what_is_done(bills: tuple[Corpus, Path]) -> None:
    corpus, gold = bills
    with Evaluator(corpus).sweep(gold, axes(chunking=("fixed:30",), mode=("words",))) as sweep:
        assert len(sweep) == 3
        runs = list(itertools.islice(sweep.runs(), 2))
        made = sweep.report(runs)
    assert [one.name for one in made.variants] == ["baseline", "fixed:30"]
    assert made.comparisons == 4


def test_progress_names_the_variant_and_what_is_done(bills: tuple[Corpus, Path]) -> None:
    corpus, gold = bills
    told: list[SweepProgress] = []
    with Evaluator(corpus).sweep(gold, axes(chunking=("fixed:30",))) as sweep:
        list(sweep.runs(told.append))
    assert {(one.variant, one.doing) for one in told} == {
        ("baseline", "indexing"),
        ("baseline", "asking"),
        ("fixed:30", "indexing"),
        ("fixed:30", "asking"),
    }
    assert all(0 <= one.share <= 1 and one.variants == 2 for one in told)
    assert told[-1].variants_done == 1


@pytest.mark.parametrize(
    ("tried", "told"),
    [
        (axes(), "nothing differs"),
        (axes(chunking=("structure:128",), mode=("hybrid",)), "nothing differs"),
        (axes(chunking=("paragraphs",)), "unknown chunking"),
        (axes(mode=("sideways",)), "unknown mode"),
        (axes(fusion=("sum",)), "unknown fusion"),
        (axes(fusion=("standard-scores:2",)), "must be a number from 0 to 1"),
        (axes(fusion=("reciprocal-ranks:0.5",)), "unknown fusion"),
    ],
)
def test_a_wrong_name_costs_no_work(
    tried: SweepAxes, told: str, bills: tuple[Corpus, Path]
) -> None:
    corpus, gold = bills
    with pytest.raises(UsageError, match=told):
        Evaluator(corpus).sweep(gold, tried)


def test_a_gold_set_that_does_not_fit_costs_no_work(
    bills: tuple[Corpus, Path], gold: WriteGold
) -> None:
    corpus, _ = bills
    with pytest.raises(GoldSetError, match="is not found in any document"):
        Evaluator(corpus).sweep(
            gold({**RENT, "needles": ["nowhere"]}), axes(chunking=("fixed:30",))
        )
    chunk = corpus.search("gaz").hits[0].chunk_id
    named = gold({"id": "gas", "question": "Jak rozlicza się gaz?", "chunks": [chunk]})
    with pytest.raises(UsageError, match=r"gold\.jsonl:1: gas names chunks"):
        Evaluator(corpus).sweep(named, axes(chunking=("fixed:30",)))
    made = swept_whole(corpus, named, axes(mode=("words",)))  # the same chunks
    assert figure(made.variants[1], "recall@5") == 1


def test_a_corpus_that_changes_meanwhile_stops_the_sweep(
    bills: tuple[Corpus, Path], tmp_path: Path
) -> None:
    corpus, gold = bills
    with Evaluator(corpus).sweep(gold, axes(mode=("words", "vectors"))) as sweep:
        runs = sweep.runs()
        next(runs)
        corpus.search("woda")  # a trace changes nothing
        next(runs)
        write_files(tmp_path / "bills", {"inne.txt": "Coś innego."})
        corpus.add([tmp_path / "bills"])
        with pytest.raises(CorpusError, match="changed while it was measured"):
            next(runs)


def test_what_an_earlier_version_indexed_is_not_compared_with_what_this_one_makes(
    bills: tuple[Corpus, Path],
) -> None:
    corpus, gold = bills
    with Store.open(Path(corpus.settings.corpus)) as store, store.writing() as writing:
        writing.connection.execute("update document set stamp = json_set(stamp, '$.pipeline', 0)")
    with pytest.raises(UsageError, match="4 documents were indexed by another version"):
        Evaluator(corpus).sweep(gold, axes(chunking=("fixed:30",)))
    assert len(Evaluator(corpus).sweep(gold, axes(mode=("words",)))) == 2  # no other file is made


def test_an_unknown_encoder_is_refused_at_once(bills: tuple[Corpus, Path]) -> None:
    corpus, gold = bills
    with pytest.raises(SettingsError, match="no embedder named 'elephant'"):
        Evaluator(corpus).sweep(gold, axes(embedder=("elephant",)))


def test_a_cutting_larger_than_the_window_says_what_it_was_cut_to(
    bills: tuple[Corpus, Path],
) -> None:
    made = swept_whole(*bills, axes(chunking=("fixed:500",)))
    assert "fixed:500: cut to 128 tokens, for fake sees no more." in made.notes
