"""A line of text -> the heading or legal markers that open it, told by their form alone. Pure.

Formats without headings (plain text, PDF) still have them on paper: "Art. 43.", "§ 5",
"Rozdział II", "Article 5", "1.2.3 Title". A missed heading costs little, a false one puts a wrong
path over everything below it: each form here is as narrow as real documents allow.
"""

import re
from dataclasses import dataclass

ARTICLE_DEPTH = 60
"""Depth of "Art. 43" and "§ 5": below every division of a statute and every format heading."""
_PARAGRAPH_SIGN_DEPTH = 61
_USTEP_DEPTH = 70
_PUNKT_DEPTH = 80
_LITERA_DEPTH = 90
_NUMBERED_DEPTH = 40
_MAX_TITLE_CHARACTERS = 100
_MAX_TITLE_WORDS = 14
_MAX_SHORT_TITLE_CHARACTERS = 60
"""A title on the line of an article: longer lines are sentences that run on."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One element of a heading path: smaller depths stand above greater ones."""

    depth: int
    label: str


# ---------------------------------------------------------------- whole-line headings

_NUMERAL = r"(?:[IVXLC]{1,7}|\d{1,3})[a-zA-Z]?"
_TITLE = r"(?:\s*[.:–—-]\s*|\s+)(?P<title>[^\W\d_a-z„\"“(].*|[„\"“(].+)"
_DIVISIONS = (
    (10, rf"(?:CZĘŚĆ|Część|PART|Part|KSIĘGA|Księga|BOOK|Book)\s+{_NUMERAL}"),
    (15, rf"(?:TYTUŁ|Tytuł|TITLE|Title)\s+{_NUMERAL}"),
    (20, rf"(?:DZIAŁ|Dział)\s+{_NUMERAL}"),
    (30, rf"(?:ROZDZIAŁ|Rozdział|CHAPTER|Chapter|ANNEX|Annex|APPENDIX|Appendix)\s+{_NUMERAL}"),
    (30, r"(?:ZAŁĄCZNIK|Załącznik|ANNEX|Annex|APPENDIX|Appendix)(?:\s+[Nn]r)?\s+(?:[A-Z]|\d{1,3})"),
    (35, rf"(?:ODDZIAŁ|Oddział|SECTION|Section)\s+{_NUMERAL}"),
    (ARTICLE_DEPTH, rf"(?:ARTICLE|Article)\s+{_NUMERAL}"),
)
_DIVISION_LINES = tuple(
    (depth, re.compile(rf"{form}\.?(?:{_TITLE})?\s*$")) for depth, form in _DIVISIONS
)
_STANDING_NUMBER = re.compile(r"(?P<number>[1-9]\d?)\.\s+(?P<title>[^\W\d_].*)$")
_NUMBERED_LINE = re.compile(r"(?P<number>[1-9]\d?(?:\.[1-9]\d?){1,4})\.?\s+(?P<title>[^\W\d_].*)$")
_REAL_WORD = re.compile(r"[^\W\d_]{4,}")
_ROW_OR_WRAPPED = re.compile(
    r"\d[/.-]\d.*\s\S*\d|\s[Xx✓✗*†]$"
    r"|\s(?:a|an|the|of|to|by|and|or|for|in|on|with|from|due|as|i|oraz|lub|z|ze|w|we|na|do|od|dla"
    r"|o|przez|za|po)$"
)
"""A row of a register ("3.1 By-Laws 8-K 3.1 6/14/2018"), or a title whose line goes on below."""
_MAX_CHAPTER = 30
"""Numbers above it are exhibits, forms and prices far more often than chapters."""
_ENDS_AS_PROSE = re.compile(r"[.;,:!?]$|\s\d+\s*$|\.{3}")


def heading_of(line: str) -> Mark | None:
    """Return the heading that a line, standing for itself, is by its form; None for most."""
    words = line.strip()
    if len(words) > _MAX_TITLE_CHARACTERS:
        return None
    return _division_of(words) or _numbered_of(words)


def _division_of(words: str) -> Mark | None:
    for depth, form in _DIVISION_LINES:
        found = form.match(words)
        if found is not None and _is_title(found.group("title") or ""):
            return Mark(depth, " ".join(words.split()).rstrip("."))
    return None


