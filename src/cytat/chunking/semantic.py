"""Document -> Chunks that end where the subject changes, as the corpus' own embedder sees it.

Every sentence is embedded once. At each gap between two sentences the mean of the vectors before
it is compared with the mean of those after; gaps that stand out among those of the document end a
chunk, and so does the widest gap near the end of the budget. The cost is that embedding: about as
much again as the chunks themselves take.

Source:
    Hearst, TextTiling, Computational Linguistics 23(1), 1997, aclanthology.org/J97-1003: comparing
    blocks on both sides of a gap. The blocks here are compared by embeddings instead of words.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cytat.chunking.passages import check_budget, cut_as_planned, runs
from cytat.chunking.plain import sentences_of
from cytat.chunking.ruler import TokenRuler
from cytat.errors import SettingsError
from cytat.protocols import Embedder, MissingVectorsError, Vectors
from cytat.records import Chunk, Document, Span

DEFAULT_PERCENTILE = 95
"""One gap in twenty ends a chunk, if it is a peak: about a page of prose."""

GROUP_SENTENCES = 3
"""Sentences compared on each side of a gap: one alone may say nothing of the subject."""

BATCH_SENTENCES = 256
_WEIGHTS_DIGITS = 8
_FULL_SHARE = 2
"""A chunk that fills up ends at the widest gap in the last half of its budget."""


class SemanticChunker:
    """Cuts where neighbouring sentences differ most; implements `protocols.Chunker`."""

    def __init__(self, budget_tokens: int, embedder: Embedder, *, percentile: int) -> None:
        check_budget(budget_tokens)
        if not 0 <= percentile <= 100:  # noqa: PLR2004 - a percentile
            raise SettingsError(
                f"{percentile} is not a percentile", hint="set it between 0 and 100, such as 95."
            )
        # Another encoder would cut elsewhere: its weights are part of how a version was made.
        weights = embedder.weights[:_WEIGHTS_DIGITS]
        self.name = f"semantic/1:{percentile}:{budget_tokens}@{weights}"
        self._budget_tokens = budget_tokens
        self._embedder = embedder
        self._percentile = percentile

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks in text order.

        Raises:
            BackendError: the embedder cannot be reached.
        """
        found = list(runs(document))
        widths: dict[tuple[Span, ...], NDArray[np.float32]] = {}

        def plan(ruler: TokenRuler, room: int) -> list[Span]:
            planned: list[Span] = []
            for run in found:
                sentences = tuple(sentences_of(ruler, run, room=room))
                if sentences not in widths:
                    widths[sentences] = self._widths_of_gaps(ruler.text, sentences)
                planned += _topics(ruler, sentences, widths[sentences], self._percentile, room=room)
            return planned

        return cut_as_planned(
            document, self._embedder.token_ends, plan, budget_tokens=self._budget_tokens
        )

    def _widths_of_gaps(self, text: str, sentences: Sequence[Span]) -> NDArray[np.float32]:
        """Return, for each gap, the cosine distance of the text around it."""
        vectors = _embedded(self._embedder, [sentence.of(text) for sentence in sentences])
        sums = np.zeros((len(vectors) + 1, self._embedder.dimensions), dtype=np.float64)
        np.cumsum(vectors, axis=0, out=sums[1:])
        gaps = np.arange(1, len(vectors))
        before = sums[gaps] - sums[np.maximum(gaps - GROUP_SENTENCES, 0)]
        after = sums[np.minimum(gaps + GROUP_SENTENCES, len(vectors))] - sums[gaps]
        lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
        dots = (before * after).sum(axis=1)
        # Where nothing on one side has a vector, nothing is known of a change.
        cosines = np.divide(dots, lengths, out=np.ones_like(dots), where=lengths > 0)
        return np.asarray(1 - cosines, dtype=np.float32)


def _embedded(embedder: Embedder, sentences: Sequence[str]) -> Vectors:
    """Return a row a sentence; a row of zeros, which has no say, for one the embedder fails on."""
    rows = [np.zeros((0, embedder.dimensions), dtype=np.float32)]
    for start in range(0, len(sentences), BATCH_SENTENCES):
        try:
            vectors = embedder.embed_documents(sentences[start : start + BATCH_SENTENCES])
        except MissingVectorsError as lacking:
            vectors = lacking.vectors
        rows.append(np.nan_to_num(vectors, nan=0.0))
    return np.concatenate(rows)


def _topics(
    ruler: TokenRuler,
    sentences: Sequence[Span],
    widths: NDArray[np.float32],
    percentile: int,
    *,
    room: int,
) -> Iterator[Span]:
    """Yield the spans between the gaps that stand out, none of them over the room."""
    afters = [ruler.token_after(sentence.end) for sentence in sentences]
    breaks = [*(_peaks(widths, percentile) + 1).tolist(), len(sentences)]
    start = 0
    for stop in breaks:
        while start < stop:
            first = ruler.first_token(sentences[start].start)
            fitting = bisect_right(afters, first + room)
            end = stop
            if fitting < stop:
                half = bisect_right(afters, first + room // _FULL_SHARE)
                earliest, latest = max(half, start + 1), max(fitting, start + 1)
                end = earliest + int(np.argmax(widths[earliest - 1 : latest]))
            yield Span(sentences[start].start, sentences[end - 1].end)
            start = end


def _peaks(widths: NDArray[np.float32], percentile: int) -> NDArray[np.intp]:
    """Return the gaps above the percentile that are no narrower than their neighbours."""
    if not len(widths):
        return np.zeros(0, dtype=np.intp)
    around = np.pad(widths, 1, constant_values=-np.inf)
    is_peak = (widths >= around[:-2]) & (widths > around[2:])
    return np.flatnonzero(is_peak & (widths > np.percentile(widths, percentile)))
