"""Runs <-> files: the JSON of `eval-report`, whole; and pages about runs."""

import json
from pathlib import Path

from cytat.errors import UsageError
from cytat.records import EvalReport, EvalSweep
from cytat.surfaces import wire


def read(path: Path) -> EvalReport:
    """Return the run in a file.

    Raises:
        UsageError: the file is missing, or of another version.
    """
    try:
        value = json.loads(path.read_text("utf-8"))
        read_back = wire.from_json(value) if isinstance(value, dict) else None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", hint=_HINT) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is not a run file: {error}", hint=_HINT) from error
    if not isinstance(read_back, EvalReport):
        raise UsageError(f"{path} is not a run file", hint=_HINT)
    return read_back


def keep(run: EvalReport, *, out: str | None, report: str | None) -> None:
    """Write a run and its page, if they were asked for."""
    if out is not None:
        write(run, Path(out))
    if report is not None:
        from cytat.surfaces.pages import eval_page  # noqa: PLC0415 - only where a page is wanted

        write_text(Path(report), eval_page.page(run))


def write(run: EvalReport | EvalSweep, path: Path) -> None:
    """Write a run, or many compared; UsageError where the file cannot be written."""
    write_text(path, wire.dumps(wire.to_json(run)) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file; UsageError where that cannot be done."""
    try:
        path.write_text(text, "utf-8", errors="replace")
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written: {error.strerror}", hint="name another file"
        ) from error


_HINT = "a run is what `cytat eval run GOLD --out RUN.json` writes"
