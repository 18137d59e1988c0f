r"""Lines of office text, and the edges of what Unicode 14.0 assigns -> their terms.

Run by each Python that `test_interpreters` finds; prints one JSON object a line, in ASCII. In
`office_lines.txt` \u and \U with their digits stand for a character that is hard to see.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import cytat.text
from cytat.analysis import analyse_question, detect_language, terms_by_passage, terms_in_order

LINES = Path(__file__).with_name("office_lines.txt")
RANGES = Path(cytat.text.__file__).with_name("unassigned-14.0.txt")

_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\t")


def lines() -> Iterator[str]:
    """Yield the lines, then each of them joined to one text."""
    written = LINES.read_text("utf-8").splitlines()
    for line in written:
        yield _ESCAPED.sub(lambda found: chr(int(found[1] or found[2] or "9", 16)), line)
    for line in RANGES.read_text("ascii").splitlines():
        first, _, last = line.partition("-")
        edges = (int(first, 16), int(last or first, 16))
        for code_point in (edges[0] - 1, *edges, min(edges[1] + 1, sys.maxunicode)):
            yield f"a{chr(code_point)} {chr(code_point)}1 x-{chr(code_point)}{chr(code_point)}"


def analysed(line: str) -> dict[str, object]:
    """Return the terms of a line in three languages, its language, its words as a question."""
    asked = analyse_question(line, languages=("pl", "en"))
    return {
        "line": line,
        "language": detect_language(line),
        "pl": terms_in_order(line, "pl"),
        "en": terms_in_order(line, "en"),
        "none": terms_in_order(line, None),
        "by_passage": terms_by_passage(line, "pl"),
        "asked": [[group.surface, *group.alternatives, *group.parts] for group in asked.groups],
    }


def printed() -> Iterator[str]:
    """Yield what is made of every line, and of all lines as one text."""
    for line in [*lines(), "\n".join(lines())]:
        yield json.dumps(analysed(line), sort_keys=True)


if __name__ == "__main__":
    print(*printed(), sep="\n")
