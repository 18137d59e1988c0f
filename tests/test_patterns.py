"""Regular expressions mean the same on every Python from 3.11.0 on.

Up to 3.11.4 `re` matches possessive quantifiers and atomic groups around sub-patterns wrongly and
says nothing (python/cpython issues 100061 and 106052), so the package uses neither.
"""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cytat

PACKAGE = Path(__file__).parents[1] / "src" / "cytat"

_NOT_SYNTAX = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
"""An escaped sign, or a class of characters: what is in it is no quantifier and no group."""
_POSSESSIVE = re.compile(r"\(\?>|[*+?}]\+")


def is_possessive(pattern: str) -> bool:
    """Say whether a pattern has a possessive quantifier or an atomic group."""
    return _POSSESSIVE.search(_NOT_SYNTAX.sub("_", pattern)) is not None


def compiled_patterns() -> Iterator[tuple[str, str]]:
    """Yield the patterns that the modules of the package hold, each with where it is."""
    for module in pkgutil.walk_packages(cytat.__path__, "cytat."):
        if module.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            for pattern in _patterns_in(value):
                yield f"{module.name}.{name}", _text(pattern.pattern)


def _patterns_in(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from _patterns_in([*value.keys(), *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _patterns_in(item)


def _text(pattern: str | bytes) -> str:
    return pattern if isinstance(pattern, str) else pattern.decode("latin-1")


def written_strings() -> Iterator[tuple[str, str]]:
    """Yield the strings of the package's source, docstrings left out, each with where it is."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or id(node) in docstrings:
                continue
            if isinstance(node.value, str | bytes):
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", _text(node.value)


@pytest.mark.parametrize(
    "pattern", ["a++", "(?:ab)*+", "a?+", r"\d{2}+", "a{1,3}+", "(?>a|b)c", r"[\]+]++", r"\\++"]
)
def test_a_possessive_quantifier_or_an_atomic_group_is_recognised(pattern: str) -> None:
    assert is_possessive(pattern)


@pytest.mark.parametrize(
    "pattern", ["a+", r"\++", r"[*+]+", r"[^]*+]+", r"[\]*+]", "a*?", "(?:a)(?=b)", r"\(?>", r"\\+"]
)
def test_any_other_pattern_is_not(pattern: str) -> None:
    assert not is_possessive(pattern)


def test_compiled_patterns_are_neither_possessive_nor_atomic() -> None:
    found = list(compiled_patterns())
    assert len(found) > 100
    assert not [where for where, pattern in found if is_possessive(pattern)]


def test_no_string_of_the_source_is_a_possessive_or_an_atomic_pattern() -> None:
    assert not [where for where, text in written_strings() if is_possessive(text)]
