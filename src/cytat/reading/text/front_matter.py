"""The lines above a Markdown text that say what it is -> its metadata: YAML, or TOML in `+++`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from cytat.records import Problem

_FENCED = re.compile(
    r"---[ \t]*(?:\r\n|\r|\n)(?P<yaml>.*?)(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)", re.DOTALL
)
_TOML = re.compile(
    r"\+\+\+[ \t]*(?:\r\n|\r|\n)(?P<toml>.*?)(?<=[\r\n])\+\+\+[ \t]*(?=[\r\n]|\Z)", re.DOTALL
)
_MAX_CHARACTERS = 65_536
"""Front matter is a few lines; a longer stretch between two rules is text."""
_MAX_BRACKETS = 100
"""The YAML composer recurses on each; no front matter nests a fraction of it."""
ALIASES = {
    "autor": "author", "autorzy": "author", "authors": "author", "data": "date", "tytuł": "title",
    "język": "language", "lang": "language",
}  # fmt: skip
"""Polish and plural names of the keys that filters know."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands above a text: its keys, where it ends, and what was wrong with it."""

    values: Mapping[str, str]
    end: int
    """Code points it takes, fences included; 0 if there is none."""
    problems: tuple[Problem, ...]
    is_shown: bool = True
    """Whether it stays in the text."""


NONE = FrontMatter({}, 0, ())


def front_matter_of(text: str) -> FrontMatter:
    """Return the front matter; a leading rule without a closing one is a rule, not front matter.

    Front matter that is no valid YAML keeps its place, so that it is not read as headings, and
    is named as a problem.
    """
    found = _FENCED.match(text, 0, _MAX_CHARACTERS)
    if found is None:
        return _toml_of(text)
    try:
        loaded = _load(found["yaml"])
        if not isinstance(loaded, dict):
            # Prose between two rules.
            return NONE
        return FrontMatter(_flat(loaded), found.end(), ())
    except yaml.YAMLError as problem:
        message = f"the front matter is no valid YAML and was kept as text: {_first_line(problem)}"
        return FrontMatter({}, found.end(), (Problem("front matter", "bad-metadata", message),))


def _toml_of(text: str) -> FrontMatter:
    found = _TOML.match(text, 0, _MAX_CHARACTERS)
    if found is None:
        return NONE
    try:
        loaded = tomllib.loads(found["toml"].replace("\r\n", "\n").replace("\r", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        message = f"the front matter is no valid TOML and was kept as text: {problem}"
        return FrontMatter({}, found.end(), (Problem("front matter", "bad-metadata", message),))
    return FrontMatter(_flat(_as_words(loaded)), found.end(), (), is_shown=False)


def _as_words(loaded: Mapping[str, object]) -> dict[object, object]:
    """Return values as they are written: dates as in ISO 8601, "true" and "false"."""
    return {
        key: [_word(one) for one in _listed(value)]
        for key, value in loaded.items()
        if not isinstance(value, dict)
    }


def _word(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, dict | list) else str(value)


def _load(words: str) -> object:
    if words.count("[") + words.count("{") > _MAX_BRACKETS:
        raise yaml.YAMLError("it nests too deep")
    try:
        # BaseLoader makes nothing but text, lists and mappings: dates and "no" stay as written.
        return yaml.load(words, Loader=yaml.BaseLoader)  # noqa: S506
    except RecursionError as error:  # "- - - …" nests without a bracket
        raise yaml.YAMLError("it nests too deep") from error


def _first_line(problem: yaml.YAMLError) -> str:
    return str(problem).splitlines()[0] if str(problem) else "unreadable"


def _flat(loaded: Mapping[object, object]) -> dict[str, str]:
    """Return the values that are words or lists of words; deeper ones are left to the text."""
    flat: dict[str, str] = {}
    left = _MAX_CHARACTERS
    for key, value in loaded.items():
        name = str(key).strip().lower()
        name = ALIASES.get(name, name)
        words = [word for word in _listed(value) if isinstance(word, str)]
        left -= len(name) + sum(map(len, words))
        if left < 0:
            raise yaml.YAMLError("its aliases unfold to more than it holds")
        said = ", ".join(word.strip() for word in words if word.strip())
        if name and said:
            flat.setdefault(name, said)
    return flat


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
