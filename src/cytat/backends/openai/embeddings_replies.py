"""A reply to an embeddings request -> unit vectors by the position of their text. Pure.

Vectors come as lists of numbers, or as base64 of little-endian float32. A vector that cannot be
used is a fault of its text alone.
"""

import base64
import binascii
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cytat.errors import BackendError
from cytat.protocols import Vectors

FLOAT_BYTES = 4
HINT = "the server does not keep to the protocol of /v1/embeddings; try another one"


class UnpairedReplyError(BackendError):
    """The vectors of a reply cannot be assigned to their texts."""


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
    if texts == len(entries) == 1 and isinstance(entries[0], dict) and "index" not in entries[0]:
        by_index = {0: entries[0].get("embedding")}  # one text, one vector: nothing to mix up
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
    if isinstance(values, str):
        return _decoded(values)
    if not isinstance(values, list) or not values:
        raise ValueError("the server sent no list of numbers for it")
    if not all(type(value) in {int, float} for value in values):
        raise ValueError("the server sent something other than numbers for it")
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError as error:
        raise ValueError("the server sent a number without bound for it") from error


def _decoded(text: str) -> NDArray[np.float64]:
    try:
        packed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("the server sent text that is not base64 for it") from error
    if not packed or len(packed) % FLOAT_BYTES:
        raise ValueError("the server sent base64 that is no list of float32 for it")
    return np.frombuffer(packed, dtype="<f4").astype(np.float64)


def _unit(numbers: NDArray[np.float64]) -> Vectors:
    with np.errstate(over="ignore"):
        single = numbers.astype(np.float32)
    if not np.isfinite(single).all():
        raise ValueError("the server sent numbers that are not finite for it")
    length = float(np.linalg.norm(numbers))
    if length == 0:
        raise ValueError("the server sent a vector of length zero for it")
    return np.asarray(numbers / length, dtype=np.float32)
