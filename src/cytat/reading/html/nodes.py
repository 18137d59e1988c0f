"""What an element is by its content and neighbours: a table for layout, a title of an item …."""

from selectolax.lexbor import LexborNode

_MOST_TITLE_CHARACTERS = 80
_ENDS_A_SENTENCE = (".", "!", "?", ";", ",")
_BOLD = frozenset({"b", "strong"})
_TITLE_BLOCKS = frozenset({"p", "div"}) | _BOLD
_BELOW_TITLE = frozenset({"p", "div", "br", "ul", "ol", "dl", "table", "blockquote"})
_MOST_BLANKS = 4
"""Nodes passed over to the next one with words."""
_LINKS_SHARE = 0.5
"""Of the characters; lists of related pages have nearly all in links, notes a few."""

_MAX_ANCHOR_CHARACTERS = 200
_NEIGHBOURS = 4
"""Looked at on each side for another cell: between two there are blanks and comments."""
_LAYOUT = "h1, h2, h3, h4, pre, ul, ol, dl, form"
"""A table with any of these, or another table, inside arranges a page; its cells are no data."""


def is_title_of_item(node: LexborNode, tag: str) -> bool:
    """Say whether an element is the bold title of a list item, with its text below it."""
    if tag not in _TITLE_BLOCKS or node.parent is None or node.parent.tag != "li":
        return False
    below = _neighbour(node, forward=True)
    if _neighbour(node, forward=False) is not None or below is None:
        return False
    if below.tag not in _BELOW_TITLE or not _has_words_after(node):
        return False
    words = node.text(deep=True).strip()
    if not words or len(words) > _MOST_TITLE_CHARACTERS or words.endswith(_ENDS_A_SENTENCE):
        return False
    return tag in _BOLD or _is_bold(node, words)


def _is_bold(node: LexborNode, words: str) -> bool:
    first = node.child if node.child is not None and _says(node.child) else None
    first = first or (_neighbour(node.child, forward=True) if node.child is not None else None)
    return first is not None and first.tag in _BOLD and first.text(deep=True).strip() == words


def _neighbour(node: LexborNode, *, forward: bool) -> LexborNode | None:
    """Return the nearest sibling that says something; a line break does."""
    one = node
    for _ in range(_MOST_BLANKS):
        after = one.next if forward else one.prev
        if after is None or _says(after):
            return after
        one = after
    return None


def _says(node: LexborNode) -> bool:
    if node.tag == "-text":
        return bool((node.text_content or "").strip())
    return (node.tag or "-")[0] not in "-_!"


def _has_words_after(node: LexborNode) -> bool:
    after = _neighbour(node, forward=True)
    while after is not None and after.tag == "br":
        after = _neighbour(after, forward=True)
    return after is not None and bool((after.text(deep=True) or "").strip())


def mostly_links(node: LexborNode) -> bool:
    """Say whether most of an element's words are links, as in a list of related pages."""
    words = len("".join(node.text(deep=True).split()))
    linked = sum(len("".join(link.text(deep=True).split())) for link in node.css("a"))
    return linked >= _LINKS_SHARE * words


def holds_formula(node: LexborNode, tag: str) -> bool:
    """Say whether an element holds a formula that its author wrote out."""
    return tag == "span" and node.css_first("math[alttext]") is not None


def anchor_name(node: LexborNode, tag: str) -> str | None:
    """Return the id by which a link can lead to an element."""
    attributes = node.attributes
    name = attributes.get("id") or (attributes.get("name") if tag == "a" else None)
    return name if name and len(name) <= _MAX_ANCHOR_CHARACTERS else None


def arranges_page(table: LexborNode) -> bool:
    """Say whether a table arranges the page, so that its cells are no data."""
    # A search from a node finds the node itself too.
    inner = any(found.mem_id != table.mem_id for found in table.css("table")[:2])
    return inner or table.css_first(_LAYOUT) is not None


def is_alone(cell: LexborNode) -> bool:
    """Say whether a cell is the only one of its row, by its nearest neighbours."""
    before, after = cell, cell
    for _ in range(_NEIGHBOURS):
        before, after = before.prev or before, after.next or after
        if {"td", "th"} & {one.tag for one in (before, after) if one.mem_id != cell.mem_id}:
            return False
    return True


def is_inside(node: LexborNode, tag: str) -> bool:
    """Say whether an element lies right in one of this name."""
    return node.parent is not None and node.parent.tag == tag
