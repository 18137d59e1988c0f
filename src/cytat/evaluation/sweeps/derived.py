"""Setups -> corpora that can be searched, one for each way to cut and embed, and what each costs.

The baseline is searched in the corpus as it is. What it costs is measured on a copy, made as the
other files are made, where others are made at all.
"""

import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from cytat import plugins
from cytat.corpus import Corpus
from cytat.embedding import embed_passages
from cytat.errors import UsageError
from cytat.evaluation.sweeps.setups import OpenedSetup
from cytat.ingestion import begin_derived, derive
from cytat.protocols import Embedder, Moment, Store
from cytat.records import Making, Price, Progress
from cytat.text.identity import passage_text

WEIGHTS_DIGITS = 8
SAMPLED_PASSAGES = 16
"""Embedded to measure an encoder whose vectors were all there: a few seconds of work."""


@dataclass(frozen=True, slots=True)
class PassageParts:
    """What is embedded of a chunk."""

    title: str
    heading_path: tuple[str, ...]
    context: str
    words: str


@dataclass(frozen=True, slots=True)
class PassageCounts:
    """Passages, their tokens, those of heading paths, and how many exceed the window."""

    chunks: int
    tokens: int
    heading_tokens: int
    past_window: int


def count_passages(
    passages: Iterable[PassageParts], *, token_ends: Callable[[str], Sequence[int]], window: int
) -> PassageCounts:
    """Return what passages hold; `window` is how many tokens of one the encoder sees.

    What a heading path costs is the head of its passage less that of a title alone.
    """
    costs: dict[tuple[str, tuple[str, ...]], int] = {}
    chunks = tokens = heading_tokens = past_window = 0
    for passage in passages:
        head = (passage.title, passage.heading_path)
        if head not in costs:
            with_path = passage_text(passage.title, passage.heading_path, "", "")
            alone = passage_text(passage.title, (), "", "")
            costs[head] = len(token_ends(with_path)) - len(token_ends(alone))
        count = len(token_ends(passage_text(*head, passage.context, passage.words)))
        chunks, tokens = chunks + 1, tokens + count
        heading_tokens += costs[head]
        past_window += count > window
    return PassageCounts(chunks, tokens, heading_tokens, past_window)


@dataclass(frozen=True, slots=True)
class Index:
    """A corpus that can be searched, with what it holds and cost; `making` None: not derived."""

    corpus: Corpus
    counts: PassageCounts
    making: Making | None
    file_bytes: int


