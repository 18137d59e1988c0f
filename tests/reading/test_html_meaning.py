"""HTML whose form has a meaning: definitions, struck words, raised indexes, notes, empty cells."""

import pytest
from tests.growth import grows_like_a_line
from tests.reading.looking import block_with, read, words_of

from cytat.records import BlockKind


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (
            "<dl><dt>Czynsz</dt><dd>2250 zł.</dd><dt>Kaucja</dt><dd>4400 zł.</dd></dl>",
            "- Czynsz – 2250 zł.\n- Kaucja – 4400 zł.",
        ),
        ("<dl><dt>Deposit:</dt><dd>400 EUR</dl>", "- Deposit: 400 EUR"),
        ("<dl><dt>-v<dt>--verbose<dd>says more</dl>", "- -v, --verbose – says more"),
        ("<dl><dt>bank<dd>of a river<dd>for money</dl>", "- bank – of a river – for money"),
        (
            "<dl><dt>A<dd><p>First.</p><p>Second.</p><dd>Third.<dt>B<dd>Last.</dl>",
            "- A – First.\nSecond.\nThird.\n- B – Last.",
        ),
        ("<dl><dt>A<dd><ul><li>x<li>y</ul><dt>B<dd></dl>", "- A\n  - x\n  - y\n- B"),
        ("<dl><div><dt>A</dt><dd>a</dd></div><div><dt>B</dt><dd>b</dd></div></dl>",
         "- A – a\n- B – b"),
        ("<ul><li>Terms<dl><dt>A<dd>a</dl></ul>", "- Terms\n  - A – a"),
        ("<dl><dd>a definition alone</dl>", "a definition alone"),
    ],
)  # fmt: skip
def test_a_term_and_its_definition_are_one_line(page: str, text: str) -> None:
    document = read(page, "a.html")
    assert document.text == text
    assert [block.kind for block in document.blocks] == [BlockKind.LIST]


def test_the_link_of_a_term_to_itself_is_no_part_of_it() -> None:
    page = '<dl><dt>int <b>f</b> (void) <a href="#f"> ¶</a></dt><dd>does nothing</dd></dl>'
    assert read(page, "a.html").text == "- int f (void) – does nothing"


def test_code_in_a_definition_stays_code() -> None:
    document = read("<dl><dt>run<dd><pre>make all</pre><dt>B<dd>b</dl>", "a.html")
    assert words_of(document, BlockKind.CODE) == ["make all"]
    assert document.text == "- run\n\nmake all\n\n- B – b"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<ol><li><p><b>Most files</b></p><p>Eleven.</p></li></ol>", "1. Most files – Eleven."),
        ("<ul><li><strong>Fee:</strong><br>9 zł</li></ul>", "- Fee: 9 zł"),
        ("<ul><li><b>Fee</b> 9 zł</li></ul>", "- Fee 9 zł"),
        ("<ul><li><p><b>Closed on Monday.</b></p><p>Open.</p></li></ul>",
         "- Closed on Monday.\nOpen."),
        ("<ul><li><p><b>Fee</b></p></li><li>b</li></ul>", "- Fee\n- b"),
    ],
)  # fmt: skip
def test_the_bold_title_of_an_item_is_read_with_its_text(page: str, text: str) -> None:
    assert read(page, "a.html").text == text


