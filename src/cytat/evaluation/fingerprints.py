"""What a run depends on -> Fingerprint: runs that differ in it are compared with care, or not."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import cytat
from cytat.analysis.filters import Where, parse_where
from cytat.answering import Gate, prompts_hash
from cytat.protocols import Generator, Moment
from cytat.records import Fingerprint

HASH_DIGITS = 16
SYSTEM = "cytat"
NONE = "none"
NOT_KNOWN = "not known"
RETRIEVAL_ONLY = "none: retrieval only"


@dataclass(frozen=True, slots=True)
class RunScope:
    """What a run looks at, how it ranks, and how far it looks."""

    qrels: Path | None
    """Judgments of the questions, if they are in a separate file."""
    depth: int
    where: Where
    mode: str
    fusion: str
    evidence: int
    """Hits that an answer is made from."""


@dataclass(frozen=True, slots=True)
class RunAnswers:
    """What answers the questions of a run: the gate in force, and a model; None: quotes."""

    gate: Gate
    generator: Generator | None


def fingerprint_of(
    moment: Moment, gold_hash: str, scope: RunScope, *, answers: RunAnswers | None, judge: str
) -> Fingerprint:
    """Return what a run over a moment of a corpus depends on.

    Args:
        moment: of the corpus.
        gold_hash: of the questions and judgments.
        scope: of the run.
        answers: None where only retrieval is measured.
        judge: the judging model with its texts; "none" without one.
    """
    documents, space = moment.documents(), moment.space()
    versions = [document.version for document in documents if document.version is not None]
    stamps = {document.stamp.chunking for document in documents if document.stamp is not None}
    has_model = answers is not None and answers.generator is not None
    return Fingerprint(
        system=SYSTEM,
        gold=gold_hash,
        documents=hash_of(sorted(versions)),
        where=tuple(
            f"{condition.key}{condition.sign}{','.join(condition.values)}"
            for condition in parse_where(scope.where)
        ),
        depth=scope.depth,
        generation=moment.generation,
        chunking=tuple(sorted(stamps)),
        chunks=sum(document.chunks for document in documents),
        encoder=space.embedder if space else NONE,
        weights=space.weights[:HASH_DIGITS] if space else NONE,
        mode=scope.mode,
        evidence=scope.evidence,
        generator=RETRIEVAL_ONLY if answers is None else _generator(answers.generator),
        gate=RETRIEVAL_ONLY if answers is None else _gate(answers.gate),
        prompts=prompts_hash() if has_model else NONE,
        judge=judge,
        code=code_version(),
        fusion=scope.fusion,
    )


def _generator(generator: Generator | None) -> str:
    return "quoting" if generator is None else generator.name


def _gate(gate: Gate) -> str:
    return "shipped" if gate.calibration is None else hash_of([repr(gate.calibration)])


def fingerprint_of_file(
    system: str, grades: Mapping[str, Mapping[str, int]], depth: int
) -> Fingerprint:
    """Return what is known of a run that only a file of rankings describes.

    `grades`: question id -> document id -> grade.
    """
    judged = [
        f"{question} {doc} {of[doc]}"
        for question, of in sorted(grades.items())
        for doc in sorted(of)
    ]
    return Fingerprint(
        system=system,
        gold=hash_of(judged),
        documents=NOT_KNOWN,
        where=(),
        depth=depth,
        generation=0,
        chunking=(),
        chunks=0,
        encoder=NOT_KNOWN,
        weights=NOT_KNOWN,
        mode=NOT_KNOWN,
        evidence=0,
        generator=RETRIEVAL_ONLY,
        gate=RETRIEVAL_ONLY,
        prompts=NONE,
        judge=NONE,
        code=code_version(),
        fusion=NOT_KNOWN,
    )


@cache
def code_version() -> str:
    """Return the version of cytat and a hash of its modules and data, which may be newer."""
    package = Path(cytat.__file__).parent
    files = sorted(file for kind in ("*.py", "*.json", "*.txt") for file in package.rglob(kind))
    contents = [
        f"{file.relative_to(package).as_posix()}:{hashlib.sha256(file.read_bytes()).hexdigest()}"
        for file in files
    ]
    return f"{metadata.version('cytat')}+{hash_of(contents)}"


def hash_of(texts: Sequence[str]) -> str:
    """Return what identifies texts in an order."""
    return hashlib.sha256("\0".join(texts).encode("utf-8")).hexdigest()[:HASH_DIGITS]
