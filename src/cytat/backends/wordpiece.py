"""str -> token ids and where each token ends. BERT's uncased WordPiece tokenizer.

Text is cleaned of control characters, lower-cased and stripped of accents, split at white space
and around punctuation and Chinese characters; each word is then taken apart into the longest
pieces that fit, from its start. Ends are code points of the text as given.

The vocabulary is that of BERT base, uncased (Devlin et al., Apache-2.0), line number = id.

Source:
    Devlin et al. 2019, arXiv:1810.04805.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources

VOCABULARY_FILE = "bert_uncased_vocabulary.txt"
UNKNOWN, START, END, PADDING = "[UNK]", "[CLS]", "[SEP]", "[PAD]"
LONGEST_WORD = 100
"""A longer word is one unknown token, as in BERT."""

_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


@dataclass(frozen=True, slots=True)
class WordTokens:
    """Token ids of a text and where each ends in it, in code points."""

    ids: list[int]
    ends: list[int]


def read_vocabulary() -> Mapping[str, int]:
    """Return the pieces with their ids; 30,522 of them, in some milliseconds."""
    text = resources.files("cytat.backends").joinpath(VOCABULARY_FILE).read_text("utf-8")
    return {piece: number for number, piece in enumerate(text.split("\n")) if piece}


class WordPieceTokenizer:
    """Cuts text into the pieces of one vocabulary; safe to share between threads."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self.start, self.end = vocabulary[START], vocabulary[END]
        self.padding = vocabulary[PADDING]
        self._vocabulary = vocabulary
        self._unknown = vocabulary[UNKNOWN]

    def encode(self, text: str, *, most: int | None = None) -> WordTokens:
        """Return the tokens of `text`, at most the first `most`; linear in its length."""
        ids: list[int] = []
        ends: list[int] = []
        for letters, places in _words(text):
            for number, end in self._pieces(letters):
                ids.append(number)
                ends.append(places[end - 1])
            if most is not None and len(ids) >= most:
                return WordTokens(ids[:most], ends[:most])
        return WordTokens(ids, ends)

    def _pieces(self, word: str) -> list[tuple[int, int]]:
        """Return (id, end in the word) of the longest pieces from the start of the word."""
        unknown = [(self._unknown, len(word))]
        if len(word) > LONGEST_WORD:
            return unknown
        found = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = word[start:end] if start == 0 else "##" + word[start:end]
                if piece in self._vocabulary:
                    found.append((self._vocabulary[piece], end))
                    start = end
                    break
            else:
                return unknown
        return found


def _words(text: str) -> Iterator[tuple[str, list[int]]]:
    """Yield each word in lower case without accents, with the end in `text` of each letter."""
    letters: list[str] = []
    places: list[int] = []
    for end, character in enumerate(text, 1):
        if _is_alone(character) or _is_space(character):
            if letters:
                yield "".join(letters), places
                letters, places = [], []
            if _is_alone(character):
                yield character, [end]
        elif not _is_control(character):
            made = _plain(character)
            letters.append(made)
            places += [end] * len(made)
    if letters:
        yield "".join(letters), places


def _plain(character: str) -> str:
    """Return a character in lower case, decomposed, without its marks."""
    if character.isascii():
        return character.lower()
    decomposed = unicodedata.normalize("NFD", character.lower())
    return "".join(part for part in decomposed if unicodedata.category(part) != "Mn")


def _is_space(character: str) -> bool:
    return character in " \t\n\r" or unicodedata.category(character) == "Zs"


def _is_control(character: str) -> bool:
    return character == "\ufffd" or unicodedata.category(character).startswith("C")


def _is_alone(character: str) -> bool:
    """Say whether a character is a word by itself: punctuation, ASCII signs, Chinese."""
    if character.isascii():
        return character.isprintable() and not character.isalnum() and character != " "
    code_point = ord(character)
    return unicodedata.category(character).startswith("P") or any(
        first <= code_point <= last for first, last in _CHINESE
    )
