"""What happened to each file -> IngestReport. Counts are taken from the lists they describe."""

from collections import Counter
from collections.abc import Mapping, Sequence

from cytat.ingestion.writing import WrittenVersion
from cytat.records import (
    DocumentId,
    DocumentState,
    FileOutcome,
    IngestReport,
    StoredDocument,
    Unread,
)

NAMES_IN_A_NOTE = 5


class Tally:
    """The outcomes of one run so far."""

    def __init__(self) -> None:
        self._outcomes: dict[str, list[FileOutcome]] = {
            name: [] for name in ("added", "updated", "unchanged", "removed", "skipped", "failed")
        }
        self._notes: list[str] = []
        self._by_words_alone: Counter[str] = Counter()

    def note(self, sentence: str) -> None:
        """Add a sentence for the person."""
        self._notes.append(sentence)

    def written(self, written: WrittenVersion) -> None:
        """Count a version that is on disk."""
        version, document = written.version, written.version.document
        kind = "updated" if written.is_update else "added"
        self._outcomes[kind].append(
            FileOutcome(
                source=document.source,
                document_id=document.id,
                state="partial" if version.state is DocumentState.PARTIAL else kind,
                chunks=len(version.chunks),
                characters=len(document.text),
                code=version.code,
                message=version.message,
                hint=version.hint,
                ledger=document.ledger,
            )
        )

    def by_words_alone(self, language: str) -> None:
        """Count a document in a language that the encoder does not know."""
        self._by_words_alone[language] += 1

    def kept(self, known: StoredDocument, *, state: str) -> None:
        """Count a document whose version stays; `state` is `unchanged` or `updated`."""
        self._outcomes[state].append(
            FileOutcome(
                source=known.source,
                document_id=known.id,
                state="partial" if known.state is DocumentState.PARTIAL else state,
                chunks=known.chunks,
                characters=known.characters,
                code=known.code,
                message=known.message,
                hint=known.hint,
                ledger=known.ledger,
            )
        )

    def removed(self, document_id: DocumentId, source: str) -> None:
        """Count a document that has left the index."""
        self._outcomes["removed"].append(
            FileOutcome(source, document_id, "removed", 0, 0, None, None, None, None)
        )

    def unread(self, unread: Unread, state: DocumentState) -> None:
        """Count a file that was not read; `state` is its state in the corpus now."""
        kind = "skipped" if unread.state is DocumentState.SKIPPED else "failed"
        message = unread.message
        if state is DocumentState.STALE:
            message += "; its last good version stays searchable"
        self._outcomes[kind].append(
            FileOutcome(
                source=unread.source,
                document_id=unread.document_id,
                state=kind,
                chunks=0,
                characters=0,
                code=unread.code,
                message=message,
                hint=unread.hint,
                ledger=unread.ledger,
            )
        )

    def report(self, *, encoder: str, seconds: float) -> IngestReport:
        """Return the account of the run."""
        if self._by_words_alone:
            languages = ", ".join(sorted(self._by_words_alone))
            self.note(
                f"{self._by_words_alone.total()} documents in languages that {encoder} does not "
                f"know ({languages}) are found by words only"
            )
        ordered = {
            name: tuple(sorted(outcomes, key=lambda outcome: outcome.source))
            for name, outcomes in self._outcomes.items()
        }
        return IngestReport(
            added=ordered["added"],
            updated=ordered["updated"],
            unchanged=ordered["unchanged"],
            removed=ordered["removed"],
            skipped=ordered["skipped"],
            failed=ordered["failed"],
            totals=_totals(ordered),
            seconds=seconds,
            notes=tuple(self._notes),
        )


def listed(names: Sequence[str]) -> str:
    """Return a few of the names and how many more there are."""
    more = len(names) - NAMES_IN_A_NOTE
    return ", ".join(names[:NAMES_IN_A_NOTE]) + (f" and {more} more" if more > 0 else "")


def _totals(outcomes: Mapping[str, Sequence[FileOutcome]]) -> dict[str, int]:
    """Return how many of each, and chunks and characters of the documents that are there now."""
    present = [outcome for kind in ("added", "updated", "unchanged") for outcome in outcomes[kind]]
    return {
        "files": sum(len(found) for kind, found in outcomes.items() if kind != "removed"),
        **{kind: len(found) for kind, found in outcomes.items()},
        "partial": sum(outcome.state == "partial" for outcome in present),
        "chunks": sum(outcome.chunks for outcome in present),
        "characters": sum(outcome.characters for outcome in present),
    }
