"""One run over what was found: items are taken in order, and handed on in groups."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from cytat.ingestion.deriving import stored_document
from cytat.ingestion.groups import Groups
from cytat.ingestion.preparing import (
    Job,
    Prepared,
    ReadingPlan,
    Ready,
    Recipe,
    Same,
    is_known_to,
    read_ahead,
)
from cytat.ingestion.progress import Teller, remaining_of
from cytat.ingestion.tally import Tally, Vanished, find_vanished, listed
from cytat.ingestion.writing import Kept, UnreadFile, WriteOutcome, WrittenVersion, keep
from cytat.protocols import Listing, Moment, Store
from cytat.records import (
    Document,
    DocumentId,
    DocumentState,
    Progress,
    SourceItem,
    StoredDocument,
    Unread,
)
from cytat.text.identity import (
    absolute_name,
    containers_of,
    document_id,
    is_address,
    path_of,
    path_text,
)


class Run:
    """One run; what happened to each item is in its `tally`."""

    def __init__(
        self,
        store: Store,
        recipe: Recipe,
        reading: ReadingPlan,
        before: Mapping[DocumentId, str],
        found: Listing,
        on_event: Callable[[Progress], None],
    ) -> None:
        """Take what was found, and the names of the documents there were before."""
        self.tally = Tally()
        self._store = store
        self._recipe = recipe
        self._reading = reading
        self._before = before
        self._found = found
        self._on_event = on_event
        self._present: set[DocumentId] = set()
        self._members = _members(before, store)
        self._failed: set[str] = set()
        """Names of items that could not be read: what is in them stays."""
        self._read_bytes = 0
        """Of items whose passages have not been counted yet."""
        self._remaining = remaining_of(0)
        self._teller = Teller(on_event, files=0, remaining=self._remaining)
        self._groups = Groups(
            store,
            recipe,
            on_begun=self._begun,
            on_written=self._count_all,
            on_tick=self._tick,
        )

    def take_all(self) -> None:
        """Bring every item that was found into the corpus."""
        self._remember_folders()
        self._note_what_was_passed_over()
        self.take_changes({item.name for item in self._found.items})

    def make_again(self, again: Collection[DocumentId]) -> None:
        """Bring every document up to date; those in `again` although nothing has changed.

        A document whose source cannot be asked for it again is made of what was read of it.
        """
        self._take(self._jobs(again, only=None, is_renewed=True), self._found.items)

    def take_changes(self, changed: Collection[str]) -> None:
        """Bring the items to be read into the corpus, and report only them."""
        items = [item for item in self._found.items if item.name in changed]
        self._take(self._jobs((), only=frozenset(changed), is_renewed=False), items)

    def spare(self, names: Collection[str]) -> None:
        """Let documents stay whose items are in motion, or gone for a moment."""
        self._present.update(map(document_id, names))

    def remove_vanished(self, absent: Sequence[str], *, prune: bool) -> None:
        """Remove the documents whose items are gone, in one transaction with what is in them."""
        found = replace(self._found, roots=(*self._found.roots, *absent))
        gone = {known: name for known, name in self._before.items() if known not in self._present}
        vanished = find_vanished(
            self._known_folders(), gone, found, base=self._store.base, prune=prune
        )
        with self._store.moment() as moment:
            documents = {
                document for document in vanished.documents if self._is_gone(moment, document)
            }
        documents |= {
            member
            for known in documents
            for member in self._members.get(self._before[known], ())
            if member not in self._present
        }
        if documents:
            with self._store.writing() as writing:
                for known in documents:
                    writing.remove(known)
        for known in documents:
            self.tally.removed(known, self._before[known])
        self._note_spared(vanished)

    # ------------------------------------------------------------ taking items

    def _take(self, jobs: Iterator[Job], items: Sequence[SourceItem]) -> None:
        self._remaining = remaining_of(sum(item.size for item in items))
        self._teller = Teller(self._on_event, files=len(items), remaining=self._remaining)
        with self._groups:
            for job, prepared in read_ahead(jobs, self._recipe, self._reading):
                self._teller.working_on(job.source)
                self._read_bytes += job.item.size
                self._hand_on(prepared)
                self._tick()
            self._groups.finish()
        self._note_failures()

    def _jobs(
        self, again: Collection[DocumentId], *, only: frozenset[str] | None, is_renewed: bool
    ) -> Iterator[Job]:
        seen = set[DocumentId]()
        listed_ids = {document_id(item.name) for item in self._found.items}
        for item in self._found.items:
            known = document_id(item.name)
            if known in seen:
                self._refuse_double(item.name)
                continue
            seen.add(known)
            self._present.add(known)
            if only is not None and item.name not in only:
                continue
            document, stored = self._known(known, is_renewed=is_renewed)
            yield Job(
                item=item,
                document_id=known,
                known=document,
                is_made_anew=known in again,
                stored=stored,
                gone_members=self._members.get(item.name, frozenset()) - listed_ids,
            )

    def _known(
        self, document_id: DocumentId, *, is_renewed: bool
    ) -> tuple[StoredDocument | None, Document | None]:
        """Return what the corpus holds of a document; all of it where nobody else does."""
        with self._store.moment() as moment:
            known = moment.document(document_id)
            is_alone = is_renewed and known is not None and is_kept_alone(known)
            return known, stored_document(moment, known) if known and is_alone else None

    def _refuse_double(self, source: str) -> None:
        message = "another file has the same name, spelt with other Unicode characters"
        self._fail(source, message, hint="rename one of the two")
        self._teller.done(source, chunks=0)

    def _hand_on(self, prepared: Prepared) -> None:
        match prepared:
            case Ready():
                self._note_language(prepared.language)
                self._groups.take(prepared)
            case Same():
                self._begun(characters=0)
                self._count(keep(self._store, prepared.known, self._recipe))
            case Unread():
                self._groups.take(prepared)

    def _is_gone(self, moment: Moment, known: DocumentId) -> bool:
        """Say whether a document that was not found is to leave."""
        containers = containers_of(self._before[known], base=self._store.base)
        if self._failed.intersection(containers):
            return False
        document = moment.document(known)
        return document is not None and not is_kept_alone(document)

    # ------------------------------------------------------------ counting

    def _count_all(self, outcomes: Iterable[WriteOutcome]) -> None:
        for outcome in outcomes:
            self._count(outcome)

    def _count(self, outcome: WriteOutcome) -> None:
        match outcome:
            case UnreadFile(unread, state, rights):
                self.tally.rights(unread.source, rights)
                if unread.state is DocumentState.FAILED:
                    self._failed.add(unread.source)
                self.tally.unread(unread, state)
                self._teller.done(unread.source, chunks=0)
            case Kept(known, is_told_more, rights):
                self.tally.rights(known.source, rights)
                self.tally.kept(known, state="updated" if is_told_more else "unchanged")
                self._teller.done(known.source, chunks=0)
            case WrittenVersion(version, _, gone_members, rights):
                self.tally.rights(version.document.source, rights)
                self.tally.written(outcome)
                self._teller.done(version.document.source, chunks=len(version.chunks))
                for member in gone_members:
                    self._present.add(member)  # counted here; it has not vanished once more
                    self.tally.removed(member, self._before[member])

    # ------------------------------------------------------------ telling

    def _begun(self, characters: int) -> None:
        self._remaining.read(self._read_bytes)
        self._remaining.asked_for(characters)
        self._read_bytes = 0

    def _tick(self) -> None:
        self._remaining.encoded(self._groups.encoder.characters_done)
        self._teller.tell()

    def _note_language(self, language: str | None) -> None:
        if language is not None and not is_known_to(self._recipe.embedder, language):
            self.tally.by_words_alone(language)

    def _remember_folders(self) -> None:
        base = self._store.base
        known, label = set(self._known_folders()), self._recipe.label
        said = {
            path_of(root, base=base)
            for root in self._found.roots
            if not is_address(root)
            and (label is not None or absolute_name(root, base=base) not in known)
        }
        if said:
            with self._store.writing() as writing:
                for folder in sorted(said):
                    writing.add_folder(folder, label)

    def _known_folders(self) -> list[str]:
        with self._store.moment() as moment:
            return [path_text(folder) for folder in moment.folders()]

    def _note_what_was_passed_over(self) -> None:
        for why, names in self._found.passed_over.items():
            self.tally.note(f"{why}: {listed(names)}")
        for name, message in self._found.closed.items():
            hint = "check that you may read it; its indexed version stays"
            self._fail(name, message, hint=hint)

    def _fail(self, source: str, message: str, *, hint: str) -> None:
        """Report something that has no row in the corpus."""
        failed = DocumentState.FAILED
        unread = Unread(
            document_id(source), source, failed, "unreadable", message, hint, file=None, ledger=None
        )
        self.tally.unread(unread, failed)

    def _note_failures(self) -> None:
        failure = self._groups.encoder.failure
        if failure is not None:
            self.tally.note(
                f"some chunks have no vector and are found by words only: {failure}; "
                "the next add tries again"
            )
        if self._groups.damage is not None:
            self.tally.note(
                f"{self._groups.damage}; new documents were indexed beside what is damaged: "
                "run `cytat reindex`, which rebuilds it"
            )

    def _note_spared(self, vanished: Vanished) -> None:
        for folder, documents in vanished.spared.items():
            name = absolute_name(folder, base=self._store.base)
            self.tally.note(
                f"{name} is empty now; its {documents} documents stay until "
                f"`cytat add {name} --prune`"
            )


def is_kept_alone(document: StoredDocument) -> bool:
    """Say whether a document was added from memory: the corpus holds it and nobody else does."""
    return document.file is None and document.version is not None


def _members(before: Mapping[DocumentId, str], store: Store) -> Mapping[str, frozenset[DocumentId]]:
    """Return the documents that are in other items, by the name of each item around them."""
    members: dict[str, set[DocumentId]] = defaultdict(set)
    for known, name in before.items():
        for container in containers_of(name, base=store.base):
            members[container].add(known)
    return {container: frozenset(found) for container, found in members.items()}
