"""What people and scripts do wrong around a command: its reply stays one JSON value with a code."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cytat.config import Settings
from cytat.corpus import Corpus
from cytat.records import Answer, CorpusStatus, Refusal
from cytat.surfaces.cli.commands import cytat as verbs
from cytat.surfaces.cli.commands import run

LEASE = "# Umowa\n\nCzynsz wynosi 2150 zł miesięcznie \U0001f600 i jest płatny z góry.\n"


def cytat(
    *arguments: str | bytes, folder: Path, closing: str = "", encoding: str = "utf-8"
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own, as a shell does."""
    command = [sys.executable, "-m", "cytat", *arguments]
    kept = {name: value for name, value in os.environ.items() if "API_KEY" not in name}
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {closing}', "sh", *command],
        cwd=folder,
        env={**kept, "CYTAT_EMBEDDER": "fake", "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus of one document."""
    folder = tmp_path_factory.mktemp("office")
    (folder / "umowa.md").write_text(LEASE, "utf-8")
    assert cytat("add", "umowa.md", folder=folder).returncode == 0
    return folder


def test_words_typed_in_another_encoding_are_looked_for_all_the_same(office: Path) -> None:
    done = cytat("search", b"czynsz \xb3", "--json", folder=office)
    assert done.returncode == 0
    assert json.loads(done.stdout)["hits"][0]["source"] == "umowa.md"


def test_a_document_whose_name_is_no_utf_8_is_shown_by_the_name_typed(tmp_path: Path) -> None:
    name = b"ksi\xb1\xbfka.txt"
    try:
        (tmp_path / os.fsdecode(name)).write_text("Czynsz wynosi 5 zł.", "utf-8")
    except OSError:
        pytest.skip("names here are UTF-8")
    assert cytat("add", name, folder=tmp_path).returncode == 0
    assert cytat("show", name, folder=tmp_path).stdout.decode() == "Czynsz wynosi 5 zł."


def test_a_corpus_may_have_a_name_that_is_no_utf_8(office: Path) -> None:
    done = cytat("--corpus", b"\xb1.db", "add", "umowa.md", "--json", folder=office)
    if sys.platform == "linux":
        assert done.returncode == 0
    assert json.loads(done.stdout)["kind"] in {"ingest-report", "error"}


def test_json_is_utf_8_whatever_the_terminal_speaks(office: Path) -> None:
    done = cytat("show", "umowa.md", "--json", folder=office, encoding="iso8859-1")
    assert json.loads(done.stdout.decode("utf-8"))["text"] == LEASE


@pytest.mark.parametrize("closing", [">&-", ">/dev/full"])
def test_an_output_that_cannot_be_written_leaves_no_traceback(office: Path, closing: str) -> None:
    if "full" in closing and not Path("/dev/full").exists():
        pytest.skip("this system has no full device")
    done = cytat("search", "", "--json", folder=office, closing=closing)
    assert b"Traceback" not in done.stderr
    assert done.returncode in {1, 2}


def reply(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, str]]:
    """Run a command in this process; return its exit code and its JSON value."""
    code = run([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("path", ["", "x" * 5000])
def test_a_path_that_no_file_can_have_is_misuse_and_reads_nothing(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")
    code, value = reply(capsys, "add", path)
    assert (code, value["code"]) == (2, "usage")


@pytest.mark.parametrize("name", ["", ".", "x" * 300])
@pytest.mark.parametrize("verb", [("add", "."), ("status",), ("doctor",)])
def test_a_corpus_that_no_file_can_be_is_an_error_with_a_remedy(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    verb: tuple[str, ...],
) -> None:
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")
    code, value = reply(capsys, "--corpus", name, *verb)
    assert code in {1, 2}
    assert value.get("code") != "failed"  # the code of an internal error


TOO_LONG = "x" * 300
"""For the name of a file: the system's own error on asking whether it is there."""


@pytest.mark.parametrize(
    "arguments",
    [
        ("backup", TOO_LONG),
        ("backup", f"{TOO_LONG}/cytat.db"),
        ("export", TOO_LONG),
        ("verify", "--backup", TOO_LONG),
        ("demo", TOO_LONG),
        ("eval", "run", TOO_LONG),
        ("eval", "init", "--out", TOO_LONG),
        ("eval", "sweep", TOO_LONG, "--report", f"{TOO_LONG}/report.html"),
    ],
    ids=" ".join,
)
def test_a_name_that_no_file_can_have_is_an_error_with_a_remedy(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")
    (tmp_path / "umowa.txt").write_text("Kaucja wynosi 4300 zł.", "utf-8")
    run(["add", "umowa.txt"])
    capsys.readouterr()
    code, value = reply(capsys, *arguments)
    assert code in {1, 2}
    assert value["code"] != "failed"  # the code of an internal error


def test_a_document_cannot_steer_the_terminal_its_quotes_are_printed_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")
    (tmp_path / "umowa.txt").write_text(
        "Czynsz \x1b]8;;x\x07 wynosi \x1b[2J 2150 zł\u202e.", "utf-8"
    )
    for command in (["add", "umowa.txt"], ["search", "czynsz"], ["ask", "Ile wynosi czynsz?"]):
        run(command)
        printed = capsys.readouterr()
        assert not {"\x1b", "\x07", "\u202e"} & set(printed.out + printed.err)


def test_a_command_that_is_stopped_says_so_in_json_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: Corpus) -> CorpusStatus:
        raise KeyboardInterrupt  # as Ctrl+C does, at a moment the test can choose

    monkeypatch.setattr(Corpus, "status", stop)
    code, value = reply(capsys, "status")
    assert (code, value["kind"]) == (1, "error")
    assert "stopped" in value["message"]


def test_no_hint_names_a_verb_that_is_not_there() -> None:
    package = Path(sys.modules["cytat"].__file__ or "").parent
    named = {
        verb
        for module in package.rglob("*.py")
        for verb in re.findall(r"`cytat ([a-z]+)", module.read_text("utf-8"))
    }
    assert named <= set(verbs.commands)


def test_in_a_locale_without_letters_an_answer_from_a_file_with_letters_is_given(
    tmp_path: Path,
) -> None:
    (tmp_path / "żółw.md").write_text("# Żółw\n\nDorosły żółw waży 4 kg.\n", "utf-8")
    plain = {**os.environ, "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    call = [sys.executable, "-m", "cytat", "--corpus", str(tmp_path / "c.db")]
    fake = {"CYTAT_EMBEDDER": "fake"}
    subprocess.run([*call, "add", str(tmp_path)], check=True, env=os.environ | fake)
    asked = subprocess.run(
        [*call, "ask", "Ile waży żółw?"],
        check=False, capture_output=True, env=plain | fake,
    )  # fmt: skip
    assert b"internal error" not in asked.stderr
    assert asked.returncode in {0, 3}


def test_a_question_can_be_given_on_standard_input(tmp_path: Path) -> None:
    (tmp_path / "hala.md").write_text("# Klucze\n\nKlucz do hali wydaje portier.\n", "utf-8")
    call = [sys.executable, "-m", "cytat", "--corpus", str(tmp_path / "c.db")]
    fake = os.environ | {"CYTAT_EMBEDDER": "fake"}
    subprocess.run([*call, "add", str(tmp_path)], check=True, env=fake)
    asked = subprocess.run(
        [*call, "ask", "-", "--json"],
        check=False, capture_output=True, env=fake, input=b"Kto wydaje klucz do hali?\n",
    )  # fmt: skip
    assert json.loads(asked.stdout)["question"].strip() == "Kto wydaje klucz do hali?"


def test_coverage_is_of_the_documents_that_a_filter_keeps_and_is_said_with_refusals_alone(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.md").write_text("# Przystań\n\nPostój w przystani kosztuje 39 zł.\n", "utf-8")
    (tmp_path / "b.md").write_text("# Hala\n\nHala jest otwarta w soboty.\n", "utf-8")
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.4 damaged")
    with Corpus.open(tmp_path / "c.db", settings=Settings(embedder="fake")) as corpus:
        corpus.add(tmp_path)
        answer = corpus.ask("Ile kosztuje postój w przystani?")
        refusal = corpus.ask("Xylofon Zebrazebra?")
        filtered = corpus.ask("Xylofon Zebrazebra?", where="source=a.md")
    assert isinstance(answer, Answer)
    assert not [note for note in answer.notes if "odczytać" in note]
    assert isinstance(refusal, Refusal)
    assert (refusal.coverage.documents, refusal.coverage.failed) == (3, 1)
    assert [note for note in refusal.notes if "odczytać" in note or "could not be read" in note]
    assert isinstance(filtered, Refusal)
    assert (filtered.coverage.documents, filtered.coverage.failed) == (1, 0)
