"""Text -> terms, question -> Query. Pure: one analyser for documents and questions.

A PyStemmer object is not safe to share between threads, so each thread makes its own.

A term is what the words index stores and matches: folded, stemmed, free of blanks and quotes. A
document is analysed under its own language; a question under its own and those of the corpus, so
that it matches a text whose language was recognised and a text whose language was not.
"""

import re
import threading
from collections.abc import Collection, Iterator
from functools import lru_cache

from cytat.analysis.kinds import MAX_TERM_CHARACTERS, Token, TokenKind
from cytat.analysis.language import detect_language, parts_by_language, stop_words
from cytat.analysis.tokens import FIRST_IDEOGRAPH, pieces_of, prepared, tokens_in, tokens_of
from cytat.records import Query, TermGroup
from cytat.text.folding import fold

_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "es": "spanish", "et": "estonian", "eu": "basque",
    "fi": "finnish", "fr": "french", "ga": "irish", "hu": "hungarian", "hy": "armenian",
    "it": "italian", "lt": "lithuanian", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "tr": "turkish",
}  # fmt: skip

_NOT_A_WORD = re.compile(r"[\d_./:@&\\+#-]")
"""Digits and signs: codes, addresses, names of files."""
_stemmers = threading.local()


def _snowball(word: str, language: str) -> str:
    import Stemmer  # noqa: PLC0415 - only a program that searches pays for loading it

    own: dict[str, Stemmer.Stemmer] = _stemmers.__dict__
    if language not in own:
        own[language] = Stemmer.Stemmer(_ALGORITHMS[language])
        own[language].maxCacheSize = 0  # `stems_of` remembers, and better
    stem: str = own[language].stemWord(word)
    return stem


@lru_cache(maxsize=262_144)
def stems_of(word: str, language: str | None) -> tuple[str, ...]:
    """Return the folded stems of a cleaned word, that of its own spelling first.

    There are two when the stem of the folded word differs ("książkami", "ksiazkami"): a text
    keeps both, so that a question typed without diacritics meets it.
    """
    folded = fold(word)
    if language not in _ALGORITHMS or _NOT_A_WORD.search(word):
        return (folded,)
    own = fold(_snowball(word, language)) or folded
    bare = fold(_snowball(folded, language)) or folded
    return (own,) if own == bare else (own, bare)


REMEMBERED_PIECES, REMEMBERED_CHARACTERS = 131_072, 32
"""About 40 MB: texts repeat their words. What is longer, such as a line of base64, comes once."""


def terms_in_order(text: str, language: str | None) -> list[str]:
    """Return the terms of a text as they are indexed, repeated as often as they occur."""
    terms: list[str] = []
    for piece in pieces_of(prepared(text)):
        found = terms_in_piece if len(piece) <= REMEMBERED_CHARACTERS else _terms_in
        terms += found(piece, language)
    return terms


def terms_by_passage(text: str, language: str | None) -> list[str]:
    """Return the terms of a text in a document of `language`, each part cut in its own.

    One more term marks each other language; no word can be it (see `language_mark`).
    """
    parts = parts_by_language(text, language)
    if len(parts) == 1 and parts[0][1] == language:
        return terms_in_order(text, language)
    terms = [term for part, code in parts for term in terms_in_order(part, code)]
    foreign = {code for _, code in parts if code is not None and code != language}
    return [*terms, *map(language_mark, sorted(foreign))]


def language_mark(language: str) -> str:
    """Return the term by which the index knows that a chunk is partly in a language."""
    return f"~{language}"


def terms_of(text: str, language: str | None) -> frozenset[str]:
    """Return the different terms of a text; comparable with a query's groups."""
    return frozenset(terms_in_order(text, language))


def _terms_in(piece: str, language: str | None) -> tuple[str, ...]:
    if piece.isalpha() and max(piece) < FIRST_IDEOGRAPH:  # nearly all are plain words
        return stems_of(piece[:MAX_TERM_CHARACTERS], language)
    return tuple(term for token in tokens_in(piece) for term in _terms(token, language))


terms_in_piece = lru_cache(REMEMBERED_PIECES)(_terms_in)


def _terms(token: Token, language: str | None) -> Iterator[str]:
    yield from (fold(whole) for whole in token.wholes)
    if token.kind is TokenKind.COMPOUND:
        joined = token.wholes[-1]
        yield from (stem for stem in stems_of(joined, language) if stem != fold(joined))
    for part in token.parts:
        yield from stems_of(part, language)


def has_words(text: str) -> bool:
    """Say whether a text holds a word or a number at all."""
    return next(tokens_of(prepared(text)), None) is not None


def analyse_question(text: str, *, languages: Collection[str | None]) -> Query:
    """Return a question's words; `languages` are those of the texts it will be matched with."""
    language = detect_language(text)
    # A corpus may hold texts whose language is not known: their words are not stemmed.
    under = tuple(dict.fromkeys((language, *sorted(filter(None, languages)), None)))
    groups: dict[tuple[str, ...], TermGroup] = {}
    for token in tokens_of(prepared(text)):
        for group in _groups(token, under):
            groups.setdefault(group.alternatives, group)
    return Query(text, language, tuple(groups.values()))


def _groups(token: Token, under: tuple[str | None, ...]) -> Iterator[TermGroup]:
    if token.kind is TokenKind.WORD:
        yield _word(token.surface, under)
    elif token.kind is TokenKind.IDEOGRAPHS:
        # Pairs find a word; the single signs around it would find everything.
        wanted = token.parts[len(token.surface) :] or token.parts
        for part in wanted:
            yield TermGroup(part, (part,), (), is_identifier=False, is_stop=False)
    else:
        wholes = [fold(whole) for whole in token.wholes]
        if token.kind is TokenKind.COMPOUND:
            wholes += _alternatives(token.wholes[-1], under)
        is_number = token.kind is TokenKind.NUMBER
        yield TermGroup(
            token.surface,
            tuple(dict.fromkeys(wholes)),
            () if is_number else tuple(_alternatives(part, under) for part in token.parts),
            is_identifier=token.kind is TokenKind.IDENTIFIER,
            is_stop=False,
        )


def _word(surface: str, under: tuple[str | None, ...]) -> TermGroup:
    known = under[0] or None
    judges = (known,) if known else under
    is_stop = any(surface in stop_words(code) for code in judges if code)
    return TermGroup(
        surface, _alternatives(surface, under), (), is_identifier=False, is_stop=is_stop
    )


def _alternatives(word: str, under: tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(stem for code in under for stem in stems_of(word, code)))
