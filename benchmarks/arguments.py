"""A script's docstring -> the parser of its command line: the folder of the public sets, the cache.

The sets are in the folder `data`, or in the one that `CYTAT_BENCH_DATA` names; vectors of texts
that were embedded before are kept in `--cache`.
"""

import argparse
import os
from pathlib import Path

import platformdirs

from cytat.protocols import ModelOptions

TIMEOUT_S = 60.0


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser that describes a script by the first line of its docstring."""
    return argparse.ArgumentParser(description=doc.splitlines()[0] if doc else None)


def parser_of_sets(doc: str | None, *, keeps_vectors: bool = True) -> argparse.ArgumentParser:
    """Return a parser of the folder of the sets, and of the cache where vectors are kept."""
    parser = parser_of(doc)
    folder = os.environ.get("CYTAT_BENCH_DATA")
    parser.add_argument(
        "data",
        nargs="?" if folder else None,
        default=folder,
        type=Path,
        help="the folder with the sets; by default CYTAT_BENCH_DATA",
    )
    if keeps_vectors:
        cache = platformdirs.user_cache_path("cytat")
        parser.add_argument("--cache", default=cache, type=Path, help="where vectors are kept")
    return parser


def options_of(cache: Path) -> ModelOptions:
    """Return the options of a built-in encoder whose vectors are kept in a folder."""
    cache.mkdir(parents=True, exist_ok=True)
    return ModelOptions(cache, model=None, base_url=None, api_key=None, timeout_s=TIMEOUT_S)
