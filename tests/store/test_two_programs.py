"""Two programs on one file: nobody is told that it is locked, and nothing is lost."""

import multiprocessing
from pathlib import Path

from tests.corpora import add, check_whole, write_files
from tests.crashes import PRELOADED
from tests.stores import Store

from cytat.analysis import analyse_question

FILES = 24
SEARCHES = 20


def add_folder(corpus: Path, folder: Path) -> None:
    with Store.open_or_create(corpus) as store:
        report = add(store, folder)
    assert report.totals["failed"] == 0


def search(corpus: Path, times: int) -> None:
    """Look for words and read what is found, in one moment of the corpus each."""
    with Store.open_or_create(corpus) as store:
        for _ in range(times):
            with store.moment() as moment:
                query = analyse_question("kot", languages=moment.languages())
                hits = moment.by_words(query, depth=20, allowed=None).scored.hits
                passages = moment.passages([hit.chunk_id for hit in hits])
            assert all("kot" in passage.excerpt.text for passage in passages.values())


# case IDX-08
def test_two_adding_programs_and_twenty_searches_do_not_disturb_each_other(tmp_path: Path) -> None:
    for name in ("left", "right"):
        texts = {f"{at:02}.txt": f"kot {name} {at}" for at in range(FILES)}
        write_files(tmp_path / name, texts)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    corpus = tmp_path / "cytat.db"
    programs = [
        context.Process(target=add_folder, args=(corpus, tmp_path / "left")),
        context.Process(target=add_folder, args=(corpus, tmp_path / "right")),
        context.Process(target=search, args=(corpus, SEARCHES)),
    ]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    assert [program.exitcode for program in programs] == [0, 0, 0]
    with Store.open(corpus) as store:
        assert len(store.documents()) == 2 * FILES
        check_whole(store)
