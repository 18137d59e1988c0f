"""Vectors of fixed probe texts -> the hash that names the vector space of a server's model.

A name says little: another model behind the same name, of the same dimensions, would mix two
spaces in silence. Servers are not exact to the last bit, so the hash is made of what noise leaves
alone, the place and sign of each probe's largest number, and a probe that is near one seen before
on this machine keeps that one's hash.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cytat.protocols import Vectors

PROBES = (
    "The committee meets on the first Monday of each month.",
    "Art. 43 ust. 1 pkt 2",
    "Jaka jest stawka podatku na książki?",
    "0.21 kg, PHD-07, FV/2025/09/0143",
)
SAME_COSINE = 0.999
"""Two runs of one model differ by about 1e-4 in cosine; two models, even kin, by far more."""


def space_hash(model: str, settings: Sequence[str], probes: Vectors, *, cache: Path) -> str:
    """Return the hash of the model whose vectors of `PROBES` are `probes`.

    Args:
        model: the name it is asked by.
        settings: what else shapes a vector, such as prefixes.
        probes: shape (probes, dimensions), float32, rows of length 1.
        cache: folder in which hashes given before are kept with their probes.
    """
    name = _digest([model, *settings, str(probes.shape[1])])
    path = cache / f"probes-{name[:16]}.json"
    known = _known(path, probes.shape)
    for given, vectors in known.items():
        if float((vectors * probes).sum(axis=1).min()) >= SAME_COSINE:
            return given
    largest = np.abs(probes).argmax(axis=1)
    signs = np.sign(probes[np.arange(len(probes)), largest])
    new = _digest(
        [name, *(f"{place}:{sign:+.0f}" for place, sign in zip(largest, signs, strict=True))]
    )
    if new in known:  # another model whose largest numbers stand alike
        new = _digest([new, *(f"{number:.2f}" for number in probes.ravel())])
    _keep(path, known | {new: probes})
    return new


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _known(path: Path, shape: tuple[int, ...]) -> dict[str, Vectors]:
    """Return the hashes given before; a file that is missing or damaged knows none."""
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        known = {given: np.array(rows, dtype=np.float32) for given, rows in saved.items()}
    except (OSError, ValueError, AttributeError):
        return {}
    return {given: rows for given, rows in known.items() if rows.shape == shape}


def _keep(path: Path, known: dict[str, Vectors]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({given: rows.tolist() for given, rows in known.items()}, file)
    Path(beside).replace(path)
