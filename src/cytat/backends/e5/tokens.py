"""str -> token ids and where each token ends. XLM-R's unigram tokenizer, with nothing to load.

A text is split at white space; each word, with the word mark before it, is cut into the pieces
whose log probabilities have the greatest sum. Pieces are found in a hash table in the cache:
a question costs a few hundred look-ups, while reading 250,000 pieces from a tokenizer file takes
0.5 s. The tokens of words seen before are kept, since most of a text is such words.

Characters are normalised as XLM-R's map says (NFKC, controls dropped, odd spaces made plain), then
composed: a text in NFD has the same tokens as in NFC. Ends are code points of the
text as given.

Source:
    Kudo, ACL 2018, doi:10.18653/v1/P18-1007.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from cytat.backends.e5.weights import Vocabulary

WORD_MARK = "▁"
LONGEST_PIECE = 16
"""Characters of the longest piece of this vocabulary; a look-up further on finds nothing."""
UNKNOWN_PENALTY = 10.0
"""What a character without a piece costs below the least likely piece, as in SentencePiece."""

TABLE_SLOTS = 1 << 20
"""About four times the number of pieces: three of four look-ups end at a free slot. 8 MB."""
_SLOT_MASK = TABLE_SLOTS - 1

WORDS_OF_A_QUESTION = 1000
"""Past so many different words it pays to read all pieces, which takes as long as to cut them."""

LONGEST_WORD = 1024
"""A longer run without white space is cut here: bounds the time of every step on hostile text."""
REMEMBERED_LENGTH = 32
REMEMBERED_WORDS = 100_000
"""About 40 MB; natural text repeats its words, base64 does not and is kept out by length."""

_JAMO = range(0x1160, 0x1200)
"""Korean vowels and finals: they join the letter before without being combining marks."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token ids of a text and where each ends in it, in code points."""

    ids: list[int]
    ends: list[int]


def build_table(vocabulary: Vocabulary) -> NDArray[np.uint64]:
    """Return the hash table of all pieces that can occur in text, shape (TABLE_SLOTS,).

    A slot holds the CRC-32 of a piece in its high half and its id + 1 in its low half; 0 is free;
    a piece is in the slot of its CRC modulo the number of slots, or in the next free one.
    """
    table = [0] * TABLE_SLOTS
    for number in range(len(vocabulary.scores)):
        if not vocabulary.is_text(number):
            continue
        key = crc32(vocabulary.piece(number))
        slot = key & _SLOT_MASK
        while table[slot]:
            slot = (slot + 1) & _SLOT_MASK
        table[slot] = key << 32 | number + 1
    return np.array(table, dtype="<u8")


