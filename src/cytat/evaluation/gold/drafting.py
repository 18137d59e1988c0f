"""A corpus -> a gold set to be filled in: passages of its documents, each with a unique needle.

Whatever a document holds, the file reads back: texts are quoted, comments hold what can be printed.

A question that was made from a passage reuses its words, which makes the passage easy to find:
recall over such questions says little about those that people ask. So proposals are marked, are
not counted before a person has reviewed them, and the share of borrowed words is measured.
"""

import json
import os
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.analysis.analyser import analyse_question, terms_of
from cytat.errors import UsageError
from cytat.evaluation.gold.sampling import (
    DocumentToSample,
    Outline,
    SampledPassage,
    draw_excerpts,
)
from cytat.evaluation.scoring import metric_value
from cytat.evaluation.text_files import filled, prompt_text
from cytat.protocols import Generator, Moment, Passage, Prompt, Store
from cytat.records import BlockKind, DocumentId, GoldDraft, MetricValue

SET_APART = frozenset({BlockKind.HEADING, BlockKind.FURNITURE})
PASSAGE_LINE = 96
PASSAGE_CHARACTERS = 1_200
"""Shown of a passage: enough to put a question to the sentence; the document has the rest."""
GUIDE = """\
Questions to measure with, to be filled in by you.

Each case below shows a passage of your documents. Write as "question" what a person would ask who
needs to know what it says and has not read it: in your words, not in the passage's. What borrows
the passage's words is too easy to find, and measures little.
"needles" are the words that answer. They occur once in all documents and must stay verbatim; cut
them down to what answers, or take others of the same passage.
A case whose question stays empty is skipped, and counted as such. Delete what nobody would ask.
At the end are questions that your documents do NOT answer: the right reply is a refusal. Ask
half of them about things the documents are near to (group refuse-near), and half about anything.
Then run: cytat eval {name}"""
PROPOSED = """\
A model has proposed the questions. Each stays out until you have put it as a person would and
deleted "proposed"; to leave one for later, empty its question."""
NEAR, FAR = "refuse-near", "refuse-far"


@dataclass(frozen=True, slots=True)
class Draft:
    """An excerpt with the question that was proposed for it; "" where a person has to ask."""

    excerpt: SampledPassage
    question: str


