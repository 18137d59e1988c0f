"""Question sets -> cases: a question over a small corpus that holds its answer or does not.

Three sources: PoQuAD dev (Polish) and Natural Questions gold passages (English), each cut as they
are ("whole") and into single sentences ("fine", as statutes and invoices are cut), and papers of
small firms written for this (`firm/`, `questions/firm.jsonl`). Kinds of case:

    answerable      the passage with the answer is there
    impossible      its own passage is there and does not answer it (PoQuAD says so)
    answer missing  the sentence with the answer was taken out, its neighbours are there; for the
                    firms' papers, a question on their subject that they do not answer
    off-topic       only passages on other things, in the question's language
    off-topic, other language

Articles are divided into two halves before anything is drawn: one fits, the other is reported.
"""

import hashlib
import json
import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.json_rows import json_rows
from benchmarks.question_sets import KeptEmbedder, Question, SmallCorpus, hit_of, open_kept
from benchmarks.reading import read_document

from cytat.answering.gate import is_foreign, missing_identifiers, signals_of
from cytat.answering.scoring import ScoredUnit, score_units, shipped_model
from cytat.chunking import DEFAULT_BUDGET_TOKENS, StructureChunker
from cytat.grounding import read_passage
from cytat.records import ChunkId, Hit

HERE = Path(__file__).parent
SEED = 20_251_130
DEPTH = 8
SIZES = {"whole": (4, 12, 40, 120), "fine": (6, 20, 60, 300)}
"""Chunks in a corpus."""
SENTENCES_OF_A_PASSAGE = 5
"""About so many a passage has: a fine corpus of 300 is made of 60 passages."""
MOST_QUESTIONS = 360
"""Of Polish; English has one question a passage."""
ENGLISH_QUESTIONS = 300
OFF_TOPIC_OF_EACH = 40
"""Questions of each set that are asked of each firm's papers."""


@dataclass(frozen=True)
class Case:
    """One question over one corpus, as the gate and the choice of sentences see it."""

    language: str
    kind: str
    cut: str
    """whole | fine | firm"""
    size: int
    is_held_out: bool
    question: Question
    units: tuple[ScoredUnit, ...]
    right: tuple[bool, ...]
    """For each unit, whether it holds the answer."""
    signals: dict[str, float]
    is_missing_identifier: bool
    is_foreign: bool


@dataclass(frozen=True)
class Pool:
    """Passages of one language, and the questions over them."""

    language: str
    passages: dict[str, Hit]
    asked: tuple[Question, ...]
    impossible: tuple[Question, ...]


def draw_cases(data: Path, embedder: KeptEmbedder) -> list[Case]:
    """Return all cases, the same every time."""
    polish, english = polish_pool(data / "poquad_pl"), english_pool(data / "nq_gold")
    return [
        *_cases_of(polish, english, embedder),
        *_cases_of(english, polish, embedder),
        *_firm_cases((polish, english), embedder),
    ]


def kept_cases(data: Path, cache: Path, file: Path | None) -> list[Case]:
    """Return all cases: those in `file` if it is there, else drawn, and written into it."""
    if file is not None and file.exists():
        kept: list[Case] = pickle.loads(file.read_bytes())  # noqa: S301 (our own file)
        return kept
    embedder = open_kept(cache)
    try:
        cases = draw_cases(data, embedder)
    finally:
        embedder.save()
    if file is not None:
        file.write_bytes(pickle.dumps(cases))
    return cases


# ---------------------------------------------------------------- pools


def polish_pool(folder: Path) -> Pool:
    """Return paragraphs of PoQuAD dev with up to two questions each, and impossible questions."""
    corpus, asked = _rows(folder / "corpus.jsonl"), _rows(folder / "queries.jsonl")
    drawn = random.Random(7)  # noqa: S311 (draws questions, not secrets)
    by_passage: dict[str, list[str]] = {}
    for question, passage in _judged(folder / "qrels" / "dev.tsv"):
        by_passage.setdefault(passage, []).append(question)
    passages = sorted(by_passage)
    drawn.shuffle(passages)
    pairs = [(one, passage) for passage in passages for one in by_passage[passage][:2]]
    pairs = pairs[:MOST_QUESTIONS]
    known = {passage for _, passage in pairs}
    impossible = [
        pair for pair in _judged(folder / "qrels" / "dev_impossible.tsv") if pair[1] in known
    ]
    paragraphs = [name for name, row in corpus.items() if row["metadata"]["kind"] == "paragraph"]
    others = sorted(set(paragraphs) - known)
    drawn.shuffle(others)
    hits = {
        name: hit_of(name, corpus[name]["title"], corpus[name]["text"])
        for name in [*sorted(known), *others[:OTHERS]]
    }
    return Pool("pl", hits, _questions(pairs, asked), _questions(impossible, asked))


OTHERS = 60
"""Passages without a question, beside those with one."""


def english_pool(folder: Path) -> Pool:
    """Return gold passages of Natural Questions, one question each."""
    corpus, asked = _rows(folder / "corpus.jsonl"), _rows(folder / "queries.jsonl")
    drawn = random.Random(8)  # noqa: S311 (draws questions, not secrets)
    pairs = sorted(_judged(folder / "qrels" / "dev.tsv"))
    drawn.shuffle(pairs)
    known = {passage for _, passage in pairs[:ENGLISH_QUESTIONS]}
    others = sorted(set(corpus) - known)
    drawn.shuffle(others)
    hits = {
        name: hit_of(name, corpus[name]["title"], corpus[name]["text"])
        for name in [*sorted(known), *others[:OTHERS]]
    }
    return Pool("en", hits, _questions(pairs[:ENGLISH_QUESTIONS], asked), ())


