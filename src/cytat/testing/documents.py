"""Strategies for documents of any script: emoji, combining marks, right-to-left, odd line ends."""

from hypothesis import strategies as st

from cytat.records import Block, BlockKind, Document, Span
from cytat.testing.chunkers import document_of

PIECES = st.one_of(
    st.sampled_from(
        [
            "art. 43 ust. 1 pkt 2",
            "1 230,00 zł",
            "Dz. U. z 2021 r.",
            "e\u0301",
            "👩‍👩‍👧‍👦",
            "🇵🇱",
            "👍🏽",
            "שלום",
            "مرحبا؟",
            "これは文です。",
            "한국어",
            "ก็",
            "नमस्ते।",
            ". ",
            "? ",
            "…",
            "\n",
            "\r\n",
            "\r",
            "\n\n",
            " ",
            "\u00a0",
            "\u200b",
            "\u00ad",
            "| a | b |",
            "|---|---|",
            "- ",
            "1) ",
            "# ",
            "https://a.example/b.c?d=1",
            "Zdanie jedno. ",
            "Word ",
            "słowo ",
            "x" * 90,
        ]
    ),
    st.text(max_size=12),
)


def texts() -> st.SearchStrategy[str]:
    """Return texts of pieces that meet in odd ways."""
    return st.lists(PIECES, max_size=40).map("".join).map(_without_lone_surrogates)


def _without_lone_surrogates(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


HEADINGS = st.lists(
    st.sampled_from(["Część", "Art. 43", "A", "Długi nagłówek o niczym"]), max_size=3
).map(tuple)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Return documents of up to eight blocks of any kind and heading path."""
    text, blocks = "", []
    for _ in range(draw(st.integers(0, 8))):
        kind = draw(st.sampled_from(BlockKind))
        path = draw(HEADINGS)
        if kind is BlockKind.HEADING:
            words = draw(st.sampled_from(["Część", "Art. 43", "Nagłówek"]))
            path = (*path[:2], words)
        else:
            words = draw(texts())
        blocks.append(Block(kind, Span(len(text), len(text) + len(words)), path))
        text += words + draw(st.sampled_from(["\n\n", "\n", "\r\n\r\n", " \n \n"]))
    return document_of(text, blocks)
