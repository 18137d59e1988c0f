"""Ranking -> ranking in which a wording occurs once. Reads only the passages it has to.

Copies of one text differ in white space, in the look of quotes and dashes, in page numbers and in
the letterhead they were printed under. Everything else counts: one digit, one sign, one word more
and it is another wording, since versions of a price list or a contract differ in no more.

Two chunks are copies when they say the same, word for word, beside the same words and under
headings with the same numbers: "200 zł" under "2024" is not "200 zł" under "2025".
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from cytat.records import ChunkId, StoredPassage
from cytat.text.folding import visible

FEWEST_WORDS = 8
"""Under a letterhead there is a text; a passage of addresses alone is compared as it is."""
MOST_LETTERHEAD_LINES = 6
MOST_LETTERHEAD_CHARACTERS = 120

_LOOKS = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"',
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
        "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
        "\ufb05": "st", "\ufb06": "st",
    }
)  # fmt: skip
_BULLET = re.compile(r"[•▪◦●·‣]\s+")
_LINE_END_HYPHEN = re.compile(r"(?<=[^\W\d_])-[ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_PAGE = re.compile(
    r"(?:strona|str\.|page|p\.|pg\.|seite)\s*\d{1,5}(?:\s*(?:z|/|of|von)\s*\d{1,5})?"
    r"|-\s*\d{1,5}\s*-",
    re.IGNORECASE,
)
_PAGE_OF_PAGES = re.compile(
    r"\b(strona|page|seite)\s*\d{1,5}\s*(?:z|/|of|von)\s*\d{1,5}$", re.IGNORECASE
)
_SENDER = re.compile(
    r"\b(?:tel|telefon|phone|fax|faks|nip|regon|krs)\b[.:]{0,2} ?\+?\d|\be-?mail: |\bwww\.|@"
    r"|\b(?:ul|al)\. [^\W\d_]|\b\d{2}-\d{3} [^\W\d_]|\bsp\. ?z o\. ?o\.|\bs\.a\."
    r"|\b(?:ltd|gmbh|inc|llc)\b|^(?:kopia|odpis|duplikat|poufne|copy|duplicate|confidential)$",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    r"[.!?;:]$|[%€$£]|\b(?:zł|pln|eur|usd|nie|not|no)\b|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2} [^\W\d_]{3,} \d{4}\b",
    re.IGNORECASE,
)
"""What no letterhead holds: the end of a sentence, an amount, a negation, a date."""
_COMPANY_END = re.compile(r"(?:o\. ?o\.|s\.a\.|ltd\.|inc\.)$", re.IGNORECASE)
_PARTY = re.compile(
    r"(?!(?:tel|fax|faks|phone|telefon|e-?mail|nip|regon|krs)\b)[^\W\d_]+:", re.IGNORECASE
)
"""'Wykonawca: ACME' says who somebody is in this text, not who sent it."""


@dataclass(frozen=True, slots=True)
class Wording:
    """`core`: a hash of all that is said. `letterhead`: who sent it, as far as it says."""

    core: bytes
    letterhead: tuple[str, ...]

    def says_the_same_as(self, other: "Wording") -> bool:
        """Say whether one is a copy of the other: no word of either is another word."""
        if self.core != other.core:
            return False
        return self.letterhead == other.letterhead or not (self.letterhead and other.letterhead)


def wording_of(text: str) -> Wording:
    """Return the wording of a passage."""
    lines = _lines(text)
    start, end = _body(lines)
    if len(" ".join(lines[start:end]).split()) < FEWEST_WORDS:
        start, end = 0, len(lines)
    said = " ".join(lines[start:end])
    return Wording(
        hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest(),
        (*lines[:start], *lines[end:]),
    )


def _lines(text: str) -> list[str]:
    """Return the lines that say something, each in one spelling."""
    looks = visible(text).translate(_LOOKS)
    lines = []
    for line in _LINE_END_HYPHEN.sub("", looks).splitlines():
        bare = " ".join(_BULLET.sub("", line.strip(), count=1).split())
        if not bare or _PAGE.fullmatch(bare):
            continue
        is_short = len(bare) <= MOST_LETTERHEAD_CHARACTERS
        lines.append(_PAGE_OF_PAGES.sub(r"\1", bare) if is_short else bare)
    return lines


def _body(lines: list[str]) -> tuple[int, int]:
    """Return where the text begins and ends between the lines of a letterhead."""
    start, end = 0, len(lines)
    while start < min(end, MOST_LETTERHEAD_LINES) and _is_letterhead(lines[start]):
        start += 1
    while end > max(start, len(lines) - MOST_LETTERHEAD_LINES) and _is_letterhead(lines[end - 1]):
        end -= 1
    return start, end


def _is_letterhead(line: str) -> bool:
    if len(line) > MOST_LETTERHEAD_CHARACTERS or not _SENDER.search(line):
        return False
    states = _STATEMENT.search(_COMPANY_END.sub("", line))
    return not states and not _PARTY.match(line)


_NUMBERS = re.compile(r"\d+")

Frame: TypeAlias = tuple[bytes, str, tuple[str, ...]]
"""The hash of what is said, the words beside it, the numbers of the headings."""


@dataclass(frozen=True, slots=True)
class Distinct:
    """Chunks that are kept, with their scores; for each, its copies, best first.

    `passages`: all chunks that were compared, with their words.
    """

    kept: tuple[tuple[ChunkId, float], ...]
    copies: Mapping[ChunkId, tuple[ChunkId, ...]]
    passages: Mapping[ChunkId, StoredPassage]


@dataclass(slots=True)
class _Kept:
    """What is kept so far, by what it says."""

    ranked: list[tuple[ChunkId, float]] = field(default_factory=list)
    hashes: set[bytes] = field(default_factory=set)
    copies: dict[ChunkId, list[ChunkId]] = field(default_factory=dict)
    by_frame: defaultdict[Frame, list[tuple[ChunkId, Wording]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def original_of(self, frame: Frame, wording: Wording) -> ChunkId | None:
        """Return the first chunk kept that says the same."""
        said = self.by_frame[frame]
        return next((known_id for known_id, known in said if known.says_the_same_as(wording)), None)


def collapse_copies(
    ranked: Sequence[tuple[ChunkId, float]],
    hashes: Mapping[ChunkId, bytes],
    read: Callable[[Sequence[ChunkId]], Mapping[ChunkId, StoredPassage]],
    *,
    depth: int,
) -> Distinct:
    """Keep the best `depth` wordings, so that copies leave room for other sources.

    Of copies with equal scores the first by chunk id stays, as the ranking has it. Below the last
    chunk kept only chunks with the very same words as a kept one are looked at.

    Args:
        ranked: chunks and scores, best first.
        hashes: of the words of all of them.
        read: returns some passages.
        depth: chunks wanted.
    """
    kept = _Kept()
    passages: dict[ChunkId, StoredPassage] = {}
    for at, (chunk_id, score) in enumerate(ranked):
        is_full = len(kept.ranked) == depth
        if is_full and hashes[chunk_id] not in kept.hashes:
            continue
        if chunk_id not in passages:
            block = ranked[at : at + 1] if is_full else ranked[at : at + depth]
            passages.update(read([wanted for wanted, _ in block]))
        wording = wording_of(passages[chunk_id].excerpt.text)
        frame = _frame(passages[chunk_id], wording)
        original = kept.original_of(frame, wording)
        if original is not None:
            kept.copies[original].append(chunk_id)
        elif not is_full:
            kept.ranked.append((chunk_id, score))
            kept.hashes.add(hashes[chunk_id])
            kept.copies[chunk_id] = []
            kept.by_frame[frame].append((chunk_id, wording))
    copies = {chunk_id: tuple(found) for chunk_id, found in kept.copies.items()}
    return Distinct(tuple(kept.ranked), copies, passages)


def _frame(passage: StoredPassage, wording: Wording) -> Frame:
    numbers = _NUMBERS.findall(" ".join(passage.chunk.heading_path))
    return wording.core, passage.chunk.context, tuple(numbers)
