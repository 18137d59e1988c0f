"""Draft + evidence -> verified citations. Every quote is read again at its span."""

from cytat.grounding.cite import CitableTexts, IsStale, cite
from cytat.grounding.drafts import (
    NO_ANSWER,
    DraftParser,
    DraftStatement,
    parse_draft,
    without_unsaid,
)
from cytat.grounding.ground import Grounded, Grounder, Grounding, ground, text_with_markers
from cytat.grounding.passages import Reading, Unit, read_passage
from cytat.grounding.reasoning import Restart

__all__ = [
    "NO_ANSWER", "CitableTexts", "DraftParser", "DraftStatement", "Grounded", "Grounder",
    "Grounding", "IsStale", "Reading", "Restart", "Unit", "cite", "ground", "parse_draft",
    "read_passage", "text_with_markers", "without_unsaid",
]  # fmt: skip
