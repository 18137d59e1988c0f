"""Ask, and read every quote again at its place: the law that a citation keeps.

Run: python examples/02_ask.py
"""

import tempfile
from pathlib import Path

from cytat import Corpus
from cytat.records import Answer, Refusal

DOCUMENTS = Path(__file__).parent / "documents"


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Corpus.open(Path(folder) / "cytat.db") as corpus,
    ):
        corpus.add([DOCUMENTS])
        match corpus.ask("Jaka jest stawka VAT na książki?"):
            case Answer(text=text, citations=citations):
                print(text)
                for citation in citations:
                    name = Path(citation.source).name
                    print(f"[{citation.marker}] {name}, {citation.locator.label}")
                    shown = corpus.show(citation.source, span=citation.span)
                    print(f"    read again and equal: {shown.text == citation.quote}")
            case Refusal(text=text):
                print(text)


if __name__ == "__main__":
    main()
