"""A file that is being written -> its name until it is whole; leftovers of kills are removed.

Others see the file only under its own name, after one rename.
"""

import os
from glob import escape
from pathlib import Path


def partial_of(target: Path) -> Path:
    """Return the name, in the same folder, that this process writes `target` under."""
    return target.with_name(f".{target.name}.{os.getpid()}.partial")


def clear_leftovers(target: Path) -> None:
    """Remove the partial files of processes that were killed; running ones keep theirs."""
    for file in target.parent.glob(f".{escape(target.name)}.*.partial*"):
        number = file.name.removeprefix(f".{target.name}.").partition(".")[0]
        if number.isdigit() and not _is_running(int(number)):
            file.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    """Say whether a process may be running; True where that cannot be asked."""
    if os.name == "nt":
        return True  # `kill` would end it there
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
