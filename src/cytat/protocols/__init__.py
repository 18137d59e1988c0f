"""The seams: what a back-end must offer. No base class to inherit.

Each seam has a conformance suite in `testing`; a back-end is found by name through entry points.
"""

from cytat.protocols.models import (
    Embedder,
    Generator,
    MissingVectorsError,
    ModelOptions,
    Passage,
    Prompt,
    Vectors,
    check_same_space,
    space_of,
)
from cytat.protocols.ranking import Allowed, Scored, ScoredChunk, Spread, WordsFound
from cytat.protocols.readers import Chunker, Reader
from cytat.protocols.store import (
    Moment,
    NewVersion,
    OpenStore,
    Store,
    Stretch,
    Surroundings,
    Writing,
)
from cytat.protocols.upkeep import TermsOf, Upkeep

__all__ = [
    "Allowed",
    "Chunker",
    "Embedder",
    "Generator",
    "MissingVectorsError",
    "ModelOptions",
    "Moment",
    "NewVersion",
    "OpenStore",
    "Passage",
    "Prompt",
    "Reader",
    "Scored",
    "ScoredChunk",
    "Spread",
    "Store",
    "Stretch",
    "Surroundings",
    "TermsOf",
    "Upkeep",
    "Vectors",
    "WordsFound",
    "Writing",
    "check_same_space",
    "space_of",
]
