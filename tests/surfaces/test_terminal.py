"""What a terminal is shown: nothing that steers it, and times as one would say them."""

import io
import sys

import pytest

from cytat.records import (
    CorpusStatus,
    DocumentId,
    DocumentText,
    Progress,
    Span,
    Trace,
    TraceId,
    TraceStage,
    Version,
)
from cytat.surfaces.terminal import printing, progress
from cytat.surfaces.terminal.escaping import visible

HOSTILE = "Umowa\x1b]0;tytuł\x07 \x1b[2J\u202egnp.exe\r\nkoniec\n"


class Screen(io.TextIOWrapper):
    """A stream that says it is a terminal, or that it is none."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="")
        self._is_terminal = is_terminal

    def isatty(self) -> bool:  # type: ignore[explicit-override]
        return self._is_terminal

    def shown(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


def shown(text: str) -> DocumentText:
    span = Span(0, len(text))
    return DocumentText("a.txt", DocumentId("a"), Version("v"), text, span, ())


def test_a_trace_is_told_in_figures_a_person_reads(capsys: pytest.CaptureFixture[str]) -> None:
    output = {
        "mean": 0.46142882108688354,
        "whole": 1.0,
        "refused": None,
        "compares_words": True,
        "words": {"vat": 1, "nearness": 0.84600001},
        "scores": [2.28051, 12.5],
        "notes": [],
    }
    printing.trace(
        Trace(
            TraceId("t1"), "ask", "Ile?", "2026-01-01T00:00", (TraceStage("gate", {}, output, 1),)
        )
    )
    told = capsys.readouterr().out
    assert [line.removeprefix("  → ") for line in told.splitlines() if "→" in line] == [
        "mean: 0.4614",
        "whole: 1",
        "refused: none",
        "compares_words: yes",
        "words: vat 1, nearness 0.846",
        "scores: 2.281, 12.5",
        "notes: none",
    ]


def test_the_totals_are_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    totals = {"documents": 2, "unread_parts": 3, "words": 4, "vectors": 5}
    printing.status(CorpusStatus((), totals, None, None))
    assert capsys.readouterr().out == (
        "2 documents · 3 parts without text · 4 in the words index · 5 with vectors\n"
    )


def test_a_document_shown_on_a_terminal_cannot_steer_it(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(is_terminal=True)
    monkeypatch.setattr(sys, "stdout", screen)
    printing.verbatim(shown(HOSTILE))
    assert screen.shown() == ("Umowa\\x1b]0;tytuł\\x07 \\x1b[2J\\u202egnp.exe\nkoniec\n")


def test_a_document_shown_to_a_pipe_is_verbatim(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = Screen(is_terminal=False)
    monkeypatch.setattr(sys, "stdout", pipe)
    printing.verbatim(shown(HOSTILE))
    assert pipe.shown() == HOSTILE


def test_a_name_of_several_lines_stands_on_one() -> None:
    assert visible("a\nb\u2028c\x1b[1m") == "a b c\\x1b[1m"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.4, "about 5 s left"),
        (62, "about 60 s left"),
        (91, "about 2 min left"),
        (3540, "about 59 min left"),
        (3600, "about 1 h 00 min left"),
        (9000, "about 2 h 30 min left"),
    ],
)
def test_the_time_that_is_left_is_said_as_a_person_would(seconds: float, said: str) -> None:
    assert progress.time_left(seconds) == said


def bar_of(*told: Progress, is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> str:
    screen = Screen(is_terminal=is_terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    with progress.progress_bar(quiet=False) as draw:
        for one in told:
            draw(one)
    return screen.shown()


def test_progress_is_drawn_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Progress(9, 3, 41, "umowy/\x1b[2Jnajem.pdf", share=0.25, seconds_left=300)
    drawn = bar_of(told, is_terminal=True, monkeypatch=monkeypatch)
    assert "25%" in drawn
    assert "3/9 · 41 chunks · about 5 min left · " in drawn
    assert "\x1b[2J" not in drawn
    assert bar_of(told, is_terminal=False, monkeypatch=monkeypatch) == ""


def test_a_time_that_is_not_known_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Progress(9, 3, 41, "a.txt", share=0.0, seconds_left=None)
    assert "left" not in bar_of(told, is_terminal=True, monkeypatch=monkeypatch)