def _numbered_of(words: str) -> Mark | None:
    found = _NUMBERED_LINE.match(words)
    if found is None or not found["title"][0].isupper() or not _is_title(found["title"]):
        return None
    # "2.5 PLN" and "1.5 Mt" are amounts: a title has at least one real word.
    if _REAL_WORD.search(found["title"]) is None or _ROW_OR_WRAPPED.search(found["title"]):
        return None
    if int(found["number"].split(".")[0]) > _MAX_CHAPTER:
        return None
    return Mark(_NUMBERED_DEPTH + found["number"].count("."), " ".join(words.split()))


def standing_number_of(line: str) -> tuple[int, Mark] | None:
    """Return the number and the heading that "3. When to apply" would be if it heads prose.

    The form alone does not tell it from an item of a list; the caller looks at what follows.
    """
    words = line.strip()
    found = _STANDING_NUMBER.match(words) if len(words) <= _MAX_TITLE_CHARACTERS else None
    if found is None or not found["title"][0].isupper() or not _is_title(found["title"]):
        return None
    return int(found["number"]), Mark(_NUMBERED_DEPTH, " ".join(words.split()))


def titled(mark: Mark, line: str) -> Mark | None:
    """Return the division with the title that stands on the line below it, if `line` is one."""
    words = line.strip()
    if mark.depth >= ARTICLE_DEPTH or len(words) > _MAX_TITLE_CHARACTERS or not words[:1].isupper():
        return None
    if not _is_title(words) or heading_of(words) or marks_of(words, below_article=True).marks:
        return None
    return Mark(mark.depth, f"{mark.label}. {' '.join(words.split())}")


def is_bare_division(line: str) -> bool:
    """Say whether a line is "Rozdział I" and no more, so that its title may stand below it."""
    words = line.strip()
    return any(re.fullmatch(rf"{form}\.?", words) for _, form in _DIVISIONS)


def _is_title(words: str) -> bool:
    if len(words.split()) > _MAX_TITLE_WORDS:
        return False
    return _ENDS_AS_PROSE.search(words) is None


# ---------------------------------------------------------------- markers that open a paragraph

_RAISED = r"(?:[⁰¹²³⁴-⁹][⁰¹²³⁴-⁹ᵃ-ᶻ]{0,4}|\^\d{1,3}[a-z]?)?"
"""Of an article put in between two others: "Art. 22¹"."""
_OPENS = r"(?=\s*$|\*\*|__|\s+[^\W\d_a-z]|\s+[\d„\"(\[§])"
_ARTICLE = re.compile(
    rf"(?P<label>Art\.\s*\d{{1,4}}[a-z]{{0,3}}{_RAISED})(?:\.{_OPENS}|(?=\s*$|\*\*|__))"
)
_SIGN = re.compile(rf"(?P<label>§\s*\d{{1,4}}[a-z]{{0,3}}{_RAISED})(?:\.{_OPENS}|(?=\s*$|\*\*|__))")
_USTEP = re.compile(r"(?P<number>\d{1,3}[a-z]{0,2})\.\s+(?=[^\W\d_a-z]|[„\"(\[])")
_NAMED_USTEP = re.compile(r"[Uu]st\.\s*(?P<number>\d{1,3}[a-z]{0,2})(?=\.?\s*$|[.:]\s)")
_PUNKT = re.compile(r"(?P<number>\d{1,3}[a-z]{0,2})\)\s+")
_NAMED_PUNKT = re.compile(r"[Pp]kt\s*(?P<number>\d{1,3}[a-z]{0,2})(?=\.?\s*$|[.:)]\s)")
_LITERA = re.compile(r"(?P<number>[a-z]{1,2})\)\s+")


@dataclass(frozen=True, slots=True)
class Opening:
    """The legal markers a line begins with, outermost first."""

    marks: tuple[Mark, ...]
    is_whole_line: bool
    """Whether the line holds nothing else, as "§ 5" above its words does."""


NO_MARKS = Opening((), is_whole_line=False)


def marks_of(line: str, *, below_article: bool) -> Opening:
    """Return the legal markers that a line begins with; none for most lines.

    "1." and "1)" are markers only below an article: elsewhere they number an ordinary list.
    """
    place = _after_blanks(line, 0)
    found = _ARTICLE.match(line, place) or _SIGN.match(line, place)
    if found is None and not below_article:
        return NO_MARKS
    marks: list[Mark] = []
    while found is not None:
        label = " ".join(found["label"].replace("Art.", "Art. ").replace("§", "§ ").split())
        depth = _PARAGRAPH_SIGN_DEPTH if label.startswith("§") else ARTICLE_DEPTH
        marks.append(Mark(depth, label))
        place = _after_blanks(line, found.end() + line.startswith(".", found.end()))
        # "Art. 125. § 1. ...": an article opens with its first paragraph.
        found = _SIGN.match(line, place) if depth == ARTICLE_DEPTH else None
    inner, place = _inner_marks(line, place)
    return Opening((*marks, *inner), is_whole_line=place >= len(line))


