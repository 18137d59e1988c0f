"""Whoever has which label: a reader's corpus is the corpus of what that reader may read.

Documents come, change, go and are labelled anew by chance; a corpus made from scratch of the
permitted ones alone says what each reader must be told, to the last bit of every score.
"""

import random
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from tests.corpora import write_files

from cytat import Corpus
from cytat.config import Settings
from cytat.records import Answer, Ranking, Refusal

SETTINGS = Settings(embedder="fake", chunk_tokens=40)
LABELS = ("", "", "hr", "board", "board", "board", "board", "alone")
"""One reader may read nearly nothing: what is nearer to each question is forbidden."""
WORDS = "premia urlop umowa najem czynsz kaucja faktura termin xenon staż".split()  # noqa: SIM905
QUESTIONS = ("premia za staż", "FV/2025/3", "kaucja i czynsz do 7 dni")
DOCUMENTS, CHANGES = 18, 8


@dataclass
class Desk:
    """A corpus of many labels, and which document has which."""

    place: Path
    dice: random.Random
    labels: dict[str, str] = field(default_factory=dict)

    def open(self, *, labels: tuple[str, ...] | None = None) -> Corpus:
        return Corpus.open(self.place / "c.db", settings=SETTINGS, labels=labels)

    def put(self, owner: Corpus, name: str) -> None:
        """Write a document that is new or changed, with a label by chance."""
        said = [" ".join(self.dice.choices(WORDS, k=self.dice.randrange(3, 30))) for _ in range(3)]
        said.append(f"Faktura FV/2025/{self.dice.randrange(9)}.")
        write_files(self.place, {name: f"# {name}\n\n" + "\n\n".join(f"{one}." for one in said)})
        self.labels[name] = self.dice.choice(LABELS)
        owner.add(self.place / name, label=self.labels[name])

    def relabel(self, owner: Corpus, name: str) -> None:
        self.labels[name] = self.dice.choice(LABELS)
        owner.add(self.place / name, label=self.labels[name])

    def remove(self, owner: Corpus, name: str) -> None:
        owner.remove(name)
        del self.labels[name]

    def live(self, owner: Corpus) -> None:
        """Let documents come, and some of them change, go, or change their readers."""
        for number in range(DOCUMENTS):
            self.put(owner, f"docs/{number:02}.md")
        for _ in range(CHANGES):
            act = self.dice.choice((self.put, self.relabel, self.remove))
            act(owner, self.dice.choice(sorted(self.labels)))

    def alone(self, place: Path, labels: tuple[str, ...]) -> Corpus:
        """Return a corpus of nothing but what a reader with `labels` may read."""
        allowed = [name for name, label in self.labels.items() if label in {"", *labels}]
        texts = {name: (self.place / name).read_text("utf-8") for name in allowed}
        place.mkdir()
        write_files(place, texts)
        corpus = Corpus.open(place / "c.db", settings=SETTINGS)
        corpus.add([place / name for name in sorted(allowed)])
        return corpus


def untraced(told: Ranking | Answer | Refusal) -> Ranking | Answer | Refusal:
    """Return what was told without the trace's name, which counts what was ever written."""
    return replace(told, trace_id=None)


def check_alike(mine: Corpus, theirs: Corpus) -> None:
    assert mine.status() == theirs.status()
    for question in QUESTIONS:
        assert untraced(mine.ask(question)) == untraced(theirs.ask(question))
        for mode in ("hybrid", "words", "vectors"):
            for depth, where in ((1, None), (5, "source=*1.md,*2.md"), (50, None)):
                told, wanted = (
                    one.search(question, mode=mode, depth=depth, where=where)
                    for one in (mine, theirs)
                )
                assert untraced(told) == untraced(wanted), (question, mode, depth, where)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_each_reader_has_the_corpus_of_what_that_reader_may_read(tmp_path: Path, seed: int) -> None:
    (tmp_path / "all").mkdir()
    desk = Desk(tmp_path / "all", random.Random(seed))  # noqa: S311 - chance, not secrets
    readers = [("alone",), ("hr",), ("board", "hr"), ()]
    opened = {labels: desk.open(labels=labels) for labels in readers}
    with desk.open() as owner:
        desk.put(owner, "docs/first.md")
        for corpus in opened.values():  # so that each has something in memory that is outdated
            corpus.search(QUESTIONS[0])
        desk.live(owner)
    for number, (labels, corpus) in enumerate(opened.items()):
        with desk.alone(tmp_path / str(number), labels) as theirs, corpus:
            check_alike(corpus, theirs)