def _rows(path: Path) -> dict[str, dict[str, Any]]:
    return {row["_id"]: row for row in json_rows(path)}


def _judged(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text("utf-8").splitlines()[1:]
    return [(question, passage) for question, passage, *_ in (line.split("\t") for line in lines)]


def _questions(
    pairs: Sequence[tuple[str, str]], asked: dict[str, dict[str, object]]
) -> tuple[Question, ...]:
    return tuple(Question.of(asked[name], gold=passage) for name, passage in pairs)


# ---------------------------------------------------------------- cases


def _cases_of(pool: Pool, other: Pool, embedder: KeptEmbedder) -> Iterator[Case]:
    drawn = random.Random(SEED)  # noqa: S311 (draws corpora, not secrets)
    for at, question in enumerate((*pool.asked, *pool.impossible)):
        gold = pool.passages[question.gold]
        far = [hit for hit in _same_half(pool, gold) if hit.title != gold.title]
        foreign = _same_half(other, gold)
        for cut, sizes in SIZES.items():
            size = sizes[at % len(sizes)]
            count = size if cut == "whole" else max(1, size // SENTENCES_OF_A_PASSAGE)
            cut_up = _uncut if cut == "whole" else sentences_of
            make = _maker(question, cut, size, is_held_out(gold), pool.language, embedder)
            some = _sample(drawn, far, count - 1)
            if at >= len(pool.asked):
                yield make("impossible", cut_up([gold, *some]))
                continue
            yield make("answerable", cut_up([gold, *some]))
            yield make("off-topic", cut_up(_sample(drawn, far, count)))
            if at % 2 == 0:
                yield make("off-topic, other language", cut_up(_sample(drawn, foreign, count)))
            if cut == "fine":
                left = [one for one in cut_up([gold]) if not holds_answer(one.text, question)]
                if left:
                    yield make("answer missing", [*left, *cut_up(some)])


def is_held_out(hit: Hit) -> bool:
    """Say on which side an article is: it fits, or it is reported."""
    return hashlib.sha256(hit.title.encode()).digest()[0] % 2 == 1


def _same_half(pool: Pool, gold: Hit) -> list[Hit]:
    return [hit for hit in pool.passages.values() if is_held_out(hit) == is_held_out(gold)]


def _sample(drawn: random.Random, hits: Sequence[Hit], count: int) -> list[Hit]:
    return drawn.sample(list(hits), min(count, len(hits)))


def _uncut(hits: Sequence[Hit]) -> list[Hit]:
    return list(hits)


def sentences_of(hits: Sequence[Hit]) -> list[Hit]:
    """Return each sentence as a passage of its own."""
    return [
        replace(
            hit,
            chunk_id=ChunkId(f"{hit.chunk_id}#{at}"),
            span=unit.span,
            text=unit.span.of(hit.text),
        )
        for hit in hits
        for at, unit in enumerate(read_passage(hit).units)
    ]


def _maker(
    question: Question,
    cut: str,
    size: int,
    is_reported: bool,  # noqa: FBT001 (part of what a case is)
    language: str,
    embedder: KeptEmbedder,
) -> Callable[[str, Sequence[Hit]], Case]:
    def make(kind: str, passages: Sequence[Hit]) -> Case:
        survey, hits = SmallCorpus(passages, embedder=embedder).ask(question.text, depth=DEPTH)
        units = score_units(survey, hits, embedder=embedder, weights=shipped_model().sentence)
        right = tuple(
            kind == "answerable"
            and question.gold in {"", str(one.reading.hit.chunk_id).partition("#")[0]}
            and holds_answer(one.unit.text, question)
            for one in units
        )
        return Case(
            language, kind, cut, size, is_reported, question, tuple(units), right,
            signals_of(survey, hits, units), bool(missing_identifiers(survey)),
            is_foreign(survey, units),
        )  # fmt: skip

    return make


def holds_answer(text: str, question: Question) -> bool:
    """Say whether a text holds a gold answer, whatever its case and blanks."""
    plain = " ".join(text.casefold().split())
    return any(" ".join(answer.casefold().split()) in plain for answer in question.answers)


# ---------------------------------------------------------------- papers of small firms


def _firm_cases(pools: Sequence[Pool], embedder: KeptEmbedder) -> Iterator[Case]:
    lines = (HERE / "questions" / "firm.jsonl").read_text("utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    for folder in sorted(path for path in (HERE / "firm").iterdir() if path.is_dir()):
        chunks = chunks_of(folder, embedder)
        own = [row for row in asked if row["corpus"] == folder.name]
        for at, row in enumerate(own):
            question = Question(row["question"], "", (row["needle"],) if row["needle"] else ())
            make = _maker(question, "firm", len(chunks), bool(at % 2), "firm", embedder)
            yield make("answerable" if row["needle"] else "answer missing", chunks)
        for pool in pools:
            for at, question in enumerate(pool.asked[:OFF_TOPIC_OF_EACH]):
                make = _maker(question, "firm", len(chunks), bool(at % 2), "firm", embedder)
                yield make("off-topic", chunks)


def chunks_of(folder: Path, embedder: KeptEmbedder) -> list[Hit]:
    """Return the chunks of all documents of a folder, cut as cytat cuts them."""
    chunker = StructureChunker(DEFAULT_BUDGET_TOKENS, embedder.token_ends)
    hits = []
    for path in sorted(folder.iterdir()):
        document = read_document(path.read_bytes(), source=str(path))
        for chunk in chunker.cut(document):
            hit = hit_of(str(chunk.id), document.title, chunk.span.of(document.text))
            hits.append(replace(hit, heading_path=chunk.heading_path))
    return hits
