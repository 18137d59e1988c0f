"""The style sheets of a page -> the elements that they strike out.

A shop strikes old prices out by a class of its own as often as by `<s>`. Only plain selectors
count: names of elements, classes and ids. What depends on the pointer (`:hover`) does not.
"""

import re

from selectolax.lexbor import LexborHTMLParser

_PLAIN = re.compile(r"[\w.#][\w.# >-]{0,99}")
_MOST_SELECTORS = 20
"""Each is looked for in the whole page; sheets strike out by one or two."""
_STRIKES = "line-through"


def struck_elements(parser: LexborHTMLParser) -> frozenset[int]:
    """Return the numbers (`mem_id`) of the elements that a rule of the page strikes out."""
    selectors = [
        selector
        for sheet in parser.css("style")
        for selector in _striking_selectors(sheet.text(deep=True))
    ]
    return frozenset(
        node.mem_id for selector in selectors[:_MOST_SELECTORS] for node in parser.css(selector)
    )


def _without_comments(sheet: str) -> str:
    first, *others = sheet.split("/*")
    return " ".join((first, *(one.partition("*/")[2] for one in others)))


def _striking_selectors(sheet: str) -> list[str]:
    if _STRIKES not in sheet:
        return []
    found = []
    for rule in _without_comments(sheet).split("}"):
        head, _, body = rule.rpartition("{")
        if _STRIKES in body:
            listed = head.rpartition("{")[2].rpartition(";")[2].split(",")
            found += [one.strip() for one in listed if _PLAIN.fullmatch(one.strip())]
    return found
