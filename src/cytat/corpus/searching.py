"""A moment of a corpus and a question -> what is found, with the encoder that its vectors need."""

from cytat.analysis.filters import Where, parse_where
from cytat.corpus.models import EmbedderChoice
from cytat.errors import BackendError, ModelMissingError
from cytat.protocols import Embedder, Moment
from cytat.retrieval import (
    DEFAULT_FUSION,
    FusionRule,
    Mode,
    Retrieved,
    SearchRequest,
    parse_fusion,
    parse_mode,
    retrieve,
)
from cytat.text.notes import Note, NoteKind, note


def search_request(
    question: str, *, depth: int, mode: str, where: Where, fusion: str | None = None
) -> SearchRequest:
    """Return a search as a person asked for it; `UsageError` for a mode, filter or fusion unknown.

    `fusion`: such as "standard-scores:0.5"; None: the default.
    """
    rule: FusionRule = DEFAULT_FUSION if fusion is None else parse_fusion(fusion)
    return SearchRequest(question, depth, parse_mode(mode), parse_where(where), rule)


def find(moment: Moment, choice: EmbedderChoice, request: SearchRequest) -> Retrieved:
    """Return what is found, by words alone where the encoder is not there; see `retrieve`.

    Raises:
        VectorSpaceError: the encoder in force is not the corpus' own.
    """
    embedder, known = _searching_embedder(moment, choice, request.mode)
    return retrieve(moment, request, embedder=embedder, known=known)


def _searching_embedder(
    moment: Moment, choice: EmbedderChoice, mode: Mode
) -> tuple[Embedder | None, tuple[Note, ...]]:
    """Return the embedder to search with; or None, saying why."""
    space = moment.space()
    if mode is Mode.WORDS or space is None:
        return None, ()
    try:
        return choice.embedder(space), ()
    except (BackendError, ModelMissingError) as failure:
        if mode is Mode.VECTORS:
            raise
        return None, (note(NoteKind.EMBEDDER_AWAY, failure.message, failure.hint),)
