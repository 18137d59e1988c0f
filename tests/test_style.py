"""Budgets: how long a module and a function may be, and where a failure may be caught broadly."""

import ast
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "cytat"
SOURCES = sorted(PACKAGE.rglob("*.py"))

MODULE_LINES = 400
FUNCTION_LINES = 60
MEDIAN_FUNCTION_LINES = 12

BROAD = {"Exception", "BaseException"}
BROAD_CATCHES_ALLOWED = {
    "surfaces/cli/commands.py": "a failure becomes a reply with a code",
    "reading/process/worker.py": "whatever a reader raises becomes a reply to the parent process",
    "ingestion/preparing.py": "a file that breaks its reader becomes a line of the report",
}
"""File -> the reason. May only shrink."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[Function]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length_lines(function: Function) -> int:
    """Return the lines from `def` to the last, docstring included, decorators not."""
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def is_broad(handler: ast.ExceptHandler) -> bool:
    """Say whether a handler may swallow any failure; one that raises it again does not."""
    last = handler.body[-1]
    if isinstance(last, ast.Raise) and last.exc is None:
        return False
    if handler.type is None:
        return True
    return any(isinstance(node, ast.Name) and node.id in BROAD for node in ast.walk(handler.type))


def over(measure: Callable[[Path], object]) -> dict[str, object]:
    """Return each file for which `measure` finds something, with what it finds."""
    found = {str(path.relative_to(PACKAGE)): measure(path) for path in SOURCES}
    return {name: what for name, what in found.items() if what}


def test_a_module_can_be_read_in_one_sitting() -> None:
    def too_long(path: Path) -> int:
        lines = len(path.read_text("utf-8").splitlines())
        return lines if lines > MODULE_LINES else 0

    assert over(too_long) == {}


def test_a_function_fits_on_a_screen() -> None:
    def too_long(path: Path) -> dict[str, int]:
        lengths = {function.name: length_lines(function) for function in functions(path)}
        return {name: lines for name, lines in lengths.items() if lines > FUNCTION_LINES}

    assert over(too_long) == {}


def test_half_of_all_functions_are_a_dozen_lines_or_less() -> None:
    lengths = [length_lines(function) for path in SOURCES for function in functions(path)]
    assert statistics.median(lengths) <= MEDIAN_FUNCTION_LINES


def test_a_failure_is_never_caught_broadly() -> None:
    def broad(path: Path) -> list[int]:
        if path.relative_to(PACKAGE).as_posix() in BROAD_CATCHES_ALLOWED:
            return []
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        return [n.lineno for n in nodes if isinstance(n, ast.ExceptHandler) and is_broad(n)]

    assert over(broad) == {}


def test_a_module_opens_with_a_docstring() -> None:
    assert over(lambda path: not ast.get_docstring(ast.parse(path.read_text("utf-8")))) == {}
