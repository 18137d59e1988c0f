"""Excerpts + a generator -> proposed questions, and how much of them is the passages' own words.

A question that was made from a passage reuses its words, which makes the passage easy to find:
recall over such questions says little about those that people ask. So proposals are marked, are
not counted before a person has reviewed them, and the share of borrowed words is measured.
"""

from collections.abc import Sequence

from cytat.analysis.analyser import analyse_question, terms_of
from cytat.evaluation.prompting import filled, prompt_text
from cytat.evaluation.sampling import Excerpt
from cytat.evaluation.summary import metric_value
from cytat.evaluation.writing_gold import Draft
from cytat.protocols import Generator, Passage, Prompt
from cytat.records import MetricValue

QUESTION_TOKENS = 120
LONGEST_QUESTION = 300
"""Characters; what is longer is no question a person would type."""


def propose(excerpts: Sequence[Excerpt], generator: Generator) -> tuple[Draft, ...]:
    """Return each excerpt with the question that a model puts to it; "" where it put none."""
    return tuple(Draft(one, _proposed(one, generator)) for one in excerpts)


def borrowed(drafts: Sequence[Draft]) -> MetricValue:
    """Return the mean share of a proposed question's words that stand in its passage."""
    return metric_value(
        "borrowed-words", None, [_borrowed(one) if one.question else None for one in drafts]
    )


def _proposed(excerpt: Excerpt, generator: Generator) -> str:
    about = " › ".join((excerpt.source, *excerpt.heading_path))
    passage = Passage(1, excerpt.source, excerpt.heading_path, excerpt.passage)
    user = filled("propose_user", about=about, passage=excerpt.passage, needle=excerpt.needle)
    system = prompt_text("propose_system")
    prompt = Prompt(system, user, excerpt.needle, excerpt.language or "", (passage,))
    return _question("".join(generator.generate(prompt, max_tokens=QUESTION_TOKENS)))


def _question(draft: str) -> str:
    """Return the one question of a draft; "" for anything else: nothing is guessed of it."""
    lines = [line.strip() for line in draft.splitlines() if line.strip()]
    is_question = len(lines) == 1 and lines[0].endswith("?") and lines[0].isprintable()
    return lines[0] if is_question and len(lines[0]) <= LONGEST_QUESTION else ""


def _borrowed(draft: Draft) -> float | None:
    words = analyse_question(draft.question, languages=[draft.excerpt.language]).content
    terms = terms_of(draft.excerpt.passage, draft.excerpt.language)
    return sum(word.met_by(terms) for word in words) / len(words) if words else None
