"""Whole commands: what stands on stdout, what on stderr, and the exit code."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cytat.surfaces.cli.commands import run

LEASE = """# Umowa najmu

## Czynsz

Czynsz wynosi 2150 zł miesięcznie i jest płatny z góry do dziesiątego dnia każdego miesiąca
na rachunek bankowy wynajmującego; o zwłoce dłuższej niż siedem dni zawiadamia się na piśmie.

## Kaucja

Kaucja wynosi 4300 zł i jest zwracana w terminie miesiąca od dnia opuszczenia lokalu,
po potrąceniu należności wynajmującego, które wynikają z protokołu zdania mieszkania.
"""
INVOICES = "Faktura FV/2025/09/0143 z dnia 9.09.2025 na kwotę 1 230,00 zł.\n"


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.out.endswith("\n")
        assert self.out.count("\n") == 1, "more than one line stands on stdout"
        return json.loads(self.out)


Cli = Callable[..., Done]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs commands in a folder of their own, with the encoder that needs no model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CYTAT_EMBEDDER", "fake")

    def command(*arguments: str) -> Done:
        code = run(arguments)
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return command


@pytest.fixture
def office(cli: Cli, tmp_path: Path) -> Cli:
    """A corpus of two documents in ./cytat.db."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "umowa.md").write_text(LEASE, "utf-8")
    (tmp_path / "docs" / "faktury.txt").write_text(INVOICES, "utf-8")
    assert cli("add", "docs").code == 0
    return cli


def test_add_names_what_it_did_and_a_second_add_finds_nothing_to_do(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "umowa.md").write_text(LEASE, "utf-8")
    first = cli("add", "umowa.md", "--json").json
    assert first["kind"] == "ingest-report"
    assert [outcome["source"] for outcome in first["added"]] == ["umowa.md"]
    assert first["added"][0]["ledger"]["parts"] == 1
    second = cli("add", "umowa.md", "--json").json
    assert second["added"] == second["updated"] == []
    assert [outcome["source"] for outcome in second["unchanged"]] == ["umowa.md"]


