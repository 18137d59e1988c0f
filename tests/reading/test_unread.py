"""Formats that are text to a program and not to a person are refused by name."""

import pytest
from tests.reading.looking import read

from cytat.errors import ReadingError

MAIL = """Subject: =?utf-8?q?=C5=9Awiat=C5=82o?=
From: =?utf-8?q?=C5=81ucja?= <l@example.org>
MIME-Version: 1.0
Content-Type: text/plain; charset=iso-8859-2
Content-Transfer-Encoding: quoted-printable

=AFar=F3wka nie =B6wieci.
"""


@pytest.mark.parametrize(
    ("text", "source", "said"),
    [
        (MAIL, "usterka.eml", "mail"),  # case EML-01
        (MAIL, "strona.MHT", "mail"),
        (f"From l@example.org Mon Sep  1 10:00:00 2025\n{MAIL}", "skrzynka.mbox", "mail"),
        (r"{\rtf1\ansi\ansicpg1250 Zap\'b3ata wynosi 37 z\'b3.}", "umowa.rtf", "RTF"),
        (r"{\rtf1\ansi\ansicpg1250 Zap\'b3ata wynosi 37 z\'b3.}", "umowa.doc", "RTF"),
        ("BEGIN:VCALENDAR\r\nDTSTART:20250901T080000Z\r\nEND:VCALENDAR\r\n", "a.ics", "calendar"),
        ("\ufeffBEGIN:VCARD\nFN:=C5=81ucja\nEND:VCARD\n", "ludzie.vcf", "contacts"),
        ("%!PS-Adobe-3.0\n(Czynsz) show\n", "druk.ps", "PostScript"),
    ],
)
def test_text_that_misleads_in_the_raw_is_refused_by_name(
    text: str, source: str, said: str
) -> None:
    with pytest.raises(ReadingError) as refused:
        read(text, source)
    assert refused.value.code == "unsupported-type"
    assert said in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Plik kalendarza zaczyna się od BEGIN:VCALENDAR.", "pomoc.txt"),
        ("# RTF\n\nA file opens with {\\rtf1.\n", "formats.md"),
        ("Zwykły tekst pod złą nazwą.", "notatka.rtf"),
        ("\\section{Czynsz}\nCzynsz wynosi 2150 zł.\n", "umowa.tex"),
    ],
)
def test_text_that_only_speaks_of_such_a_format_is_read(text: str, source: str) -> None:
    assert read(text, source).text == text
