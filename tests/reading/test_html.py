"""HTML: what a person reads of a page, in order, and what is left out of it."""

import time

import pytest
from tests.reading.looking import headings, path_above, read, read_document, words_of

from cytat.errors import ReadingError
from cytat.records import BlockKind

PAGE = """<!DOCTYPE html><html lang="pl"><head><meta charset="utf-8"><title>Godziny otwarcia</title>
<meta name="author" content="MOSiR"><style>.nav{color:red} .x:before{content:"tekst stylu"}</style>
<script>var x="tekst skryptu 999";</script></head><body>
<nav><ul><li><a href="#">Strona główna</a></li><li><a href="#">Mapa serwisu</a></li></ul></nav>
<div id="cookie-banner">Używamy ciasteczek. Akceptuj wszystkie</div>
<main><article><header><h1>Basen Fala</h1></header><p>Basen jest czynny od 6:30 do 21:45.</p>
<ul><li>bilet ulgowy: 9 zł</li><li>bilet normalny: 16 zł</li></ul>
<table><tr><th>Tor</th><th>Grupa</th></tr><tr><td>3</td><td>masters | seniorzy</td></tr></table>
<p>Nie&shy;dziela: nie&shy;czynne&nbsp;do&nbsp;10:00.</p></article></main>
<noscript>Włącz skrypty</noscript><footer>Copyright Fala 2020. Polityka prywatności</footer>
</body></html>"""


def test_scripts_styles_and_navigation_are_left_out_and_counted() -> None:
    # case HTML-01
    document = read(PAGE, "a.html")
    for left_out in ("999", "stylu", "var x", "Akceptuj", "Mapa", "Polityka", "Włącz"):
        assert left_out not in document.text
    assert document.ledger.left_out == 4  # nav, cookie bar, noscript, footer; the head is no part


def test_headings_lists_and_tables_of_the_article_are_kept() -> None:
    # case HTML-02
    document = read(PAGE, "a.html")
    assert headings(document) == ["Basen Fala"]
    assert words_of(document, BlockKind.LIST) == ["- bilet ulgowy: 9 zł\n- bilet normalny: 16 zł"]
    assert words_of(document, BlockKind.TABLE) == ["Tor | Grupa\n3 | masters | seniorzy"]
    assert path_above(document, "bilet ulgowy") == ("Basen Fala",)


def test_title_author_and_language_are_told() -> None:
    document = read(PAGE, "a.html")
    assert document.title == "Godziny otwarcia"
    told = {"author": "MOSiR", "language": "pl", "encoding": "utf-8"}
    assert document.metadata.items() >= told.items()


def test_soft_hyphens_and_no_break_spaces_stay() -> None:
    assert "Nie\xaddziela: nie\xadczynne\xa0do\xa010:00." in read(PAGE, "a.html").text


@pytest.mark.parametrize(
    "meta",
    [
        '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">',
        '<meta charset="iso-8859-2">',
        "<META CHARSET=ISO-8859-2>",
    ],
)
def test_the_meta_tag_tells_the_encoding(meta: str) -> None:
    # case HTML-04
    page = f"<html><head>{meta}</head><body><p>Wójt ogłosił, że śnieg usuwa się.</p></body></html>"
    document = read_document(page.encode("iso-8859-2"), source="a.html")
    assert document.text == "Wójt ogłosił, że śnieg usuwa się."
    assert document.metadata["encoding"] == "iso-8859-2"


def test_a_wrong_or_unknown_meta_tag_is_not_believed() -> None:
    for meta in ("utf-8", "x-unknown", "utf-7", "unicode_escape"):
        page = f"<meta charset={meta}><p>Ściągnięcie zaległości w święta.</p>"
        document = read_document(page.encode("cp1250"), source="a.html")
        assert document.text == "Ściągnięcie zaległości w święta."


def test_text_is_never_glued_and_never_torn() -> None:
    document = read(
        "<div>one<div>two</div>three</div><p>f<b>o</b>ur<br>five</p><table><tr><td>six<td>"
        "<p>seven</p><p>eight</p></table>nine<img src=x>ten<span> eleven</span>",
        "a.html",
    )
    assert document.text == (
        "one\n\ntwo\n\nthree\n\nfour\nfive\n\nsix | seven eight\n\nnineten eleven"
    )


def test_white_space_of_code_is_kept() -> None:
    document = read("<p>Run</p><pre><code>if x:\n    y()\n\n  z()</code>\n</pre><p>End", "a.html")
    assert words_of(document, BlockKind.CODE) == ["if x:\n    y()\n\n  z()"]


