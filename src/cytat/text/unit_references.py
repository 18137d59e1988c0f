"""A question -> the legal unit it names: "art. 43 ust. 1 pkt 18", "Section 4(2)(b)". Pure.

A reference is a chain of steps, outermost first. Superscript numbers have one form, however they
are written: "22¹", "22^1" and "22 z indeksem 1" are all "22^1".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

MOST_UNITS = 5
"""Units of a range, "art. 5-9", that are answered together."""
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰ", "0123456789abcdefgh")
_RAISED = re.compile(r"(?<=[0-9a-z])[⁰¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰ]{0,4}")


class UnitKind(StrEnum):
    """What a unit is called; `NUMBERED` is a heading such as "5. Notice"."""

    ARTICLE = "article"
    RULE = "rule"
    REGULATION = "regulation"
    SCHEDULE = "schedule"
    SECTION = "section"
    CLAUSE = "clause"
    SIGN = "§"
    NUMBERED = "numbered"
    USTEP = "ust."
    PUNKT = "pkt"
    LITERA = "lit."
    TIRET = "tiret"
    BRACKET = "()"


@dataclass(frozen=True, slots=True)
class Step:
    """One element of a reference: what kind of unit, and its number in one form, "22^1"."""

    kind: UnitKind
    number: str


@dataclass(frozen=True, slots=True)
class UnitReference:
    """What a question names: `chains` are readings of one unit, or the units of a range."""

    surface: str
    chains: tuple[tuple[Step, ...], ...]
    """In the order in which they are looked for."""
    is_range: bool
    """All chains are wanted; otherwise the first that is there."""
    rest: str
    """The question without the reference."""


_WORDS: tuple[tuple[UnitKind, str], ...] = (
    (UnitKind.ARTICLE, r"art(?:yku[łl](?:u|owi|em|y|ów|ow|ach)?|ykule|icles?)?"),
    (UnitKind.SIGN, r"§§?|par(?:agraf(?:u|ie|em|y|ów|ow)?)?"),
    (UnitKind.SECTION, r"sec(?:tions?|t)?|sekcj[aięą]"),
    (UnitKind.CLAUSE, r"clauses?|cl|paragraphs?|klauzul[aięąe]"),
    (UnitKind.RULE, r"rules?"),
    (UnitKind.REGULATION, r"reg(?:ulations?)?"),
    (UnitKind.SCHEDULE, r"sch(?:edules?)?"),
    (UnitKind.USTEP, r"ust(?:[ęe]p(?:u|ie|em|y|owi)?)?|subsections?|sub-?paragraphs?"),
    (UnitKind.PUNKT, r"pkt|punk(?:t|tu|cie|tem|ty)|points?|items?"),
    (UnitKind.LITERA, r"lit(?:er[aąęy]|erze)?"),
    (UnitKind.TIRET, r"tiret"),
)
_DEPTHS = {kind: depth for depth, kind in enumerate(UnitKind)}
_INNER = frozenset((UnitKind.USTEP, UnitKind.LITERA, UnitKind.TIRET, UnitKind.BRACKET))
_DIGITS = (
    r"\d{1,4}(?:\.\d{1,3}){0,4}[a-z]{0,2}(?![^\W\d_])"
    r"(?:\s?\^\s?\d{1,3}[a-z]{0,2}|\s(?:z\s)?indeks(?:em)?\s\d{1,3}[a-z]{0,2})?"
)
_ORDINALS = {
    stem: number
    for number, stems in enumerate(
        (("pierwsz",), ("drugi",), ("trzeci",), ("czwart",), ("piąt", "piat")), start=1
    )
    for stem in stems
}
_NAMED = "|".join(rf"(?P<k{at}>{words})" for at, (_, words) in enumerate(_WORDS))
_STEP = re.compile(
    rf"(?<![^\W_])(?:{_NAMED})(?![^\W\d_])\.?\s{{0,3}}"
    rf"(?:(?P<number>{_DIGITS})|(?P<letter>[a-z]{{1,2}})(?![^\W_])"
    r"|(?P<ordinal>pierwsz|drugi|trzeci|czwart|piąt|piat)[a-z]{0,4}(?![^\W_]))"
)
_BRACKETED = re.compile(r"\s?\((?P<inner>\d{1,3}[a-z]?|[a-z]{1,4})\)")
_MORE = re.compile(
    rf"\s{{0,2}}(?P<by>[-–—]|do|to|i|oraz|and|,)\s{{0,2}}(?:[a-z§]{{1,9}}\.?\s)?(?P<number>{_DIGITS})"
)
_LINK = re.compile(r"[\s,]{0,3}(?:(?:w|of|in|the)\s{1,3}){0,2}\Z")


def normal_number(number: str) -> str:
    """Return a unit's number in one form: small letters, a raised part after "^"."""
    small = number.strip().lower()
    small = re.sub(r"\s?\^\s?|\s(?:z\s)?indeks(?:em)?\s", "^", small)
    small = _RAISED.sub(lambda hit: "^" + hit.group().translate(_SUPERSCRIPTS), small)
    return small.rstrip(".")


