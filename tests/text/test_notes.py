"""Notes for people: one catalogue, in each language whole."""

import string

import pytest

from cytat.records import RefusalReason
from cytat.text.notes import Note, NoteKind, note, refusal_text, texts_of


def places_in(text: str) -> set[str]:
    """Return the numbers of the values that a sentence names."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


class Named:
    """Shows, where it is put into a sentence, which value it was."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __format__(  # type: ignore[explicit-override]  # typing has it from 3.12
        self, _: str
    ) -> str:
        return f"{{{self.number}}}"

    def __repr__(  # type: ignore[explicit-override]  # typing has it from 3.12
        self,
    ) -> str:
        return f"{{{self.number}}}"


@pytest.mark.parametrize("kind", list(NoteKind))
def test_a_note_names_the_same_values_in_each_language(kind: NoteKind) -> None:
    values = tuple(Named(number) for number in range(4))
    english, polish = (
        Note(kind, values).text(language)  # type: ignore[arg-type]  # they stand in for values
        for language in ("en", "pl")
    )
    assert places_in(english) == places_in(polish)


@pytest.mark.parametrize("language", [None, "en", "de"])
def test_a_note_is_in_english_where_there_is_no_other_language_for_it(language: str | None) -> None:
    missing = note(NoteKind.IDENTIFIER_MISSING, "ab-7")
    assert missing.text(language) == "No passage contains the whole identifier 'ab-7'."


def test_notes_speak_the_language_of_the_question_in_their_order() -> None:
    notes = (note(NoteKind.COPIES_LEFT_OUT, 5), note(NoteKind.FILES_FAILED, 3, 120))
    assert texts_of(notes, "pl") == (
        "Pominięto 5 kopii pokazanych fragmentów.",
        "Nie udało się odczytać 3 plików z 120.",
    )


@pytest.mark.parametrize(
    ("count", "english", "polish"),
    [
        (1, "1 document has no", "1 dokument nie ma wektorów: szukano w nim"),
        (2, "2 documents have no", "2 dokumenty nie mają wektorów: szukano w nich"),
        (5, "5 documents have no", "5 dokumentów nie ma wektorów: szukano w nich"),
        (12, "12 documents have no", "12 dokumentów nie ma wektorów: szukano w nich"),
        (22, "22 documents have no", "22 dokumenty nie mają wektorów: szukano w nich"),
        (112, "112 documents have no", "112 dokumentów nie ma wektorów: szukano w nich"),
    ],
)
def test_a_number_has_its_noun_in_the_right_form(count: int, english: str, polish: str) -> None:
    lacking = note(NoteKind.DOCUMENTS_WITHOUT_VECTORS, count)
    assert lacking.text("en").startswith(english)
    assert lacking.text("pl").startswith(polish)


@pytest.mark.parametrize("reason", list(RefusalReason))
def test_every_reason_of_a_refusal_has_a_sentence_in_both_languages(reason: RefusalReason) -> None:
    assert refusal_text(reason, "pl") != refusal_text(reason, "en")
