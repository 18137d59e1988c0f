"""How long does reading text, Markdown and HTML take, beside the parser each leans on?

    python -m benchmarks.reading_speed > benchmarks/results/reading_speed.json

Texts of `CHARACTERS` characters, each read and parsed in turn `ROUNDS` times in this process; the
least processor time of each counts. Plain text leans on no parser: beside it stands the splitting
of its lines. `tokens` is the default encoder's tokenizer on prose and on text without blanks.
"""

import json
import random
import string
import sys
import time
from collections.abc import Callable
from functools import partial

from benchmarks.reading import read_document
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from cytat.backends.e5.tokens import UnigramTokenizer, build_table
from cytat.backends.e5.weights import WeightsFile, find_weights
from cytat.config import default_cache

CHARACTERS = 400_000
ROUNDS = 5

SENTENCES = (
    "Zgodnie z art. 43 ust. 1 ustawy podatnik jest zwolniony od podatku. "
    "Kwota wynosi 1 230,00 zł i jest płatna do końca miesiąca.\n"
)
TEXTS = {
    "prose.txt": SENTENCES * 5 + "\n",
    "prose.md": SENTENCES * 5 + "\n",
    "sections.md": f"# A section\n\n{SENTENCES}\n- one\n- two\n\n"
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
    "sections.html": f"<h2>A section</h2><p>{SENTENCES}<ul><li>one<li>two</ul>"
    "<table><tr><td>a<td>b<tr><td>1<td>2</table>",
}


def parse(name: str, text: str) -> object:
    """Do what any reader of the format has to do."""
    if name.endswith(".md"):
        return MarkdownIt("commonmark").enable("table").parse(text)
    if name.endswith(".html"):
        body = LexborHTMLParser(text).body
        return body.text() if body is not None else ""
    return text.splitlines()


def least_s(work: Callable[[], object]) -> float:
    """Return the least processor time of some rounds."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def reading() -> dict[str, dict[str, float]]:
    """Return characters a second of each text, and the time in times of the parser alone."""
    figures = {}
    for name, pattern in TEXTS.items():
        text = (pattern * (CHARACTERS // len(pattern) + 1))[:CHARACTERS]
        content = text.encode()
        ours = least_s(partial(read_document, content, source=name))
        theirs = least_s(partial(parse, name, text))
        figures[name] = {
            "characters_a_second": round(CHARACTERS / ours),
            "ratio_to_parser": round(ours / theirs, 2),
        }
    return figures


def tokens() -> dict[str, int]:
    """Return characters a second that the tokenizer takes, words seen before forgotten."""
    vocabulary = WeightsFile(find_weights(default_cache())).vocabulary()
    table = memoryview(build_table(vocabulary).tobytes()).cast("Q")
    chance = random.Random(20)  # noqa: S311 - not for secrets
    words = ["".join(chance.choices(string.ascii_lowercase, k=6)) for _ in range(8_000)]
    texts = {
        "words": " ".join(words),
        "no blank, letters": "abcdefghij" * 5_000,
        "no blank, codes": "".join(chance.choices(string.ascii_letters + string.digits, k=50_000)),
    }
    figures = {}
    for name, text in texts.items():
        tokenizer = UnigramTokenizer(vocabulary, table)
        tokenizer.encode(" ".join(f"w{n}" for n in range(2_000)))  # reads all pieces, once
        started = time.process_time()
        tokenizer.encode(text)
        figures[name] = round(len(text) / (time.process_time() - started))
    return figures


if __name__ == "__main__":
    told = {"characters": CHARACTERS, "reading": reading(), "tokens_characters_a_second": tokens()}
    json.dump(told, sys.stdout, indent=1)
    sys.stdout.write("\n")