def test_add_of_a_folder_with_a_broken_file_indexes_the_others_and_exits_with_1(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.pdf").write_bytes(b"%PDF-1.7\nthis is not a document")
    (tmp_path / "docs" / "b.txt").write_text("Kod sejfu to 8843.", "utf-8")
    done = cli("add", "docs", "--json")
    assert done.code == 1
    assert [outcome["source"] for outcome in done.json["failed"]] == ["docs/a.pdf"]
    assert done.json["failed"][0]["hint"]
    assert [outcome["source"] for outcome in done.json["added"]] == ["docs/b.txt"]


def test_add_of_missing_paths_names_all_of_them_and_reads_nothing(cli: Cli) -> None:
    done = cli("add", "nowhere", "neither", "--json")
    assert done.code == 2
    assert done.json["kind"] == "error"
    assert "nowhere" in done.json["message"]
    assert "neither" in done.json["message"]


def test_search_returns_the_ranking_of_the_design(office: Cli) -> None:
    ranking = office("search", "wysokość kaucji", "--json").json
    assert ranking["kind"] == "ranking"
    assert ranking["format"] == 1
    first = ranking["hits"][0]
    assert first["rank"] == 1
    assert first["heading_path"] == ["Umowa najmu", "Kaucja"]
    assert first["text"] == LEASE[first["span"]["start"] : first["span"]["end"]]
    assert first["locator"]["kind"] == "heading"
    assert set(first["why"]) == {
        "words_rank",
        "words_score",
        "vectors_rank",
        "vectors_score",
        "rerank_score",
    }
    assert ranking["trace_id"]


def test_search_for_an_identifier_finds_it_and_nothing_else(office: Cli) -> None:
    ranking = office("search", "FV/2025/09/0143", "--json").json
    assert [hit["source"] for hit in ranking["hits"]] == ["docs/faktury.txt"]


def test_search_without_a_hit_is_done_all_the_same(office: Cli) -> None:
    done = office("search", "Zyxgar", "--mode", "words", "--json")
    assert done.code == 0
    assert done.json["hits"] == []


def test_search_keeps_to_a_filter(office: Cli) -> None:
    ranking = office("search", "zł", "--where", "type=txt", "--json").json
    assert {hit["source"] for hit in ranking["hits"]} == {"docs/faktury.txt"}
    assert office("search", "zł", "--where", "nonsense", "--json").code == 2


def test_a_filter_that_keeps_nothing_says_so_and_stands_in_the_trace(office: Cli) -> None:
    first = office("search", "zł", "--where", "type=pdf", "--json").json
    assert first["hits"] == []
    assert "type=pdf" in first["notes"][0]
    second = office("search", "zł", "--where", "language=de", "--json").json
    assert first["trace_id"] != second["trace_id"]
    stages = office("why", first["trace_id"], "--json").json["stages"]
    assert stages[0]["input"] == {"where": ["type=pdf"]}


@pytest.mark.parametrize("question", ["", "   ", "?", "---", "🙂", "\n"])
@pytest.mark.parametrize("verb", ["search", "ask"])
def test_an_empty_question_is_misuse_and_says_so(office: Cli, verb: str, question: str) -> None:
    done = office(verb, "--json", "--", question)
    assert done.code == 2
    assert "empty" in done.json["message"]
    assert done.json["code"] == "usage"


@pytest.mark.parametrize("depth", ["0", "-1"])
def test_a_depth_below_one_is_misuse(office: Cli, depth: str) -> None:
    assert office("search", "kaucja", f"--depth={depth}", "--json").code == 2


def test_ask_quotes_the_document_at_its_span(office: Cli) -> None:
    done = office("ask", "Ile wynosi kaucja?", "--json")
    assert done.code == 0
    answer = done.json
    assert answer["kind"] == "answer"
    assert answer["generator"] == "quoting"
    citation = answer["citations"][0]
    assert "4300" in citation["quote"]
    start, end = citation["span"]["start"], citation["span"]["end"]
    assert LEASE[start:end] == citation["quote"]
    assert office("show", citation["source"], "--span", f"{start}:{end}").out == citation["quote"]
    assert f"[{citation['marker']}]" in answer["text"]
    assert not citation["stale"]


def test_a_streamed_answer_is_one_json_value_a_line_and_ends_with_the_whole(office: Cli) -> None:
    done = office("ask", "Ile wynosi kaucja?", "--stream", "--json")
    values = [json.loads(line) for line in done.out.splitlines()]
    assert [value["kind"] for value in values[-1:]] == ["answer"]
    assert [value["kind"] for value in values[:2]] == ["citation", "statement"]
    answer = values[-1]
    assert [v["text"] for v in values if v["kind"] == "statement"] == [
        statement["text"] for statement in answer["statements"]
    ]


def test_ask_about_what_is_not_there_is_refused_with_3(office: Cli) -> None:
    done = office("ask", "Jaki jest numer FV/2025/09/9999?", "--json")
    assert done.code == 3
    assert done.json["kind"] == "refusal"
    assert done.json["language"] == "pl"
    assert done.json["nearest"]
    assert done.json["coverage"] == {"documents": 2, "failed": 0, "unread_parts": 0}


def test_a_citation_of_a_file_that_changed_since_is_marked_stale(
    office: Cli, tmp_path: Path
) -> None:
    (tmp_path / "docs" / "umowa.md").write_text(LEASE.replace("4300", "9999"), "utf-8")
    citation = office("ask", "Ile wynosi kaucja?", "--json").json["citations"][0]
    assert citation["stale"]
    assert "4300" in citation["quote"]


def test_a_key_alone_calls_nobody(office: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert office("ask", "Ile wynosi kaucja?", "--json").json["generator"] == "quoting"


def test_a_model_without_a_server_is_an_error_that_names_the_remedy(office: Cli) -> None:
    done = office("ask", "Ile wynosi kaucja?", "--model", "qwen", "--json")
    assert done.code == 2
    assert "--base-url" in done.json["hint"]


def test_show_prints_the_text_verbatim_and_nothing_else(office: Cli) -> None:
    assert office("show", "umowa.md").out == LEASE
    assert office("show", "umowa.md", "--span", "2:13").out == "Umowa najmu"


def test_show_refuses_a_span_outside_the_document(office: Cli) -> None:
    done = office("show", "umowa.md", "--span", "0:100000", "--json")
    assert done.code == 2
    assert f"0:{len(LEASE)}" in done.json["hint"]
    assert office("show", "umowa.md", "--span", "5:2", "--json").code == 2
    assert office("show", "umowa.md", "--page", "1", "--json").code == 2


def test_show_of_an_unknown_source_names_the_nearest(office: Cli) -> None:
    done = office("show", "umowy.md", "--json")
    assert done.code == 1
    assert done.json["code"] == "source"
    assert "umowa.md" in done.json["hint"]


def test_show_lists_chunks_whose_text_is_the_documents(office: Cli) -> None:
    shown = office("show", "umowa.md", "--chunks", "--json").json
    assert shown["kind"] == "document"
    for chunk in shown["chunks"]:
        span = chunk["span"]
        assert LEASE[span["start"] : span["end"]] == chunk["text"]
    assert [chunk["heading_path"][-1] for chunk in shown["chunks"]] == ["Czynsz", "Kaucja"]


def test_chunks_are_printed_with_their_language_and_their_headings_once(office: Cli) -> None:
    printed = office("show", "umowa.md", "--chunks").out.splitlines()
    heads = [line for line in printed if line.startswith("── ")]
    assert len(heads) == 2
    assert heads[1].startswith("── 2  c")
    assert " tokens  pl  " in heads[1]
    assert heads[1].count("Kaucja") == 1


def test_why_shows_the_stages_of_the_last_question(office: Cli) -> None:
    asked = office("ask", "Ile wynosi kaucja?", "--json").json
    trace = office("why", "--json").json
    assert trace["id"] == asked["trace_id"]
    assert trace["question"] == "Ile wynosi kaucja?"
    names = [stage["name"] for stage in trace["stages"]]
    assert names == [
        *("analyse", "words", "embed", "vectors", "fuse"),
        *("survey", "retrieve", "gate", "generate", "ground"),
    ]
    assert all(stage["ms"] >= 0 for stage in trace["stages"])
    assert office("why", "no-such-trace", "--json").code == 1


def test_status_counts_what_the_index_holds(office: Cli) -> None:
    status = office("status", "--json").json
    assert status["kind"] == "status"
    assert {document["source"] for document in status["documents"]} == {
        "docs/umowa.md",
        "docs/faktury.txt",
    }
    assert {document["state"] for document in status["documents"]} == {"indexed"}
    assert status["totals"]["documents"] == 2
    assert status["stamp"]["embedder"] == "fake"


def test_remove_takes_a_document_out_of_every_list(office: Cli) -> None:
    removed = office("remove", "umowa.md", "--purge", "--json").json
    assert [outcome["source"] for outcome in removed["removed"]] == ["docs/umowa.md"]
    hits = office("search", "kaucja", "--json").json["hits"]
    assert {hit["source"] for hit in hits} <= {"docs/faktury.txt"}
    assert office("remove", "umowa.md", "--json").code == 1


def test_a_removed_document_leaves_no_words_in_the_file(office: Cli, tmp_path: Path) -> None:
    assert b"Kaucja" in (tmp_path / "cytat.db").read_bytes() + (
        (tmp_path / "cytat.db-wal").read_bytes() if (tmp_path / "cytat.db-wal").exists() else b""
    )
    office("search", "kaucja")
    assert office("remove", "umowa.md", "--purge").code == 0
    left = b"".join(path.read_bytes() for path in tmp_path.glob("cytat.db*"))
    assert b"kaucj" not in left.lower()


def test_a_missing_corpus_is_an_error_that_says_how_to_make_one(cli: Cli) -> None:
    for verb in (["search", "kaucja"], ["ask", "kaucja"], ["status"], ["show", "a"], ["why"]):
        done = cli(*verb, "--json")
        assert done.code == 1
        assert done.json["code"] == "corpus-missing"
        assert "cytat add" in done.json["hint"]


def test_another_embedder_is_refused_and_words_go_on(
    office: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDINGS_MODEL", "another")  # the fake takes its name from it
    done = office("search", "kaucja", "--json")
    assert done.code == 1
    assert done.json["code"] == "vector-space"
    by_words = office("search", "kaucja", "--mode", "words", "--json")
    assert by_words.code == 0
    assert by_words.json["hits"]


def test_an_unknown_embedder_names_the_known_ones(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("tekst", "utf-8")
    done = cli("add", "a.txt", "--embedder", "e6", "--json")
    assert done.code == 2
    assert "e5-small" in done.json["hint"]


def test_misuse_is_one_json_value_too(cli: Cli) -> None:
    for wrong in (["serch", "x"], ["search"], ["search", "x", "--depht", "3"], ["add"]):
        done = cli(*wrong, "--json")
        assert done.code == 2, wrong
        assert done.json["kind"] == "error"
        assert done.json["code"] == "usage"


def test_text_output_names_place_and_the_command_that_opens_it(office: Cli) -> None:
    done = office("ask", "Ile wynosi kaucja?")
    assert done.code == 0
    assert "docs/umowa.md" in done.out
    assert "cytat show docs/umowa.md --span" in done.out


@pytest.mark.parametrize("flag", [(), ("--json",)])
def test_doctor_shows_no_password_of_a_base_url(
    office: Cli, monkeypatch: pytest.MonkeyPatch, flag: tuple[str, ...]
) -> None:
    for name in ("OPENAI", "EMBEDDINGS"):
        monkeypatch.setenv(f"{name}_MODEL", "m")
        monkeypatch.setenv(f"{name}_BASE_URL", f"https://anna:tajne@{name.lower()}.example/v1")
    done = office("doctor", *flag)
    assert "https://embeddings.example/v1" in done.out
    assert "https://openai.example/v1" in done.out
    assert "tajne" not in done.out + done.err


def test_doctor_lists_what_may_be_contacted(office: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    done = office("doctor", "--json")
    assert done.code == 0
    assert done.json["contacts"] == []
    monkeypatch.setenv("OPENAI_MODEL", "m")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert office("doctor", "--json").json["contacts"] == ["http://127.0.0.1:9/v1"]
    monkeypatch.setenv("CYTAT_EMBEDER", "x")
    wrong = office("doctor", "--json")
    assert wrong.code == 1
    assert any("CYTAT_EMBEDER" in check["value"] for check in wrong.json["checks"])


def test_the_corpus_option_stands_before_or_after_the_verb(office: Cli, tmp_path: Path) -> None:
    (tmp_path / "cytat.db").rename(tmp_path / "other.db")
    assert office("--corpus", "other.db", "status").code == 0
    assert office("status", "--corpus", "other.db").code == 0


def test_demo_indexes_a_folder_and_shows_an_answer_and_a_refusal(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "umowa.md").write_text(LEASE, "utf-8")
    monkey = cli(
        "demo", "docs", "--question", "Ile wynosi kaucja?", "--question", "FV/1/9999", "--json"
    )
    assert monkey.code == 0
    assert [reply["kind"] for reply in monkey.json["replies"]] == ["answer", "refusal"]
