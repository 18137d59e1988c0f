"""The documentation says what the code does: names, codes, fields and links are compared."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click
import pytest

from cytat import errors
from cytat.config import ENVIRONMENT, Settings
from cytat.records import RefusalReason, Verdict
from cytat.surfaces.cli.commands import cytat as command_line
from cytat.surfaces.wire import KINDS

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "examples/README.md"])
REFERENCE = ROOT / "docs" / "reference"


def text_of(page: Path) -> str:
    return page.read_text("utf-8")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prose(page: Path) -> str:
    """Return a page without its code blocks."""
    return re.sub(r"^```.*?^```", "", text_of(page), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings make."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_relative_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        found = (page.parent / target) if target else page
        assert found.exists(), link
        assert not anchor or anchor in anchors(found), link


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_has_one_title_and_no_badge(page: Path) -> None:
    assert len(re.findall(r"^# ", prose(page), re.MULTILINE)) == 1
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", prose(page))
    assert all(re.fullmatch(r"(\.\./)*(docs/)?plots/\w+\.svg", picture) for picture in pictures)


# ---------------------------------------------------------------- errors


def error_codes() -> set[str]:
    """Return the code of every class of the error tree."""

    def below(kind: type[errors.CytatError]) -> Iterator[type[errors.CytatError]]:
        yield kind
        for child in kind.__subclasses__():
            yield from below(child)

    return {kind.code for kind in below(errors.CytatError)}


def file_codes() -> set[str]:
    """Return the codes that readers are written to give."""
    reading = ROOT / "src" / "cytat" / "reading"
    sources = "".join(path.read_text("utf-8") for path in reading.rglob("*.py"))
    return set(re.findall(r'ReadingError\(\s*(?:code=)?"([\w-]+)"', sources))


def test_every_error_code_is_in_the_reference_and_no_other() -> None:
    page = text_of(REFERENCE / "errors.md")
    calls, _, files = page.partition("## Codes of a file")
    assert set(re.findall(r"^\| `([\w-]+)`", calls, re.MULTILINE)) == error_codes()
    assert file_codes() <= set(re.findall(r"^\| `([\w-]+)`", files, re.MULTILINE))


def test_every_refusal_reason_is_explained() -> None:
    page = text_of(ROOT / "docs" / "explanation" / "citations-and-refusal.md")
    assert set(re.findall(r"^\| `([\w-]+)`", page, re.MULTILINE)) == set(RefusalReason)


# ---------------------------------------------------------------- command line


def verbs() -> dict[str, click.Command]:
    return dict(command_line.commands)


def leaves(command: click.Command) -> list[click.Command]:
    """Return a verb, or the verbs under it."""
    return list(command.commands.values()) if isinstance(command, click.Group) else [command]


def test_every_verb_has_a_section_and_every_section_a_verb() -> None:
    page = text_of(REFERENCE / "cli.md")
    assert set(re.findall(r"^## `cytat (\w+)", page, re.MULTILINE)) == set(verbs())


@pytest.mark.parametrize("name", sorted(verbs()))
def test_every_option_of_a_verb_is_in_its_section(name: str) -> None:
    page = text_of(REFERENCE / "cli.md")
    section = re.split(
        r"^## ", page.split(f"## `cytat {name}", 1)[1], maxsplit=1, flags=re.MULTILINE
    )[0]
    everywhere = {"--json", "--corpus", "--config", "--as", "--help"}
    options = {
        option
        for command in leaves(verbs()[name])
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
    }
    assert set(re.findall(r"--[a-z][a-z-]*", section)) - everywhere == options - everywhere


@pytest.mark.parametrize("name", sorted(verbs()))
def test_every_verb_and_option_has_help(name: str) -> None:
    command = verbs()[name]
    assert command.help
    options = [found for found in command.params if isinstance(found, click.Option)]
    assert [found.name for found in options if not found.help] == []


# ---------------------------------------------------------------- settings, JSON


def test_every_setting_and_variable_is_in_the_reference_and_no_other() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| `(\w+)` \|", text_of(REFERENCE / "settings.md"), re.MULTILINE
    )
    assert {name for name, _ in rows} == {field.name for field in fields(Settings)}
    assert {variable: name for name, variable in rows} == dict(ENVIRONMENT)


def records_within(kind: Any) -> Iterator[type]:
    """Yield the dataclasses that a type form is made of."""
    if isinstance(kind, type) and is_dataclass(kind):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from records_within(hint)
    for part in get_args(kind):
        yield from records_within(part)


def words_of(text: str) -> set[str]:
    return {word for code in re.findall(r"`([^`]+)`", text) for word in re.findall(r"\w+", code)}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_field_of_every_json_value_is_in_the_reference(kind: type) -> None:
    page = text_of(REFERENCE / "json.md")
    headings = "".join(re.findall(r"^##.*$", page, re.MULTILINE))
    assert f"`{KINDS[kind]}`" in headings
    named = words_of(page)
    for record in records_within(kind):
        assert {field.name for field in fields(record)} <= named, record


def test_every_verdict_is_in_the_reference() -> None:
    assert set(Verdict) <= words_of(text_of(REFERENCE / "json.md"))


# ---------------------------------------------------------------- the two READMEs


def make_targets(page: Path) -> set[str]:
    return set(re.findall(r"^make (\w+)", text_of(page), re.MULTILINE))


def test_both_readmes_name_the_same_make_targets_and_they_exist() -> None:
    english, polish = ROOT / "README.md", ROOT / "README.pl.md"
    assert make_targets(english) == make_targets(polish)
    rules = set(re.findall(r"^([\w-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    assert {"demo", "test"} <= make_targets(english) <= rules


def test_both_readmes_link_to_the_same_pages() -> None:
    def links(page: Path) -> set[str]:
        return set(re.findall(r"\]\(([^)\s]+)\)", prose(page))) - {"README.md", "README.pl.md"}

    assert links(ROOT / "README.md") == links(ROOT / "README.pl.md")


def test_the_span_shown_in_the_pages_is_the_sentence_about_books() -> None:
    document = (ROOT / "examples/documents/biuro/stawki-vat.md").read_text("utf-8")
    for name in ("README.md", "README.pl.md", "docs/explanation/citations-and-refusal.md"):
        spans = re.findall(r"show biuro/stawki-vat\.md --span (\d+):(\d+)", text_of(ROOT / name))
        assert spans
        for start, end in spans:
            assert document[int(start) : int(end)].startswith("Książki drukowane")
            assert document[int(start) : int(end)].endswith("opodatkowane stawką 5 %.")


# ---------------------------------------------------------------- promises


@pytest.mark.parametrize("page", ["promises.md", "reference/known-cases.md"])
def test_every_test_that_a_page_names_exists(page: str) -> None:
    promised = re.findall(r"`(test_\w+)`", text_of(ROOT / "docs" / page))
    assert promised
    places = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "src/cytat/testing").rglob("*.py")]
    tests = "".join(path.read_text("utf-8") for path in places)
    assert [name for name in promised if f"def {name}(" not in tests] == []