def draft_gold(
    store: Store, out: Path, *, questions: int, seed: int, generator: Generator | None
) -> GoldDraft:
    """Write a gold set to be filled in; half as many places for unanswerable questions.

    Raises:
        UsageError: the file exists already, or no sentence of the corpus occurs only once.
    """
    if questions < 1:
        raise UsageError(f"{questions} questions are too few", hint="give 1 or more")
    if os.path.exists(out):
        raise _is_there(out)
    with store.moment() as moment:
        excerpts = draw_excerpts(
            _outlines(moment), _Read(moment), _texts(moment), wanted=questions, seed=seed
        )
    if not excerpts:
        raise UsageError(
            "the corpus holds no passage to ask about",
            hint="add documents with running text; `cytat status` lists what was read",
        )
    drafts = (
        tuple(Draft(excerpt, "") for excerpt in excerpts)
        if generator is None
        else propose(excerpts, generator)
    )
    unanswerable = max(1, questions // 2)
    write = jsonl_text if out.suffix.casefold() == ".jsonl" else yaml_text
    _write_new(out, write(drafts, unanswerable=unanswerable, name=out.name))
    proposed = sum(bool(draft.question) for draft in drafts)
    return GoldDraft(
        file=str(out),
        seed=seed,
        cases=len(drafts),
        unanswerable=unanswerable,
        documents=len({excerpt.source for excerpt in excerpts}),
        proposed=proposed,
        borrowed=borrowed(drafts) if proposed else None,
        generator=None if generator is None else generator.name,
        notes=tuple(_draft_notes(drafts, wanted=questions, generator=generator)),
    )


def _draft_notes(
    drafts: tuple[Draft, ...], *, wanted: int, generator: Generator | None
) -> Iterator[str]:
    if len(drafts) < wanted:
        yield (
            f"The documents hold {len(drafts)} passages with a sentence that occurs once, not "
            f"{wanted}."
        )
    missing = sum(not draft.question for draft in drafts)
    if generator is not None and missing:
        yield f"For {missing} passages the model wrote no question; they are left empty."


def _outlines(moment: Moment) -> list[Outline]:
    return [
        Outline(document.id, document.media_type, document.characters)
        for document in moment.documents()
        if document.version is not None and document.chunks
    ]


class _Read:
    """Reads one document as sampling needs it."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self._documents = {document.id: document for document in moment.documents()}

    def __call__(self, id_: DocumentId) -> DocumentToSample:
        moment, document = self._moment, self._documents[id_]
        return DocumentToSample(
            source=document.source,
            language=document.language,
            text=moment.text(id_),
            set_apart=tuple(block.span for block in moment.blocks(id_) if block.kind in SET_APART),
            chunks=tuple(stored.chunk for stored in moment.chunks(id_)),
        )


def _texts(moment: Moment) -> Iterator[str]:
    yield from (
        moment.text(document.id) for document in moment.documents() if document.version is not None
    )


def _is_there(out: Path) -> UsageError:
    return UsageError(
        f"{out} is there already", hint="name another file: what you filled in is not overwritten"
    )


def _write_new(out: Path, text: str) -> None:
    try:
        with out.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise _is_there(out) from None
    except OSError as error:
        raise UsageError(
            f"{out} cannot be written: {error.strerror}", hint="name another file"
        ) from error


# ---------------------------------------------------------------- the file


def yaml_text(drafts: Sequence[Draft], *, unanswerable: int, name: str) -> str:
    """Return the gold set as YAML."""
    lines = list(_guide(drafts, name))
    for number, draft in enumerate(drafts, start=1):
        lines += ["", *_shown(draft, number)]
        lines += [f"- id: {_id(number)}", f"  question: {quoted(draft.question)}"]
        lines += ["  proposed: true"] if draft.question else []
        lines += ["  needles:", f"    - {quoted(draft.excerpt.needle)}"]
    lines += ["", *_unanswered_heading()]
    for id_, group in _unanswered(unanswerable):
        lines += [f"- id: {id_}", '  question: ""', "  answerable: false", f"  group: {group}"]
    return "\n".join(lines) + "\n"


def jsonl_text(drafts: Sequence[Draft], *, unanswerable: int, name: str) -> str:
    """Return the gold set as JSONL; lines that begin with # are comments."""
    lines = list(_guide(drafts, name))
    for number, draft in enumerate(drafts, start=1):
        proposed = {"proposed": True} if draft.question else {}
        case = {"id": _id(number), "question": draft.question, **proposed}
        lines += ["", *_shown(draft, number), _json(case | {"needles": [draft.excerpt.needle]})]
    lines += ["", *_unanswered_heading()]
    lines += [
        _json({"id": id_, "question": "", "answerable": False, "group": group})
        for id_, group in _unanswered(unanswerable)
    ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """Return a text in double quotes as YAML reads it."""
    # What cannot be printed would end a YAML file or fold its lines, and JSON leaves it raw.
    return "".join(
        sign if sign.isprintable() else _escape(sign)
        for sign in json.dumps(text, ensure_ascii=False)
    )


def _escape(sign: str) -> str:
    return f"\\U{ord(sign):08x}"


def _json(case: dict[str, object]) -> str:
    return json.dumps(case, ensure_ascii=False)


def _id(number: int) -> str:
    return f"q{number:02d}"


def _guide(drafts: Sequence[Draft], name: str) -> Iterator[str]:
    guide = GUIDE.format(name=_printable(name))
    if any(draft.question for draft in drafts):
        guide += "\n\n" + PROPOSED
    yield from (f"# {line}".rstrip() for line in guide.split("\n"))


def _shown(draft: Draft, number: int) -> Iterator[str]:
    excerpt = draft.excerpt
    path = "".join(f" › {heading}" for heading in excerpt.heading_path)
    yield f"# {number} · {_printable(excerpt.source + path)}"
    passage = excerpt.passage[:PASSAGE_CHARACTERS]
    cut = " …" if len(passage) < len(excerpt.passage) else ""
    for line in (passage + cut).splitlines():
        yield from (f"#   | {wrapped}" for wrapped in textwrap.wrap(_printable(line), PASSAGE_LINE))


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _unanswered_heading() -> Iterator[str]:
    yield "# Questions that the documents do not answer."


def _unanswered(count: int) -> Iterator[tuple[str, str]]:
    near = (count + 1) // 2
    for at in range(count):
        group, number = (NEAR, at + 1) if at < near else (FAR, at - near + 1)
        yield f"{group}-{number:02d}", group


QUESTION_TOKENS = 120
LONGEST_QUESTION = 300
"""Characters; a person would not type a longer question."""


def propose(excerpts: Sequence[SampledPassage], generator: Generator) -> tuple[Draft, ...]:
    """Return each excerpt with the question that a model puts to it; "" where it put none."""
    return tuple(Draft(excerpt, _proposed(excerpt, generator)) for excerpt in excerpts)


def borrowed(drafts: Sequence[Draft]) -> MetricValue:
    """Return the mean share of a proposed question's words that occur in its passage."""
    return metric_value(
        "borrowed-words", None, [_borrowed(draft) if draft.question else None for draft in drafts]
    )


def _proposed(excerpt: SampledPassage, generator: Generator) -> str:
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
