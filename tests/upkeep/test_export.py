"""Export: everything is in the folder, in forms that need no cytat to be read."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.corpora import add, write_files
from tests.stores import Store
from tests.upkeep.conftest import TEXTS

from cytat.corpus.upkeep import export_store
from cytat.errors import UsageError
from cytat.testing.embedders import FakeEmbedder


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_texts_chunks_metadata_and_vectors_come_out_as_they_are(
    store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    written = export_store(store, folder)
    documents = {line["source"]: line for line in lines(folder / "documents.jsonl")}
    assert set(documents) == {f"docs/{name}" for name in TEXTS}
    for name, text in TEXTS.items():
        exported = folder / documents[f"docs/{name}"]["text_file"]
        assert exported.read_bytes() == text.encode()
        assert documents[f"docs/{name}"]["ledger"]["read"] == 1
        assert documents[f"docs/{name}"]["stamp"]["embedder"] == "fake"
    chunks = lines(folder / "chunks.jsonl")
    assert len(chunks) == written.chunks == store.status().totals["chunks"]
    ids = {line["document_id"]: source.removeprefix("docs/") for source, line in documents.items()}
    for chunk in chunks:
        text = TEXTS[ids[chunk["document_id"]]]
        assert text[chunk["span"]["start"] : chunk["span"]["end"]] == chunk["text"]
    matrix = np.load(folder / "vectors.npy")
    rows = (folder / "vectors.txt").read_text("utf-8").split()
    assert matrix.shape == (written.vectors, 64)
    assert matrix.dtype == np.float32
    assert sorted(rows) == sorted(chunk["chunk_id"] for chunk in chunks)
    deposit = next(chunk for chunk in chunks if chunk["heading_path"][-1:] == ["Kaucja"])
    passage = f"Umowa najmu › Kaucja\n{deposit['text']}"
    wanted = FakeEmbedder().embed_query(passage)
    assert np.array_equal(matrix[rows.index(deposit["chunk_id"])], wanted)


def test_names_of_texts_are_safe_and_differ(store: Store, folder: Path, tmp_path: Path) -> None:
    names = ("a b.txt", "A B.txt", "źdźbło.txt", "con.txt", "x" * 200 + ".txt", "sub/a b.txt")
    write_files(folder, {name: f"tekst {name}" for name in names})
    add(store, folder)
    export_store(store, tmp_path / "out")
    exported = [line["text_file"] for line in lines(tmp_path / "out" / "documents.jsonl")]
    assert len({name.casefold() for name in exported}) == len(names) + len(TEXTS)
    for name in exported:
        assert name.isascii()
        assert len(name) < 80
        assert (tmp_path / "out" / name).is_file()


def test_a_file_that_was_never_read_is_listed_without_a_text(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    (folder / "zly.pdf").write_bytes(b"%PDF-1.7\nnothing")
    add(store, folder)
    export_store(store, tmp_path / "out")
    (failed,) = [
        line for line in lines(tmp_path / "out" / "documents.jsonl") if line["state"] == "failed"
    ]
    assert failed["text_file"] is None


def test_a_folder_that_holds_something_is_refused_and_left_alone(
    store: Store, folder: Path
) -> None:
    before = sorted(folder.iterdir())
    with pytest.raises(UsageError, match="empty"):
        export_store(store, folder)
    with pytest.raises(UsageError, match="empty"):
        export_store(store, folder / "umowa.md")
    assert sorted(folder.iterdir()) == before


def test_an_empty_corpus_can_be_exported(tmp_path: Path) -> None:
    with Store.open_or_create(tmp_path / "empty.db") as store:
        written = export_store(store, tmp_path / "out")
    assert (written.documents, written.chunks, written.vectors) == (0, 0, 0)
    assert np.load(tmp_path / "out" / "vectors.npy").shape == (0, 0)
