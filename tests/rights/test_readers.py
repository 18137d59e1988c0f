"""Read labels: what is forbidden to a reader is as if it were not there, whatever is called."""

import inspect
import json
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.stores import Store

from cytat import Corpus
from cytat.answering import gate_hash
from cytat.config import Settings, load_settings
from cytat.errors import CytatError, NotAllowedError, SettingsError, SourceError, UsageError
from cytat.evaluation import Evaluator
from cytat.records import Calibration, Ranking, Refusal, Span, SweepAxes
from cytat.surfaces.cli.commands import run

SETTINGS = Settings(embedder="fake")
OPEN = "# Regulamin\n\nUrlop trwa 26 dni i należy się każdemu.\n\nPremia zależy od stażu.\n"
SECRET = "# Kanarek\n\nPremia Xenon wynosi 4300 zł, faktura FV/2025/09/0143.\n"
CANARIES = re.compile(r"kanarek|xenon|(?<![\d.])(?:4300|0143)(?!\d)|tajne")
"""Words, numbers and the folder of what is forbidden: none of them may reach a stranger.

A number inside a longer one, such as a time that was measured, is another number.
"""
OWNERS_OWN = {
    "add",
    "watch",
    "remove",
    "reindex",
    "verify",
    "verify_backup",
    "back_up",
    "reset_calibration",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a corpus of an open document and one with the label hr."""
    (tmp_path / "open.md").write_text(OPEN, "utf-8")
    (tmp_path / "tajne").mkdir()
    (tmp_path / "tajne" / "kanarek.md").write_text(SECRET, "utf-8")
    with Corpus.open(tmp_path / "c.db", settings=SETTINGS) as corpus:
        corpus.add(tmp_path / "open.md")
        corpus.add(tmp_path / "tajne", label="hr")
    calibrate(tmp_path / "c.db")
    return tmp_path


def calibrate(path: Path) -> None:
    """Fit the gate, not moved, to questions in a file whose name is forbidden."""
    with Store.open(path) as store, store.writing() as writing:
        space = store.space()
        assert space
        calibration = Calibration(
            gold="kanarek-xenon.jsonl",
            gold_hash="4300",
            generation=0,
            weights=space.weights,
            gate=gate_hash(),
            answerable=7,
            unanswerable=5,
            bluff_cost=1.0,
            stricter=0.0,
            refitted=None,
            slope=1.0,
            offset=0.0,
        )
        writing.set_calibration(calibration)


def reader(folder: Path, *labels: str) -> Corpus:
    return Corpus.open(folder / "c.db", settings=SETTINGS, labels=labels)


def secret_id(folder: Path) -> str:
    with Corpus.open(folder / "c.db", settings=SETTINGS) as corpus:
        (found,) = (one for one in corpus.status().documents if "kanarek" in one.source)
        return found.document_id


QUESTION = "Ile wynosi premia Xenon na fakturze FV/2025/09/0143?"


def exported(corpus: Corpus, folder: Path) -> object:
    corpus.export(folder / "out")
    files = [path for path in (folder / "out").rglob("*") if path.is_file()]
    return [path.name for path in files], [path.read_bytes() for path in files]


def evaluated(corpus: Corpus, folder: Path) -> object:
    gold = folder / "gold.jsonl"
    case = {"id": "1", "question": "Ile trwa urlop?", "sources": ["open.md"]}
    gold.write_text(json.dumps(case) + "\n", "utf-8")
    return Evaluator(corpus).evaluation(gold).report()


def swept(corpus: Corpus, folder: Path) -> object:
    evaluated(corpus, folder)
    axes = SweepAxes(chunking=("fixed:20+4",), budget=(), embedder=(), mode=(), fusion=())
    with Evaluator(corpus).sweep(folder / "gold.jsonl", axes, keep=folder / "kept") as sweep:
        report = sweep.report(list(sweep.runs()))
    for file in (folder / "kept").glob("*.db"):
        with Store.open(file) as store:
            assert {one.source for one in store.documents()} == {
                one.source for one in corpus.status().documents
            }
    return report


def drafted(corpus: Corpus, folder: Path) -> object:
    Evaluator(corpus).draft_gold(folder / "drafted.yaml", questions=20)
    return (folder / "drafted.yaml").read_text("utf-8")


def traced(corpus: Corpus, folder: Path) -> object:
    with Corpus.open(folder / "c.db", settings=SETTINGS) as owner:
        asked = owner.search("tajne: kanarek xenon 4300").trace_id
    with pytest.raises(SourceError):
        corpus.why()
    return corpus.why(asked)


CALLS: Mapping[str, Callable[[Corpus, Path], object]] = {
    "add": lambda corpus, folder: corpus.add(folder / "tajne"),
    "watch": lambda corpus, folder: corpus.watch(folder / "tajne", on_report=print),
    "remove": lambda corpus, folder: corpus.remove(secret_id(folder)),
    "reindex": lambda corpus, _: corpus.reindex(),
    "verify": lambda corpus, _: corpus.verify(full=True),
    "verify_backup": lambda corpus, _: corpus.verify_backup(),
    "back_up": lambda corpus, folder: corpus.back_up(folder / "copy.db"),
    "export": exported,
    "status": lambda corpus, _: corpus.status(),
    "show": lambda corpus, folder: corpus.show(secret_id(folder), chunks=True),
    "boxes": lambda corpus, folder: corpus.boxes(secret_id(folder), Span(0, 5)),
    "search": lambda corpus, _: [
        corpus.search("premia", mode=mode, depth=50).hits for mode in ("hybrid", "words", "vectors")
    ],
    "ask": lambda corpus, _: corpus.ask("Od czego zależy premia?"),
    "retrieve": lambda corpus, _: corpus.retrieve("premia", depth=50),
    "answer": lambda corpus, _: corpus.answer("Od czego zależy premia?"),
    "asking": lambda corpus, _: corpus.asking().gate,
    "evaluation": evaluated,
    "draft_gold": drafted,
    "sweep": swept,
    "reset_calibration": lambda corpus, _: Evaluator(corpus).reset_calibration(),
    "why": traced,
    "doctor": lambda corpus, _: corpus.doctor().checks,
}
"""Every public method of `Corpus` and `Evaluator`, as a stranger would call it to learn of what is
forbidden."""
HARMLESS = {"open", "close", "with_encoder"}
"""They return nothing that documents hold."""


def test_every_public_method_is_called_as_a_stranger() -> None:
    public = {
        name
        for kind in (Corpus, Evaluator)
        for name, _ in inspect.getmembers(kind, callable)
        if not name.startswith("_")
    }
    assert public - HARMLESS == CALLS.keys()


@pytest.mark.parametrize("name", CALLS)
def test_a_stranger_learns_nothing_of_what_is_forbidden(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    with reader(folder, "board") as corpus:
        try:
            told = repr(CALLS[name](corpus, folder))
        except NotAllowedError:
            assert name in OWNERS_OWN
            return
        except CytatError as error:
            told = error.message.replace(repr(secret_id(folder)), "") + error.hint
    assert name not in OWNERS_OWN
    assert not CANARIES.findall(told.casefold()), told


@pytest.mark.parametrize("name", sorted(CALLS.keys() - OWNERS_OWN - {"why", "doctor"}))
def test_a_reader_with_the_label_reads_it(folder: Path, name: str) -> None:
    with reader(folder, "board", "hr") as corpus:
        try:
            told = repr(CALLS[name](corpus, folder))
        except SourceError as error:  # boxes: it is no PDF, which only who may read it is told
            told = error.message
    assert "kanarek" in told.casefold() or name in {
        "ask",
        "asking",
        "answer",
        "evaluation",
        "sweep",
    }


@pytest.mark.parametrize("given", ["kanarek.md", "tajne/kanarek.md", "ID"])
def test_forbidden_and_missing_are_told_in_the_same_words(folder: Path, given: str) -> None:
    given = secret_id(folder) if given == "ID" else given
    with reader(folder) as corpus:
        with pytest.raises(SourceError) as forbidden:
            corpus.show(given)
        with pytest.raises(SourceError) as missing:
            corpus.show("q")
    assert forbidden.value.message == missing.value.message.replace("'q'", repr(given))


def without_id(ranking: Ranking | Refusal | object) -> object:
    """Return a result without the name of its trace, which counts what was written."""
    return {
        field: getattr(ranking, field)
        for field in ranking.__slots__  # type: ignore[union-attr] # records have slots
        if field != "trace_id"
    }


@pytest.mark.parametrize(
    "question",
    [QUESTION, "FV/2025/09/0143", "premia", "Xenon", "Ile trwa urlop?", "kanarek tajne"],
)
def test_a_reader_is_answered_as_if_the_corpus_held_nothing_else(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, question: str
) -> None:
    alone = tmp_path_factory.mktemp("alone")
    (alone / "open.md").write_text(OPEN, "utf-8")
    with Corpus.open(alone / "c.db", settings=SETTINGS) as other, reader(folder) as corpus:
        other.add(alone / "open.md")
        calibrate(alone / "c.db")
        assert corpus.status().totals == other.status().totals
        for mode in ("hybrid", "words", "vectors"):
            mine, theirs = (one.search(question, mode=mode) for one in (corpus, other))
            assert without_id(mine) == without_id(theirs)
    with reader(alone) as other, reader(folder) as corpus:
        assert without_id(corpus.ask(question)) == without_id(other.ask(question))


def test_a_reader_is_told_of_the_gate_without_the_questions_it_was_fitted_to(folder: Path) -> None:
    with reader(folder) as corpus:
        told = corpus.status().calibration
        (gate,) = (one.value for one in corpus.doctor().checks if one.name == "gate")
    assert told is not None
    assert (told.gold, told.gold_hash, told.answerable) == ("", "", 7)
    assert gate == (
        "+0.00, calibrated on 7 answerable and 5 unanswerable questions of the corpus' owner"
    )
    with Corpus.open(folder / "c.db", settings=SETTINGS) as owner:
        assert "kanarek-xenon.jsonl (4300)" in repr(owner.doctor().checks)


# ---------------------------------------------------------------- labels


def test_a_label_taken_away_shuts_an_open_reader_out_at_its_next_call(folder: Path) -> None:
    (folder / "open.md").touch()
    with (
        reader(folder, "hr") as corpus,
        Corpus.open(folder / "c.db", settings=SETTINGS) as owner,
    ):
        assert "kanarek" in repr(corpus.search("Xenon").hits)
        report = owner.add(folder / "tajne", label="board")
        assert [one.source for one in report.updated] == ["tajne/kanarek.md"]
        assert "kanarek" not in repr(corpus.search("Xenon", mode="hybrid").hits)
        owner.add(folder / "tajne", label="")
        assert "kanarek" in repr(corpus.search("Xenon").hits)
        assert all(check.ok for check in owner.verify(full=True).checks)


def test_a_changed_file_keeps_its_label(folder: Path) -> None:
    (folder / "tajne" / "kanarek.md").write_text(SECRET + "\nTajne: 5000.\n", "utf-8")
    (folder / "tajne" / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    with Corpus.open(folder / "c.db", settings=SETTINGS) as owner:
        assert owner.add(folder / "tajne", label="hr").failed
        owner.add(folder / "tajne")
        assert owner.status().totals["documents"] == 3
    with reader(folder) as corpus:
        assert corpus.status().totals["documents"] == 1


def test_a_label_does_not_bless_damage(folder: Path) -> None:
    with Store.open(folder / "c.db") as store, store.writing() as writing:
        writing.connection.execute(
            "update document set title = 'x' where source like '%kanarek.md'"
        )
    with Store.open(folder / "c.db") as store:
        store.set_label(store.resolve("kanarek.md").id, "board")
    with Corpus.open(folder / "c.db", settings=SETTINGS) as owner:
        told = [check.value for check in owner.verify(full=True).checks if not check.ok]
    assert any("kanarek.md" in value for value in told)


@pytest.mark.parametrize("label", ["a,b", " hr", "h\nr"])
def test_what_is_no_label_is_misuse(folder: Path, label: str) -> None:
    with (
        Corpus.open(folder / "c.db", settings=SETTINGS) as owner,
        pytest.raises(UsageError, match="is not a label"),
    ):
        owner.add(folder / "open.md", label=label)


def test_a_reader_without_labels_is_not_the_owner(folder: Path) -> None:
    with reader(folder) as corpus, pytest.raises(NotAllowedError):
        corpus.reindex()


@pytest.mark.parametrize(
    ("given", "labels"), [("hr, board", ("hr", "board")), ("", ()), (" , ", ()), (["hr"], ("hr",))]
)
def test_labels_are_a_list_with_commas_and_an_empty_one_is_no_owner(
    given: object, labels: tuple[str, ...]
) -> None:
    assert load_settings({"labels": given}, environment={}).labels == labels
    if isinstance(given, str):
        assert load_settings({}, environment={"CYTAT_LABELS": given}).labels == labels
    assert load_settings({}, environment={}).labels is None


def test_labels_that_are_none_are_refused() -> None:
    with pytest.raises(SettingsError, match="is not a list of labels"):
        load_settings({"labels": False}, environment={})


def test_the_command_line_reads_with_labels(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")
    corpus = ["--corpus", str(folder / "c.db")]
    assert run([*corpus, "--as", "", "search", "Xenon"]) == 0
    assert "kanarek" not in capsys.readouterr().out
    assert run([*corpus, "search", "Xenon", "--as", "board,hr"]) == 0
    assert "kanarek" in capsys.readouterr().out
    assert run([*corpus, "--as", "hr", "remove", "open.md"]) == 1
    assert "only the owner" in capsys.readouterr().err
    assert run([*corpus, "add", str(folder / "open.md"), "--label", "board"]) == 0
    capsys.readouterr()
    assert run([*corpus, "--as", "hr", "status", "--json"]) == 0
    assert "open.md" not in capsys.readouterr().out


def test_readers_of_the_same_labels_share_their_traces_and_the_owner_sees_all(
    folder: Path,
) -> None:
    with reader(folder, "hr", "board") as corpus:
        asked = corpus.search("Xenon").trace_id
    with reader(folder, "board", "hr") as corpus:
        assert corpus.why(asked).question == "Xenon"
    with reader(folder, "board") as corpus, pytest.raises(SourceError):
        corpus.why(asked)
    with Corpus.open(folder / "c.db", settings=SETTINGS) as owner:
        assert owner.why(asked).question == "Xenon"


def test_another_thread_reads_with_the_same_rights(folder: Path) -> None:
    with Store.open(folder / "c.db", labels={"board"}) as store, ThreadPoolExecutor(1) as other:
        documents = other.submit(store.documents).result()
        assert [document.source for document in documents] == ["open.md"]
