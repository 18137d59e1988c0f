"""Question + hits -> Prompt within a budget -> draft -> grounded statements, as the draft arrives.

The most relevant passage stands last, next to the question. When the budget does not hold all
passages, the least relevant are left out, never a part of the instructions; a note says how many.

A stream that breaks off keeps what arrived and says that it is incomplete. A draft that turns out
to have been reasoning so far starts anew, and so does its grounding.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from cytat.errors import IncompleteDraftError, UsageError
from cytat.grounding import (
    NO_ANSWER,
    CitableTexts,
    DraftParser,
    DraftStatement,
    Grounded,
    Grounder,
    Grounding,
    IsStale,
    Restart,
)
from cytat.protocols import Generator, Passage, Prompt
from cytat.records import Citation, DroppedStatement, Hit, Statement

LANGUAGE_NAMES = {
    "pl": "Polish (po polsku)", "en": "English", "de": "German", "fr": "French", "es": "Spanish",
    "it": "Italian", "pt": "Portuguese", "nl": "Dutch", "cs": "Czech", "sk": "Slovak",
    "uk": "Ukrainian", "ru": "Russian", "sv": "Swedish", "da": "Danish",
}  # fmt: skip


_DELIMITER = re.compile(r"<(?=\s*/?\s*passage)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Packed:
    """A prompt and the hits in it, in prompt order: marker n names `evidence[n - 1]`."""

    prompt: Prompt
    evidence: tuple[Hit, ...]
    left_out: int


@cache
def prompt_text(name: str) -> str:
    """Return a prompt file of the package."""
    return resources.files("cytat.prompts").joinpath(f"{name}.txt").read_text("utf-8")


def prompts_hash() -> str:
    """Return what identifies the prompt texts in a trace."""
    texts = prompt_text("system") + "\0" + prompt_text("user") + "\0" + prompt_text("passage")
    return hashlib.sha256(texts.encode("utf-8")).hexdigest()[:16]


def pack(
    question: str,
    hits: Sequence[Hit],
    *,
    language: str,
    budget_tokens: int,
    count_tokens: Callable[[str], int],
) -> Packed:
    """Return the prompt with as many of the best hits as the budget holds.

    Raises:
        UsageError: not even one passage fits beside the instructions.
    """
    for count in range(len(hits), 0, -1):
        packed = _packed(question, hits[:count], language, left_out=len(hits) - count)
        if count_tokens(packed.prompt.system) + count_tokens(packed.prompt.user) <= budget_tokens:
            return packed
    raise UsageError(
        f"no passage fits into {budget_tokens} tokens beside the instructions and the question",
        hint="name a model with a larger context, or ask a shorter question",
    )


def _packed(question: str, best_first: Sequence[Hit], language: str, *, left_out: int) -> Packed:
    evidence = tuple(reversed(best_first))
    passages = tuple(
        Passage(marker, hit.title or hit.source, hit.heading_path, hit.text)
        for marker, hit in enumerate(evidence, start=1)
    )
    name = LANGUAGE_NAMES.get(language, "the language of the question")
    user = prompt_text("user").format(
        passages="\n".join(map(_rendered, passages)), question=_escaped(question), language=name
    )
    system = prompt_text("system").format(no_answer=NO_ANSWER)
    return Packed(Prompt(system, user, question, language, passages), evidence, left_out)


def _rendered(passage: Passage) -> str:
    about = " › ".join((passage.title, *passage.heading_path))
    return prompt_text("passage").format(
        marker=passage.marker, about=_escaped(about), text=_escaped(passage.text)
    )


def _escaped(text: str) -> str:
    """Return `text` unable to close or open the delimiters; all else stays as it is."""
    return _DELIMITER.sub("&lt;", text)


Listener = Callable[[Statement | DroppedStatement | Citation], None]
"""Is told a citation before the statement that first uses it."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a generator wrote, what of it stands, and whether it came to its end."""

    text: str
    grounding: Grounding
    is_complete: bool


def draft_answer(
    packed: Packed,
    generator: Generator,
    *,
    max_tokens: int,
    listen: Listener,
    texts: CitableTexts,
    is_stale: IsStale,
) -> Drafted:
    """Return what a generator says to a prompt, each statement grounded in the packed evidence."""
    parser, pieces = DraftParser(), _Pieces()
    grounder = Grounder(packed.evidence, texts=texts, is_stale=is_stale)
    for events in _events(parser, pieces, generator.generate(packed.prompt, max_tokens=max_tokens)):
        for event in events:
            if isinstance(event, Restart):
                grounder = Grounder(packed.evidence, texts=texts, is_stale=is_stale)
            else:
                _tell(grounder.take(event), listen)
    return Drafted("".join(pieces.taken), grounder.result(), pieces.is_complete)


class _Pieces:
    def __init__(self) -> None:
        self.taken: list[str] = []
        self.is_complete = True


def _events(
    parser: DraftParser, pieces: _Pieces, stream: Iterator[str]
) -> Iterator[Sequence[DraftStatement | Restart]]:
    try:
        for piece in stream:
            pieces.taken.append(piece)
            yield parser.feed(piece)
    except IncompleteDraftError:
        # What arrived is checked like any other draft, and the answer says that it is not whole.
        pieces.is_complete = False
    yield parser.finish()


def _tell(grounded: Grounded | DroppedStatement | None, listen: Listener) -> None:
    if isinstance(grounded, DroppedStatement):
        listen(grounded)
    elif grounded is not None:
        for citation in grounded.citations:
            listen(citation)
        listen(grounded.statement)