class UnigramTokenizer:
    """Cuts text into the pieces of one vocabulary; safe to share between threads."""

    def __init__(self, vocabulary: Vocabulary, table: memoryview) -> None:
        self.vocabulary = vocabulary
        self._table = table
        self._replacements = vocabulary.replacements
        self._unknown_score = float(np.asarray(vocabulary.scores).min()) - UNKNOWN_PENALTY
        spaces = "".join(chr(c) for c, made in vocabulary.replacements.items() if made == " ")
        self._words = re.compile(f"[^ {re.escape(spaces)}]{{1,{LONGEST_WORD}}}")
        self._remembered: dict[str, Tokens] = {}
        self._cut_words = 0
        self._find: Callable[[str], int | None] = self._look_up
        self._reach: dict[str, int] = {}
        """Two characters -> those of the longest piece that begins with them, once all are read."""

    def encode(self, text: str, *, most: int | None = None) -> Tokens:
        """Return the tokens of `text`, at most the first `most`; linear in its length."""
        ids: list[int] = []
        ends: list[int] = []
        for match in self._words.finditer(text):
            word = self._word(match.group())
            start = match.start()
            ids += word.ids
            ends += [start + end for end in word.ends]
            if most is not None and len(ids) >= most:
                return Tokens(ids[:most], ends[:most])
        return Tokens(ids, ends)

    def _word(self, word: str) -> Tokens:
        found = self._remembered.get(word)
        if found is None:
            self._cut_words += 1
            if self._cut_words == WORDS_OF_A_QUESTION:
                self._read_pieces()
            found = self._cut_word(word)
            if len(word) <= REMEMBERED_LENGTH:
                if len(self._remembered) >= REMEMBERED_WORDS:
                    self._remembered.clear()
                self._remembered[word] = found
        return found

    def _cut_word(self, word: str) -> Tokens:
        ids: list[int] = []
        ends: list[int] = []
        for characters, places in self._normalised(word):
            cut = self._best_pieces(WORD_MARK + characters)
            ids += cut.ids
            # The word mark shifts positions by one: a piece that ends behind character k of the
            # marked word ends behind character k - 1 of the word; the mark itself adds no end.
            ends += [places[max(end - 2, 0)] if end > 1 else places[0] for end in cut.ends]
        return Tokens(ids, ends)

    def _normalised(self, word: str) -> Iterator[tuple[str, list[int]]]:
        """Yield the normalised words of a word, with the end in `word` of each character.

        Nearly always that is the word itself. Some characters are normalised to several words.
        """
        whole = unicodedata.normalize("NFC", word.translate(self._replacements))
        if whole == word:
            yield word, list(range(1, len(word) + 1))
            return
        clusters = list(self._clusters(word))
        if "".join(made for made, _ in clusters) != whole:
            clusters = [(whole, len(word))]
        characters = "".join(made for made, _ in clusters)
        places = [end for made, end in clusters for _ in made]
        for match in re.finditer("[^ ]+", characters):
            yield match.group(), places[match.start() : match.end()]

    def _clusters(self, word: str) -> Iterator[tuple[str, int]]:
        """Yield each letter with its marks, normalised, and where it ends in `word`."""
        start = 0
        for end in range(1, len(word) + 1):
            if end == len(word) or not _joins(word[end]):
                made = word[start:end].translate(self._replacements)
                yield unicodedata.normalize("NFC", made), end
                start = end

    def _best_pieces(self, word: str) -> Tokens:
        """Return the pieces of greatest total log probability; ends are positions in `word`."""
        find, scores = self._find, self.vocabulary.scores
        reach, otherwise = self._reach.get, 1 if self._reach else LONGEST_PIECE
        unknown = self.vocabulary.unknown
        length = len(word)
        best = [0.0] + [float("-inf")] * length
        chosen = [(unknown, 0)] * (length + 1)
        for start in range(length):
            here = best[start]
            if here + self._unknown_score > best[start + 1]:
                best[start + 1] = here + self._unknown_score
                chosen[start + 1] = (unknown, start)
            longest = reach(word[start : start + 2], otherwise)
            for end in range(start + 1, min(start + longest, length) + 1):
                number = find(word[start:end])
                if number is not None and here + scores[number] > best[end]:
                    best[end] = here + scores[number]
                    chosen[end] = (number, start)
        return _walk_back(chosen, unknown)

    def _look_up(self, piece: str) -> int | None:
        """Return the id of a piece from the table; None for an unknown piece."""
        key = crc32(letters := piece.encode("utf-8", "surrogatepass"))
        slot = key & _SLOT_MASK
        while entry := self._table[slot]:
            number = (entry & 0xFFFFFFFF) - 1
            if entry >> 32 == key and self.vocabulary.piece(number) == letters:
                return number
            slot = (slot + 1) & _SLOT_MASK
        return None

    def _read_pieces(self) -> None:
        """Take all pieces into memory: an index is being built, and look-ups are quicker there."""
        count = len(self.vocabulary.scores)
        numbers = (number for number in range(count) if self.vocabulary.is_text(number))
        pieces = {self.vocabulary.piece(n).decode(): n for n in numbers}
        reach: dict[str, int] = {}
        for piece in pieces:
            start = piece[:2]
            if len(piece) > reach.get(start, 0):
                reach[start] = len(piece)
        self._find, self._reach = pieces.get, reach


def _joins(character: str) -> bool:
    return unicodedata.combining(character) != 0 or ord(character) in _JAMO


def _walk_back(chosen: list[tuple[int, int]], unknown: int) -> Tokens:
    """Return the pieces from first to last; neighbouring unknown characters are one token."""
    ids: list[int] = []
    ends: list[int] = []
    end = len(chosen) - 1
    while end > 0:
        number, start = chosen[end]
        if not (ids and number == unknown == ids[-1]):
            ids.append(number)
            ends.append(end)
        end = start
    return Tokens(ids[::-1], ends[::-1])
