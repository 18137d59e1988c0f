"""Two programs add the same folder at once: each file is written once, and told so."""

import multiprocessing
from multiprocessing.connection import Connection
from pathlib import Path

from tests.corpora import add, check_whole, write_files
from tests.crashes import PRELOADED
from tests.stores import Store

from cytat.testing.embedders import FakeEmbedder

FILES = 30
PATIENCE_S = 60.0


class Waiting(FakeEmbedder):
    """The fake encoder, which waits for a word from the test before its first vectors."""

    def __init__(self, told: Connection) -> None:
        super().__init__()
        self._told = told
        self._is_told = False

    def embed_documents(self, texts):  # type: ignore[no-untyped-def, explicit-override]  # noqa: ANN001, ANN201
        if not self._is_told:
            self._told.send_bytes(b"ready")
            assert self._told.poll(PATIENCE_S)
            self._told.recv_bytes()
            self._is_told = True
        return super().embed_documents(texts)


def add_folder(corpus: Path, folder: Path, told: Connection) -> None:
    with Store.open_or_create(corpus) as store:
        totals = add(store, folder, embedder=Waiting(told)).totals
    told.send_bytes(f"{totals['added']} {totals['unchanged']}".encode())


def test_the_second_of_two_programs_reports_as_unchanged_what_the_first_wrote(
    tmp_path: Path,
) -> None:
    write_files(tmp_path / "docs", {f"{at:02}.txt": f"kot numer {at}" for at in range(FILES)})
    Store.open_or_create(tmp_path / "cytat.db").close()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    ends = []
    for _ in range(2):
        ours, theirs = context.Pipe()
        context.Process(
            target=add_folder, args=(tmp_path / "cytat.db", tmp_path / "docs", theirs), daemon=True
        ).start()
        ends.append(ours)
    for end in ends:  # both have read and cut everything before either writes
        assert end.poll(PATIENCE_S)
        end.recv_bytes()
    told = []
    for end in ends:
        end.send_bytes(b"go on")
        assert end.poll(PATIENCE_S)
        told.append(end.recv_bytes().decode())
    assert told == [f"{FILES} 0", f"0 {FILES}"]
    with Store.open(tmp_path / "cytat.db") as store:
        assert len(store.documents()) == FILES
        check_whole(store)
