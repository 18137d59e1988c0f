"""Markup -> markup that a parser can take: encoding named inside, XHTML's empty tags, depth."""

import codecs
import re

from cytat.reading.extraction import word_set

MAX_DEPTH = 512
"""Parsing takes time in proportion to tags times depth; browsers stop at the same depth."""

_DECLARED = re.compile(
    rb"<meta[^<>]{1,300}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})|"
    rb"\A\s*<\?xml[^<>]{1,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})",
    re.IGNORECASE,
)
_SNIFFED = 4096
_KNOWN_ENCODING = re.compile(
    r"utf-?8|windows-\d+|cp\d+|iso-?8859-?\d+|us-ascii|ascii|latin-?\d+|koi8-[ru]|gb2312|gbk|gb18030"
    r"|big5|euc-(?:jp|kr)|shift_jis|macintosh|ibm\d+"
)
_SAME_ON_THE_WEB = {"iso-8859-1": "windows-1252", "latin1": "windows-1252", "us-ascii": "utf-8"}
"""Pages that say the first mean the second: the WHATWG Encoding standard fixes it."""

_XHTML = re.compile(r"\s*<\?xml|.{0,200}?<!DOCTYPE[^>]{0,200}XHTML", re.DOTALL | re.IGNORECASE)
_EMPTY_RAW = re.compile(
    r"<(script|style|title|textarea|iframe|noscript)\b([^<>]*)/>", re.IGNORECASE
)
_TAG = re.compile(r"<!--|-->|<(/?)([a-zA-Z][a-zA-Z0-9-]*)[^<>]*>")
_LONG_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9-]{0,40})\b([^<>]{8192,}+)")
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_MAX_NAMES_CHARACTERS = 4096
"""Of all attributes of one tag, without their values: some hundred names, more than pages have."""
_NOT_NESTING = word_set(
    "p li dt dd td th tr tbody thead tfoot option br hr img input meta link base col area wbr "
    "source track embed param html head body"
)
"""Elements that are void or closed by the next of their kind, so that they add no depth."""
_RAW = frozenset({"script", "style", "title", "textarea"})
_INLINE = word_set("a b i em strong font span u s small big tt code sub sup abbr")


def declared_encoding(content: bytes) -> str | None:
    """Return the encoding that a page names in its head, if it is one that can be meant."""
    found = _DECLARED.search(content, 0, _SNIFFED)
    if found is None:
        return None
    name = (found[1] or found[2]).decode("ascii").lower()
    name = _SAME_ON_THE_WEB.get(name, name)
    if not _KNOWN_ENCODING.fullmatch(name):
        return None
    try:
        codecs.lookup(name)
    except LookupError:
        return None
    return name


def unclosed_raw_elements(markup: str) -> str:
    """Return XHTML with `<script/>` closed: an HTML parser would take the page for the script."""
    return _EMPTY_RAW.sub(r"<\1\2></\1>", markup) if _XHTML.match(markup) else markup


def without_absurd_tags(markup: str) -> tuple[str, int]:
    """Return the markup with tags of thousands of attributes bare, and how many those were.

    The parser's time grows with the square of the attributes of one tag.
    """
    cut = 0

    def bare(found: re.Match[str]) -> str:
        nonlocal cut
        if len(_QUOTED.sub("", found[2])) < _MAX_NAMES_CHARACTERS:
            return found[0]  # a picture in one value, say
        cut += 1
        return f"<{found[1]}"

    return _LONG_TAG.sub(bare, markup), cut


def flattened(markup: str) -> tuple[str, int]:
    """Return the markup without the tags below `MAX_DEPTH`, and how many those were."""
    if markup.count("<") <= MAX_DEPTH:
        return markup, 0
    flattening = _Flattening()
    flat = _TAG.sub(flattening.replace, markup)
    return (flat, flattening.cut) if flattening.cut else (markup, 0)


class _Flattening:
    """The depth come to in one page, by counting tags alone."""

    def __init__(self) -> None:
        self._depth = 0
        self._raw = ""
        self.cut = 0

    def replace(self, found: re.Match[str]) -> str:
        """Return what stands for a tag: itself, or nothing that would nest deeper."""
        whole, closing, tag = found[0], found[1], (found[2] or "").lower()
        if self._raw:
            if whole == self._raw or (closing and tag == self._raw):
                self._raw = ""
            return whole
        if not tag:
            self._raw = "-->" if whole == "<!--" else ""
            return whole
        if tag in _RAW:
            self._raw = "" if closing else tag
            return whole
        return whole if tag in _NOT_NESTING else self._nested(whole, tag, closing)

    def _nested(self, whole: str, tag: str, closing: str) -> str:
        is_deep = self._depth > MAX_DEPTH if closing else self._depth >= MAX_DEPTH
        self._depth = max(0, self._depth - 1) if closing else self._depth + 1
        if not is_deep:
            return whole
        self.cut += 1
        return "" if tag in _INLINE else " "
