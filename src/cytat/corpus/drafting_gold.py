"""A corpus -> a gold set to be filled in: passages of its documents, each with a unique needle."""

import os
from collections.abc import Iterator
from pathlib import Path

from cytat.errors import UsageError
from cytat.evaluation import (
    Draft,
    Outline,
    Readable,
    borrowed,
    draw_excerpts,
    jsonl_text,
    propose,
    yaml_text,
)
from cytat.protocols import Generator
from cytat.records import BlockKind, DocumentId, GoldDraft
from cytat.store import Store

SET_APART = frozenset({BlockKind.HEADING, BlockKind.FURNITURE})


def draft_gold(
    store: Store, out: Path, *, questions: int, seed: int, generator: Generator | None
) -> GoldDraft:
    """Write a gold set to be filled in; half as many places for unanswerable questions.

    Raises:
        UsageError: the file is there already, or the corpus holds no sentence that stands once.
    """
    if questions < 1:
        raise UsageError(f"{questions} questions are too few", hint="give 1 or more")
    if os.path.exists(out):
        raise _is_there(out)
    with store.reading():
        excerpts = draw_excerpts(
            _outlines(store), _Read(store), _texts(store), wanted=questions, seed=seed
        )
    if not excerpts:
        raise UsageError(
            "the corpus holds no passage to ask about",
            hint="add documents with running text; `cytat status` lists what was read",
        )
    drafts = (
        tuple(Draft(one, "") for one in excerpts)
        if generator is None
        else propose(excerpts, generator)
    )
    unanswerable = max(1, questions // 2)
    write = jsonl_text if out.suffix.casefold() == ".jsonl" else yaml_text
    _write_new(out, write(drafts, unanswerable=unanswerable, name=out.name))
    proposed = sum(bool(one.question) for one in drafts)
    return GoldDraft(
        file=str(out),
        seed=seed,
        cases=len(drafts),
        unanswerable=unanswerable,
        documents=len({one.source for one in excerpts}),
        proposed=proposed,
        borrowed=borrowed(drafts) if proposed else None,
        generator=None if generator is None else generator.name,
        notes=tuple(_notes(drafts, wanted=questions, generator=generator)),
    )


def _notes(drafts: tuple[Draft, ...], *, wanted: int, generator: Generator | None) -> Iterator[str]:
    if len(drafts) < wanted:
        yield (
            f"The documents hold {len(drafts)} passages with a sentence that stands once, not "
            f"{wanted}."
        )
    missing = sum(not one.question for one in drafts)
    if generator is not None and missing:
        yield f"For {missing} passages the model wrote no question; they are left empty."


def _outlines(store: Store) -> list[Outline]:
    return [
        Outline(one.id, one.media_type, one.characters)
        for one in store.documents()
        if one.version is not None and one.chunks
    ]


class _Read:
    """Reads one document as sampling needs it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._documents = {one.id: one for one in store.documents()}

    def __call__(self, id_: DocumentId) -> Readable:
        store, document = self._store, self._documents[id_]
        return Readable(
            source=document.source,
            language=document.language,
            text=store.text(id_),
            set_apart=tuple(one.span for one in store.blocks(id_) if one.kind in SET_APART),
            chunks=tuple(one.chunk for one in store.chunks(id_)),
        )


def _texts(store: Store) -> Iterator[str]:
    yield from (store.text(one.id) for one in store.documents() if one.version is not None)


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
