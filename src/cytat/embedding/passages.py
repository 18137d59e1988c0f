"""Texts -> checked unit vectors. What an embedder returns is counted and measured before use.

Every text ends as a row of length 1 or as a reason why it has none: a broken vector costs its own
text and no other. What the encoder would not see of a text can be asked (`past_window`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cytat.errors import BackendError
from cytat.protocols import Embedder, MissingVectorsError, Vectors

TEXTS_IN_A_CALL = 64
"""Between two reports of progress; enough to sort by length, about a second on two cores."""

LENGTH_TOLERANCE = 1e-3
"""How far from 1 the length of a vector may be: float32 and servers that round are within."""

BLANK = "the text is blank"
NOT_FINITE = "the vector holds numbers that are not finite"
NOT_UNIT = "the vector is not of length 1"
HINT = "check the embedder's server or plug-in; search by words works without it"


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of texts, by position, and what is lacking."""

    vectors: Vectors
    """Shape (texts, dimensions), float32; a row of NaN for a text in `missing`."""
    missing: Mapping[int, str]
    """Why a text has no vector."""


def embed_passages(
    embedder: Embedder, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
) -> Embedded:
    """Embed texts as documents; `progress` is called with how many are done.

    Raises:
        BackendError: the embedder cannot be reached, or returns another number or size of vectors.
    """
    vectors = np.full((len(texts), embedder.dimensions), np.nan, dtype=np.float32)
    missing = {at: BLANK for at, text in enumerate(texts) if not text.strip()}
    done = len(missing)
    for places in _calls(texts):
        found, failed = _embed(embedder, [texts[equal[0]] for equal in places])
        for row, equal in enumerate(places):
            vectors[equal] = found[row]
            missing.update(dict.fromkeys(equal, failed[row]) if row in failed else {})
            done += len(equal)
        if progress is not None:
            progress(done)
    return Embedded(vectors, dict(sorted(missing.items())))


def embed_query(embedder: Embedder, text: str) -> Vectors:
    """Return the vector of a query, shape (dimensions,), float32, length 1.

    Raises:
        BackendError: there is no vector, or it cannot be trusted.
    """
    vector = embedder.embed_query(text)
    if vector.shape != (embedder.dimensions,):
        message = f"{embedder.name} returned shape {vector.shape}, not ({embedder.dimensions},)"
        raise BackendError(message, hint=HINT)
    for reason in _faults(vector[None, :]).values():
        raise BackendError(f"{embedder.name} failed on the query: {reason}", hint=HINT)
    return np.asarray(vector, dtype=np.float32)


def _calls(texts: Sequence[str]) -> Iterator[list[list[int]]]:
    """Yield, per call, the positions of each text in it: equal texts once, near lengths together.

    Longest first, so that a run that does not fit in memory fails at its start.
    """
    positions: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        if text.strip():
            positions.setdefault(text, []).append(at)
    groups = sorted(positions.values(), key=lambda equal: (-len(texts[equal[0]]), equal[0]))
    for start in range(0, len(groups), TEXTS_IN_A_CALL):
        yield groups[start : start + TEXTS_IN_A_CALL]


def _embed(embedder: Embedder, texts: Sequence[str]) -> tuple[Vectors, dict[int, str]]:
    """Return a row per text, NaN where it failed, and the reasons."""
    failed: dict[int, str] = {}
    try:
        vectors = embedder.embed_documents(texts)
    except MissingVectorsError as error:
        vectors, failed = error.vectors, dict(error.missing)
    if vectors.shape != (len(texts), embedder.dimensions):
        raise BackendError(
            f"{embedder.name} returned shape {vectors.shape} for {len(texts)} texts of "
            f"{embedder.dimensions} dimensions",
            hint=HINT,
        )
    checked = np.array(vectors, dtype=np.float32)
    failed = _faults(checked) | failed
    checked[list(failed)] = np.nan
    return checked, failed


def _faults(vectors: Vectors) -> dict[int, str]:
    """Return what is wrong with which rows."""
    faults = {}
    for row, vector in enumerate(vectors):
        if not np.isfinite(vector).all():
            faults[row] = NOT_FINITE
        elif abs(float(np.linalg.norm(vector)) - 1) > LENGTH_TOLERANCE:
            faults[row] = NOT_UNIT
    return faults


def past_window(embedder: Embedder, texts: Sequence[str]) -> dict[int, int]:
    """Return the tokens of each text, by position, whose tail the encoder does not see.

    Counted by `token_ends`, so an upper estimate where that is one.
    """
    counts = ((at, len(embedder.token_ends(text))) for at, text in enumerate(texts))
    return {at: count for at, count in counts if count > embedder.max_tokens}
