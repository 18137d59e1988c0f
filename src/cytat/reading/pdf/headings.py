"""Paragraphs of pages -> those that are headings, by their type and by the file's outline.

What a line is set in says less than its form: a bold line is a label of a form, a name in a
letterhead or a cell far more often than a heading. So one that counts is short, ends as no
sentence does, and stands above text.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from cytat.reading.pdf.contents import with_contents_apart
from cytat.reading.pdf.model import OutlineEntry
from cytat.reading.pdf.paragraphs import PageParagraphs, Paragraph, ParagraphKind
from cytat.reading.structure import heading_of, marks_of

_LARGER = 1.15
_NOT_SMALLER = 0.95
_MAX_LINES = 3
_MAX_CHARACTERS = 120
_MAX_WORDS = 16
_MIN_PROSE_WORDS = 8
_MAX_SHARE = 0.3
_MIN_SHARED = 8
"""Headings of one look that are more than the share of all paragraphs are none."""
_TRUSTED = 0.5
"""Share of an outline's titles that stand on their pages as they are told."""
_MIN_TRUSTED = 2
_REAL_WORD = re.compile(r"[^\W\d_]{3,}")
_BEGINS = re.compile(r"[^\W_a-z„\"“(]|[„\"“(]?[^\W\d_]")
_ENDS_AS_PROSE = re.compile(r"[.;,:]$|\s(?:i|oraz|lub|and|or|of|the)$")
_ADDRESS = re.compile(
    r"@|www\.|https?:|\btel\b|\bfax\b|\bNIP\b|\bREGON\b|\bKRS\b|\bul\.|\bISSN\b|\bDOI\b"
    r"|\b\d{2}-\d{3}\b|(?:\d[\s-]?){9}|[_.]{4}|\btelephone\b|\btelefon\w*\b|\(\d{3}\)\s*\d{3}"
    r"|,[^,]*\s\d{5}(?:-\d{4})?$",
    re.IGNORECASE,
)
_FORM_FIELD = re.compile(
    r"\([^)]*\s|\([^)]{4,}\)$|.*[☐☑☒□■]|(?:[^:]*:\s*)?(?:[^\W\d_]{3,}\.?\s+\d{1,2},?\s+\d{4}"
    r"|\d{1,2}\.?\s+[^\W\d_]{3,}\s+\d{4}(?:\s*r\.?)?|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})$"
)
"""What covers and forms set in large type: remarks in brackets, boxes to tick, dates."""
_ITEM = re.compile(r"(?:ITEM|Item)\s+\d{1,2}[A-C]?\.\s+\S[^.]*\.$")
"""Parts of annual reports, whose titles end as sentences do."""
_BLANKS_AND_SIGNS = re.compile(r"[\W_]+")

Look = tuple[float, bool]
"""The size of the type and whether it is bold."""


def headed(pages: Sequence[PageParagraphs], *, outline: Sequence[OutlineEntry], body: Look) -> None:
    """Make headings of the paragraphs that are; what a table of contents names is none there."""
    with_contents_apart(pages)
    deepest = _by_outline(pages, outline)
    texts = [
        paragraph
        for page in pages
        for paragraph in page.paragraphs
        if paragraph.kind in {ParagraphKind.TEXT, ParagraphKind.TABLE, ParagraphKind.HEADING}
    ]
    looks = _looks_of_headings(texts, body)
    depths = _depths(texts, looks, deepest)
    ends = _ends_of_pages(pages)
    for paragraph in _standing_above_text(texts, looks, body):
        if id(paragraph) in ends:
            continue
        paragraph.kind = ParagraphKind.HEADING
        paragraph.depth = depths[_look(paragraph)]


def _ends_of_pages(pages: Sequence[PageParagraphs]) -> set[int]:
    """Return the paragraphs, by identity, that end a page with text: a heading stands above some.

    Names below a resolution are set as headings are.
    """
    ends = set()
    for page in pages:
        body = [one for one in page.paragraphs if one.kind is not ParagraphKind.NOTE]
        if any(len(one.said.split()) >= _MIN_PROSE_WORDS for one in body[:-1]):
            ends.add(id(body[-1]))
    return ends


def body_look(pages: Sequence[PageParagraphs]) -> Look:
    """Return how most characters of running text are set."""
    looks: Counter[Look] = Counter()
    for page in pages:
        for paragraph in page.paragraphs:
            if paragraph.kind is ParagraphKind.TEXT:
                for line in paragraph.lines:
                    looks[round(line.size, 1), line.is_bold] += len(line.said)
    return max(looks, key=lambda look: (looks[look], look)) if looks else (0.0, False)


# ---------------------------------------------------------------- the outline


