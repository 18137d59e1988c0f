"""Conditions -> the documents that satisfy them. A condition is judged once for each value.

What filters ask of all documents is in memory for one generation, shared by all who ask.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from cytat.analysis.filters import Facts, asked_of, holds
from cytat.analysis.places import Mask
from cytat.records import Condition

SELECT_FACTS = """
select source, title, media_type, language, metadata
from main.document
order by row
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """What each document has for one key: `codes` say which of `values`."""

    values: tuple[str | None, ...]
    codes: NDArray[np.int64]

    def where(self, condition: Condition) -> Mask:
        """Return for each document whether it satisfies the condition."""
        verdicts = [holds(condition, value) for value in self.values]
        return np.array(verdicts, dtype=np.bool_)[self.codes]


class DocumentFacts:
    """What can be asked of all documents of a generation, by row."""

    def __init__(self, facts: Sequence[Facts]) -> None:
        """Take one for each document."""
        self._facts = facts
        self._columns: dict[str, _Column] = {}

    def where(self, conditions: Sequence[Condition]) -> Mask:
        """Return for each document whether it satisfies every condition."""
        kept = np.ones(len(self._facts), dtype=np.bool_)
        for condition in conditions:
            kept &= self._column(condition.key).where(condition)
        return kept

    def _column(self, key: str) -> _Column:
        found = self._columns.get(key)
        if found is None:  # two threads may both make it, and make the same
            numbers: dict[str | None, int] = {}
            asked = (asked_of(key, facts) for facts in self._facts)
            codes = [numbers.setdefault(value, len(numbers)) for value in asked]
            found = _Column(tuple(numbers), np.array(codes, dtype=np.int64))
            self._columns[key] = found
        return found


def read_facts(connection: apsw.Connection) -> DocumentFacts:
    """Return the facts of all documents, whoever asks."""
    return DocumentFacts(
        [
            Facts(source, title, media_type, language, _texts(metadata))
            for source, title, media_type, language, metadata in connection.execute(SELECT_FACTS)
        ]
    )


def _texts(metadata: str) -> Mapping[str, str]:
    return {str(key): str(value) for key, value in json.loads(metadata).items()}
