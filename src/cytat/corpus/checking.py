"""A store -> Verification; settings -> Diagnosis: one check after another, each with its hint."""

import os
import platform
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing

from cytat import plugins
from cytat.config import ENVIRONMENT, Settings
from cytat.corpus.asking import stored_calibration
from cytat.corpus.installed import VersionsNow, list_models
from cytat.corpus.models import SERVER, EmbedderChoice
from cytat.corpus.parts import open_store
from cytat.errors import CorpusMissingError, CytatError
from cytat.fulltext import terms_of_chunk
from cytat.protocols import Store, Upkeep
from cytat.reading.process.child import held_here
from cytat.records import (
    PIPELINE,
    Check,
    Diagnosis,
    ModelFileState,
    ModelStatus,
    StoredDocument,
    StoreFault,
    Verification,
)
from cytat.text.addresses import public_url

NAMED = 5
"""Faults told in one check; the others are counted."""


def verify_store(store: Store, *, full: bool) -> Verification:
    """Return what holds and what does not; the corpus is only read."""
    upkeep = store.upkeep
    with store.moment():
        faults = upkeep.verify(full=full, terms_of=terms_of_chunk)
        checks = tuple(_checks(upkeep.checks, faults))
        notes = (*_notes_of_purge(upkeep), *(_notes_of_sources(store) if full else ()))
    return Verification(checks, notes)


def _checks(hints: Mapping[str, str], faults: Iterable[StoreFault]) -> Iterator[Check]:
    found: dict[str, list[str]] = defaultdict(list)
    for fault in faults:
        found[fault.check].append(f"{fault.source}: {fault.what}" if fault.source else fault.what)
    for name, hint in hints.items():
        wrong = found[name]
        yield Check(name, ok=not wrong, value=_listed(wrong) or "ok", hint=hint if wrong else None)


def _listed(sentences: Sequence[str]) -> str:
    more = len(sentences) - NAMED
    return "; ".join(sentences[:NAMED]) + (f"; and {more} more" if more > 0 else "")


def outdated_sources(documents: Iterable[StoredDocument]) -> list[str]:
    """Return the documents that an earlier pipeline made: `add` and `reindex` make them again."""
    return [one.source for one in documents if one.stamp and one.stamp.pipeline != PIPELINE]


def _notes_of_purge(upkeep: Upkeep) -> Iterator[str]:
    if upkeep.is_purge_wanted():
        yield "A purge was stopped half way: `cytat remove --purge` finishes it."


def _notes_of_sources(store: Store) -> Iterator[str]:
    """Say what is no damage: files that have changed or gone, versions without seals."""
    documents, unsealed = store.upkeep.readable_documents(), len(store.upkeep.unsealed())
    read = [document for document in documents if document.version is not None]
    versions = VersionsNow(store)
    now = {one.source: versions.of(one.source, one.version, one.file) for one in read}
    gone = [document.source for document in read if now[document.source] is None]
    changed = [
        document.source for document in read if now[document.source] not in {None, document.version}
    ]
    if changed:
        yield f"Changed since they were indexed: {_listed(changed)}. `cytat add` brings them in."
    if gone:
        yield f"Files that are gone or cannot be read: {_listed(gone)}."
    if outdated := outdated_sources(documents):
        yield f"Indexed by an earlier version: {_listed(outdated)}. `cytat reindex` renews them."
    if unsealed:
        yield (
            f"{unsealed} documents were written by an older version and have no seal: what of "
            "them was changed before is not known. `cytat reindex` seals them."
        )


KNOWN_ELSEWHERE = frozenset({"CYTAT_CONFIG", "CYTAT_TRACEBACK", "CYTAT_BENCH_DATA"})

DOWNLOADS = "only by `cytat models get`, with pip or uv, from the package index they are set to"


def diagnose(settings: Settings) -> Diagnosis:
    """Return one check after another; a failing one names its remedy."""
    contacts = tuple(map(public_url, settings.contacts()))
    return Diagnosis(tuple(_machine_checks(settings)), contacts)


