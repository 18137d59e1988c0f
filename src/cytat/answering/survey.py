"""What the corpus as a whole says of a question; the lead-in to every answer and refusal. Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from cytat.records import Coverage, Query, TermGroup
from cytat.retrieval import QuestionStatistics

_GENERIC = """
    wynosi wynoszą wynosił wynosiła znajduje znajdują nazywa nazywał nazywała oznacza
    oznaczają dotyczy znaczy polega służy kosztuje kosztują liczy trwa powinien powinna
    należy trzeba muszę musi muszą mogę dużo długo często rodzaj rodzaju sposób powodu mean
    means called name many much long often good happen happens need needed want know tell
    give find used use number amount kind type
"""
GENERIC_WORDS = frozenset(_GENERIC.split())
"""Words that a question is made with; a text that answers need not hold them."""

GENERIC_WEIGHT = 0.25


@dataclass(frozen=True, slots=True)
class Survey:
    """A question as analysed, and how its words and its vector lie in the whole corpus."""

    query: Query
    language: str
    chunks: int
    frequencies: Mapping[str, int]
    """Surface of each content word -> chunks that hold it in any form."""
    cosine_mean: float | None
    cosine_deviation: float | None
    """Of the question's cosine over all chunks searched; None when vectors were not searched."""
    coverage: Coverage

    def rarity(self, group: TermGroup) -> float:
        """Return the weight of a word: its inverse document frequency, as BM25 has it.

        idf(w) = ln(1 + (N - n(w) + 0.5) / (n(w) + 0.5)); little for words of asking.
        """
        count = min(self.frequencies.get(group.surface, 0), self.chunks)
        idf = math.log(1 + (self.chunks - count + 0.5) / (count + 0.5))
        return idf * (GENERIC_WEIGHT if group.surface in GENERIC_WORDS else 1.0)


def survey_of(
    query: Query, statistics: QuestionStatistics, *, language: str, coverage: Coverage
) -> Survey:
    """Return the survey of a question.

    Args:
        query: the question as analysed.
        statistics: of the corpus it was asked of; a frequency for every alternative of the query.
        language: of the reply.
        coverage: how much of the corpus could be searched at all.
    """
    counts = {
        group.surface: max(
            (statistics.frequencies.get(term, 0) for term in group.alternatives), default=0
        )
        for group in query.content
    }
    cosines = statistics.cosines
    return Survey(
        query=query,
        language=language,
        chunks=statistics.chunks,
        frequencies=counts,
        cosine_mean=cosines.mean if cosines else None,
        cosine_deviation=cosines.deviation if cosines else None,
        coverage=coverage,
    )
