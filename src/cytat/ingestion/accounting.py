"""A ledger, and how many passages have no vector -> how the document stands. Pure."""

from dataclasses import dataclass, replace

from cytat.ingestion.preparing import PARTIAL_CODES
from cytat.records import DocumentState, Ledger, Problem

NOT_EMBEDDED = "not-embedded"
"""Code of a document some of whose chunks the encoder failed on: words alone find them."""


@dataclass(frozen=True, slots=True)
class Account:
    """What is told of a document version that is searchable."""

    ledger: Ledger
    state: DocumentState
    code: str | None
    message: str | None
    hint: str | None


def account_of(ledger: Ledger, *, missing: int) -> Account:
    """Return how a document stands; what its ledger said of vectors before does not count."""
    told = _told(ledger, missing)
    problem = next((known for known in told.problems if _is_loss(known)), None)
    is_partial = problem is not None or told.failed > 0
    return Account(
        ledger=told,
        state=DocumentState.PARTIAL if is_partial else DocumentState.INDEXED,
        code=problem.code if problem else None,
        message=f"{problem.part}: {problem.message}" if problem else None,
        hint="`cytat status` lists what is missing" if is_partial else None,
    )


def _told(ledger: Ledger, missing: int) -> Ledger:
    others = tuple(problem for problem in ledger.problems if problem.code != NOT_EMBEDDED)
    problem = Problem(
        part=f"{missing} chunks",
        code=NOT_EMBEDDED,
        message="the encoder failed on them; they are found by words alone until the next add",
    )
    return replace(ledger, problems=(*others, problem) if missing else others)


def _is_loss(problem: Problem) -> bool:
    return problem.code in PARTIAL_CODES or problem.code == NOT_EMBEDDED