@pytest.mark.parametrize(
    "price",
    [
        "<del>159 zł</del> <ins>139 zł</ins>",
        "<s>159 zł</s> 139 zł",
        "<strike>159 zł</strike> 139 zł",
        '<span style="color:red; text-decoration: line-through">159 zł</span> 139 zł',
        '<span style="text-decoration-line:underline line-through">159 zł</span> 139 zł',
        '<span class="old">159 zł</span> 139 zł',
        '<span class="before"><b>159 zł</b></span> 139 zł',
    ],
)
def test_struck_words_are_left_out_and_counted(price: str) -> None:
    sheet = (
        "<style>/* .new { text-decoration: line-through } */ p:hover{text-decoration:line-through}"
        " .old, .before b { text-decoration: line-through; } p{color:red}</style>"
    )
    document = read(f"<head>{sheet}</head><p>Abonament kosztuje {price}.</p>", "a.html")
    assert document.text == "Abonament kosztuje 139 zł."
    assert document.metadata["left-out"] == "struck out (6 characters)"
    assert document.ledger.left_out == 1


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("Art. 18<sup>3a</sup>. Równo.", "Art. 18³ᵃ. Równo."),
        ("Art. 22<sup>1</sup> § 2", "Art. 22¹ § 2"),
        ('150<sup><a href="#n1">1</a></sup> zł', "150¹ zł"),
        ("150 zł<sup>1,2</sup>", "150 zł¹,²"),
        ("150<sup>1)</sup> zł", "150¹⁾ zł"),
        ('150<span style="vertical-align: super">2</span> zł', "150² zł"),
        ("10<sup>-3</sup> H<sub>2</sub>O", "10⁻³ H₂O"),
        ("the 1<sup>st</sup> of May", "the 1st of May"),
        ("150<sup>[1]</sup> zł", "150[1] zł"),
        ("x<sub>max</sub>", "xmax"),
    ],
)
@pytest.mark.parametrize("around", ["<p>{}</p>", "<h2>{}</h2><p>x", "<table><tr><td>{}</table>"])
def test_a_raised_number_never_joins_the_number_before_it(
    page: str, text: str, around: str
) -> None:
    assert read(around.format(page), "a.html").text.removesuffix("\n\nx") == text


def test_a_note_beside_the_article_is_text_and_a_list_of_links_is_not() -> None:
    document = read(
        "<main><p>Łodzie.</p><aside class='warning'>Wypowiedzenie: 45 dni.</aside>"
        "<aside>Karta <a href='x'>pływacka</a> jest konieczna przy wypożyczeniu łodzi.</aside>"
        "<aside><a href='x'>Inne przystanie</a> <a href='y'>Kontakt</a></aside></main>"
        "<aside>Reklama: nowe kajaki</aside><aside role='note'>Uwaga na prąd.</aside>",
        "a.html",
    )
    assert document.text == (
        "Łodzie.\n\nWypowiedzenie: 45 dni.\n\n"
        "Karta pływacka jest konieczna przy wypożyczeniu łodzi.\n\nUwaga na prąd."
    )


def test_an_empty_cell_keeps_the_others_in_their_columns() -> None:
    document = read(
        "<table><tr><th></th><th>Dorosły</th><th>Dziecko</th></tr>"
        "<tr><td>Sobota</td><td></td><td>17 zł</td></tr>"
        "<tr><td rowspan=2>Niedziela</td><td>31 zł</td><td></td></tr>"
        "<tr><td></td><td>18 zł</td></tr></table>",
        "a.html",
    )
    (table,) = words_of(document, BlockKind.TABLE)
    rows = [[cell.strip() for cell in row.split("|")] for row in table.split("\n")]
    assert rows == [
        ["", "Dorosły", "Dziecko"],
        ["Sobota", "", "17 zł"],
        ["Niedziela", "31 zł", ""],
        ["Niedziela", "", "18 zł"],
    ]


def test_a_definition_lies_in_the_block_of_its_term() -> None:
    document = read("<h1>S</h1><dl><dt>Media</dt><dd>według liczników</dd></dl>", "a.html")
    assert block_with(document, "liczników") == block_with(document, "Media")


@pytest.mark.parametrize(
    "unit",
    [
        "<dt>a<dd>b",
        "<aside>a",
        "<style>.a{text-decoration:line-through}/*</style>",
        "<style>/*/*line-through",
        "<li><p><b>a</b></p><p>b</p></li>",
        "<sup>1<sup>",
    ],
)
def test_time_grows_with_the_page_and_no_faster(unit: str) -> None:
    def read_page(text: str) -> None:
        read(f"<p>x</p><dl>{text}", "a.html")

    assert grows_like_a_line(lambda size: read_page(unit * size), size=300)
