"""Notes -> sentences for a person, in the language of the question. Pure.

The one catalogue of what is said beside hits, answers and refusals: a stage hands over a `Note`,
and the facade asks for its text. English and Polish; any other language gets English.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from cytat.records import RefusalReason

FALLBACK = "en"


class NoteKind(Enum):
    """What may have to be said about a search, an answer or a refusal."""

    EMBEDDER_AWAY = auto()
    NOTHING_MATCHES_FILTER = auto()
    REINDEX_HALF_WAY = auto()
    OUTDATED_DOCUMENTS = auto()
    WORDS_LEFT_OUT = auto()
    IDENTIFIER_MISSING = auto()
    MORE_IDENTIFIERS_MISSING = auto()
    ONLY_HOLDERS = auto()
    WITHOUT_EMBEDDER = auto()
    LANGUAGE_UNKNOWN_TO_ENCODER = auto()
    WITHOUT_VECTORS = auto()
    ENCODER_FAILED = auto()
    DOCUMENTS_WITHOUT_VECTORS = auto()
    COPIES_LEFT_OUT = auto()
    IDENTIFIERS_NOWHERE = auto()
    FILES_FAILED = auto()
    PARTS_UNREAD = auto()
    PASSAGES_LEFT_OUT = auto()
    CHANGED_SINCE = auto()
    CALIBRATED_WITH_OTHER_ENCODER = auto()
    CALIBRATED_WITH_OTHER_GATE = auto()


Value: TypeAlias = str | int


@dataclass(frozen=True, slots=True)
class Note:
    """Something to be said, and the values that its sentence names, in order."""

    kind: NoteKind
    values: tuple[Value, ...] = ()

    def text(self, language: str | None) -> str:
        """Return the sentence in a language, or in English."""
        texts = _TEXTS.get(language or FALLBACK, _TEXTS[FALLBACK])
        return texts[self.kind].format(*self.values)


def note(kind: NoteKind, *values: Value) -> Note:
    """Return a note of a kind."""
    return Note(kind, values)


def texts_of(notes: Iterable[Note], language: str | None) -> tuple[str, ...]:
    """Return the sentences of notes, in their order."""
    return tuple(said.text(language) for said in notes)


_ENGLISH: dict[NoteKind, str] = {
    NoteKind.EMBEDDER_AWAY: "{0}; {1}.",
    NoteKind.NOTHING_MATCHES_FILTER: "No document of {0} matches the filter {1}.",
    NoteKind.REINDEX_HALF_WAY: "A reindex to {0} is half way: run `cytat reindex` to finish.",
    NoteKind.OUTDATED_DOCUMENTS: (
        "{0} document(s) were indexed by another version of cytat, and words can be missed in "
        "them: run `cytat reindex`."
    ),
    NoteKind.WORDS_LEFT_OUT: (
        "The question has {0} different words; the {1} rarest were looked for."
    ),
    NoteKind.IDENTIFIER_MISSING: "No passage holds {0!r} whole.",
    NoteKind.MORE_IDENTIFIERS_MISSING: "Nor {0} more identifiers of the question.",
    NoteKind.ONLY_HOLDERS: "Only passages that hold the identifier as typed are listed.",
    NoteKind.WITHOUT_EMBEDDER: (
        "Nothing here has vectors, or no embedder is there: ranked by words alone."
    ),
    NoteKind.LANGUAGE_UNKNOWN_TO_ENCODER: (
        "The encoder {0} does not know the question's language ({1}): ranked by words alone."
    ),
    NoteKind.WITHOUT_VECTORS: "The corpus holds no vectors: ranked by words alone.",
    NoteKind.ENCODER_FAILED: "Ranked by words alone, since the encoder failed: {0}.",
    NoteKind.DOCUMENTS_WITHOUT_VECTORS: "Found by words alone, having no vectors: {0} document(s).",
    NoteKind.COPIES_LEFT_OUT: (
        "Left out as copies, with the same words as one listed: {0} passage(s)."
    ),
    NoteKind.IDENTIFIERS_NOWHERE: "{0} stands nowhere in the documents.",
    NoteKind.FILES_FAILED: "{0} of {1} files could not be read.",
    NoteKind.PARTS_UNREAD: "{0} parts (pages) of files could not be read.",
    NoteKind.PASSAGES_LEFT_OUT: (
        "The model was given {0} of {1} passages: its context holds no more."
    ),
    NoteKind.CHANGED_SINCE: (
        "{0} changed while the answer was written: its quotes are of the version before."
    ),
    NoteKind.CALIBRATED_WITH_OTHER_ENCODER: (
        "The calibration was made with another encoder and is not used: run `cytat eval "
        "calibrate` again."
    ),
    NoteKind.CALIBRATED_WITH_OTHER_GATE: (
        "The calibration was made with another version of cytat and is not used: run `cytat "
        "eval calibrate` again."
    ),
}
_POLISH: dict[NoteKind, str] = {
    NoteKind.EMBEDDER_AWAY: "{0}; {1}.",
    NoteKind.NOTHING_MATCHES_FILTER: "Żaden dokument (z {0}) nie spełnia filtra {1}.",
    NoteKind.REINDEX_HALF_WAY: (
        "Przejście na koder {0} jest w połowie: uruchom `cytat reindex`, aby je dokończyć."
    ),
    NoteKind.OUTDATED_DOCUMENTS: (
        "Dokumenty zindeksowane inną wersją cytat, w których można nie znaleźć słów: {0}. "
        "Uruchom `cytat reindex`."
    ),
    NoteKind.WORDS_LEFT_OUT: "Różnych słów w pytaniu: {0}; szukano najrzadszych, w liczbie {1}.",
    NoteKind.IDENTIFIER_MISSING: "Żaden fragment nie zawiera całego oznaczenia {0!r}.",
    NoteKind.MORE_IDENTIFIERS_MISSING: "Innych oznaczeń z pytania, których nie znaleziono: {0}.",
    NoteKind.ONLY_HOLDERS: "Podano tylko fragmenty, które zawierają oznaczenie w tej postaci.",
    NoteKind.WITHOUT_EMBEDDER: "Brak wektorów albo kodera: szukano tylko po słowach.",
    NoteKind.LANGUAGE_UNKNOWN_TO_ENCODER: (
        "Koder {0} nie zna języka pytania ({1}): szukano tylko po słowach."
    ),
    NoteKind.WITHOUT_VECTORS: "W bazie dokumentów nie ma wektorów: szukano tylko po słowach.",
    NoteKind.ENCODER_FAILED: "Szukano tylko po słowach, bo koder zawiódł: {0}.",
    NoteKind.DOCUMENTS_WITHOUT_VECTORS: (
        "Dokumenty bez wektorów, w których szukano tylko po słowach: {0}."
    ),
    NoteKind.COPIES_LEFT_OUT: ("Pominięte kopie, o tych samych słowach co podany fragment: {0}."),
    NoteKind.IDENTIFIERS_NOWHERE: "Nie znaleziono w żadnym dokumencie: {0}.",
    NoteKind.FILES_FAILED: "Nie udało się odczytać plików: {0} z {1}.",
    NoteKind.PARTS_UNREAD: "Części plików (stron), których nie odczytano: {0}.",
    NoteKind.PASSAGES_LEFT_OUT: "Model otrzymał {0} z {1} fragmentów: tyle mieści jego kontekst.",
    NoteKind.CHANGED_SINCE: (
        "Dokument {0} zmienił się w czasie pisania odpowiedzi: cytaty są z poprzedniej wersji."
    ),
    NoteKind.CALIBRATED_WITH_OTHER_ENCODER: (
        "Kalibrację wykonano z innym koderem i nie jest używana: uruchom ponownie `cytat eval "
        "calibrate`."
    ),
    NoteKind.CALIBRATED_WITH_OTHER_GATE: (
        "Kalibrację wykonano inną wersją cytat i nie jest używana: uruchom ponownie `cytat eval "
        "calibrate`."
    ),
}
_TEXTS: dict[str, dict[NoteKind, str]] = {"en": _ENGLISH, "pl": _POLISH}

_REFUSALS: dict[str, dict[RefusalReason, str]] = {
    "pl": {
        RefusalReason.EMPTY_CORPUS: "Nie ma jeszcze żadnych dokumentów, w których można szukać.",
        RefusalReason.NO_EVIDENCE: "W dokumentach nie ma niczego na ten temat.",
        RefusalReason.WEAK_EVIDENCE: "W dokumentach nie ma odpowiedzi na to pytanie.",
        RefusalReason.NOT_IN_EVIDENCE: (
            "Znalezione fragmenty dokumentów nie zawierają odpowiedzi na to pytanie."
        ),
        RefusalReason.UNSUPPORTED_DRAFT: (
            "Żadnego zdania szkicu odpowiedzi nie udało się potwierdzić w dokumentach."
        ),
        RefusalReason.CONFLICTING_SOURCES: "Dokumenty podają tu sprzeczne odpowiedzi.",
    },
    "en": {
        RefusalReason.EMPTY_CORPUS: "There are no documents to search yet.",
        RefusalReason.NO_EVIDENCE: "The documents hold nothing on this.",
        RefusalReason.WEAK_EVIDENCE: "The documents do not answer this question.",
        RefusalReason.NOT_IN_EVIDENCE: (
            "The passages found in the documents do not hold the answer to this question."
        ),
        RefusalReason.UNSUPPORTED_DRAFT: (
            "No sentence of the drafted answer could be confirmed in the documents."
        ),
        RefusalReason.CONFLICTING_SOURCES: "The documents answer this in conflicting ways.",
    },
}


def refusal_text(reason: RefusalReason, language: str) -> str:
    """Return the sentence in the question's language, or in English."""
    return _REFUSALS.get(language, _REFUSALS[FALLBACK])[reason]
