"""Law: no word of a stored text leaves the file before it was compared with its hash."""

import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from tests.stores import Store

from cytat import Corpus
from cytat.config import Settings
from cytat.errors import CorpusFormatError, CytatError
from cytat.records import Answer, Span
from cytat.text.identity import document_id

SETTINGS = Settings(embedder="fake")
LEASE = "# Umowa najmu\n\nCzynsz wynosi 2150 zł miesięcznie.\n\nKaucja wynosi 4300 zł.\n"
INVOICE = "Faktura FV/2025/09/0143 z 9 września 2025, razem 1230,00 zł.\n"
SEVENTH = Path(__file__).parents[1] / "files" / "format-7.db"

QUESTION = "Ile wynosi kaucja?"


def _quotes(corpus: Corpus) -> list[str]:
    reply = corpus.ask(QUESTION)
    return [one.quote for one in reply.citations] if isinstance(reply, Answer) else []


READS: dict[str, Callable[[Corpus], list[str]]] = {
    "ask": _quotes,
    "search": lambda corpus: [hit.text for hit in corpus.search(QUESTION).hits],
    "show": lambda corpus: [corpus.show("lease.md").text],
    "span": lambda corpus: [corpus.show("lease.md", span=Span(17, 30)).text],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a corpus file of two documents, all of it in the one file."""
    (tmp_path / "lease.md").write_text(LEASE, "utf-8")
    (tmp_path / "invoice.txt").write_text(INVOICE, "utf-8")
    with Corpus.open(tmp_path / "c.db", settings=SETTINGS) as corpus:
        corpus.add([tmp_path / "lease.md", tmp_path / "invoice.txt"])
    return tmp_path / "c.db"


def _changed(path: Path, statement: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("verb", READS)
@pytest.mark.parametrize(
    "damage",
    [
        "update segment set text = replace(text, '4300', '4800')",
        "update segment set text = replace(text, 'Kaucja', 'Kaucje')",
        "update segment set line = line + 1",
        "update segment set hash = zeroblob(32)",
        "update segment set hash = null",
        "update segment set text = cast(text as blob)",
    ],
)
def test_a_changed_text_is_an_error_and_no_quote(path: Path, damage: str, verb: str) -> None:
    _changed(path, damage)
    with (
        Corpus.open(path, settings=SETTINGS) as corpus,
        pytest.raises(CorpusFormatError, match=r"\.(md|txt) is damaged") as caught,
    ):
        READS[verb](corpus)
    assert "reindex" in caught.value.hint


def test_a_text_of_another_document_is_an_error_and_no_quote(path: Path) -> None:
    _changed(
        path,
        "create temp table two as select rowid as one, document from segment;"
        "update segment set document = document + 10;"
        "update segment set document = (select document from two where one <> segment.rowid)",
    )
    with Corpus.open(path, settings=SETTINGS) as corpus, pytest.raises(CorpusFormatError):
        corpus.show("lease.md")


def test_a_text_that_is_not_utf8_is_an_error(path: Path) -> None:
    _changed(path, "update segment set text = cast(x'4b6175636aff' as text)")
    with (
        Corpus.open(path, settings=SETTINGS) as corpus,
        pytest.raises(CorpusFormatError, match="is damaged"),
    ):
        corpus.show("lease.md")


@pytest.mark.parametrize(
    "damage",
    [
        "update document set reading = '{'",
        "update document set reading = '[]'",
        "update document set state = 'fine'",
        "update document set ledger = '{}'",
        "update document set stamp = '7'",
        "update document set metadata = 'x'",
        "update chunk set heading_path = '{'",
    ],
)
def test_a_damaged_row_is_an_error_with_a_code(path: Path, damage: str) -> None:
    _changed(path, damage)
    with Corpus.open(path, settings=SETTINGS) as corpus:
        for read in READS.values():
            assert _read(corpus, read) is not None
        wrong = [check for check in corpus.verify(full=True).checks if not check.ok]
    assert wrong


def test_reindex_undoes_the_damage(path: Path) -> None:
    _changed(path, "update segment set text = replace(text, '4300', '4800')")
    with Corpus.open(path, settings=SETTINGS) as corpus:
        corpus.reindex()
        assert corpus.show("lease.md").text == LEASE


@pytest.mark.parametrize("seed", range(24))
def test_a_flipped_bit_changes_no_quote_and_ends_in_no_internal_error(
    path: Path, seed: int
) -> None:
    with Corpus.open(path, settings=SETTINGS) as corpus:
        whole = {verb: read(corpus) for verb, read in READS.items()}
    _flip(path, random.Random(seed))  # noqa: S311 - a sample, no secret
    with suppress(CytatError), Corpus.open(path, settings=SETTINGS) as corpus:
        for verb, read in READS.items():
            texts = (*whole[verb], LEASE, INVOICE)
            found = _read(corpus, read)
            assert all(any(one in text for text in texts) for one in found)


def _read(corpus: Corpus, read: Callable[[Corpus], list[str]]) -> list[str]:
    """Return what a verb shows; nothing where it ends in an error with a code."""
    try:
        return read(corpus)
    except CytatError:
        return []


def _flip(path: Path, chance: random.Random) -> None:
    """Flip a bit: every second time in the stored text, else anywhere."""
    content = bytearray(path.read_bytes())
    place = chance.randrange(len(content))
    if chance.random() < 0.5:
        at = content.find(b"Kaucja wynosi")
        place = at + chance.randrange(20)
    content[place] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


# ---------------------------------------------------------------- files without hashes


def test_texts_of_an_older_file_get_hashes_where_they_were_sound(tmp_path: Path) -> None:
    path = Path(shutil.copy(SEVENTH, tmp_path))
    _changed(path, "update segment set text = replace(text, '230 volts', '110 volts')")
    with Store.open(path) as store:
        assert store.text(document_id("lease.md"))
        with pytest.raises(CorpusFormatError, match=r"manual\.pdf is damaged"):
            store.text(document_id("manual.pdf"))


def test_texts_from_before_there_were_seals_are_compared_with_their_chunks(tmp_path: Path) -> None:
    first = Path(__file__).parents[1] / "files" / "format-1.db"
    path = Path(shutil.copy(first, tmp_path))
    _changed(path, "update segment set text = replace(text, '4300', '4800')")
    with Store.open(path) as store:
        with pytest.raises(CorpusFormatError, match=r"lease\.md is damaged"):
            store.text(document_id("lease.md"))
        assert "0143" in store.text(document_id("invoice.txt"))
