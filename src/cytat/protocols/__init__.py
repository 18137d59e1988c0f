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
from cytat.protocols.ranking import (
    Allowed,
    Scored,
    ScoredChunk,
    Spread,
    Stretch,
    Surroundings,
    WordsFound,
)
from cytat.protocols.readers import (
    Chunker,
    DrawsBoxes,
    FileFormat,
    FileSample,
    Fit,
    Listing,
    Reader,
    Source,
    SourceOptions,
)
from cytat.protocols.store import (
    Moment,
    NewVersion,
    OpenStore,
    Store,
    Writing,
)
from cytat.protocols.upkeep import TermsOf, Upkeep

__all__ = [
    "Allowed",
    "Chunker",
    "DrawsBoxes",
    "Embedder",
    "FileFormat",
    "FileSample",
    "Fit",
    "Generator",
    "Listing",
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
    "Source",
    "SourceOptions",
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