def test_nested_lists_definitions_and_quotes_read_well() -> None:
    document = read(
        "<ol><li>one<ul><li>a<li><p>b</p></ul><li>two</ol><dl><dt>term<dd>meaning</dl>"
        "<blockquote><p>quoted</blockquote><details><summary>More</summary>hidden away</details>"
        "<figure><img><figcaption>A picture</figcaption></figure>",
        "a.html",
    )
    assert document.text == (
        "1. one\n  - a\n  - b\n2. two\n\n- term – meaning\n\nquoted\n\n"
        "More\n\nhidden away\n\nA picture"
    )


def test_a_table_that_arranges_a_page_is_no_table() -> None:
    document = read(
        "<table><tr><td><h2>Left</h2><p>text</p></td>"
        "<td><table><tr><td>1<td>2</table></td></table>",
        "a.html",
    )
    assert headings(document) == ["Left"]
    assert words_of(document, BlockKind.TABLE) == ["1 | 2"]


def test_hidden_elements_are_left_out() -> None:
    document = read(
        '<p hidden>one</p><p aria-hidden="true">two</p><p style="display: none">three</p><p>four',
        "a.html",
    )
    assert document.text == "four"
    assert document.ledger.left_out == 3


def test_rules_that_would_drop_most_of_a_page_are_not_applied() -> None:
    document = read(f"<aside><p>{'A long story. ' * 40}</p></aside><p>End.</p>", "a.html")
    assert "A long story." in document.text
    assert "End." in document.text


def test_the_link_of_a_heading_to_itself_is_no_part_of_it() -> None:
    document = read('<h2>Options<a class="x" href="#o">¶</a></h2><p>All.', "a.html")
    assert path_above(document, "All.") == ("Options",)


def test_an_article_opens_a_paragraph_of_html() -> None:
    document = read("<h1>Ustawa</h1><p>Art. 43. 1. Zwalnia się.</p><p>2. Inne.</p>", "a.html")
    assert path_above(document, "Zwalnia") == ("Ustawa", "Art. 43", "ust. 1")
    assert path_above(document, "Inne") == ("Ustawa", "Art. 43", "ust. 2")


def test_an_empty_script_element_of_xhtml_does_not_swallow_the_page() -> None:
    document = read(
        '<?xml version="1.0"?><html><head><script src="a.js"/><title/></head>'
        "<body><p>Here.</p></body></html>",
        "a.xhtml",
    )
    assert document.text == "Here."


def test_a_page_that_only_scripts_fill_has_no_text() -> None:
    with pytest.raises(ReadingError) as refused:
        read("<html><body><div id=app></div><script>run()</script></body></html>", "a.html")
    assert refused.value.code == "no-text"


@pytest.mark.parametrize("tag", ["div", "b", "table><tr><td", "ul><li", "a href=x", "blockquote"])
def test_absurdly_deep_pages_are_read_quickly_and_named(tag: str) -> None:
    began = time.process_time()
    document = read(f"<{tag}>" * 8_000 + "deep down", "a.html")
    assert "deep down" in document.text
    assert [problem.code for problem in document.ledger.problems] == ["nested-too-deep"]
    # Parsing without the limit takes minutes; this is a bound, not a measurement.
    assert time.process_time() - began < 30


def test_content_counts_for_more_than_the_name() -> None:
    assert read("<!-- x -->\n<!DOCTYPE html><p>Hello", "page.txt").media_type == "text/html"
    assert read("Plain &amp; simple", "a.txt").text == "Plain &amp; simple"


def test_a_block_has_the_nearest_id_at_or_before_it() -> None:
    document = read(
        '<p>none</p><h2 id="cost">Cost</h2><p>9 zł</p><p><a name="late"></a>Late fee</p>'
        '<ul><li id="one">one<li id="two">two</ul><p>after',
        "a.html",
    )
    assert [(block.span.of(document.text), block.anchor) for block in document.blocks] == [
        ("none", None),
        ("Cost", "cost"),
        ("9 zł", "cost"),
        ("Late fee", "late"),
        ("- one\n- two", "one"),
        ("after", "two"),
    ]


def test_cells_that_span_rows_or_columns_are_read_in_each_of_them() -> None:
    document = read(
        "<table><tr><th>Year<th colspan=2>Visitors</tr><tr><td rowspan=2>2025<td>May<td>9</tr>"
        "<tr><td>June<td>12</tr><tr><td colspan=3>Counted at the gate</table>",
        "a.html",
    )
    assert document.text == (
        "Year | Visitors | Visitors\n2025 | May | 9\n2025 | June | 12\nCounted at the gate"
    )


def test_a_cell_that_spans_the_last_column_ends_the_rows_below() -> None:
    document = read(
        "<table><tr><td>a<td rowspan=3>all</tr><tr><td>b</tr><tr><td>c</table>", "a.html"
    )
    assert document.text == "a | all\nb | all\nc | all"


