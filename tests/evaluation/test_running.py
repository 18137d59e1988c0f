"""A run over a small corpus: outcomes, scores, and a diagnosis that names the right stage."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.backends.test_openai_chat import Script, event, serving
from tests.corpora import tools_of, write_files
from tests.evaluation.conftest import WriteGold
from tests.stores import Store

from cytat import Corpus
from cytat.chunking import FixedChunker
from cytat.config import Settings
from cytat.errors import UsageError
from cytat.evaluation import Evaluator, compare, parse_demand, regressions, unmet
from cytat.evaluation.trec import run_lines
from cytat.ingestion import ingest
from cytat.records import (
    Cause,
    EvalReport,
    JudgedBy,
    MetricValue,
    Outcome,
    RefusalReason,
    SweepAxes,
)
from cytat.testing.embedders import FakeEmbedder

RENT = {"id": "rent", "question": "Ile wynosi czynsz?", "needles": ["Czynsz wynosi 2150 zł"]}
DEPOSIT = {
    "id": "deposit",
    "question": "Ile wynosi kaucja?",
    "needles": ["Kaucja wynosi 4300 zł i jest zwracana"],
    "sources": ["docs/umowa.md"],
    "group": "money",
}
UNKNOWN = {"id": "far", "question": "Kto wynalazł telegraf?", "answerable": False, "group": "far"}


def metric(report: EvalReport, name: str) -> MetricValue:
    (found,) = [one for one in report.metrics if one.name == name and one.group is None]
    return found


def test_a_needle_in_the_first_hit_has_rank_one_and_is_marked(
    corpus: Corpus, gold: WriteGold
) -> None:
    (outcome,) = Evaluator(corpus).evaluation(gold(RENT)).report().questions
    assert outcome.judged_by is JudgedBy.NEEDLES
    assert outcome.targets[0].rank == 1
    first = outcome.hits[0]
    assert first.is_right
    assert first.text is not None
    assert [mark.of(first.text) for mark in first.marks] == ["Czynsz wynosi 2150 zł"]
    assert outcome.scores["recall@1"] == outcome.scores["mrr"] == 1
    assert outcome.reply is not None
    assert outcome.reply.outcome is Outcome.RIGHT
    assert outcome.scores["citation-precision"] == 1


def test_an_unanswerable_question_is_right_when_refused_and_has_no_recall(
    corpus: Corpus, gold: WriteGold
) -> None:
    (outcome,) = Evaluator(corpus).evaluation(gold(UNKNOWN)).report().questions
    assert outcome.scores == {"bluff": 0.0}
    assert outcome.reply is not None
    assert outcome.reply.outcome is Outcome.REFUSED


def test_a_question_without_gold_is_counted_as_not_measured(
    corpus: Corpus, gold: WriteGold
) -> None:
    bare = {"id": "bare", "question": "Co z fakturą?"}
    report = Evaluator(corpus).evaluation(gold(RENT, bare), retrieval_only=True).report()
    recall = metric(report, "recall@1")
    assert (recall.value, recall.n, recall.not_measured) == (1.0, 1, 1)
    assert report.notes == ("1 questions name no right place; their retrieval is not measured.",)


def test_sources_titles_and_chunks_judge_where_there_are_no_needles(
    corpus: Corpus, gold: WriteGold
) -> None:
    chunk = corpus.search("czynsz").hits[0].chunk_id
    kinds = {"sources": ["faktura.txt"], "titles": ["kaucja"], "chunks": [chunk]}
    asked = {"sources": "faktura 14 dni", "titles": "zwrot kaucji", "chunks": "czynsz"}
    cases = [{"id": kind, "question": asked[kind], kind: kinds[kind]} for kind in kinds]
    report = Evaluator(corpus).evaluation(gold(*cases), retrieval_only=True).report()
    assert [one.judged_by.value for one in report.questions] == list(kinds)
    assert [one.targets[0].rank for one in report.questions] == [1, 1, 1]
    assert all(one.reply is None for one in report.questions)


def test_must_not_contain_makes_an_answer_wrong(corpus: Corpus, gold: WriteGold) -> None:
    (outcome,) = (
        Evaluator(corpus)
        .evaluation(gold({**RENT, "must_not_contain": ["2150"]}))
        .report()
        .questions
    )
    assert outcome.reply is not None
    assert outcome.reply.outcome is Outcome.WRONG
    assert outcome.cause is Cause.ANSWERING


def test_groups_have_metrics_of_their_own(corpus: Corpus, gold: WriteGold) -> None:
    report = Evaluator(corpus).evaluation(gold(DEPOSIT, UNKNOWN)).report()
    groups = {(one.group, one.name) for one in report.metrics}
    assert {("money", "mrr"), ("far", "bluff"), (None, "mrr")} <= groups
    assert ("far", "mrr") not in groups


def test_figures_are_given_by_language_of_the_question_and_type_of_the_document(
    corpus: Corpus, gold: WriteGold
) -> None:
    invoice = {
        "id": "invoice",
        "question": "When does the invoice have to be paid?",
        "needles": ["płatna w 14 dni"],
    }
    report = (
        Evaluator(corpus).evaluation(gold(RENT, invoice, UNKNOWN), retrieval_only=True).report()
    )
    assert [(one.language, one.type) for one in report.questions] == [
        ("pl", "md"), ("en", "txt"), ("pl", None),
    ]  # fmt: skip
    counts = {one.group: one.n for one in report.metrics if one.name == "recall@5"}
    assert counts == {
        None: 2, "language en": 1, "language pl": 1, "type md": 1, "type txt": 1,
    }  # fmt: skip


def test_groups_whose_names_share_a_part_are_pooled(corpus: Corpus, gold: WriteGold) -> None:
    named = [{**RENT, "id": group, "group": group} for group in ("pl-own", "pl-theirs", "en-own")]
    report = Evaluator(corpus).evaluation(gold(*named), retrieval_only=True).report()
    counts = {one.group: one.n for one in report.metrics if one.name == "recall@5"}
    assert counts == {None: 3, "own": 2, "pl": 2, "pl-own": 1, "pl-theirs": 1, "en-own": 1}


def test_one_language_and_one_type_are_not_told_twice(corpus: Corpus, gold: WriteGold) -> None:
    report = Evaluator(corpus).evaluation(gold(RENT), retrieval_only=True).report()
    assert {one.group for one in report.metrics} == {None}


def test_a_marker_that_stands_for_no_passage_is_counted(corpus: Corpus, gold: WriteGold) -> None:
    body = (event("Czynsz wynosi 2150 zł [1][77]."), event(None, "stop"))
    with serving(Script(body=body)) as url:
        settings = replace(corpus.settings, model="m", base_url=url)
        with Corpus(settings) as drafting:
            report = Evaluator(drafting).evaluation(gold(RENT)).report()
    (outcome,) = report.questions
    assert outcome.reply is not None
    assert outcome.reply.invented_markers == 1
    assert [(one.name, one.n) for one in report.timings] == [
        ("search", 1), ("answer, once searched", 1),
    ]  # fmt: skip
    assert report.notes[-1] == "Answers were drafted by m."


def test_a_question_to_which_the_model_writes_nothing_is_refused_and_stops_no_run(
    corpus: Corpus, gold: WriteGold
) -> None:
    with serving(Script(body=(event(None, "stop"),))) as url:
        settings = replace(corpus.settings, model="m", base_url=url)
        with Corpus(settings) as drafting:
            report = Evaluator(drafting).evaluation(gold(RENT)).report()
    (outcome,) = report.questions
    assert outcome.reply is not None
    assert outcome.reply.reason == RefusalReason.UNSUPPORTED_DRAFT.value


def test_three_runs_are_equal_but_for_the_time_they_took(corpus: Corpus, gold: WriteGold) -> None:
    path = gold(RENT, DEPOSIT, UNKNOWN)
    first, *others = [
        replace(Evaluator(corpus).evaluation(path).report(), timings=()) for _ in range(3)
    ]
    assert others == [first, first]


def test_a_run_asks_no_trace_away(corpus: Corpus, gold: WriteGold) -> None:
    corpus.search("czynsz")
    before = corpus.why()
    Evaluator(corpus).evaluation(gold(RENT)).report()
    assert corpus.why() == before


# ---------------------------------------------------------------- broken on purpose


LONG = (
    "Najemca płaci za wodę według wskazań licznika, który odczytuje się co kwartał w obecności "
    "obu stron, a różnicę wyrównuje się w ciągu trzydziestu dni od doręczenia rozliczenia."
)


def test_blind_cutting_shows_as_destroyed_answers_and_the_diagnosis_names_the_cutting(
    tmp_path: Path, gold: WriteGold
) -> None:
    texts = {
        f"{name}.txt": f"Wstęp o czymś innym, numer {name}. " * 3 + LONG.replace("wodę", name)
        for name in ("wodę", "gaz", "prąd", "śmieci")
    }
    write_files(tmp_path / "docs", texts)
    encoder = FakeEmbedder()
    with Store.open_or_create(tmp_path / "cytat.db") as store:
        # About 150 characters, without overlap.
        chunker = FixedChunker(30, 0, encoder.token_ends)
        ingest(store, [tmp_path / "docs"], tools_of(store, encoder, chunker))
    needle = LONG[len("Najemca ") :].removesuffix(" od doręczenia rozliczenia.")
    cases = [
        {
            "id": name,
            "question": f"Jak rozlicza się {name}?",
            "needles": [needle.replace("wodę", name)],
        }
        for name in ("wodę", "gaz", "prąd", "śmieci")
    ]
    with Corpus(Settings(corpus=tmp_path / "cytat.db", embedder="fake")) as corpus:
        report = Evaluator(corpus).evaluation(gold(*cases), retrieval_only=True).report()
    assert metric(report, "destroyed").value == 1
    assert report.diagnosis[0].cause is Cause.CUTTING
    assert report.diagnosis[0].advice.startswith("Fix the chunking: 4 of 4 answers")
    assert metric(report, "recall@50").value == 0


# ---------------------------------------------------------------- comparisons and gates


def test_runs_on_other_gold_or_other_documents_are_not_compared(
    corpus: Corpus, gold: WriteGold, tmp_path: Path
) -> None:
    before = Evaluator(corpus).evaluation(gold(RENT)).report()
    other_gold = Evaluator(corpus).evaluation(gold(RENT, UNKNOWN)).report()
    with pytest.raises(UsageError, match="they answer different gold sets"):
        compare(before, other_gold)
    (tmp_path / "docs" / "nowy.txt").write_text("Nowy dokument.", "utf-8")
    corpus.add([tmp_path / "docs"])
    with pytest.raises(UsageError, match="their corpora hold different documents"):
        compare(before, Evaluator(corpus).evaluation(gold(RENT)).report())


def test_a_run_beside_itself_cannot_be_told_apart(corpus: Corpus, gold: WriteGold) -> None:
    run = Evaluator(corpus).evaluation(gold(RENT, UNKNOWN)).report()
    compared = compare(run, run)
    assert {one.verdict for one in compared.metrics} == {"cannot be told apart"}
    assert compared.notes[-1] == "On these questions the two runs cannot be told apart."
    assert compared.differences == ()


def with_scores(run: EvalReport, name: str, values: list[float]) -> EvalReport:
    """Return a run of as many questions as there are values, with that one metric."""
    (first, *_) = run.questions
    questions = tuple(
        replace(first, id=str(at), scores={name: value}) for at, value in enumerate(values)
    )
    return replace(run, questions=questions)


def test_twelve_questions_lost_of_twelve_are_worse_and_stop_a_gate(
    corpus: Corpus, gold: WriteGold
) -> None:
    run = Evaluator(corpus).evaluation(gold(RENT)).report()
    before, after = with_scores(run, "lost", [0] * 12), with_scores(run, "lost", [1] * 12)
    (row,) = compare(before, after).metrics
    assert (row.better, row.worse, row.verdict) == (0, 12, "worse")
    assert row.p == pytest.approx(2 / 2**12)
    assert regressions(compare(before, after))[0].startswith("lost rose from 0.000 to 1.000")
    assert regressions(compare(after, before)) == []


def test_a_demand_is_met_at_its_bound_and_unmet_below(corpus: Corpus, gold: WriteGold) -> None:
    report = Evaluator(corpus).evaluation(gold(RENT, UNKNOWN)).report()
    assert unmet(report.metrics, least=[parse_demand("recall@5=1")]) == []
    assert unmet(report.metrics, most=[parse_demand("bluff=0")]) == []
    lowered = replace(report, metrics=tuple(replace(one, value=0.5) for one in report.metrics))
    assert unmet(lowered.metrics, least=[parse_demand("recall@5=0.8")]) == [
        "recall@5 = 0.500 (1 questions) is below 0.8"
    ]
    with pytest.raises(UsageError, match="no metric 'recal@5'"):
        unmet(report.metrics, least=[parse_demand("recal@5=0.8")])
    with pytest.raises(UsageError, match="is not a demand"):
        parse_demand("recall@5")


def test_a_run_in_six_columns_has_each_document_once_and_falling_scores(
    corpus: Corpus, gold: WriteGold
) -> None:
    report = Evaluator(corpus).evaluation(gold(RENT), retrieval_only=True).report()
    rows = [line.split() for line in run_lines(report.questions, name="cytat", named=str)]
    assert rows[0][:4] == ["rent", "Q0", "docs/umowa.md", "1"]
    assert len({row[2] for row in rows}) == len(rows)
    scores = [float(row[4]) for row in rows]
    assert all(after < before for before, after in pairwise(scores))


def test_a_right_place_that_was_left_out_as_a_copy_counts_as_found(
    tmp_path: Path, gold: WriteGold
) -> None:
    text = "Czynsz wynosi 2150 zł miesięcznie i jest płatny z góry do piątego dnia.\n"
    write_files(
        tmp_path / "docs",
        {"umowa.txt": text, "umowa (kopia).txt": f"ACME Sp. z o.o.\n{text}", "inna.txt": "Pies."},
    )
    with Corpus(Settings(corpus=tmp_path / "cytat.db", embedder="fake")) as corpus:
        corpus.add([tmp_path / "docs"])
        (hit, *_) = corpus.search("Ile wynosi czynsz?").hits
        (copy,) = hit.copies
        cases = [
            {"id": name, "question": "Ile wynosi czynsz?", "sources": [f"docs/{name}"]}
            for name in ("umowa.txt", "umowa (kopia).txt")
        ]
        chunk = {"id": "chunk", "question": "Ile wynosi czynsz?", "chunks": [copy.chunk_id]}
        report = Evaluator(corpus).evaluation(gold(*cases, chunk)).report()
    for outcome in report.questions:
        assert outcome.targets[0].rank == 1, outcome.id
        assert outcome.hits[0].is_right
        assert outcome.scores["recall@1"] == 1
        assert outcome.scores["citation-precision"] == 1


def test_a_corpus_in_memory_is_measured_as_one_in_a_file(
    corpus: Corpus, gold: WriteGold, tmp_path: Path
) -> None:
    path = gold(RENT, DEPOSIT, UNKNOWN)
    with Corpus(replace(corpus.settings, corpus=":memory:")) as in_memory:
        in_memory.add([tmp_path / "docs"])
        runs = [Evaluator(one).evaluation(path).report() for one in (corpus, in_memory)]
        with Evaluator(in_memory).sweep(path, SweepAxes((), (), (), ("words",), ())) as sweep:
            swept = sweep.report(list(sweep.runs()))
    assert runs[0].metrics == runs[1].metrics
    assert runs[0].diagnosis == runs[1].diagnosis
    assert [one.name for one in swept.variants] == ["baseline", "words"]
    assert swept.variants[0].price.file_bytes == 0
