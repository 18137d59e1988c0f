"""A file that a person names -> its text or its lines, or what is wrong with it."""

from pathlib import Path

from cytat.errors import GoldSetError, UsageError


def text_of(path: Path, *, hint: str) -> str:
    """Return the text of a file; `hint` says which kind of file is wanted.

    Raises:
        UsageError: it cannot be read.
        GoldSetError: it is not UTF-8.
    """
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GoldSetError(
            f"{path.name}: byte {error.start} is not UTF-8", hint="save the file as UTF-8"
        ) from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", hint=hint) from error


def lines_of(path: Path, *, hint: str) -> list[str]:
    """Return the lines of a file, as `text_of` reads it.

    They end with a line feed alone: a sign that Unicode calls a line's end may stand in a string
    of JSON.
    """
    return text_of(path, hint=hint).split("\n")