def test_numbers_of_a_list_are_those_a_browser_shows() -> None:
    document = read(
        '<ol start="3"><li>c<li value="7">g<li>h</ol><ol type="a"><li>x<li>y</ol>'
        '<ol type="I" start="4"><li>z<li>w</ol><ol start="odd"><li>one</ol>',
        "a.html",
    )
    assert document.text == "3. c\n7. g\n8. h\n\na. x\nb. y\n\nIV. z\nV. w\n\n1. one"


def test_raised_and_lowered_signs_stay_apart_from_the_figures() -> None:
    document = read(
        "<p>120 m<sup>2</sup>, H<sub>2</sub>O, 10<sup>-3</sup>, 5<sup>th</sup>", "a.html"
    )
    assert document.text == "120 m², H₂O, 10⁻³, 5th"


def test_a_tag_of_a_hundred_thousand_attributes_loses_them_and_is_named() -> None:
    names = " ".join(f"a{number}" for number in range(100_000))
    document = read(f"<div><p {names}>Here.</p><p id=x>There.</p></div>", "a.html")
    assert document.text == "Here.\n\nThere."
    assert [problem.code for problem in document.ledger.problems] == ["absurd-tag"]


def test_one_long_value_is_no_absurd_tag() -> None:
    document = read(f'<p id="here" data-x="{"a b " * 20_000}">Words.</p>', "a.html")
    assert document.blocks[0].anchor == "here"
    assert document.ledger.problems == ()


def test_links_that_stand_around_an_article_are_left_out_and_named() -> None:
    document = read(
        f"""<a class="mw-jump-link" href="#c">Jump to content</a>
        <div id="p-lang-btn" class="vector-dropdown"><ul><li>Polski<li>Deutsch</ul></div>
        <h2>History<span class="mw-editsection">[<a>edit</a>]</span></h2><p>{STORY}
        <ol><li><span class="mw-cite-backlink">^ <a>a</a></span> Source of 1923.</ol>
        <div role="navigation" class="navbox">Flags of the world</div>
        <div class="catlinks">Categories: Flags</div>
        <div class="printfooter">Retrieved from</div>""",
        "a.html",
    )
    assert document.text == f"History\n\n{STORY}\n\n1. Source of 1923."
    assert document.metadata["left-out"] == (
        "menus (63 characters), footers (14 characters), "
        "links to edit or to other languages (9 characters)"
    )
    assert document.ledger.problems == ()


def test_words_of_controls_and_embedded_pieces_are_counted_and_scripts_are_not() -> None:
    document = read(
        f"""<p>{STORY}<script>var a = 1</script><style>p {{}}</style><noscript>Switch on</noscript>
        <svg><text>Rents rose</text></svg><textarea>The licence</textarea>""",
        "a.html",
    )
    assert document.text == STORY
    assert document.metadata["left-out"] == "controls and embedded pieces (30 characters)"


def test_notices_shares_and_related_pages_of_a_news_page_are_left_out() -> None:
    document = read(
        f"""<div class="cookie-banner">We use cookies.</div><div class="share">Share this</div>
        <article><h1>Rents</h1><p>{STORY}</article>
        <section class="related-articles"><h2>Read also</h2><a>Houses</a></section>
        <div class="advertisement">Buy a boat.</div>""",
        "a.html",
    )
    assert document.text == f"Rents\n\n{STORY}"


def test_a_list_of_sources_and_comments_are_content() -> None:
    page = (
        f"<p>{STORY}<ol class='references'><li>A source.</ol><div class='comments'>I agree.</div>"
    )
    assert read(page, "a.html").text == f"{STORY}\n\n1. A source.\n\nI agree."


def test_what_a_picture_shows_is_a_paragraph_where_it_breaks_no_sentence() -> None:
    document = read(
        "<figure><img alt='A bar chart of rents by year'><figcaption>Rents</figcaption></figure>"
        "<p>See <img alt='A small arrow to the right'> below.<p><img alt='logo'>Text.",
        "a.html",
    )
    assert document.text == "A bar chart of rents by year\n\nRents\n\nSee below.\n\nText."
    assert document.ledger.left_out == 2


def test_a_formula_is_read_as_its_author_wrote_it_though_a_picture_stands_in_its_place() -> None:
    document = read(
        "<p>Energy is <span style='display: none'><math alttext='E = mc^2'><mi>E</mi>"
        "<annotation>E=mc</annotation></math></span>"
        "<img aria-hidden='true' alt='E = mc^2'>, says he.",
        "a.html",
    )
    assert document.text == "Energy is E = mc^2 , says he."


def test_items_without_words_leave_no_sign() -> None:
    assert (
        read("<ul><li>One<li></li><li>Two<li></ul><p>End.", "a.html").text == "- One\n- Two\n\nEnd."
    )


def test_what_a_search_in_the_page_opens_is_read() -> None:
    assert read("<p>One.<p hidden='until-found'>Two.", "a.html").text == "One.\n\nTwo."


STORY = "The district council raised the rents of the houses by the harbour in March. " * 8
STORY = STORY.strip()