def written(chain: Sequence[Step]) -> str:
    """Return a chain as people write it: "art. 43 ust. 1", "section 4(2)"."""
    words = ""
    for step in chain:
        if step.kind is UnitKind.BRACKET:
            words += f"({step.number})"
        else:
            name = "art." if step.kind is UnitKind.ARTICLE else step.kind.value
            words += (
                f" {step.number}" if step.kind is UnitKind.NUMBERED else f" {name} {step.number}"
            )
    return words.strip()


def reference_in(question: str) -> UnitReference | None:
    """Return the unit that a question names first; None where it names none."""
    text = _RAISED.sub(lambda hit: "^" + hit.group().translate(_SUPERSCRIPTS), question.lower())
    steps: list[Step] = []
    start = end = 0
    brackets: list[Step] = []
    for found in _STEP.finditer(text):
        if steps and _LINK.fullmatch(text[end : found.start()]) is None:
            break
        step = _step_of(found)
        if step is None:
            continue
        start = start if steps else found.start()
        end, here = _brackets_after(text, found.end())
        brackets = brackets if steps else here
        steps += [step, *here]
    readings = _readings(steps, brackets) if steps else []
    if not readings or not _names_unit(readings[0]):
        return None
    more, after = _range_after(text, end, readings[0])
    rest = f"{text[:start]} {text[after:]}"
    chains = tuple(more) if more else tuple(readings)
    return UnitReference(text[start:after].strip(), chains, bool(more), rest)


def _names_unit(chain: tuple[Step, ...]) -> bool:
    return chain[0].kind not in _INNER


def _step_of(found: re.Match[str]) -> Step | None:
    kind = next(kind for at, (kind, _) in enumerate(_WORDS) if found[f"k{at}"] is not None)
    if found["number"] is not None:
        return Step(kind, normal_number(found["number"]))
    if found["ordinal"] is not None:
        return Step(kind, str(_ORDINALS[found["ordinal"]]))
    return Step(kind, found["letter"]) if kind is UnitKind.LITERA else None


def _brackets_after(text: str, place: int) -> tuple[int, list[Step]]:
    steps = []
    while (found := _BRACKETED.match(text, place)) is not None:
        steps.append(Step(UnitKind.BRACKET, found["inner"]))
        place = found.end()
    return place, steps


def _readings(steps: list[Step], brackets: list[Step]) -> list[tuple[Step, ...]]:
    """Return what a chain may mean: "art. 22(1)" is a raised number or a part of Art. 22.

    `brackets`: those right after the first number.
    """
    plain = tuple(sorted(steps, key=_depth))
    if len(brackets) != 1 or not brackets[0].number.isdigit():
        return [plain]
    first, bracket, *others = steps
    raised = Step(first.kind, f"{first.number}^{bracket.number}")
    return [tuple(sorted((raised, *others), key=_depth)), plain]


def _depth(step: Step) -> int:
    return _DEPTHS[step.kind]


def _range_after(
    text: str, place: int, chain: tuple[Step, ...]
) -> tuple[list[tuple[Step, ...]], int]:
    """Return the units of "art. 5-7" or "§ 1 i 2", and where the range ends."""
    last = chain[-1]
    numbers = [last.number]
    while len(numbers) < MOST_UNITS and (found := _MORE.match(text, place)) is not None:
        number = normal_number(found["number"])
        if found["by"] in "-–—" or found["by"] in {"do", "to"}:
            numbers += _between(numbers[-1], number)
        numbers.append(number)
        place = found.end()
    if len(numbers) == 1:
        return [], place
    return [(*chain[:-1], Step(last.kind, one)) for one in numbers[:MOST_UNITS]], place


def _between(first: str, last: str) -> list[str]:
    if not (first.isdigit() and last.isdigit()):
        return []
    return [str(one) for one in range(int(first) + 1, int(last))][:MOST_UNITS]
