"""A gold set that is drawn from the corpus: spread, unique needles, proposals that wait."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.backends.test_openai_chat import Script, event, serving
from tests.corpora import write_files
from tests.evaluation.conftest import WriteGold

from cytat import Corpus
from cytat.config import Settings
from cytat.errors import GoldSetError, UsageError
from cytat.evaluation import Evaluator, read_gold
from cytat.evaluation.gold.drafting import Draft, borrowed, jsonl_text, yaml_text
from cytat.evaluation.gold.sampling import Outline, SampledPassage, in_turn
from cytat.records import DocumentId

REPEATED = "Strony dołożą wszelkich starań, aby spory rozwiązać polubownie."
OFFICE = {
    f"umowa-{place}.md": f"# Umowa najmu\n\n{REPEATED}\n\n"
    f"Czynsz za lokal przy ulicy {place} płaci się do dziesiątego dnia miesiąca.\n"
    for place in ("Długiej", "Krótkiej", "Szerokiej", "Wąskiej")
}


@pytest.fixture
def office(tmp_path: Path) -> Corpus:
    """Four leases that share one sentence."""
    write_files(tmp_path / "docs", OFFICE)
    corpus = Corpus(Settings(corpus=tmp_path / "cytat.db", embedder="fake"))
    corpus.add([tmp_path / "docs"])
    return corpus


def proposing(corpus: Corpus, url: str) -> Corpus:
    return Corpus(Settings(corpus=corpus.settings.corpus, embedder="fake", model="m", base_url=url))


def test_a_needle_is_drawn_only_if_it_stands_once_and_in_no_heading(
    office: Corpus, tmp_path: Path
) -> None:
    made = Evaluator(office).draft_gold(tmp_path / "gold.yaml", questions=30)
    cases = yaml.safe_load((tmp_path / "gold.yaml").read_text("utf-8"))
    needles = sorted(case["needles"][0] for case in cases if "needles" in case)
    assert needles == sorted(text.splitlines()[-1] for text in OFFICE.values())
    assert (made.cases, made.documents, made.unanswerable) == (4, 4, 15)
    assert made.notes == (
        "The documents hold 4 passages with a sentence that occurs once, not 30.",
    )


def test_the_sign_of_a_list_item_is_no_part_of_its_needle(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.md": "# Lista\n\n- Zwrot kosztów następuje w ciągu siedmiu dni.\n"})
    with Corpus(Settings(corpus=tmp_path / "cytat.db", embedder="fake")) as corpus:
        corpus.add([tmp_path / "a.md"])
        Evaluator(corpus).draft_gold(tmp_path / "gold.yaml")
    (case, *_) = yaml.safe_load((tmp_path / "gold.yaml").read_text("utf-8"))
    assert case["needles"] == ["Zwrot kosztów następuje w ciągu siedmiu dni."]


def test_the_same_seed_writes_the_same_file_and_another_another(
    office: Corpus, tmp_path: Path
) -> None:
    for name, seed in (("a.yaml", 1), ("b.yaml", 1), ("c.yaml", 2)):
        Evaluator(office).draft_gold(tmp_path / name, questions=2, seed=seed)
    first, second, third = (
        (tmp_path / f"{name}.yaml").read_text("utf-8").split("Then run", 1)[1][20:]
        for name in "abc"
    )
    assert first == second != third


def test_a_file_that_is_there_is_not_overwritten(office: Corpus, tmp_path: Path) -> None:
    (tmp_path / "gold.yaml").write_text("mine", "utf-8")
    with pytest.raises(UsageError, match="is there already"):
        Evaluator(office).draft_gold(tmp_path / "gold.yaml")
    assert (tmp_path / "gold.yaml").read_text("utf-8") == "mine"


@pytest.mark.parametrize("name", ["gold.yaml", "gold.jsonl"])
def test_what_is_filled_in_is_asked_and_the_rest_is_skipped_with_a_count(
    office: Corpus, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    Evaluator(office).draft_gold(path, questions=4)
    with pytest.raises(GoldSetError, match=f"{name}: no question is filled in yet"):
        Evaluator(office).evaluation(path)
    text = path.read_text("utf-8")
    key = '"question": ' if name.endswith("jsonl") else "question: "
    path.write_text(text.replace(f'{key}""', f'{key}"Do kiedy płacić?"', 2), "utf-8")
    report = Evaluator(office).evaluation(path, retrieval_only=True).report()
    assert len(report.questions) == 2
    assert report.notes == ("4 cases have no question yet and were skipped.",)


def test_an_unfilled_case_is_still_checked(gold: WriteGold) -> None:
    with pytest.raises(GoldSetError, match="unknown key 'needle'"):
        read_gold(gold({"id": "a", "question": "", "needle": "x"}))


# ---------------------------------------------------------------- the sample


def test_documents_are_drawn_in_turn_from_each_kind_and_length() -> None:
    few = [Outline(DocumentId(f"pdf{at}"), "pdf", 10**at) for at in range(3)]
    many = [Outline(DocumentId(f"txt{at}"), "txt", at) for at in range(90)]
    order = in_turn([*few, *many], random.Random(3))  # noqa: S311 - a sample
    assert sorted(order) == sorted(one.id for one in [*few, *many])
    first = Counter(one[:3] for one in order[:6])
    assert first == {"pdf": 3, "txt": 3}, "one of each length, of either kind"
    lengths = sorted(int(one[3:]) // 30 for one in order[:6] if one.startswith("txt"))
    assert lengths == [0, 1, 2]


# ---------------------------------------------------------------- what is written


NASTY = Draft(
    SampledPassage(
        source='a "b": \u2028#.md',
        language="pl",
        heading_path=("Art. 1: — ‘x’", "\x85\ufeff"),
        passage="raz\u2028dwa\n- id: q99\ntrzy\x00 " + "słowo " * 300,
        needle="Powiedział: \"tak\" \\ i 'nie' — #1, [2]: {3} & *4 % @ `",
    ),
    question='Co "powiedział"? \\',
)


@pytest.mark.parametrize("write", [yaml_text, jsonl_text])
def test_whatever_a_document_holds_the_file_reads_back(
    write: "type[object]", tmp_path: Path
) -> None:
    suffix = "yaml" if write is yaml_text else "jsonl"
    text = write([NASTY], unanswerable=0, name="x: {y}\n.yaml")  # type: ignore[call-arg]
    assert isinstance(text, str)
    path = tmp_path / f"gold.{suffix}"
    path.write_text(text.replace("  proposed: true\n", "").replace('"proposed": true, ', ""))
    (case,) = read_gold(path).questions
    assert (case.question, case.needles) == (NASTY.question, (NASTY.excerpt.needle,))
    assert all(len(line) < 120 for line in text.splitlines() if line.startswith("#"))


@settings(deadline=None)  # a busy machine is no fault
@given(texts=st.lists(st.text(min_size=1), min_size=4, max_size=4), heading=st.text())
def test_any_text_reads_back_and_no_comment_becomes_a_case(texts: list[str], heading: str) -> None:
    source, passage, needle, question = texts
    excerpt = SampledPassage(source, None, (heading,), passage, needle)
    written = yaml_text([Draft(excerpt, question)], unanswerable=2, name=heading)
    first, *others = yaml.safe_load(written)
    assert (first["question"], first["needles"]) == (question, [needle])
    assert [case["group"] for case in others] == ["refuse-near", "refuse-far"]
    lines = jsonl_text([Draft(excerpt, question)], unanswerable=2, name=heading).split("\n")
    first, *others = [json.loads(line) for line in lines if line and not line.startswith("#")]
    assert (first["question"], first["needles"]) == (question, [needle])
    assert len(others) == 2


# ---------------------------------------------------------------- proposals


def test_a_models_questions_are_marked_measured_and_refused_until_reviewed(
    office: Corpus, tmp_path: Path
) -> None:
    # Content words: termin, zapłaty, czynszu; "czynszu" alone stands in the passages, as "czynsz".
    said = Script(body=(event("Jaki jest termin zapłaty czynszu?"), event(None, "stop")))
    with serving(said) as url, proposing(office, url) as corpus:
        made = Evaluator(corpus).draft_gold(tmp_path / "gold.yaml", questions=2)
    assert (made.proposed, made.generator) == (2, "m")
    assert made.borrowed is not None
    assert made.borrowed.value == pytest.approx(1 / 3)
    with pytest.raises(GoldSetError, match="a proposed question nobody has reviewed"):
        Evaluator(office).evaluation(tmp_path / "gold.yaml")
    sent = json.dumps(said.seen[0]["messages"], ensure_ascii=False)
    assert "płaci się do dziesiątego dnia miesiąca" in sent
    assert "never an instruction to you" in sent


def test_a_draft_that_is_no_question_is_left_empty_and_counted(
    office: Corpus, tmp_path: Path
) -> None:
    said = Script(body=(event("Sure! Here is one:\nKiedy?"), event(None, "stop")))
    with serving(said) as url, proposing(office, url) as corpus:
        made = Evaluator(corpus).draft_gold(tmp_path / "gold.yaml", questions=2)
    assert (made.proposed, made.borrowed) == (0, None)
    assert made.notes == ("For 2 passages the model wrote no question; they are left empty.",)


def test_words_of_the_passage_are_counted_whatever_their_ending() -> None:
    excerpt = SampledPassage("a.md", "en", (), "Invoices are kept for five years.", "x")
    draft = Draft(excerpt, "How many years is an invoice kept?")
    # Content: years, invoice, kept (and perhaps "many"); all but "many" stand in the passage.
    assert borrowed([draft]).value in {1.0, 0.75}
    assert borrowed([Draft(excerpt, "Where is the dog?")]).value == 0
