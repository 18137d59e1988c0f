"""A file that a person names -> its text or lines; names -> prompt texts filled in."""

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
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

    They end with a line feed alone: another line separator of Unicode may occur in a string
    of JSON.
    """
    return text_of(path, hint=hint).split("\n")


_DELIMITER = re.compile(r"<(?=\s*/?\s*(?:passage|statement|question))", re.IGNORECASE)


@cache
def prompt_text(name: str) -> str:
    """Return a prompt file of the package."""
    return resources.files("cytat.prompts").joinpath(f"{name}.txt").read_text("utf-8")


def hash_of_prompts(names: Sequence[str]) -> str:
    """Return what identifies some of the prompt texts."""
    return hashlib.sha256("\0".join(map(prompt_text, names)).encode("utf-8")).hexdigest()[:16]


def filled(name: str, **texts: str) -> str:
    """Return a prompt with texts in it that can neither close nor open its delimiters."""
    return prompt_text(name).format(
        **{key: _DELIMITER.sub("&lt;", text) for key, text in texts.items()}
    )
