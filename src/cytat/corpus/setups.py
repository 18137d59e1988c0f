"""A corpus, settings and what is to be tried -> setups, each with the cutter and encoder it names.

All are opened before anything is done: a wrong name costs no work.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cytat.chunking import DEFAULT_CHUNKING, open_chunker, parse_chunker_name
from cytat.config import Settings
from cytat.corpus.models import EmbedderChoice
from cytat.embedding import embed_passages, embed_query
from cytat.errors import UsageError
from cytat.evaluation import LocatedQuestion, NamedSetup, Similarity, TextPair, holds_answer, setups
from cytat.protocols import Chunker, Embedder, Moment
from cytat.records import ChunkId, Condition, DocumentId, Setup, SweepAxes
from cytat.retrieval import DEFAULT_FUSION, FusionRule, Mode, parse_fusion
from cytat.store import Store

ONE_BY_ONE, GRID = "one-by-one", "grid"
ARRANGEMENTS = (ONE_BY_ONE, GRID)


@dataclass(frozen=True, slots=True)
class OpenedSetup:
    """A setup with what does its work."""

    named: NamedSetup
    chunker: Chunker
    choice: EmbedderChoice
    embedder: Embedder
    fusion: FusionRule

    @property
    def index(self) -> tuple[str, str]:
        """What of it decides which chunks and vectors there are."""
        return self.chunker.name, self.embedder.weights

    @property
    def key(self) -> tuple[str, ...]:
        """What decides its rankings."""
        return (*self.index, self.named.setup.mode, self.fusion.text)


def open_setups(
    corpus: Store, settings: Settings, axes: SweepAxes, *, arrangement: str
) -> tuple[list[OpenedSetup], list[str]]:
    """Return the setups to be run, the baseline first, and sentences about those that are none.

    Raises:
        UsageError: a name is unknown, or nothing differs from the baseline.
    """
    if arrangement not in ARRANGEMENTS:
        raise UsageError(
            f"there is no arrangement {arrangement!r}", hint=f"one of: {', '.join(ARRANGEMENTS)}"
        )
    planned = setups(baseline_of(corpus, settings), axes, is_grid=arrangement == GRID)
    choices = _Choices(settings)
    kept: dict[tuple[str, ...], OpenedSetup] = {}
    notes = []
    for opened in (_opened(one, choices) for one in planned):
        same = kept.setdefault(opened.key, opened)
        if same is not opened:
            notes.append(f"{opened.named.name} is the same as {same.named.name}.")
        elif _wanted_tokens(opened) > opened.embedder.max_tokens:
            notes.append(
                f"{opened.named.name}: cut to {opened.embedder.max_tokens} tokens, for "
                f"{opened.embedder.name} sees no more."
            )
    if len(kept) == 1:
        raise UsageError(
            "nothing differs from the corpus as it is",
            hint="name what to compare, for instance --chunking fixed:256 or --mode words",
        )
    return list(kept.values()), notes


def baseline_of(corpus: Store, settings: Settings) -> Setup:
    """Return the setup of the corpus as it is, searched as it is searched by default."""
    space = corpus.space()
    with corpus.moment() as moment:
        chunking = moment.chunking() or DEFAULT_CHUNKING
    name = EmbedderChoice(settings).name(space)
    stamped = space.embedder if space is not None else name
    return Setup(
        chunking=parse_chunker_name(chunking).text,
        embedder=stamped if stamped.partition(":")[0] == name else name,
        mode=Mode.HYBRID.value,
        fusion=DEFAULT_FUSION.text,
    )


def _wanted_tokens(opened: OpenedSetup) -> int:
    return parse_chunker_name(opened.named.setup.chunking).tokens or 0


class _Choices:
    """Encoders by name, each opened once; `openai:MODEL` is a model of the server that is set."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: dict[str, EmbedderChoice] = {}

    def of(self, name: str) -> EmbedderChoice:
        """Return the choice of that encoder and of no other."""
        if name not in self._known:
            backend, _, model = name.partition(":")
            in_force = model or self._settings.embeddings_model
            self._known[name] = EmbedderChoice(
                replace(self._settings, embedder=backend, embeddings_model=in_force)
            )
        return self._known[name]


def _opened(named: NamedSetup, choices: _Choices) -> OpenedSetup:
    setup = named.setup
    if setup.mode not in set(Mode):
        raise UsageError(f"there is no mode {setup.mode!r}", hint=f"one of: {', '.join(Mode)}")
    choice = choices.of(setup.embedder)
    embedder = choice.embedder(None)
    chunker = open_chunker(setup.chunking, embedder=embedder)
    return OpenedSetup(named, chunker, choice, embedder, parse_fusion(setup.fusion))


def of_gold(
    questions: Sequence[LocatedQuestion],
    store: Store,
    embedder: Embedder,
    conditions: Sequence[Condition],
) -> list[Similarity]:
    """Return, for each question with an answer in a chunk, its nearest right and wrong chunk."""
    with store.moment() as moment:
        found = []
        allowed = moment.allowed(conditions) if conditions else None
        for question, right in _right_chunks(questions, moment):
            vector = embed_query(embedder, question)
            scored = moment.by_vector(vector, depth=len(right) + 1, allowed=allowed)
            near = scored.scores_of(right)
            wrong = [hit.score for hit in scored.hits if hit.chunk_id not in near]
            if near and wrong:
                found.append(Similarity(question, max(near.values()), is_similar=True))
                found.append(Similarity(question, wrong[0], is_similar=False))
        return found


def of_pairs(pairs: Sequence[TextPair], embedder: Embedder) -> list[Similarity]:
    """Return the cosine of every pair."""
    passages = embed_passages(embedder, [one.passage for one in pairs]).vectors
    return [
        Similarity(one.question, float(embed_query(embedder, one.question) @ row), one.is_similar)
        for one, row in zip(pairs, passages, strict=True)
    ]


def _right_chunks(
    questions: Sequence[LocatedQuestion], moment: Moment
) -> list[tuple[str, list[ChunkId]]]:
    """Return each question that some chunk answers, with these."""
    right: dict[str, list[ChunkId]] = {one.gold.id: [] for one in questions}
    asked: dict[DocumentId, list[LocatedQuestion]] = defaultdict(list)
    for one in questions:
        for document_id in {id_ for _, id_ in one.documents} | _named_by_chunks(one):
            asked[document_id].append(one)
    for document_id, about in asked.items():
        for stored in moment.chunks(document_id):
            for one in about:
                if holds_answer(one, document_id, stored.chunk.id, stored.chunk.span):
                    right[one.gold.id].append(stored.chunk.id)
    return [(one.gold.question, right[one.gold.id]) for one in questions if right[one.gold.id]]


def _named_by_chunks(one: LocatedQuestion) -> set[DocumentId]:
    return {place.document_id for _, place in one.chunks}
