"""Texts -> unit vectors by any server that speaks OpenAI's /v1/embeddings.

Nothing a server sends is trusted: vectors are paired by index, checked one by one, and brought to
length 1. A text without a usable vector is named with its reason and the others go on. A text the
server finds too long is never sent again whole: its halves are, and its vector is their mean, so
that every part of it can be found; the length that was refused is remembered for the next texts.

The vectors of fixed probe texts say which vector space this is. The name is not enough: another
model with the same name and dimensions would mix two spaces without an error. Servers are not exact
to the last bit, so the hash is computed from what noise does not change, the position and sign of
each vector's largest number; probes that are close to ones seen before on this machine keep their
hash.
"""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from cytat.backends.openai.embeddings_replies import HINT, UnpairedReplyError, parse_reply
from cytat.backends.openai.embeddings_server import (
    EmbeddingsServer,
    InputTooLongError,
    RequestRefusedError,
)
from cytat.errors import BackendError, SettingsError
from cytat.protocols import Embedder, MissingVectorsError, ModelOptions, Vectors

BATCH = 32
"""Texts in a request: keeps replies under a megabyte and a lost one cheap."""

WINDOW_TOKENS = 512
"""The smallest window of common models (BGE, E5, GTE); the protocol does not report it."""

SHORTEST_HALVED = 16
"""Characters; a server that finds less than this too long is not talking about length."""

PREFIXES = (
    (re.compile(r"\be5-(?!.*instruct)"), "query: ", "passage: "),
    (re.compile("nomic-embed"), "search_query: ", "search_document: "),
)
"""Models trained with a prefix for each role lose recall without it: Wang et al. 2022,
arXiv:2212.03533; Nussbaum et al. 2024, arXiv:2402.01613."""

PROBES = (
    "The committee meets on the first Monday of each month.",
    "Art. 43 ust. 1 pkt 2",
    "Jaka jest stawka podatku na książki?",
    "0.21 kg, PHD-07, FV/2025/09/0143",
)
SAME_COSINE = 0.999
"""Two runs of one model differ by about 1e-4 in cosine, two related models by much more."""

Found: TypeAlias = "Vectors | str"
"""A unit vector, or the reason why there is none."""

_TOKEN = re.compile(r"[A-Za-zÀ-ɏ]{1,2}|[^\sA-Za-zÀ-ɏ]")


class OpenAIEmbedder:
    """One model of one server. Its `weights` distinguish models with the same name."""

    languages: frozenset[str] | None = None
    max_tokens = WINDOW_TOKENS

    def __init__(self, model: "ServedModel", *, dimensions: int, weights: str) -> None:
        self.name = f"openai:{model.name}"
        self.dimensions = dimensions
        self.weights = weights
        self._model = model
        self._query_prefix, self._passage_prefix = prefixes_of(model.name)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dimensions), float32, rows of length 1, in the order given.

        Raises:
            MissingVectorsError: some texts have no usable vector.
            BackendError: the server cannot be used, or its model has changed its dimensions.
        """
        vectors = np.full((len(texts), self.dimensions), np.nan, dtype=np.float32)
        missing: dict[int, str] = {}
        for start in range(0, len(texts), BATCH):
            found = self._model.embed(texts[start : start + BATCH], prefix=self._passage_prefix)
            for at, vector in enumerate(self._of_right_size(found), start):
                if isinstance(vector, str):
                    missing[at] = vector
                else:
                    vectors[at] = vector
        if missing:
            raise MissingVectorsError(vectors, missing, hint=HINT)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Return shape (dimensions,), float32, length 1."""
        found = self._model.embed([text], prefix=self._query_prefix)
        (vector,) = self._of_right_size(found)
        if isinstance(vector, str):
            raise BackendError(f"{self.name} failed on the query: {vector}", hint=HINT)
        return vector

    def token_ends(self, text: str) -> Sequence[int]:
        """Return an estimate from above: the server's tokenizer is not known.

        Two Latin letters, or any other sign, are one token, and a sign of three or four bytes two:
        tokenizers made for English cut Polish words about so.
        """
        ends: list[int] = []
        for match in _TOKEN.finditer(text):
            end = match.end()
            ends += (end, end) if match.group() >= "\u0800" else (end,)
        return ends

    def _of_right_size(self, found: Sequence[Found]) -> list[Found]:
        """Name a vector of another size; stop when all are: it is another model now."""
        sizes = [len(vector) for vector in found if not isinstance(vector, str)]
        if sizes and self.dimensions not in sizes:
            raise BackendError(
                f"{self.name} sends vectors of {sizes[0]} dimensions, not {self.dimensions}",
                hint="another model answers under this name; name the old one, or reindex",
            )
        return [
            vector
            if isinstance(vector, str) or len(vector) == self.dimensions
            else f"the server sent {len(vector)} numbers for it, not {self.dimensions}"
            for vector in found
        ]


