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
    UNIT_MISSING = auto()
    UNIT_IN_SEVERAL = auto()
    MORE_IDENTIFIERS_MISSING = auto()
    ONLY_HOLDERS = auto()
    WITHOUT_EMBEDDER = auto()
    LANGUAGE_UNKNOWN_TO_ENCODER = auto()
    WITHOUT_VECTORS = auto()
    ENCODER_FAILED = auto()
    DOCUMENTS_WITHOUT_VECTORS = auto()
    COPIES_LEFT_OUT = auto()
    IDENTIFIERS_NOWHERE = auto()
    PARTICULARS_LACKING = auto()
    LIST_MAY_LACK = auto()
    FILES_FAILED = auto()
    PARTS_UNREAD = auto()
    PASSAGES_LEFT_OUT = auto()
    CHANGED_SINCE = auto()
    DRAFT_CUT_SHORT = auto()
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
        return texts[self.kind].format(*(_countable(value) for value in self.values))


class _Count(int):
    """A number that picks its noun: `{0:# page|# pages}`, in Polish `{0:# plik|# pliki|# plików}`.

    `#` is the number. Two forms are singular and plural; three are those after 1, after 2 to 4,
    and after all other numbers, as Polish has them (22 pliki, but 12 plików).
    """

    def __format__(  # type: ignore[explicit-override] # typing has it from 3.12
        self, forms: str
    ) -> str:
        number = str(int(self))
        if not forms:
            return number
        known = forms.split("|")
        return known[min(_form(int(self)), len(known) - 1)].replace("#", number)


def _form(count: int) -> int:
    """Return which form follows a number: 0 after 1, 1 after 2 to 4 in Polish, else 2."""
    if count == 1:
        return 0
    return 1 if count % 10 in {2, 3, 4} and count % 100 not in {12, 13, 14} else 2


def _countable(value: Value) -> Value:
    return _Count(value) if isinstance(value, int) else value


def note(kind: NoteKind, *values: Value) -> Note:
    """Return a note of a kind."""
    return Note(kind, values)


def texts_of(notes: Iterable[Note], language: str | None) -> tuple[str, ...]:
    """Return the sentences of notes, in their order."""
    return tuple(said.text(language) for said in notes)


