"""The nouns of a gold set: questions with what has to be found, said, and not said."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

HASH_DIGITS = 16


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with its judgments.

    `where` is the file and line it stands at. `grades` are those of `sources` that are not 1.
    """

    where: str
    id: str
    question: str
    sources: tuple[str, ...]
    needles: tuple[str, ...]
    chunks: tuple[str, ...]
    titles: tuple[str, ...]
    must_contain: tuple[str, ...]
    must_not_contain: tuple[str, ...]
    expected: str | None
    is_answerable: bool
    group: str | None
    grades: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GoldSet:
    """Questions with judgments, expected answers and answerability."""

    name: str
    questions: tuple[GoldQuestion, ...]
    unfilled: int
    """Cases without a question yet, which are not asked."""
    has_texts: bool
    """Its documents are texts of a set, unpacked: a run names them by their ids there."""

    @property
    def hash(self) -> str:
        """Return what identifies questions and judgments, however they are written down."""
        content = [
            {key: value for key, value in asdict(one).items() if key != "where"}
            for one in self.questions
        ]
        text = json.dumps(content, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_DIGITS]
