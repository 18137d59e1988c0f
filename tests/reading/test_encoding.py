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


RUSSIAN = "Договор аренды заключён на один год. Плата вносится каждый месяц."
GREEK = "Η σύμβαση μίσθωσης συνάφθηκε για ένα έτος. Το μίσθωμα καταβάλλεται κάθε μήνα."


@pytest.mark.parametrize(
    ("words", "codec", "encoding"),
    [
        (RUSSIAN, "koi8-r", "koi8-r"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "cp866", "ibm866"),
        (RUSSIAN, "iso8859-5", "iso-8859-5"),
        ("Договір оренди укладено на один рік. Плата вноситься щомісяця.", "koi8-u", "koi8-u"),
        (GREEK, "cp1253", "windows-1253"),
        (GREEK, "iso8859-7", "windows-1253"),  # the same bytes in both
        ("Kira sözleşmesi bir yıl için yapılmıştır. Ücret her ay ödenir.", "iso8859-9",
         "windows-1254"),
        ("Nuomos sutartis sudaryta metams. Mokestis mokamas kiekvieną mėnesį.", "cp1257",
         "windows-1257"),
        ("تم إبرام عقد الإيجار لمدة سنة واحدة. يدفع الإيجار كل شهر.", "cp1256", "windows-1256"),
        ("สัญญาเช่ามีระยะเวลาหนึ่งปี", "cp874", "windows-874"),
        ("賃貸契約は一年です。家賃は毎月支払います。", "cp932", "shift_jis"),
        ("賃貸契約は一年です。家賃は毎月支払います。", "euc_jp", "euc-jp"),
        ("賃貸契約は一年です。家賃は毎月支払います。", "iso2022_jp", "iso-2022-jp"),
        ("租赁合同为期一年。租金每月支付。", "gb18030", "gb18030"),
        ("你好，世界", "gb18030", "gb18030"),
        ("租賃合約為期一年。租金每月支付。", "big5", "big5"),
        ("임대차 계약은 일 년입니다. 임대료는 매월 납부합니다.", "euc_kr", "euc-kr"),
    ],
)  # fmt: skip
def test_other_scripts_are_read_in_the_encodings_they_are_written_in(
    words: str, codec: str, encoding: str
) -> None:
    decoded = decode(words.encode(codec), declared=None)
    assert (decoded.text, decoded.encoding) == (words, encoding)
    assert decoded.problems == ()


def test_western_words_of_several_languages_are_not_cyrillic() -> None:
    words = "Die schöne Frau wohnt hier. L'été était chaud. El niño comió. O João comprou café."
    assert decode(words.encode("cp1252"), declared=None).text == words


def test_a_guess_with_a_near_rival_is_named() -> None:
    # Estonian "õ" is Hungarian "ő" in windows-1250; the other letters are in both.
    decoded = decode("Üürileping sõlmiti üheks aastaks.".encode("cp1257"), declared=None)
    assert [problem.code for problem in decoded.problems] == ["encoding-uncertain"]
    assert decoded.encoding in decoded.problems[0].message


def test_a_certain_guess_is_no_problem() -> None:
    assert decode(POLISH.encode("cp1250"), declared=None).problems == ()


@pytest.mark.parametrize("content", [b"0\0", b"\0a", b"a\0b\0c\0"])
def test_a_few_letters_and_as_many_nul_are_neither_utf16_nor_text(content: bytes) -> None:
    with pytest.raises(ReadingError) as refused:
        decode(content, declared=None)
    assert refused.value.code == "unsupported-type"


@pytest.mark.parametrize("words", [RUSSIAN, GREEK])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_known_in_other_letters_too(words: str, codec: str) -> None:
    assert decode(words.encode(codec), declared=None).text == words


def test_a_table_of_small_numbers_is_no_utf16() -> None:
    content = b"".join(number.to_bytes(2, "little") for number in range(1, 1200))
    with pytest.raises(ReadingError):
        decode(content, declared=None)


def test_four_letters_with_nul_between_them_are_utf16() -> None:
    assert decode(b"z\0l\0o\0t\0", declared=None).text == "zlot"


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
