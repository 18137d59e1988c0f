"""Draft + evidence -> verified citations. Every quote is read again at its span."""

from cytat.grounding.drafts import (
    NO_ANSWER,
    DraftParser,
    DraftStatement,
    parse_draft,
    without_unsaid,
)
from cytat.grounding.ground import (
    CitableTexts,
    Grounded,
    Grounder,
    Grounding,
    IsStale,
    cite,
    ground,
    read_span,
    text_with_markers,
)
from cytat.grounding.model_output import Restart
from cytat.grounding.passages import (
    Reading,
    Unit,
    index_terms,
    is_row,
    item_sign,
    read_passage,
    unit_spans,
)
from cytat.grounding.texts import (
    LOOK_AHEAD_CHARACTERS,
    LOOK_BACK_CHARACTERS,
    KeptTexts,
    keep_texts,
)

__all__ = [
    "LOOK_AHEAD_CHARACTERS", "LOOK_BACK_CHARACTERS", "NO_ANSWER", "CitableTexts", "DraftParser",
    "DraftStatement", "Grounded", "Grounder", "Grounding", "IsStale", "KeptTexts", "Reading",
    "Restart", "Unit", "cite", "ground", "index_terms", "is_row", "item_sign", "keep_texts",
    "parse_draft", "read_passage", "read_span", "text_with_markers", "unit_spans", "without_unsaid",
]  # fmt: skip
