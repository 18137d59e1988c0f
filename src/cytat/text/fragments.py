"""A quote of a web page -> the fragment of a link that leads a browser to it. Pure.

`#id:~:text=first%20words,last%20words`: the id is where a browser goes that cannot look for words
or does not find them. What the extraction adds (list signs, borders of cells) is not on the page,
so words are taken from within one cell or item.

Source:
    WICG, URL Fragment Text Directives: both ends are looked for whole, each within one block, and
    `-`, `,` and `&` inside them are percent-encoded.
"""

import re
from urllib.parse import quote as percent_encoded

WORDS_AT_AN_END = 5
"""Enough to be found once on most pages, and to survive small edits elsewhere."""

_LOOK_BACK = 200
_ITEM_SIGN = re.compile(r"\s*(?:-|(?:\d{1,4}|[a-zA-Z]|[ivxlcIVXLC]{1,6})\.)[ ]")
_BORDER = re.compile(r"[ ]\|(?:[ ]|$)")
_RAISED = re.compile(r"[\u00b2\u00b3\u00b9\u2070-\u209c]")


def html_fragment(quote: str, anchor: str | None, *, preceding: str = "") -> str:
    """Return the fragment with its `#`; empty when there is neither an id nor a word.

    `preceding` is the text before the quote: where its first words stand there already, the words
    right before the quote go in front of it as a prefix.
    """
    place = percent_encoded(anchor, safe="") if anchor else ""
    pieces = _pieces(quote)
    if not pieces:
        return f"#{place}" if place else ""
    first, last = pieces[0].split(), pieces[-1].split()
    if len(pieces) == 1 and len(first) <= 2 * WORDS_AT_AN_END:
        start, end = " ".join(first), ""
    else:
        start = " ".join(first[:WORDS_AT_AN_END])
        end = "," + _encoded(" ".join(last[-WORDS_AT_AN_END:]))
    prefix = _prefix(preceding) if start in preceding else ""
    return f"#{place}:~:text={prefix}{_encoded(start)}{end}"


def _prefix(preceding: str) -> str:
    pieces = _pieces(preceding[-_LOOK_BACK:])
    words = pieces[-1].split()[-WORDS_AT_AN_END:] if pieces else []
    return f"{_encoded(' '.join(words))}-," if words else ""


def _pieces(text: str) -> list[str]:
    """Return the stretches of words that a browser shows together."""
    cells = [
        cell
        for line in text.split("\n")
        for cell in _BORDER.split(_ITEM_SIGN.sub("", line, count=1))
    ]
    return [words for cell in cells if (words := _before_raised(cell).strip())]


def _before_raised(cell: str) -> str:
    """Return what stands before a raised sign: on the page it may be an ordinary one in `<sup>`."""
    raised = _RAISED.search(cell)
    return cell if raised is None else cell[: raised.start()].rpartition(" ")[0]


def _encoded(words: str) -> str:
    return percent_encoded(words, safe="").replace("-", "%2D")
