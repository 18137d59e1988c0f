"""Which encoding a file is in, and what becomes of bytes that are none."""

import pytest
from tests.reading.looking import read_document

from cytat.errors import ReadingError
from cytat.reading.text.encoding import decode

POLISH = "Ściągnięcie zaległości następuje w ciągu 21 dni.\nPrzesyłkę można odebrać w święta.\n"


@pytest.mark.parametrize(
    ("codec", "encoding"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16"),
        ("utf-16-be", "utf-16"),
        ("utf-32", "utf-32"),
        ("cp1250", "windows-1250"),  # case TXT-02
        ("iso-8859-2", "iso-8859-2"),  # case TXT-03
        ("cp852", "ibm852"),
    ],
)
def test_polish_is_read_in_every_encoding_it_is_written_in(codec: str, encoding: str) -> None:
    document = read_document(POLISH.encode(codec), source="list.txt")
    assert document.text == POLISH
    assert document.metadata["encoding"] == encoding


@pytest.mark.parametrize(
    ("words", "codec"),
    [
        ("Die Prüfung der Gebühren für größere Häuser ist abgeschlossen.", "cp1252"),
        ("Le père a été très déçu par les élèves à la fête où ils étaient.", "cp1252"),
        ("El niño mañana comerá una piña en el jardín de la señora.", "iso8859-1"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy.", "cp1250"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy.", "iso8859-2"),
        ("Это обычное письмо о погоде.", "cp1251"),
        ("“It’s the landlord’s duty” – so says clause 4.", "cp1252"),
        ("Łódź „Źródło” – 5 % zniżki… ąę.", "cp1250"),
        ("Opłata wynosi 5 zł.", "cp1250"),
        ("Opłata wynosi 5 zł.", "iso8859-2"),
    ],
)
def test_words_of_a_code_page_come_out_as_written(words: str, codec: str) -> None:
    assert decode(words.encode(codec), declared=None).text == words


def test_a_letter_after_the_first_kilobytes_counts_too() -> None:
    # case TXT-01
    text = "Log line without any accent. " * 200 + "\nDyżurny: Żaneta Wilczyńska, tel. 604.\n"
    assert decode(text.encode(), declared=None).text == text


def test_a_utf16_table_has_no_nul_between_its_letters() -> None:
    # case TXT-04
    content = b"\xff\xfe" + "miasto\tkod\nŁódź\t90-001\nŻary\t68-200\n".encode("utf-16-le")
    assert (
        read_document(content, source="a.csv").text == "miasto\tkod\nŁódź\t90-001\nŻary\t68-200\n"
    )


def test_a_few_broken_bytes_do_not_flip_a_file_to_another_code_page() -> None:
    content = POLISH.encode()[:40] + b"\xff" + POLISH.encode()[40:]
    decoded = decode(content, declared=None)
    assert decoded.encoding == "utf-8"
    assert decoded.text.replace("\ufffd", "") == POLISH
    assert [problem.code for problem in decoded.problems] == ["broken-characters"]
    assert "1 places" in decoded.problems[0].message


def test_a_file_cut_in_its_last_letter_stays_utf8() -> None:
    decoded = decode("Opłata za wieś".encode()[:-1], declared=None)
    assert (decoded.text, decoded.encoding) == ("Opłata za wie\ufffd", "utf-8")


def test_nul_characters_keep_their_place_and_are_named() -> None:
    document = read_document(b"before\0after and a good deal of text", source="a.txt")
    assert document.text == "before\ufffdafter and a good deal of text"
    assert [problem.code for problem in document.ledger.problems] == ["nul-characters"]


def test_half_a_surrogate_pair_never_enters_the_text() -> None:
    content = b"\xff\xfe" + "ab".encode("utf-16-le") + b"\x00\xd8" + "c".encode("utf-16-le")
    assert read_document(content, source="a.txt").text == "ab\ufffdc"


@pytest.mark.parametrize(
    "content",
    [
        bytes(range(256)) * 8,
        b"PK\x03\x04" + b"\x14\0" * 40,
        b"\x89PNG\r\n\x1a\n" + bytes(200),
        b"\x7fELF\x02\x01\x01" + bytes(300),
        b"\0" * 100,
    ],
)
def test_a_binary_named_txt_is_refused(content: bytes) -> None:
    # case TXT-11
    with pytest.raises(ReadingError) as refused:
        read_document(content, source="a.txt")
    assert refused.value.code == "unsupported-type"


@pytest.mark.parametrize("content", [b"", b" \n\t\n\r\n   \n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n"])
@pytest.mark.parametrize("source", ["a.txt", "a.md", "a.html", "a.csv"])
def test_a_blank_file_is_empty(content: bytes, source: str) -> None:
    # case TXT-09
    with pytest.raises(ReadingError) as refused:
        read_document(content, source=source)
    assert refused.value.code == "empty"
