"""Drafts as models really write them."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cytat.grounding import DraftParser, parse_draft, without_unsaid


def said(draft: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(statement.text, statement.markers) for statement in parse_draft(draft)]


# case ANS-02
@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("[1, 2]", (1, 2)),
        ("[1][3]", (1, 3)),
        ("[1] [3]", (1, 3)),
        ("[1;3]", (1, 3)),
        ("[1-3]", (1, 2, 3)),
        ("[1–3, 5]", (1, 2, 3, 5)),
        ("[1 and 2]", (1, 2)),
        ("[1 i 2]", (1, 2)),
        ("【2†source】", (2,)),
        ("【2†L1-L3】", (2,)),
        ("[^3]", (3,)),
        ("[[2]]", (2,)),
        ("[#2]", (2,)),
        ("[Source 2]", (2,)),
        ("[source: 2]", (2,)),
        ("[Sources 1, 2]", (1, 2)),
        ("[źródło 1]", (1,)),
        ("[Źródła 1 i 3]", (1, 3)),
        ("[Doc 1]", (1,)),
        ("[Doc. 1, Doc. 2]", (1, 2)),
        ("[passage 4]", (4,)),
        ("(Source 1)", (1,)),
        ("(źródło 2)", (2,)),
        ("[1, p. 3]", (1,)),
        ("[2](https://example.org/a)", (2,)),
        ("<sup>1</sup>", (1,)),
        ("¹", (1,)),
        ("¹²", (1, 2)),
        ("¹,²", (1, 2)),
    ],
)
def test_every_citation_style_is_read_and_taken_out(written: str, numbers: tuple[int, ...]) -> None:
    assert said(f"Kaucja wynosi dużo {written}.") == [("Kaucja wynosi dużo.", numbers)]
    assert said(f"Kaucja wynosi dużo. {written}") == [("Kaucja wynosi dużo.", numbers)]
    assert said(f"{written} Kaucja wynosi dużo.") == [("Kaucja wynosi dużo.", numbers)]


@pytest.mark.parametrize(
    "text",
    [
        "Punkt (1) umowy.",
        "W roku [2024] było inaczej.",
        "Lokal ma 45 m² łącznie.",
        "Zob. tablicę [a].",
    ],
)
def test_what_only_looks_like_a_citation_stays_text(text: str) -> None:
    assert said(text) == [(text, ())]


def test_each_statement_has_its_own_markers() -> None:
    draft = (
        "A [1, 2]. B [1][3]. C 【2†source】. D [^3]. E [Source 2]. F [źródło 1]. G (1). H [1;3]."
    )
    markers = [markers for _, markers in said(draft)]
    assert markers == [(1, 2), (1, 3), (2,), (3,), (2,), (1,), (), (1, 3)]


def test_a_marker_after_the_stop_belongs_to_the_sentence_before() -> None:
    assert said("Kaucja jest duża.[1] Czynsz jest mały. [2]") == [
        ("Kaucja jest duża.", (1,)),
        ("Czynsz jest mały.", (2,)),
    ]


def test_a_marker_alone_on_a_line_belongs_to_the_line_before() -> None:
    assert said("Kaucja jest duża.\n[1]\nCzynsz jest mały.\n[2]") == [
        ("Kaucja jest duża.", (1,)),
        ("Czynsz jest mały.", (2,)),
    ]


def test_clauses_with_markers_of_their_own_are_statements_of_their_own() -> None:
    assert said("Kaucja wynosi 4300 zł [7], a czynsz 9999 zł [2].") == [
        ("Kaucja wynosi 4300 zł", (7,)),
        ("a czynsz 9999 zł.", (2,)),
    ]


def test_an_enumeration_of_words_stays_one_statement() -> None:
    assert said("Kaucja [1], czynsz [2] i media [3] są płatne z góry.") == [
        ("Kaucja, czynsz i media są płatne z góry.", (1, 2, 3))
    ]


def test_abbreviations_and_numbers_do_not_end_a_statement() -> None:
    text = "Zgodnie z art. 43 ust. 1 pkt 2 od 12.09.2025 r. jest to 1.230,00 zł, np. za m.in. rok."
    assert said(text + " [1]") == [(text, (1,))]


def test_bullets_numbers_headings_and_emphasis_are_taken_off() -> None:
    draft = "## Opłaty\n\n- **Kaucja**: dużo [1]\n* Czynsz: mało [2]\n1. Media osobno [3].\n"
    assert said(draft) == [
        ("Kaucja: dużo", (1,)),
        ("Czynsz: mało", (2,)),
        ("Media osobno.", (3,)),
    ]


def test_a_table_row_is_a_statement() -> None:
    draft = "| Opłata | Kwota |\n|---|---|\n| Kaucja | 4300 zł [1] |\n| Czynsz | 2150 zł [2] |\n"
    assert said(draft)[1:] == [("Kaucja | 4300 zł", (1,)), ("Czynsz | 2150 zł", (2,))]


# case ANS-06
@pytest.mark.parametrize(
    "draft",
    [
        "<think>może [2]?</think>Kaucja 4300 zł [1].",
        "bez otwarcia… [3] </think>Kaucja 4300 zł [1].",
        "<THINK>\n<think>a</think>\n</THINK>Kaucja 4300 zł [1].",
        "Myślę. Dalej myślę [2].\n</think>\n\nKaucja 4300 zł [1].",
        "<thinking>może</thinking> Kaucja 4300 zł [1].<think>gotowe [2]",
    ],
)
def test_reasoning_is_no_part_of_the_draft(draft: str) -> None:
    assert said(draft) == [("Kaucja 4300 zł.", (1,))]


def test_reasoning_that_never_ends_leaves_no_draft() -> None:
    assert said("<think>urwane myślenie [3]") == []


def test_a_tag_that_is_quoted_is_text() -> None:
    assert said('Znacznik "<think>" otwiera tok myśli [1].') == [
        ('Znacznik "<think>" otwiera tok myśli.', (1,))
    ]
    assert said("Tag `</think>` zamyka go [1].") == [("Tag `</think>` zamyka go.", (1,))]


# case ANS-14
def test_a_marker_in_pieces_is_read_once_and_a_torn_one_is_dropped() -> None:
    parser = DraftParser()
    pieces = ["Kaucja 4300 zł [", "1", "].", " Dalej [2"]
    events = [event for piece in pieces for event in parser.feed(piece)]
    assert [(one.text, one.markers) for one in without_unsaid(events)] == [
        ("Kaucja 4300 zł.", (1,))
    ]
    assert [(one.text, one.markers) for one in without_unsaid(parser.finish())] == [("Dalej", ())]


@pytest.mark.parametrize(
    "torn", ["[", "[2", "[2,", "[2, 3", "【2†sou", "[Source", "[Source 2", "[^"]
)
def test_no_torn_marker_is_left_as_text(torn: str) -> None:
    assert said(f"Kaucja 4300 zł [1]. Dalej {torn}") == [("Kaucja 4300 zł.", (1,)), ("Dalej", ())]


def test_a_statement_is_given_out_before_the_draft_has_ended() -> None:
    parser = DraftParser()
    assert without_unsaid(parser.feed("Kaucja 4300 zł [1]. Czynsz")) != []


@pytest.mark.parametrize("sign", ["NO_ANSWER", "NO_ANSWER.", "**NO_ANSWER**", "\n NO_ANSWER\n"])
def test_the_sign_for_no_answer_is_known(sign: str) -> None:
    (statement,) = parse_draft(sign)
    assert statement.is_no_answer


PIECES = [
    "Kaucja wynosi 4300 zł",
    "art. 43 ust. 1",
    " [1]",
    "[2, 3]",
    "【1†source】",
    "[^2]",
    "¹²",
    " m²",
    "(Source 1)",
    "(1)",
    "[2024]",
    ". ",
    ".",
    "\n",
    "\n\n",
    "- ",
    "1. ",
    "| a | b [1] |",
    "<think>",
    "</think>",
    "</THINK>",
    '"<think>"',
    "[",
    "]",
    "[1",
    "<",
    "<thi",
    "…",
    "? ",
    "Dalej",
    " a ",
    ", ",
    "**",
    "](http://x.pl/a)",
    "NO_ANSWER",
    "# T",
    "12.09.2025",
    "zł",
    "😀",
    "\r\n",
    "[Source",
    " 2]",
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14), st.data())
@example(["Kaucja 4300 zł [", "1", "].", " Dalej [2"], None)
def test_a_draft_means_the_same_however_it_is_split(
    pieces: list[str], data: st.DataObject | None
) -> None:
    text = "".join(pieces)
    whole = parse_draft(text)
    for at in range(len(text) + 1):
        assert _in_pieces(text, [at]) == whole
    assert _in_pieces(text, range(len(text))) == whole
    if data is not None:
        cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=5))
        assert _in_pieces(text, sorted(cuts)) == whole


def _in_pieces(text: str, cuts: list[int] | range) -> list[object]:
    parser, at, events = DraftParser(), 0, []
    for cut in [*cuts, len(text)]:
        events.extend(parser.feed(text[at:cut]))
        at = cut
    events.extend(parser.finish())
    return list(without_unsaid(events))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_no_text_is_too_odd_to_be_a_draft(text: str) -> None:
    assert _in_pieces(text, range(len(text))) == parse_draft(text)
