"""Calibrating a corpus: what is stored, what answers say of it, and when it no longer fits."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.corpora import write_files
from tests.evaluation.conftest import WriteGold
from tests.stores import Store

from cytat import Corpus
from cytat.answering import gate_hash
from cytat.backends.sqlite.spaces import read_calibration
from cytat.config import Settings
from cytat.errors import GoldSetError, NotAllowedError
from cytat.evaluation import Evaluator
from cytat.records import Answer, Calibration, Check, Refusal

THINGS = (
    "czynsz", "kaucja", "opłata", "składka", "prowizja", "zaliczka", "premia", "dopłata",
    "rabat", "odsetki", "podatek", "cło",
)  # fmt: skip
ANSWERABLE = [
    {
        "id": f"yes-{at}",
        "question": f"Ile wynosi {thing}?",
        "needles": [f"{thing} wynosi {at}10 zł"],
    }
    for at, thing in enumerate(THINGS, start=1)
]
FAR = ("Kto wynalazł telegraf?", "Jaka jest stolica Francji?", "Dlaczego niebo jest niebieskie?",
       "Kiedy zbudowano Wawel?", "Jak długo żyje żółw?", "Gdzie rosną palmy?")  # fmt: skip
NEAR = ("Kto płaci czynsz?", "Kiedy kaucja jest zwracana?", "Dlaczego opłata wzrosła?",
        "Gdzie wpłaca się składkę?", "Kto ustala prowizję?", "Kiedy podatek wygasa?")  # fmt: skip
UNANSWERABLE = [
    {"id": f"{group}-{at}", "question": question, "answerable": False, "group": group}
    for group, asked in (("far", FAR), ("near", NEAR))
    for at, question in enumerate(asked)
]
RENT = "Ile wynosi czynsz?"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Corpus]:
    """A corpus in which twelve sums are named."""
    texts = {f"{at:02}.txt": f"{thing} wynosi {at}10 zł.\n" for at, thing in enumerate(THINGS, 1)}
    write_files(tmp_path / "docs", texts)
    with Corpus(Settings(corpus=tmp_path / "cytat.db", embedder="fake")) as opened:
        opened.add([tmp_path / "docs"])
        yield opened


@pytest.fixture
def questions(gold: WriteGold) -> Path:
    return gold(*ANSWERABLE, *UNANSWERABLE)


def stored(corpus: Corpus) -> Calibration | None:
    return corpus.status().calibration


def check_of(corpus: Corpus, name: str) -> Check:
    (found,) = [one for one in corpus.doctor().checks if one.name == name]
    return found


def test_a_calibration_says_what_it_was_made_of_and_is_in_force_once_kept(
    office: Corpus, questions: Path
) -> None:
    evaluation = Evaluator(office).evaluation(questions)
    made = evaluation.calibration(bluff_cost=5)
    assert not made.is_stored
    assert stored(office) is None
    kept = evaluation.keep(made)
    assert kept == replace(made, is_stored=True)
    calibration = stored(office)
    assert calibration == made.calibration
    assert (calibration.answerable, calibration.unanswerable) == (12, 12)
    assert (calibration.gold, calibration.bluff_cost) == ("gold.jsonl", 5)
    assert calibration.gate == gate_hash()
    assert [one.name for one in made.chosen.groups] == ["far", "near"]


def test_calibrating_twice_gives_the_same_and_changes_no_generation(
    office: Corpus, questions: Path
) -> None:
    first = Evaluator(office).evaluation(questions).calibration()
    Evaluator(office).evaluation(questions).keep(first)
    assert Evaluator(office).evaluation(questions).calibration() == first
    with Store.open(Path(office.settings.corpus)) as store:
        assert store.generation == first.calibration.generation


def moved(calibration: Calibration, stricter: float) -> Calibration:
    return replace(calibration, stricter=stricter)


def write(corpus: Corpus, calibration: Calibration) -> None:
    with Store.open(Path(corpus.settings.corpus)) as store, store.writing() as writing:
        writing.set_calibration(calibration)


def test_answers_are_decided_by_the_calibration_and_say_on_what_it_rests(
    office: Corpus, questions: Path
) -> None:
    calibration = Evaluator(office).evaluation(questions).calibration().calibration
    before = office.ask(RENT)
    assert isinstance(before, Answer)
    assert before.confidence is None
    write(office, moved(calibration, -20.0))
    answer = office.ask(RENT)
    assert isinstance(answer, Answer)
    assert answer.confidence is not None
    assert 0 < answer.confidence.value < 1
    assert answer.confidence.calibrated_on == calibration.calibrated_on
    assert "12 answerable and 12 unanswerable questions of gold.jsonl" in (
        answer.confidence.calibrated_on
    )
    write(office, moved(calibration, 20.0))
    assert isinstance(office.ask(RENT), Refusal)
    gate = next(stage for stage in office.why().stages if stage.name == "gate")
    assert gate.input["stricter"] == 20.0
    assert gate.input["calibrated_on"] == calibration.calibrated_on


def test_the_report_counts_what_the_calibrated_corpus_then_does(
    office: Corpus, questions: Path
) -> None:
    evaluation = Evaluator(office).evaluation(questions)
    made = evaluation.keep(evaluation.calibration(bluff_cost=3))
    run = Evaluator(office).evaluation(questions).report()
    outcomes = [one.reply.outcome.value for one in run.questions if one.reply is not None]
    assert outcomes.count("lost") == made.chosen.lost.wrong
    assert outcomes.count("bluff") == made.chosen.bluffs.wrong
    assert run.fingerprint.gate not in {"shipped", "none"}
    Evaluator(office).reset_calibration()
    again = Evaluator(office).evaluation(questions).report()
    assert again.fingerprint.gate == "shipped"
    outcomes = [one.reply.outcome.value for one in again.questions if one.reply is not None]
    assert outcomes.count("lost") == made.shipped.lost.wrong
    assert outcomes.count("bluff") == made.shipped.bluffs.wrong


def test_what_was_calibrated_with_another_encoder_or_gate_is_told_and_not_used(
    office: Corpus, questions: Path
) -> None:
    calibration = moved(Evaluator(office).evaluation(questions).calibration().calibration, 20.0)
    for misfit, said in (
        (replace(calibration, weights="0" * 64), "innym enkoderem"),
        (replace(calibration, gate="0" * 16), "inną wersją"),
    ):
        write(office, misfit)
        answer = office.ask(RENT)
        assert isinstance(answer, Answer), "the shipped gate decides"
        assert answer.confidence is None
        assert any(said in note for note in answer.notes)
        assert not check_of(office, "gate").ok


def test_another_encoder_after_calibrating_is_noticed(office: Corpus, questions: Path) -> None:
    evaluation = Evaluator(office).evaluation(questions)
    evaluation.keep(evaluation.calibration())
    settings = replace(office.settings, embeddings_model="other")
    with Corpus(settings) as other:
        other.reindex()
        reply = other.ask("Jaka jest stolica Francji?")
        assert any("innym enkoderem" in note for note in reply.notes)


def test_doctor_says_what_is_in_force_and_that_documents_have_changed_since(
    office: Corpus, questions: Path, tmp_path: Path
) -> None:
    assert check_of(office, "gate") == Check("gate", ok=True, value="as shipped", hint=None)
    evaluation = Evaluator(office).evaluation(questions)
    evaluation.keep(evaluation.calibration())
    check = check_of(office, "gate")
    assert check.ok
    assert "calibrated on 12 answerable" in check.value
    assert "changed" not in check.value
    (tmp_path / "docs" / "new.txt").write_text("Fracht wynosi 5 zł.\n", "utf-8")
    office.add([tmp_path / "docs"])
    assert "documents have changed 1 times since" in check_of(office, "gate").value


def test_a_reset_returns_what_was_in_force(office: Corpus, questions: Path) -> None:
    assert Evaluator(office).reset_calibration().before is None
    evaluation = Evaluator(office).evaluation(questions)
    made = evaluation.keep(evaluation.calibration())
    assert Evaluator(office).reset_calibration().before == made.calibration
    assert stored(office) is None


def test_a_reader_is_answered_by_the_calibration_and_changes_none(
    office: Corpus, questions: Path
) -> None:
    evaluation = Evaluator(office).evaluation(questions)
    made = evaluation.keep(evaluation.calibration())
    with Corpus(replace(office.settings, labels=())) as reader:
        assert stored(reader) == replace(made.calibration, gold="", gold_hash="")
        with pytest.raises(NotAllowedError):
            Evaluator(reader).evaluation(questions).keep(made)
        with pytest.raises(NotAllowedError):
            Evaluator(reader).reset_calibration()


def test_a_gold_set_of_another_corpus_is_refused(office: Corpus, gold: WriteGold) -> None:
    other = {"id": "x", "question": "Ile waży słoń?", "needles": ["Słoń waży pięć ton"]}
    with pytest.raises(GoldSetError, match=r"gold\.jsonl:13"):
        Evaluator(office).evaluation(gold(*ANSWERABLE, other, *UNANSWERABLE))


def test_without_unanswerable_questions_nothing_is_chosen(office: Corpus, gold: WriteGold) -> None:
    with pytest.raises(GoldSetError, match="no unanswerable questions"):
        Evaluator(office).evaluation(gold(*ANSWERABLE)).calibration()


def test_what_is_written_is_read_back_equal_with_weights_and_without(
    office: Corpus, questions: Path
) -> None:
    from cytat.records import GateWeights

    calibration = Evaluator(office).evaluation(questions).calibration().calibration
    for refitted in (None, GateWeights(-0.5, {"nearness": 1.25, "shared": 0.1})):
        write(office, replace(calibration, refitted=refitted))
        with Store.open(Path(office.settings.corpus)) as store, store.reading() as connection:
            assert read_calibration(connection) == replace(calibration, refitted=refitted)
