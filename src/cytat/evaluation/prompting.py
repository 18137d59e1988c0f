"""Names -> prompt texts filled in. What comes from documents is data: delimited, escaped."""

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

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
