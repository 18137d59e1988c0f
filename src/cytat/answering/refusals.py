"""Reason + language -> the one sentence that a refusal says. Texts are Polish and English."""

from cytat.records import Coverage, RefusalReason

_TEXTS: dict[str, dict[RefusalReason, str]] = {
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
    return _TEXTS.get(language, _TEXTS["en"])[reason]


def coverage_notes(coverage: Coverage, language: str) -> tuple[str, ...]:
    """Return a note when part of the documents could not be searched, else none."""
    notes = []
    if coverage.failed:
        notes.append(
            f"Nie udało się odczytać plików: {coverage.failed} z {coverage.documents}."
            if language == "pl"
            else f"{coverage.failed} of {coverage.documents} files could not be read."
        )
    if coverage.unread_parts:
        notes.append(
            f"Części plików (stron), których nie odczytano: {coverage.unread_parts}."
            if language == "pl"
            else f"{coverage.unread_parts} parts (pages) of files could not be read."
        )
    return tuple(notes)
