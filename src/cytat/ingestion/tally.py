"""What happened to each file -> IngestReport; and the documents whose files are gone.

A folder that is missing or suddenly empty is more often an unplugged disk than a wish, so nothing
of it leaves the index until that is asked for.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cytat.ingestion.writing import RightsChange, WrittenVersion
from cytat.protocols import Listing
from cytat.records import (
    DocumentId,
    DocumentState,
    FileOutcome,
    IngestReport,
    StoredDocument,
    Unread,
)
from cytat.text.identity import EVERYONE, lies_in


@dataclass(frozen=True, slots=True)
class Vanished:
    """What is no longer there."""

    documents: frozenset[DocumentId]
    """Those to remove."""
    spared: Mapping[str, int]
    """How many documents stay although the whole folder they are in seems to be gone."""


def find_vanished(
    known_folders: Iterable[str],
    before: Mapping[DocumentId, str],
    found: Listing,
    *,
    base: Path,
    prune: bool,
) -> Vanished:
    """Return the documents under the folders just listed that were not found.

    Args:
        known_folders: those ever added.
        before: names of the documents there were before the listing, apart from those that were
            found. What another program has added since is not among them.
        found: what is there; documents outside its roots are not looked at.
        base: the folder that documents are named from.
        prune: spare nothing.
    """

    def is_in(name: str, places: Collection[str]) -> bool:
        return any(lies_in(name, place, base=base) for place in places)

    gone = {
        document_id: name
        for document_id, name in before.items()
        if is_in(name, found.roots) and not is_in(name, found.closed)
    }
    spared = Counter[str]()
    names = [item.name for item in found.items]
    for folder in () if prune else dict.fromkeys((*known_folders, *found.roots)):
        if any(lies_in(name, folder, base=base) for name in names):
            continue
        within = [known for known, name in gone.items() if lies_in(name, folder, base=base)]
        spared[folder] += len(within)
        for known in within:
            del gone[known]
    return Vanished(documents=frozenset(gone), spared=+spared)


NAMES_IN_A_NOTE = 5


class Tally:
    """The outcomes of one run so far."""

    def __init__(self) -> None:
        self._outcomes: dict[str, list[FileOutcome]] = {
            name: [] for name in ("added", "updated", "unchanged", "removed", "skipped", "failed")
        }
        self._notes: list[str] = []
        self._by_words_alone: Counter[str] = Counter()
        self._rights: dict[RightsChange, list[str]] = defaultdict(list)

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

    def rights(self, source: str, change: RightsChange | None) -> None:
        """Take down that other people may read a document now."""
        if change is not None:
            self._rights[change].append(source)

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
        for change, sources in self._rights.items():
            self.note(_rights_note(change, sources))
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


def _rights_note(change: RightsChange, sources: Sequence[str]) -> str:
    names = listed(sorted(sources))
    if change.is_said:
        before, after = _readers(change.before), _readers(change.after)
        return f"read rights changed from {before} to {after}: {names}"
    return (
        f"the label {change.after} holds, since the name, the content or the folder has it: "
        f"{names}; `cytat add FILE --label NAME` gives another one, `--label ''` none"
    )


def _readers(label: str) -> str:
    return "everyone" if label == EVERYONE else f"the label {label}"


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
