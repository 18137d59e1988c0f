"""The encoder's library calls nobody and leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import time
from pathlib import Path
from cytat.backends.e5.embedder import open_embedder
from cytat.protocols import ModelOptions
cache = Path(__import__("os").environ["CYTAT_CACHE"])
opened = open_embedder(ModelOptions(cache, model=None, base_url=None, api_key=None, timeout_s=1.0))
opened.embed_query("cisza")
time.sleep(1)
"""


@pytest.mark.model
def test_the_encoder_leaves_no_report_for_its_librarys_maker(tmp_path: Path) -> None:
    environment = {
        "HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
        "CYTAT_CACHE": os.environ["CYTAT_CACHE"],
    }
    subprocess.run([sys.executable, "-c", SCRIPT], env=environment, check=True)
    assert list(tmp_path.rglob("*")) == []