def _machine_checks(settings: Settings) -> Iterator[Check]:
    yield Check("python", ok=True, value=platform.python_version(), hint=None)
    engine = plugins.store_engine(plugins.FILES)
    yield Check("sqlite", ok=True, value=engine.removeprefix("SQLite "), hint=None)
    yield Check("cache", ok=True, value=str(settings.cache), hint=None)
    yield Check("limits of reading a file", ok=True, value=held_here(), hint=None)
    yield from _environment()
    yield _try("embedder", lambda: _embedder(settings))
    yield _try("corpus", lambda: _corpus(settings))
    yield from _derived_files(settings)
    yield _try("gate", lambda: _gate(settings))
    names = ", ".join(plugins.names(plugins.EMBEDDERS))
    yield Check("embedders installed", ok=True, value=names, hint=None)
    yield from map(_model, list_models(settings).models)
    yield Check("downloads", ok=True, value=DOWNLOADS, hint=None)


def _try(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, ok=True, value=look(), hint=None)
    except CytatError as failure:
        return Check(name, ok=False, value=failure.message, hint=failure.hint)


def _environment() -> Iterator[Check]:
    """Name variables that look like settings and are none."""
    for name in sorted(os.environ):
        if name.startswith("CYTAT_") and name not in ENVIRONMENT and name not in KNOWN_ELSEWHERE:
            known = ", ".join(sorted(key for key in ENVIRONMENT if key.startswith("CYTAT_")))
            yield Check("environment", ok=False, value=f"{name} is no setting", hint=known)


def _model(model: ModelStatus) -> Check:
    """Name the state of a model's files; one that is missing is a fault only where it is used."""
    paths = ", ".join(file.path for file in model.files if file.path is not None)
    what = f"{model.state} ({paths})" if paths else model.state.value
    is_ok = model.state is not ModelFileState.DAMAGED
    value = f"{what}; {model.hint}" if is_ok and model.hint is not None else what
    return Check(f"model {model.name}", ok=is_ok, value=value, hint=model.hint)


def _embedder(settings: Settings) -> str:
    choice = EmbedderChoice(settings)
    name = choice.name(None)
    if name == SERVER:
        server = public_url(settings.embeddings_base_url or "no server")
        return f"{settings.embeddings_model} at {server} (not contacted)"
    opened = choice.embedder(None)
    return f"{opened.name}, {opened.dimensions} dimensions, window {opened.max_tokens} tokens"


def _corpus(settings: Settings) -> str:
    try:
        store = open_store(settings)
    except CorpusMissingError:
        return f"none yet at {settings.corpus}"
    with closing(store), store.moment() as moment:
        totals = moment.status().totals
        outdated = moment.count_outdated(PIPELINE)
        read_only = " (read-only)" if store.is_read_only else ""
    counts = ", ".join(f"{count} {name}" for name, count in totals.items())
    if outdated:
        raise CytatError(
            f"{settings.corpus}: {outdated} documents were indexed by an earlier version",
            hint="run `cytat reindex`; vectors of unchanged words stay",
        )
    return f"{settings.corpus}{read_only}: {counts}"


def _derived_files(settings: Settings) -> Iterator[Check]:
    """Say how the vectors of a large corpus are held."""
    try:
        with closing(open_store(settings)) as store:
            line = store.upkeep.derived_files() if store.labels is None else None
    except CytatError:
        return  # told of above
    if line is not None:
        yield Check("vectors", ok=True, value=line, hint=None)


def _gate(settings: Settings) -> str:
    try:
        store = open_store(settings)
    except CorpusMissingError:
        return "as shipped"
    with closing(store), store.moment() as moment:
        calibration, misfit = stored_calibration(moment)
        generation = moment.generation
    if calibration is None:
        return "as shipped"
    if misfit is not None:
        raise CytatError(misfit.text("en"), hint="or `cytat eval calibrate --reset`")
    is_owner = settings.labels is None  # a reader is not told of changes to what is forbidden
    changed = generation - calibration.generation if is_owner else 0
    since = f"; documents have changed {changed} times since" if changed else ""
    return f"{calibration.stricter:+.2f}, calibrated on {calibration.calibrated_on}{since}"