_ENGLISH: dict[NoteKind, str] = {
    NoteKind.EMBEDDER_AWAY: "{0}; {1}.",
    NoteKind.NOTHING_MATCHES_FILTER: "No document of {0} matches the filter {1}.",
    NoteKind.REINDEX_HALF_WAY: "A reindex to {0} is unfinished: run `cytat reindex` to finish it.",
    NoteKind.OUTDATED_DOCUMENTS: (
        "{0:# document was|# documents were} indexed by another version of cytat, so some words "
        "may not be found: run `cytat reindex`."
    ),
    NoteKind.WORDS_LEFT_OUT: (
        "The question has {0} different words; only the {1} rarest were searched for."
    ),
    NoteKind.UNIT_MISSING: "No document has {0!r}: {1} has units up to {2}.",
    NoteKind.UNIT_IN_SEVERAL: "{1} documents have {0!r}: {2}.",
    NoteKind.IDENTIFIER_MISSING: "No passage contains the whole identifier {0!r}.",
    NoteKind.MORE_IDENTIFIERS_MISSING: (
        "Nor {0:# more identifier|# more identifiers} of the question."
    ),
    NoteKind.ONLY_HOLDERS: ("Only passages that contain the identifier as typed are listed."),
    NoteKind.WITHOUT_EMBEDDER: ("No vectors or no encoder available: ranked by words only."),
    NoteKind.LANGUAGE_UNKNOWN_TO_ENCODER: (
        "The encoder {0} does not know the question's language ({1}): ranked by words only."
    ),
    NoteKind.WITHOUT_VECTORS: "The corpus has no vectors: ranked by words only.",
    NoteKind.ENCODER_FAILED: "Ranked by words only, because the encoder failed: {0}.",
    NoteKind.DOCUMENTS_WITHOUT_VECTORS: (
        "{0:# document has|# documents have} no vectors and can be found by words only."
    ),
    NoteKind.PARTICULARS_LACKING: "The passages quoted or nearest do not mention: {0}.",
    NoteKind.LIST_MAY_LACK: (
        "This list may not be complete: it is what the nearest passage contains."
    ),
    NoteKind.COPIES_LEFT_OUT: ("{0:# passage|# passages} left out: copies of a listed passage."),
    NoteKind.IDENTIFIERS_NOWHERE: "Not found in any document: {0}.",
    NoteKind.FILES_FAILED: "{0} of {1:# file|# files} could not be read.",
    NoteKind.PARTS_UNREAD: ("{0:# part (page)|# parts (pages)} of files could not be read."),
    NoteKind.PASSAGES_LEFT_OUT: (
        "The model was given {0} of {1:# passage|# passages}: its context has no room for more."
    ),
    NoteKind.CHANGED_SINCE: (
        "{0} changed while the answer was written: its quotes are from the previous version."
    ),
    NoteKind.DRAFT_CUT_SHORT: "The model's reply was cut short; what arrived was checked.",
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
        "Przejście na enkoder {0} nie zostało dokończone: uruchom `cytat reindex`."
    ),
    NoteKind.OUTDATED_DOCUMENTS: (
        "{0:# dokument zindeksowano|# dokumenty zindeksowano|# dokumentów zindeksowano} inną "
        "wersją programu, więc niektóre słowa mogą nie zostać znalezione: uruchom "
        "`cytat reindex`."
    ),
    NoteKind.WORDS_LEFT_OUT: (
        "W pytaniu {0:jest # słowo|są # różne słowa|jest # różnych słów}; szukano tylko "
        "{1:# najrzadszego|# najrzadszych}."
    ),
    NoteKind.UNIT_MISSING: "Żaden dokument nie ma jednostki {0!r}: {1} ma jednostki do {2}.",
    NoteKind.UNIT_IN_SEVERAL: "Jednostkę {0!r} ma kilka dokumentów ({1}): {2}.",
    NoteKind.IDENTIFIER_MISSING: "Żaden fragment nie zawiera całego oznaczenia {0!r}.",
    NoteKind.MORE_IDENTIFIERS_MISSING: (
        "Nie znaleziono też {0:# innego oznaczenia|# innych oznaczeń} z pytania."
    ),
    NoteKind.ONLY_HOLDERS: (
        "Pokazano tylko fragmenty, które zawierają to oznaczenie w podanej postaci."
    ),
    NoteKind.WITHOUT_EMBEDDER: "Brak wektorów albo enkodera: szukano tylko według słów.",
    NoteKind.LANGUAGE_UNKNOWN_TO_ENCODER: (
        "Enkoder {0} nie zna języka pytania ({1}): szukano tylko według słów."
    ),
    NoteKind.WITHOUT_VECTORS: "W bazie dokumentów nie ma wektorów: szukano tylko według słów.",
    NoteKind.ENCODER_FAILED: "Szukano tylko według słów, ponieważ enkoder zawiódł: {0}.",
    NoteKind.DOCUMENTS_WITHOUT_VECTORS: (
        "{0:# dokument nie ma|# dokumenty nie mają|# dokumentów nie ma} wektorów: "
        "szukano w {0:nim|nich} tylko według słów."
    ),
    NoteKind.COPIES_LEFT_OUT: ("Pominięto {0:# kopię|# kopie|# kopii} pokazanych fragmentów."),
    NoteKind.IDENTIFIERS_NOWHERE: "Nie znaleziono w żadnym dokumencie: {0}.",
    NoteKind.PARTICULARS_LACKING: "Najbliższe fragmenty dokumentów nie wspominają o: {0}.",
    NoteKind.LIST_MAY_LACK: (
        "Ta lista może nie być pełna: zawiera to, co jest w najbliższym fragmencie."
    ),
    NoteKind.FILES_FAILED: ("Nie udało się odczytać {0:# pliku|# plików} z {1}."),
    NoteKind.PARTS_UNREAD: (
        "Nie udało się odczytać {0:# części plików (strony)|# części plików (stron)}."
    ),
    NoteKind.PASSAGES_LEFT_OUT: (
        "Model otrzymał {0} z {1:# fragmentu|# fragmentów}: więcej nie mieści jego kontekst."
    ),
    NoteKind.CHANGED_SINCE: (
        "Dokument {0} zmienił się w czasie pisania odpowiedzi: cytaty są z poprzedniej wersji."
    ),
    NoteKind.DRAFT_CUT_SHORT: (
        "Odpowiedź modelu urwała się przed końcem; sprawdzono to, co nadeszło."
    ),
    NoteKind.CALIBRATED_WITH_OTHER_ENCODER: (
        "Kalibrację wykonano z innym enkoderem, więc nie jest używana: uruchom ponownie `cytat "
        "eval "
        "calibrate`."
    ),
    NoteKind.CALIBRATED_WITH_OTHER_GATE: (
        "Kalibrację wykonano inną wersją programu, więc nie jest używana: uruchom ponownie `cytat "
        "eval "
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
