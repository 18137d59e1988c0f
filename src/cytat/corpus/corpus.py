"""Settings -> Corpus: add, search, ask, show, why, status, remove, doctor, and upkeep.

Settings stop here: what is below takes plain arguments. A Corpus may be used from several threads.
What one verb alone needs is imported by that verb: a search does not wait for readers and answering
to load.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

from cytat.corpus.models import EmbedderChoice, open_chat_generator
from cytat.corpus.parts import CorpusParts, Where, as_text, check_owner, keep_trace
from cytat.protocols import Store
from cytat.records import (
    AddKeywords,
    AddOptions,
    Answer,
    Backup,
    Citation,
    CorpusStatus,
    Diagnosis,
    DocumentText,
    DroppedStatement,
    Export,
    IngestReport,
    Progress,
    Ranking,
    Refusal,
    SourceItem,
    Span,
    SpanBoxes,
    Statement,
    Trace,
    TraceId,
    TraceStage,
    Verification,
)

if TYPE_CHECKING:
    from cytat.answering import AskOutcome
    from cytat.corpus.asking import Asking
    from cytat.retrieval import Retrieved


class Corpus(CorpusParts):
    """The documents in one file together with their indexes.

    The file is opened when it is first needed; `add` makes it where there is none.
    """

    # ------------------------------------------------------------ documents

    def add(
        self,
        what: Sequence[str | Path | SourceItem] | str | Path | SourceItem,
        *,
        metadata: Mapping[str, str] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        **said: Unpack[AddKeywords],
    ) -> IngestReport:
        """Bring the corpus up to date with files, folders and texts; only what changed is done.

        Args:
            what: paths and addresses; or items, such as `SourceItem.of_text(name, text)`.
            metadata: added to what the documents say of themselves.
            on_progress: is told how far it is.
            said: the other fields of `AddOptions`: `label` (who may read these documents, ""
                for everyone), `password`, `prune`, `reader`, and `chunking`, how a new corpus is
                cut, such as "fixed:256+32"; it goes on as it began.

        Raises:
            UsageError: a path does not exist, or the corpus is cut otherwise; nothing was read.
            VectorSpaceError: the corpus was made with another embedder.
        """
        from cytat.corpus.adding import AddRequest, add_to  # noqa: PLC0415 - see the top

        request = AddRequest(what, AddOptions(metadata or {}, **said), on_progress)
        return add_to(self._owned(create=True), self.settings, self._choice, request)

    def watch(
        self,
        what: Sequence[str | Path | SourceItem] | str | Path,
        *,
        on_report: Callable[[IngestReport], None],
        stop: threading.Event | None = None,
        metadata: Mapping[str, str] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        **said: Unpack[AddKeywords],
    ) -> None:
        """Add, then bring in what changes at these addresses, until `stop` is set.

        `on_report` is given the report of `add`, and then one for each time that something was
        brought in. All else is as for `add`.
        """
        from cytat.corpus.adding import AddRequest, keep_adding  # noqa: PLC0415 - see the top

        keep_adding(
            self._owned(create=True),
            self.settings,
            self._choice,
            AddRequest(what, AddOptions(metadata or {}, **said), on_progress),
            on_report=on_report,
            stop=stop or threading.Event(),
        )

    def remove(self, sources: Sequence[str] | str = (), *, purge: bool = False) -> IngestReport:
        """Take documents out of the index.

        With `purge` their words leave the file, too, and those of all that was removed before.

        Raises:
            SourceError: a source names no document or several; nothing was removed then.
        """
        from cytat.corpus.upkeep import remove_documents  # noqa: PLC0415 - see the top

        named = [sources] if isinstance(sources, str) else list(sources)
        return remove_documents(self._owned(), named, purge=purge)

    def reindex(
        self,
        *,
        password: str | None = None,
        chunking: str | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """Make every document again that its file, the settings or damage call for.

        With another embedder in the settings, all vectors are made anew from the stored text;
        searches use the old ones until the last is there. A call that was stopped goes on where
        it was. With another `chunking`, all documents are cut anew; unchanged chunks keep their
        vectors. Documents whose files are gone stay as they are, marked stale, and are named as
        failed.

        Raises:
            BackendError: the embedder went away half way; searches go on with the old vectors.
        """
        from cytat.corpus.adding import remake_store  # noqa: PLC0415 - see the top

        options = AddOptions(password=password, chunking=chunking)
        return remake_store(self._owned(), self.settings, self._choice, options, on_progress)

    def verify(self, *, full: bool = False) -> Verification:
        """Return what holds of the file and each document, and what does not.

        With `full`, everything is also compared with the hashes of what was written, with the
        words of the text, and with the source files.
        """
        from cytat.corpus.checking import verify_store  # noqa: PLC0415 - see the top

        return verify_store(self._owned(), full=full)

    def verify_backup(self, *, full: bool = False) -> Verification:
        """Verify this file as a backup: its bytes against the hash beside it, then as `verify`."""
        from cytat.corpus.upkeep import check_hash  # noqa: PLC0415 - see the top

        check_owner(self.settings)
        check = check_hash(Path(self.settings.corpus))  # ahead of opening, which may write
        found = self.verify(full=full)
        return Verification((check, *found.checks), found.notes)

    def back_up(self, file: str | Path, *, force: bool = False) -> Backup:
        """Write a copy of the corpus of this moment, verified, with its hash beside it.

        Raises:
            UsageError: the file is there already and `force` is not given.
        """
        from cytat.corpus.upkeep import back_up  # noqa: PLC0415 - see the top

        return back_up(self._owned(), Path(file), force=force)

    def export(self, folder: str | Path) -> Export:
        """Write everything in open formats into a folder that is empty or not there.

        Raises:
            UsageError: the folder holds something.
        """
        from cytat.corpus.upkeep import export_store  # noqa: PLC0415 - see the top

        return export_store(self._opened(), Path(folder))

    def status(self) -> CorpusStatus:
        """Return every document with its state and ledger, counted now."""
        with self._opened().moment() as moment:
            return moment.status()

    def show(
        self,
        source: str,
        *,
        span: Span | None = None,
        page: int | None = None,
        part: str | None = None,
        chunks: bool = False,
    ) -> DocumentText:
        """Return the canonical text of a document, or exactly the place named.

        `part` is the label of a page, a slide, a sheet or the like; `page` a page's number.
        """
        from cytat.corpus.texts import DocumentPlace, show_document  # noqa: PLC0415 - see the top

        place = DocumentPlace(span, page, part)
        return show_document(self._opened(), source, place, chunks=chunks, choice=self._choice)

    def boxes(self, source: str, span: Span, *, password: str | None = None) -> SpanBoxes:
        """Return where a span stands on the pages of its document, a box for each line."""
        from cytat.corpus.texts import boxes_in  # noqa: PLC0415 - see the top

        return boxes_in(self._opened(), source, span, password=password)

    # ------------------------------------------------------------ questions

    def search(
        self, query: str, *, depth: int = 10, mode: str = "hybrid", where: Where = None
    ) -> Ranking:
        """Return the passages that match, best first; `mode` is hybrid, words or vectors."""
        found = self.retrieve(query, depth=depth, mode=mode, where=where)
        trace_id = self._keep_trace("search", found.query.text, found.generation, found.stages)
        return replace(found.ranking(), trace_id=trace_id)

    def ask(
        self,
        question: str,
        *,
        where: Where = None,
        on_part: Callable[[Statement | DroppedStatement | Citation], None] | None = None,
    ) -> Answer | Refusal:
        """Return an answer whose every statement is cited, or a refusal that says why not.

        Args:
            question: as a person asks it.
            where: only documents that match.
            on_part: is given citations and statements as soon as they are certain.
        """
        outcome = self.answer(question, where=where, on_part=on_part)
        reply = outcome.reply
        trace_id = self._keep_trace("ask", reply.question, outcome.generation, outcome.stages)
        return replace(reply, trace_id=trace_id)

    # ------------------------------------------------------------ for programs that measure

    @property
    def store(self) -> Store:
        """What the corpus is kept in; `store.moment()` reads one snapshot of it."""
        return self._opened()

    def with_encoder(self, choice: EmbedderChoice) -> Self:
        """Return the same corpus, searched with that encoder; open as long as this one is."""
        other = type(self)(self.settings, choice=choice)
        other._store = self._opened()  # noqa: SLF001 - of its own class
        return other

    def retrieve(
        self,
        question: str,
        *,
        depth: int = 10,
        mode: str = "hybrid",
        where: Where = None,
        fusion: str | None = None,
    ) -> "Retrieved":
        """Return what `search` finds, with all that the corpus says of the question; no trace.

        `fusion`: such as "standard-scores:0.5"; None: the default.
        """
        from cytat.corpus.searching import find  # noqa: PLC0415 - see the top

        store = self._opened()
        request = self._search_request(
            as_text(question), depth=depth, mode=mode, where=where, fusion=fusion
        )
        with store.moment() as moment:
            return find(moment, self._choice, request)

    def asking(self) -> "Asking":
        """Return what questions are answered with by default: gate, model and how many hits."""
        from cytat.corpus.asking import Asking  # noqa: PLC0415 - see the top

        return Asking(
            self._choice, open_chat_generator(self.settings), None, self.settings.evidence
        )

    def answer(
        self,
        question: str,
        *,
        mode: str = "hybrid",
        where: Where = None,
        asking: "Asking | None" = None,
        on_part: Callable[[Statement | DroppedStatement | Citation], None] | None = None,
    ) -> "AskOutcome":
        """Return what `ask` replies, with what the reply was decided and made from; no trace.

        `asking`: that of `asking()`, perhaps with another gate or without a model.
        """
        from cytat.answering import nobody  # noqa: PLC0415 - see the top
        from cytat.corpus.asking import SURVEY_DEPTH, ask_corpus  # noqa: PLC0415 - see the top

        store, means = self._opened(), asking or self.asking()
        request = self._search_request(
            as_text(question), depth=max(SURVEY_DEPTH, means.depth), mode=mode, where=where
        )
        return ask_corpus(store, request, means, listen=on_part or nobody)

    def why(self, trace_id: str | None = None) -> Trace:
        """Return what each stage of a search or ask received, returned and took."""
        with self._opened().moment() as moment:
            return moment.trace(trace_id)

    def _keep_trace(
        self, verb: str, question: str, generation: int, stages: Sequence[TraceStage]
    ) -> TraceId | None:
        store = self._opened()
        return keep_trace(store, verb, question, generation=generation, stages=stages)

    def doctor(self) -> Diagnosis:
        """Return what is in order and what is not; changes nothing, contacts nobody."""
        from cytat.corpus.checking import diagnose  # noqa: PLC0415 - see the top

        return diagnose(self.settings)
