"""Ids of a web page are kept with its blocks, and lead hits and citations to their place."""

from pathlib import Path

from cytat import Corpus
from cytat.backends.sqlite.rows import parse_blocks
from cytat.config import load_settings
from cytat.records import Block, BlockKind, Span


def test_hits_and_chunks_of_a_web_page_lead_to_their_id(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<h1 id="open">Hours</h1><p>The pool opens at six.</p>')
    flags = {"corpus": tmp_path / "c.db", "embedder": "fake"}
    with Corpus(load_settings(flags, environment={})) as corpus:
        corpus.add(tmp_path / "a.html")
        (hit,) = corpus.search("pool").hits
        (chunk,) = corpus.show("a.html", chunks=True).chunks
    expected = "#open:~:text=The%20pool%20opens%20at%20six."
    assert hit.locator.fragment == expected
    assert chunk.locator.fragment == expected


def test_blocks_written_before_there_were_anchors_have_none() -> None:
    reading = '{"blocks":[["paragraph",0,4,["A"]],["paragraph",5,9,["A"],"id"]],"pages":[]}'
    assert parse_blocks(reading) == (
        Block(BlockKind.PARAGRAPH, Span(0, 4), ("A",), None),
        Block(BlockKind.PARAGRAPH, Span(5, 9), ("A",), "id"),
    )