def title_after(opening: Opening, line: str, below: str) -> tuple[Mark, ...]:
    """Return the marker of "§ 3. Czynsz" with its title, where the line is no more than that.

    What begins a sentence goes on below in small letters, or ends with a full stop.
    """
    words = " ".join(line.replace("**", " ").replace("__", " ").split())
    if len(opening.marks) != 1 or opening.is_whole_line or len(words) > _MAX_SHORT_TITLE_CHARACTERS:
        return ()
    mark = opening.marks[0]
    rest = words.partition(".")[2].removeprefix(mark.label.partition(".")[2]).lstrip(". ")
    if mark.depth >= _USTEP_DEPTH or below[:1].islower() or not _is_title(rest):
        return ()
    return (Mark(mark.depth, f"{mark.label}. {rest}"),) if rest[:1].isupper() else ()


def _after_blanks(line: str, place: int) -> int:
    """Return the next place that is neither blank nor a sign of bold, "**§ 2**"."""
    while place < len(line) and (line[place].isspace() or _is_bold_at(line, place)):
        place += 1
    return place


def _is_bold_at(line: str, place: int) -> bool:
    """Say whether one of two signs of bold is at a place; a single "*" is a bullet."""
    sign = line[place]
    return sign in "*_" and sign in (line[place + 1 : place + 2], line[place - 1 : place])


def _inner_marks(line: str, place: int) -> tuple[list[Mark], int]:
    """Return the markers below an article that stand at a place, and where they end."""
    marks = []
    for depth, name, forms in (
        (_USTEP_DEPTH, "ust.", (_USTEP, _NAMED_USTEP)),
        (_PUNKT_DEPTH, "pkt", (_PUNKT, _NAMED_PUNKT)),
        (_LITERA_DEPTH, "lit.", (_LITERA,)),
    ):
        found = next((hit for form in forms if (hit := form.match(line, place))), None)
        if found is not None:
            marks.append(Mark(depth, f"{name} {found['number']}"))
            place = _after_blanks(line, found.end() + line.startswith(".", found.end()))
    return marks, place


# ---------------------------------------------------------------- the path


class HeadingStack:
    """The headings above the place a reader has come to; one per document being read."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []

    @property
    def labels(self) -> tuple[str, ...]:
        """The path, outermost first."""
        return tuple(mark.label for mark in self._marks)

    @property
    def below_article(self) -> bool:
        """Whether an article or a paragraph sign stands above, so that "1." is its part."""
        return any(mark.depth >= ARTICLE_DEPTH or _is_article(mark.label) for mark in self._marks)

    def open(self, *marks: Mark) -> tuple[str, ...]:
        """Close what is as deep as the new marks, put them on the path, and return it."""
        for mark in marks:
            self._close_alike(mark)
            while self._marks and self._marks[-1].depth >= mark.depth:
                self._marks.pop()
            self._marks.append(mark)
        return self.labels

    def _close_alike(self, mark: Mark) -> None:
        """Close a heading of the format that is a unit of the same kind: "## § 1" before "§ 2"."""
        word = mark.label[:1] if mark.label[:1] == "§" else mark.label[:4]
        if mark.depth not in {ARTICLE_DEPTH, _PARAGRAPH_SIGN_DEPTH} or word not in {"§", "Art."}:
            return
        alike = [one.label.startswith(word) for one in self._marks]
        if any(alike):
            del self._marks[alike.index(True) :]

    def open_format_heading(self, level: int, words: str) -> tuple[str, ...]:
        """Put a heading of the format itself (level 1 to 6) on the path, and return it."""
        return self.open(Mark(level, " ".join(words.split())))


def _is_article(label: str) -> bool:
    """Say whether a heading of the format, such as "## Art. 43. Zwolnienia", is an article."""
    division = _division_of(label)
    return _ARTICLE.match(label) is not None or (
        division is not None and division.depth == ARTICLE_DEPTH
    )