class ServedModel:
    """A model of a server: texts in, for each a unit vector or the reason why there is none."""

    def __init__(self, server: EmbeddingsServer, name: str) -> None:
        self.name = name
        self._server = server
        self._refused_length = float("inf")

    def embed(self, texts: Sequence[str], *, prefix: str) -> list[Found]:
        """Return what became of each text. Texts of a length once refused are sent in halves."""
        found: dict[int, Found] = {}
        short = []
        for at, text in enumerate(texts):
            if not text.strip():
                found[at] = "the text is blank"
            elif len(text) < self._refused_length:
                short.append(at)
            else:
                found[at] = self._by_halves(text, prefix)
        if short:
            sent = self._send([texts[at] for at in short], prefix)
            found.update(zip(short, sent, strict=True))
        return [found[at] for at in range(len(texts))]

    def _send(self, texts: Sequence[str], prefix: str) -> list[Found]:
        # JSON has no lone surrogates; servers refuse the whole batch for one.
        inputs = [(prefix + text).encode("utf-8", "replace").decode("utf-8") for text in texts]
        try:
            answer = self._server.ask({"model": self.name, "input": inputs})
            reply = parse_reply(answer, texts=len(texts))
        except InputTooLongError as error:
            return self._without_the_longest(texts, prefix, error)
        except (RequestRefusedError, UnpairedReplyError) as error:
            if len(texts) == 1:
                return [error.message]
            middle = len(texts) // 2
            halves = texts[:middle], texts[middle:]
            return [found for half in halves for found in self.embed(half, prefix=prefix)]
        return [
            reply.faults[at] if at in reply.faults else reply.vectors[at]
            for at in range(len(texts))
        ]

    def _without_the_longest(
        self, texts: Sequence[str], prefix: str, error: InputTooLongError
    ) -> list[Found]:
        """Take the longest text for the one refused: it is not sent whole again, nor its like."""
        longest = max(map(len, texts))
        if longest < SHORTEST_HALVED:
            return [error.message] * len(texts)
        self._refused_length = min(self._refused_length, longest)
        return self.embed(texts, prefix=prefix)

    def _by_halves(self, text: str, prefix: str) -> Found:
        """Return the mean of the vectors of the halves, at length 1."""
        middle = _middle(text)
        # One at a time: a refusal then shows which of them is too long.
        (first,) = self.embed([text[:middle]], prefix=prefix)
        (second,) = self.embed([text[middle:]], prefix=prefix)
        if isinstance(first, str) or isinstance(second, str):
            return first if isinstance(first, str) else second
        if first.shape != second.shape:
            return "the server sent vectors of several sizes for its halves"
        total = first + second
        length = float(np.linalg.norm(total))
        return np.asarray(total / length, np.float32) if length else "its halves cancel out"


def open_embedder(options: ModelOptions) -> Embedder:
    """Return the embedder of the server and model named in the options; calls it once."""
    if not options.base_url:
        raise SettingsError(
            "no embeddings server is named",
            hint="set EMBEDDINGS_BASE_URL, for example to http://localhost:11434/v1",
        )
    if not options.model:
        raise SettingsError(
            "no embeddings model is named", hint="set EMBEDDINGS_MODEL to a name the server knows"
        )
    server = EmbeddingsServer(
        options.base_url, api_key=options.api_key, timeout_s=options.timeout_s
    )
    return probed(ServedModel(server, options.model), options.cache)


def probed(model: ServedModel, cache: Path) -> Embedder:
    """Embed the probes: learn the dimensions, and which vector space this is."""
    vectors: list[Vectors] = []
    for found in model.embed(PROBES, prefix=""):
        if isinstance(found, str) or (vectors and found.shape != vectors[0].shape):
            reason = found if isinstance(found, str) else "vectors of several sizes"
            raise BackendError(f"{model.name} cannot embed a plain sentence: {reason}", hint=HINT)
        vectors.append(found)
    probes = np.stack(vectors)
    weights = space_hash(model.name, prefixes_of(model.name), probes, cache=cache)
    return OpenAIEmbedder(model, dimensions=probes.shape[1], weights=weights)


def prefixes_of(model: str) -> tuple[str, str]:
    """Return what goes before a query and before a passage."""
    for pattern, query, passage in PREFIXES:
        if pattern.search(model.casefold()):
            return query, passage
    return "", ""


def _middle(text: str) -> int:
    """Return where to halve: at the white space next to the middle, if it is in the middle half."""
    half = len(text) // 2
    space = text.find(" ", half, half + len(text) // 4)
    return space if space > 0 else half


# ---------------------------------------------------------------- which vector space


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
    if new in known:  # another model whose largest numbers are in the same positions
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
