"""Every failure the package can raise, as one tree with stable codes.

    CytatError
    ├── UsageError               the call cannot be carried out as asked (exit code 2)
    │   ├── SettingsError
    │   └── GoldSetError
    ├── CorpusError              the corpus file cannot be used
    │   ├── CorpusMissingError
    │   ├── CorpusFormatError
    │   ├── CorpusBusyError
    │   └── VectorSpaceError
    ├── NotAllowedError          a reader asked for what only the owner of a corpus may do
    ├── SourceError              a SOURCE names no document, or more than one
    ├── ReadingError             one file could not be read; its code goes into the report
    ├── CitationError            the characters at a span are not the quote
    ├── BackendError             an embedder or generator failed or returned an invalid reply
    │   └── NoDraftError         a model ended without having written an answer
    ├── IncompleteDraftError     a stream ended without its finish mark
    ├── ModelMissingError        weights or a back-end are not installed
    └── ModelDownloadError       files of a model could not be fetched

A message says what happened and to which thing; `hint` says what to do now; `code` is stable.
"""


class CytatError(Exception):
    """A failure with a stable `code`, a message for people, and a `hint` that says what to do."""

    code = "failed"

    def __init__(self, message: str, *, hint: str) -> None:
        self.message = message
        self.hint = hint
        super().__init__(message)


class UsageError(CytatError):
    """The call cannot be carried out as asked."""

    code = "usage"


class SettingsError(UsageError):
    """A setting is unknown or has an invalid value."""

    code = "settings"


class GoldSetError(UsageError):
    """A gold set is malformed, or names what the corpus does not hold."""

    code = "gold-set"


class CorpusError(CytatError):
    """The corpus file cannot be used."""

    code = "corpus"


class CorpusMissingError(CorpusError):
    """There is no corpus file at the path given."""

    code = "corpus-missing"


class CorpusFormatError(CorpusError):
    """The file is not a corpus, is damaged, or is of another format version."""

    code = "corpus-format"


class CorpusBusyError(CorpusError):
    """Another process held the write lock for longer than the waiting time."""

    code = "corpus-busy"


class VectorSpaceError(CorpusError):
    """The corpus holds vectors of another encoder than the one configured."""

    code = "vector-space"


class NotAllowedError(CytatError):
    """A reader asked for what only the owner of a corpus may do."""

    code = "not-allowed"


class SourceError(CytatError):
    """A SOURCE names no document, or more than one."""

    code = "source"


class ReadingError(CytatError):
    """One file could not be read.

    `code` is one of those in the design: `no-text`, `needs-password`, `empty`, `unreadable`,
    `unsupported-type`, `too-large`, `time-limit`, `memory-limit`.
    """

    def __init__(self, code: str, message: str, *, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.code = code


class CitationError(CytatError):
    """The characters at a span are not the quote, or the span lies outside the text."""

    code = "citation"


class BackendError(CytatError):
    """An embedder or generator failed, or its reply cannot be trusted."""

    code = "backend"


class NoDraftError(BackendError):
    """A model came to its end and has written no answer: a call of a tool, reasoning alone."""


class IncompleteDraftError(CytatError):
    """A model's stream ended without its finish mark; what arrived can still be checked."""

    code = "incomplete-draft"


class ModelMissingError(CytatError):
    """Weights or a back-end that was asked for are not installed."""

    code = "model-missing"


class ModelDownloadError(CytatError):
    """Files of a model could not be fetched, or are not those that were wanted."""

    code = "model-download"
