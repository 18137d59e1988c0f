"""A file of pairs -> questions and passages that belong together, or do not.

JSONL, a pair a line: `{"question": "…", "passage": "…", "similar": true}`.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from cytat.errors import UsageError
from cytat.evaluation.text_files import lines_of

KEYS = {"question": str, "passage": str, "similar": bool}


@dataclass(frozen=True, slots=True)
class TextPair:
    """A question and a passage, and whether the one answers the other."""

    question: str
    passage: str
    is_similar: bool


def read_pairs(path: Path) -> tuple[TextPair, ...]:
    """Return the pairs of a file.

    Raises:
        UsageError: it cannot be read, or a line is no pair; or all pairs are of one kind.
    """
    pairs = tuple(
        _pair(line, f"{path}:{at}")
        for at, line in enumerate(lines_of(path, hint=_HINT), start=1)
        if line.strip()
    )
    if {one.is_similar for one in pairs} != {True, False}:
        raise UsageError(f"{path} does not hold both similar and different pairs", hint=_HINT)
    return pairs


def _pair(line: str, where: str) -> TextPair:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{where}: {error}", hint=_HINT) from error
    is_pair = isinstance(value, dict) and value.keys() == KEYS.keys()
    if not is_pair or not all(isinstance(value[key], kind) for key, kind in KEYS.items()):
        raise UsageError(f"{where}: this is no pair", hint=_HINT)
    return TextPair(value["question"], value["passage"], value["similar"])


_HINT = 'a pair is a line such as {"question": "…", "passage": "…", "similar": true}'
