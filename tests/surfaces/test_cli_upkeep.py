"""Whole commands of upkeep: what stands on stdout, and the exit code."""

from pathlib import Path

import pytest
from tests.surfaces.test_cli import LEASE, Cli, cli, office

from cytat.corpus import checking
from cytat.ingestion import preparing, reindexing
from cytat.records import PIPELINE

__all__ = ["cli", "office"]


@pytest.fixture
def half_way(office: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The corpus of the office, with a reindex to another encoder that was stopped."""

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(reindexing._Run, "switch_if_complete", stop)
        patched.setenv("EMBEDDINGS_MODEL", "next")  # the fake takes its name from it
        stopped = office("reindex")
        assert stopped.code == 1
        assert "stopped" in stopped.err
    return office


def test_reindex_reports_like_add(office: Cli) -> None:
    report = office("reindex", "--json").json
    assert report["kind"] == "ingest-report"
    assert [outcome["source"] for outcome in report["unchanged"]] == [
        "docs/faktury.txt",
        "docs/umowa.md",
    ]


def test_reindex_with_other_chunks_cuts_again(office: Cli) -> None:
    before = office("status", "--json").json["totals"]["chunks"]
    assert office("reindex", "--chunk-tokens", "16").code == 0
    assert office("status", "--json").json["totals"]["chunks"] > before


def test_reindex_without_a_corpus_says_how_to_make_one(cli: Cli) -> None:
    for verb in (["reindex"], ["verify"], ["backup", "b.db"], ["export", "out"]):
        done = cli(*verb, "--json")
        assert (done.code, done.json["code"]) == (1, "corpus-missing")


def test_reindex_names_files_that_are_gone_and_exits_with_1(office: Cli, tmp_path: Path) -> None:
    (tmp_path / "docs" / "umowa.md").unlink()
    done = office("reindex", "--json")
    assert done.code == 1
    assert [outcome["source"] for outcome in done.json["failed"]] == ["docs/umowa.md"]
    assert office("show", "umowa.md").out == LEASE


def test_what_the_refusal_of_another_embedder_advises_works(
    office: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDINGS_MODEL", "next")
    refused = office("search", "kaucja", "--json")
    assert "cytat reindex" in refused.json["hint"]
    assert office("reindex").code == 0
    assert office("search", "kaucja", "--mode", "vectors", "--json").code == 0
    assert office("status", "--json").json["stamp"]["embedder"] == "fake:next"
    assert office("verify", "--full").code == 0


def test_searches_and_answers_say_that_a_reindex_is_half_way(half_way: Cli) -> None:
    for verb in ("search", "ask"):
        found = half_way(verb, "How much is the deposit?", "--json").json
        note = "A reindex to fake:next is unfinished: run `cytat reindex` to finish it."
        assert note in found["notes"]
    assert half_way("status", "--json").json["stamp"]["embedder"] == "fake"


def test_a_search_says_that_another_version_made_a_document_until_it_is_reindexed(
    office: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(preparing, "PIPELINE", PIPELINE - 1)
        earlier.setattr(checking, "PIPELINE", PIPELINE - 1)
        assert office("reindex").code == 0
    for verb in ("search", "ask"):
        notes = office(verb, "How much is the deposit?", "--json").json["notes"]
        (note,) = [one for one in notes if "another version of cytat" in one]
        assert note.endswith("run `cytat reindex`.")
    assert office("reindex").code == 0
    found = office("search", "How much is the deposit?", "--json").json
    assert not [one for one in found["notes"] if "another version" in one]


def test_a_reindex_that_was_stopped_is_finished_by_the_next(
    half_way: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDINGS_MODEL", "next")
    assert half_way("reindex").code == 0
    found = half_way("search", "kaucja", "--json").json
    assert not [note for note in found["notes"] if "half way" in note]
    assert half_way("status", "--json").json["stamp"]["embedder"] == "fake:next"


def test_verify_passes_a_sound_corpus_and_names_the_damaged_document(
    office: Cli, tmp_path: Path
) -> None:
    sound = office("verify", "--full", "--json")
    assert sound.code == 0
    assert sound.json["kind"] == "verify"
    assert {check["ok"] for check in sound.json["checks"]} == {True}
    content = (tmp_path / "cytat.db").read_bytes()
    assert content.count("4300 zł".encode()) == 1
    (tmp_path / "cytat.db").write_bytes(content.replace("4300 zł".encode(), "4800 zł".encode()))
    damaged = office("verify", "--json")
    assert damaged.code == 1
    wrong = [check for check in damaged.json["checks"] if not check["ok"]]
    assert any("docs/umowa.md" in check["value"] and check["hint"] for check in wrong)
    assert office("reindex").code == 0
    assert office("verify", "--full").code == 0
    assert office("show", "umowa.md").out == LEASE


def test_a_backup_is_made_verified_and_not_replaced(office: Cli, tmp_path: Path) -> None:
    made = office("backup", "b.db", "--json")
    assert made.code == 0
    assert made.json["kind"] == "backup"
    assert made.json["documents"] == 2
    assert office("verify", "--backup", "b.db").code == 0
    assert office("backup", "b.db", "--json").code == 2
    assert office("backup", "b.db", "--force").code == 0
    assert office("--corpus", "b.db", "show", "umowa.md").out == LEASE
    (tmp_path / "b.db").write_bytes((tmp_path / "b.db").read_bytes() + b"\0")
    damaged = office("verify", "--backup", "b.db", "--json")
    assert damaged.code == 1
    assert damaged.json["checks"][0]["name"] == "hash"


def test_export_fills_an_empty_folder_once(office: Cli, tmp_path: Path) -> None:
    written = office("export", "out", "--json")
    assert written.code == 0
    assert written.json["kind"] == "export"
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *written.json["files"],
        "texts",
    }
    assert office("export", "out", "--json").code == 2


def test_text_output_of_upkeep_fits_people(office: Cli) -> None:
    assert "ok  text: ok" in office("verify").out
    assert "2 documents" in office("backup", "b.db").out
    assert "2 texts" in office("export", "out").out
