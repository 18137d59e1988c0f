"""A reply of an embeddings server -> vectors by position, or the reason why there is none. Pure.

Vectors are paired with texts by their `index` alone: a reply in which an index is missing, double
or foreign is refused whole, since any other reading of it could give a text another's vector.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cytat.errors import BackendError
from cytat.protocols import Vectors

HINT = "the server does not keep to the protocol of /v1/embeddings; try another one"


class UnpairedReplyError(BackendError):
    """The vectors of a reply cannot be told apart with certainty."""


@dataclass(frozen=True, slots=True)
class EmbeddingsReply:
    """Unit vectors by position of their text, and what is wrong with the others."""

    vectors: dict[int, Vectors]
    faults: dict[int, str]


def parse_reply(reply: object, *, texts: int) -> EmbeddingsReply:
    """Return the vectors of a reply to `texts` texts.

    Raises:
        UnpairedReplyError: the entries are not exactly one for each text.
    """
    entries = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(entries, list):
        raise UnpairedReplyError("the reply holds no list of embeddings", hint=HINT)
    by_index = {
        entry["index"]: entry.get("embedding")
        for entry in entries
        if isinstance(entry, dict) and type(entry.get("index")) is int
    }
    if len(entries) != texts or by_index.keys() != set(range(texts)):
        found = [entry.get("index") if isinstance(entry, dict) else entry for entry in entries]
        message = f"{texts} texts were sent; the reply's indexes are {str(found)[:200]}"
        raise UnpairedReplyError(message, hint=HINT)
    vectors: dict[int, Vectors] = {}
    faults: dict[int, str] = {}
    for index, numbers in by_index.items():
        try:
            vectors[index] = _unit(_numbers(numbers))
        except ValueError as error:
            faults[index] = str(error)
    return EmbeddingsReply(vectors, faults)


def _numbers(values: object) -> NDArray[np.float64]:
    if not isinstance(values, list) or not values:
        raise ValueError("the server sent no list of numbers for it")
    if not all(type(value) in {int, float} for value in values):
        raise ValueError("the server sent something other than numbers for it")
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError as error:
        raise ValueError("the server sent a number without bound for it") from error


def _unit(numbers: NDArray[np.float64]) -> Vectors:
    with np.errstate(over="ignore"):
        single = numbers.astype(np.float32)
    if not np.isfinite(single).all():
        raise ValueError("the server sent numbers that are not finite for it")
    length = float(np.linalg.norm(numbers))
    if length == 0:
        raise ValueError("the server sent a vector of length zero for it")
    return np.asarray(numbers / length, dtype=np.float32)
