"""ARCHITECTURE.md is the rule and this test reads it: layers, closed doors, links, sections."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "cytat"
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
PROMPTS = PACKAGE / "prompts"
SOURCES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if path not in {PACKAGE / "__init__.py", PACKAGE / "__main__.py"}
    and not path.is_relative_to(PROMPTS)
)

NOBODY: set[str] = set()

DOORS = {
    "config": {"corpus", "evaluation", "surfaces"},
    "backends": {"plugins"},
    "testing": NOBODY,
    "surfaces": NOBODY,
    "corpus": {"evaluation", "surfaces"},
    "evaluation": {"surfaces"},
}
"""Module -> the only other modules that may import it."""

SURFACES_MAY_IMPORT = {"corpus", "evaluation", "config", "records", "errors"}

NETWORK = {"backends", "sources", "surfaces"}
OUTSIDE_DOORS = {
    "apsw": {"backends"},
    "sqlite3": NOBODY,
    "socket": NETWORK,
    "ssl": NETWORK,
    "http": NETWORK,
    "urllib3": NETWORK,
    "requests": NOBODY,
    "httpx": NOBODY,
    "asyncio": {"surfaces"},
    "click": {"surfaces"},
}
"""Package of others -> the modules that may import it."""


def layers() -> list[set[str]]:
    """Return the layers of the fenced block, top first."""
    block = re.search(r"```layers\n(.*?)```", PAGE, re.DOTALL)
    assert block, "ARCHITECTURE.md has no ```layers block"
    return [set(re.split(r"\s*\|\s*", line)) for line in block[1].splitlines()]


def unit(path: Path) -> str:
    """Return the module or package directly under `cytat` that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def dotted_imports(path: Path) -> Iterator[str]:
    """Yield the dotted name of everything that a file imports anywhere, functions included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(path: Path) -> set[str]:
    """Return the other modules of the package that a file imports."""
    own = {name.split(".")[1] for name in dotted_imports(path) if name.startswith("cytat.")}
    return own - {unit(path)}


def faults(wrong: Callable[[Path], set[str]]) -> dict[str, list[str]]:
    """Return each file for which `wrong` finds something, with what it finds."""
    found = {str(path.relative_to(PACKAGE)): sorted(wrong(path)) for path in SOURCES}
    return {name: names for name, names in found.items() if names}


def test_every_module_has_a_layer_and_every_layer_its_modules() -> None:
    assert {unit(path) for path in SOURCES} == set.union(*layers())


def test_no_module_stands_in_two_layers() -> None:
    assert sum(map(len, layers())) == len(set.union(*layers()))


def test_imports_point_down() -> None:
    level = {name: n for n, layer in enumerate(layers()) for name in layer}

    def upward(path: Path) -> set[str]:
        return {name for name in own_imports(path) if level.get(name, -1) <= level[unit(path)]}

    assert faults(upward) == {}


def test_doors_between_modules_stay_closed() -> None:
    def through(path: Path) -> set[str]:
        return {door for door in own_imports(path) & set(DOORS) if unit(path) not in DOORS[door]}

    assert faults(through) == {}


def test_surfaces_talk_to_the_facade_alone() -> None:
    def beyond(path: Path) -> set[str]:
        return own_imports(path) - SURFACES_MAY_IMPORT if unit(path) == "surfaces" else set()

    assert faults(beyond) == {}


def test_database_network_and_command_line_stay_where_they_belong() -> None:
    def through(path: Path) -> set[str]:
        names = set(dotted_imports(path))
        packages = {name.split(".")[0] for name in names}
        if any(name.startswith("urllib.request") for name in names):
            packages.add("http")
        return {
            name for name in packages & set(OUTSIDE_DOORS) if unit(path) not in OUTSIDE_DOORS[name]
        }

    assert faults(through) == {}


def test_no_module_imports_by_a_name_in_a_string() -> None:
    def hidden(path: Path) -> set[str]:
        names = {"importlib.import_module", "importlib.util"} | {"builtins.__import__"}
        return names & set(dotted_imports(path))

    assert faults(hidden) == {}


def test_the_folder_of_prompts_holds_texts_and_no_code() -> None:
    code = [path for path in PROMPTS.rglob("*.py") if len(ast.parse(path.read_text()).body) > 1]
    assert code == []


def test_every_module_has_a_section_that_says_what_it_is_good_for() -> None:
    sections = {
        match[1]: match[2]
        for match in re.finditer(
            r"^### `(\w+)`: [^\n]+\?\n(.*?)(?=^#|\Z)", PAGE, re.DOTALL | re.MULTILINE
        )
    }
    assert set(sections) == set.union(*layers())
    for name, text in sections.items():
        assert "Good for" in text, name
        assert "Not for" in text, name


def test_the_page_can_be_read_in_a_quarter_of_an_hour() -> None:
    assert len(PAGE.split()) < 2500


def names_of_types(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the names of a file's classes and of its type aliases; true where it is a class."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef):
            yield node.name, True
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((target.id, False) for target in targets if isinstance(target, ast.Name))


def test_no_class_name_is_defined_twice() -> None:
    places: dict[str, set[str]] = {}
    classes: list[str] = []
    for path in SOURCES:
        for name, is_class in names_of_types(path):
            places.setdefault(name, set()).add(str(path.relative_to(PACKAGE)))
            classes += [name] if is_class else []
    assert {name: places[name] for name in classes if len(places[name]) > 1} == {}
    assert len(classes) == len(set(classes))