class DerivedFiles:
    """The files of one sweep; close them in the end."""

    def __init__(self, corpus: Corpus, *, keep: Path | None, is_copied: bool) -> None:
        """Take the corpus, which is only read.

        `keep` is the folder of the files, None for one that goes in the end; `is_copied` says
        whether the baseline's costs are measured on a copy.
        """
        self._corpus = corpus
        self._keep = keep
        self._is_copied = is_copied
        self._open_files = ExitStack()
        self._indexes: dict[tuple[str, str], Index] = {}
        self._sampled: dict[str, float] = {}

    def close(self) -> None:
        """Close the files; those in a temporary folder go."""
        self._open_files.close()

    def baseline(self, setup: OpenedSetup, listen: Callable[[Progress], None]) -> Index:
        """Return the corpus as it is, as the file of its own setup."""
        store = self._corpus.store
        counts = _counts(store, setup.embedder)
        size = 0 if store.file is None else store.file.stat().st_size
        index = Index(self._corpus, counts, None, size)
        if self._is_copied:
            copy = self._derived(setup, listen)
            index = replace(index, making=copy.making, file_bytes=copy.file_bytes)
        self._indexes[setup.index] = index
        return index

    def of(self, setup: OpenedSetup, listen: Callable[[Progress], None]) -> Index:
        """Return the file of a setup, made where it is not there yet."""
        if setup.index not in self._indexes:
            self._indexes[setup.index] = self._derived(setup, listen)
        return self._indexes[setup.index]

    def price(self, setup: OpenedSetup, *, search_ms: float) -> Price:
        """Return what a setup costs, whose file is there."""
        index = self._indexes[setup.index]
        counts, making = index.counts, index.making
        rate = self._seconds_a_token(setup)
        embedding_s = None if rate is None else rate * counts.tokens
        other_s = None if making is None else _other_seconds(index, making)
        return Price(
            chunks=counts.chunks,
            tokens=counts.tokens,
            mean_tokens=counts.tokens / max(counts.chunks, 1),
            heading_tokens=counts.heading_tokens,
            heading_share=counts.heading_tokens / max(counts.tokens, 1),
            past_window=counts.past_window,
            embedding_s=embedding_s,
            indexing_s=None if embedding_s is None or other_s is None else embedding_s + other_s,
            search_ms=search_ms,
            file_bytes=index.file_bytes,
        )

    def _seconds_a_token(self, setup: OpenedSetup) -> float | None:
        """Return what an encoder takes for a token, over all files or else on a few passages.

        None where no file was made: then nothing is embedded for the sake of a figure.
        """
        makings = [
            index.making
            for (_, weights), index in self._indexes.items()
            if weights == setup.embedder.weights and index.making is not None
        ]
        tokens = sum(making.embedded_tokens for making in makings)
        if tokens:
            return sum(making.embedding_s for making in makings) / tokens
        if makings and setup.embedder.weights not in self._sampled:
            store = self._indexes[setup.index].corpus.store
            self._sampled[setup.embedder.weights] = _sampled_rate(store, setup.embedder)
        return self._sampled.get(setup.embedder.weights)

    def _derived(self, setup: OpenedSetup, listen: Callable[[Progress], None]) -> Index:
        path = self._folder / _file_name(setup)
        with closing(plugins.open_store(path, create=True)) as target:
            begin_derived(target)
            making = derive(
                self._corpus.store,
                target,
                chunker=setup.chunker,
                embedder=setup.embedder,
                donors=[index.corpus.store for index in self._indexes.values()],
                listen=listen,
            )
        # Closed and opened again: what it takes is in the file now, and not in its log.
        size = path.stat().st_size
        settings = replace(self._corpus.settings, corpus=path, labels=None)
        corpus = self._open_files.enter_context(Corpus(settings, choice=setup.choice))
        return Index(corpus, _counts(corpus.store, setup.embedder), making, size)

    @cached_property
    def _folder(self) -> Path:
        if self._keep is None:
            made = tempfile.TemporaryDirectory(prefix="cytat-sweep-")
            return Path(self._open_files.enter_context(made))
        try:
            self._keep.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{self._keep} cannot be created: {error.strerror}", hint="name another folder"
            ) from error
        return self._keep


def _other_seconds(index: Index, making: Making) -> float:
    """Return how long cutting and writing all documents takes, at the rates of the making."""
    with index.corpus.store.moment() as moment:
        characters = sum(document.characters for document in moment.documents())
    cutting_s = making.cutting_s * characters / max(making.cut_characters, 1)
    return cutting_s + making.writing_s * index.counts.chunks / max(making.written_chunks, 1)


def _sampled_rate(store: Store, embedder: Embedder) -> float:
    """Return the seconds a token takes, measured on passages from all over the corpus."""
    with store.moment() as moment:
        passages = [
            passage_text(passage.title, passage.heading_path, passage.context, passage.words)
            for passage in _passages(moment)
        ]
    sample = passages[:: max(len(passages) // SAMPLED_PASSAGES, 1)][:SAMPLED_PASSAGES]
    began = time.perf_counter()
    embed_passages(embedder, sample)
    took = time.perf_counter() - began
    return took / max(sum(len(embedder.token_ends(text)) for text in sample), 1)


def _counts(store: Store, embedder: Embedder) -> PassageCounts:
    with store.moment() as moment:
        return count_passages(
            _passages(moment), token_ends=embedder.token_ends, window=embedder.max_tokens
        )


def _passages(moment: Moment) -> Iterator[PassageParts]:
    for document in moment.documents():
        text = "" if document.version is None else moment.text(document.id)
        for stored in moment.chunks(document.id):
            chunk = stored.chunk
            words = chunk.span.of(text)
            yield PassageParts(document.title, chunk.heading_path, chunk.context, words)


def _file_name(setup: OpenedSetup) -> str:
    named = f"{setup.chunker.name}-{setup.embedder.name}-{setup.embedder.weights[:WEIGHTS_DIGITS]}"
    return re.sub(r"[^A-Za-z0-9.+-]+", "-", named) + ".db"