def _by_outline(pages: Sequence[PageParagraphs], outline: Sequence[OutlineEntry]) -> int:
    """Make headings of what the outline names, and return its deepest level; 0 if not trusted."""
    titles: dict[int, dict[str, int]] = defaultdict(dict)
    for entry in outline:
        titles[entry.page].setdefault(_letters(entry.title), entry.level)
    found = [
        (paragraph, level)
        for page in pages
        for paragraph in page.paragraphs
        if paragraph.kind is ParagraphKind.TEXT
        and len(paragraph.lines) <= _MAX_LINES
        and (level := titles[page.page.number].get(_letters(paragraph.said))) is not None
    ]
    entries = sum(map(len, titles.values()))
    if len(found) < max(_MIN_TRUSTED, _TRUSTED * entries):
        return 0
    for paragraph, level in found:
        if not marks_of(paragraph.said, below_article=False).marks:
            paragraph.kind, paragraph.depth = ParagraphKind.HEADING, level
    return max(level for _, level in found)


def _letters(said: str) -> str:
    return _BLANKS_AND_SIGNS.sub("", said).casefold()


# ---------------------------------------------------------------- the type


def _look(paragraph: Paragraph) -> Look:
    line = paragraph.lines[0]
    return round(line.size, 1), line.is_bold


def _looks_of_headings(texts: Sequence[Paragraph], body: Look) -> set[Look]:
    """Return the looks that headings of this document may have."""
    looks = Counter(_look(paragraph) for paragraph in texts if _may_head(paragraph, body))
    return {
        look
        for look, count in looks.items()
        if count < _MIN_SHARED or count <= _MAX_SHARE * len(texts)
    }


def _may_head(paragraph: Paragraph, body: Look) -> bool:
    size, is_bold = _look(paragraph)
    stands_out = size >= _LARGER * body[0] or (
        is_bold and not body[1] and size >= _NOT_SMALLER * body[0]
    )
    if not stands_out or paragraph.kind is not ParagraphKind.TEXT or paragraph.continues:
        return False
    if len(paragraph.lines) > _MAX_LINES or any(
        (round(line.size, 1), line.is_bold) != (size, is_bold) for line in paragraph.lines
    ):
        return False
    return _is_title(paragraph.said)


def _is_title(said: str) -> bool:
    if len(said) > _MAX_CHARACTERS or len(said.split()) > _MAX_WORDS:
        return False
    if _REAL_WORD.search(said) is None or _BEGINS.match(said) is None or said[0].islower():
        return False
    if _ADDRESS.search(said) is not None or _is_remark(said):
        return False
    return _ITEM.match(said) is not None or _ENDS_AS_PROSE.search(said) is None


def _has_form(said: str) -> bool:
    """Say whether the form of a line tells what it heads, whatever it is set in."""
    return heading_of(said) is not None or bool(marks_of(said, below_article=False).marks)


def _standing_above_text(
    texts: Sequence[Paragraph], looks: set[Look], body: Look
) -> Iterator[Paragraph]:
    """Yield the paragraphs that may head and have something to head, the last one first."""
    below: Paragraph | None = None
    heads: set[int] = set()
    for paragraph in reversed(texts):
        is_told = _has_form(paragraph.said)
        if (
            below is not None
            and not is_told
            and _look(paragraph) in looks
            and _may_head(paragraph, body)
            and ((id(below) in heads and _look(below) <= _look(paragraph)) or _is_headed(below))
        ):
            heads.add(id(paragraph))
            yield paragraph
        if not _is_remark(paragraph.said):
            below = paragraph


def _is_remark(said: str) -> bool:
    """Say whether a line is a date or the like, which may stand between a title and its text."""
    return len(said) <= _MAX_CHARACTERS and _FORM_FIELD.match(said) is not None


def _is_headed(below: Paragraph) -> bool:
    """Say whether a paragraph is what stands below headings: prose, a table, a heading."""
    if below.kind is not ParagraphKind.TEXT:
        return True
    said = below.said
    if _has_form(said):
        return True
    is_prose = len(said.split()) >= _MIN_PROSE_WORDS or said.endswith((".", ":"))
    return is_prose and (_ADDRESS.search(said) is None or len(said) > _MAX_CHARACTERS)


def _depths(texts: Sequence[Paragraph], looks: set[Look], deepest: int) -> dict[Look, int]:
    """Return how deep headings of each look lie: below those told by form that look bigger."""
    told: dict[Look, int] = {}
    for paragraph in texts:
        mark = heading_of(paragraph.said) if len(paragraph.lines) == 1 else None
        if mark is not None:
            look = _look(paragraph)
            told[look] = min(told.get(look, mark.depth), mark.depth)
    depths: dict[Look, int] = {}
    depth = deepest
    for look in sorted(looks | told.keys(), reverse=True):
        depth = max(depth + 1, told.get(look, 0))
        depths[look] = depth
    return depths
