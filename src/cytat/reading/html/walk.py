"""A parsed page -> its text in blocks. One pass over the tree with an explicit stack.

A term and its definition are one line, as a table's row is: apart, a definition says nothing, and
the one below it would be quoted for the term above.
"""

from collections import Counter
from collections.abc import Callable, Collection

from selectolax.lexbor import LexborNode

from cytat.reading.extraction import word_set
from cytat.reading.html.boilerplate import (
    ASIDES,
    CONTROLS,
    HIDDEN,
    NEVER,
    PIECES,
    STRUCK,
    boilerplate,
    is_note,
    is_struck,
    is_unseen,
)
from cytat.reading.html.lists import Attributes, Numbering
from cytat.reading.html.nodes import (
    anchor_name,
    arranges_page,
    holds_formula,
    is_alone,
    is_inside,
    is_title_of_item,
    mostly_links,
)
from cytat.reading.html.raised import Signs, raised_signs
from cytat.reading.html.text import TERM_BORDER, HtmlText, TableCells
from cytat.records import BlockKind

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol", "dl", "menu", "dir"})
_BLOCKS = word_set(
    "address article aside blockquote body center dd details dialog div dt fieldset figcaption "
    "figure footer form header hgroup hr html legend main nav p search section summary caption "
    "tbody thead tfoot tr td th table li"
)
_ANCHOR_SIGNS = frozenset({"#", "¶", "§", "🔗"})
"""What manuals put behind a heading as a link to itself."""
_ANCHOR_SIGNS_ANYWHERE = frozenset({"¶", "🔗"})
"""Of these, the ones put behind terms and paragraphs, too."""
_MAX_INDENTS = 6
_TOLD_BY_ATTRIBUTES = frozenset({"br", "math", "img"})
_MIN_ALT_WORDS = 4
"""Fewer name an icon or a file more often than they say what a picture shows."""
_NAMED = frozenset({"nav", "footer", "aside", "dialog", "menu", "s", "strike", "del"})
"""Elements that need no attribute to be left out."""
_CONTENT = frozenset({"main", "article"})


class Walk:
    """One pass over a page: its text, and how much of it was left out."""

    def __init__(
        self,
        root: LexborNode | None,
        *,
        leave_out_boilerplate: bool,
        struck: Collection[int] = frozenset(),
    ) -> None:
        """Walk a tree; `struck` are the elements that the page's style sheet strikes out."""
        self.page = HtmlText()
        self.left_out = 0
        self.characters_left_out: Counter[str] = Counter()
        """By the reason why; those of scripts and the like are no text and do not count."""
        self._leave_out_boilerplate = leave_out_boilerplate
        self._lists: list[Numbering | None] = []
        self._pre = 0
        self._table = 0
        self._heading = 0
        self._struck = struck
        self._raised: list[Signs] = []
        """For each raised or lowered element that is open, its signs."""
        self._content = 0
        self._after_term = False
        self._term_lines = 0
        """Lines of the block up to the latest term; more, and its definition has several."""
        self._cells = TableCells(self.page)
        self._openers: dict[str, Callable[[LexborNode], Callable[[], None]]] = {
            "pre": self._open_pre,
            "code": self._open_code,
            "li": self._open_item,
            "dt": self._open_term,
            "dd": self._open_definition,
            **dict.fromkeys(_HEADINGS, self._open_heading),
            **dict.fromkeys(_LISTS, self._open_list),
        }
        self._run(root)
        self._close()

    # ------------------------------------------------------------ the walk

    def _run(self, root: LexborNode | None) -> None:
        stack: list[LexborNode | Callable[[], None]] = [root] if root is not None else []
        while stack:
            entry = stack.pop()
            if not isinstance(entry, LexborNode):
                entry()
                continue
            children = self._enter(entry)
            if children is not None:
                stack.append(children)
                stack.extend(_children_reversed(entry))

    def _enter(self, node: LexborNode) -> Callable[[], None] | None:
        """Write what a node says itself; return what ends it if its children are to be read."""
        tag = node.tag or ""
        if tag == "-text":
            self._say(node)
            return None
        if tag[:1] in "-_!" or self._is_left_out(node, tag):
            return None
        if tag in _TOLD_BY_ATTRIBUTES:
            return self._told_by_attributes(node, tag)
        if name := anchor_name(node, tag):
            self.page.anchor(name)
        return self._open_within(node, tag)

    def _open_within(self, node: LexborNode, tag: str) -> Callable[[], None]:
        """Begin an element, with what is so for all within it."""
        ending = self._open(node, tag)
        signs = raised_signs(node, tag)
        is_content = tag in _CONTENT
        if signs is None and not is_content:
            return ending
        if signs is not None:
            self._raised.append(signs)
        self._content += is_content

        def end() -> None:
            if signs is not None:
                self._raised.pop()
            self._content -= is_content
            ending()

        return end

    def _is_left_out(self, node: LexborNode, tag: str) -> bool:
        if tag in NEVER:
            self.left_out += tag != "head"
            if tag in PIECES:
                self._count(node, CONTROLS)
            return True
        attributes = node.attributes
        may_be = attributes or tag in _NAMED or self._struck
        reason = self._reason(node, tag, attributes) if may_be else None
        if reason is None:
            return False
        self.left_out += 1
        self._count(node, reason)
        return True

    def _count(self, node: LexborNode, reason: str) -> None:
        self.characters_left_out[reason] += len(" ".join(node.text(deep=True).split()))

    def _reason(self, node: LexborNode, tag: str, attributes: Attributes) -> str | None:
        """Return why an element is no part of the page's text."""
        # Formulas are hidden so that a picture is seen in their place.
        if is_unseen(attributes) and not holds_formula(node, tag):
            return HIDDEN
        if is_struck(tag, attributes) or node.mem_id in self._struck:
            return STRUCK
        reason = boilerplate(tag, attributes) if self._leave_out_boilerplate else None
        return None if reason == ASIDES and self._is_content(node, attributes) else reason

    def _is_content(self, node: LexborNode, attributes: Attributes) -> bool:
        """Say whether an aside belongs to the article, as a warning does."""
        return is_note(attributes) or (self._content > 0 and not mostly_links(node))

    # ------------------------------------------------------------ elements

    def _open(self, node: LexborNode, tag: str) -> Callable[[], None]:
        """Begin an element; return what ends it."""
        if self._heading:
            return self._spaced() if tag in _BLOCKS else _nothing
        if self._table:
            return self._open_in_table(node, tag)
        if tag == "table" and not arranges_page(node):
            return self._open_table()
        special = self._openers.get(tag)
        if special is not None:
            return special(node)
        return self._open_part(node, tag)

    def _open_part(self, node: LexborNode, tag: str) -> Callable[[], None]:
        """Begin what is an element of no special kind."""
        if self._lists and is_title_of_item(node, tag):
            return self._end_title_of_item
        if tag not in _BLOCKS:
            return _nothing
        self._part()
        return self._part

    def _open_heading(self, node: LexborNode) -> Callable[[], None]:
        self._close()
        self._heading = int((node.tag or "h1")[1])
        return self._end_heading

    def _end_heading(self) -> None:
        self.page.close(BlockKind.HEADING, level=self._heading)
        self._heading = 0

    def _open_pre(self, _: LexborNode) -> Callable[[], None]:
        self._close()
        self._pre += 1
        return self._end_pre

    def _end_pre(self) -> None:
        self.page.close(BlockKind.CODE)
        self._pre -= 1

    def _open_code(self, node: LexborNode) -> Callable[[], None]:
        """Begin code; two listings side by side in one element are two, a line apart."""
        has_twin = node.next is not None and node.next.tag == "code"
        return self._break if self._pre and has_twin else _nothing

    def _open_list(self, node: LexborNode) -> Callable[[], None]:
        if self._lists:
            self.page.new_line()
        else:
            self._close()
        self._lists.append(Numbering(node.attributes) if node.tag == "ol" else None)
        return self._end_list

    def _end_list(self) -> None:
        if len(self._lists) == 1:
            self._close()
        else:
            self.page.new_line()
        self._lists.pop()

    def _open_item(self, node: LexborNode) -> Callable[[], None]:
        numbering = self._lists[-1] if self._lists else None
        sign = "-" if numbering is None else numbering.sign(node.attributes)
        depth = min(len(self._lists), _MAX_INDENTS) - 1
        self.page.mark("  " * max(0, depth) + sign + " ")
        return self.page.new_line

    def _end_title_of_item(self) -> None:
        self.page.new_line()
        self.page.join(TERM_BORDER)

    def _open_term(self, node: LexborNode) -> Callable[[], None]:
        """Begin a term: an item of its own, or one more name of the term right before it."""
        if not self._lists:
            self._part()
            return self._part
        if self._after_term:
            self.page.new_line()
            self.page.join(", ")
        else:
            self._open_item(node)
        return self._end_term

    def _end_term(self) -> None:
        self.page.new_line()
        self._after_term = True
        self._term_lines = self.page.line_count

    def _open_definition(self, _: LexborNode) -> Callable[[], None]:
        """Begin a definition on the line of its term."""
        self._after_term = False
        self._part()
        if self._lists and self.page.line_count == self._term_lines:
            self.page.join(TERM_BORDER)
        return self._part

    def _open_table(self) -> Callable[[], None]:
        self._close()
        self._table += 1
        self._cells = TableCells(self.page)
        return self._end_table

    def _end_table(self) -> None:
        self._cells.end_row()
        self.page.close(BlockKind.TABLE)
        self._table -= 1

    def _open_in_table(self, node: LexborNode, tag: str) -> Callable[[], None]:
        if tag in {"tr", "caption"}:
            self._cells.end_row()
            return self._cells.end_row
        if tag in {"td", "th"}:
            self._cells.open(node.attributes, is_alone=is_alone(node))
            return self._cells.close
        if tag in _BLOCKS or tag in _LISTS:
            return self._spaced()
        return _nothing

    # ------------------------------------------------------------ text

    def _told_by_attributes(self, node: LexborNode, tag: str) -> Callable[[], None] | None:
        """Write a line break, a formula or what a picture shows, as its attributes tell it."""
        if tag == "br":
            self._break()
            return None
        if tag == "math":
            formula = node.attributes.get("alttext")
            self.page.words(f" {formula} " if formula else "")
            return None if formula else _nothing
        self._say_picture((node.attributes.get("alt") or "").strip())
        return None

    def _say_picture(self, said: str) -> None:
        """Write what a picture shows as a paragraph of its own, where it breaks no sentence."""
        is_told = len(said.split()) >= _MIN_ALT_WORDS
        is_inside = self._heading or self._table or self._lists or self._pre
        if not is_told or is_inside or self.page.is_inside_line:
            self.left_out += 1
            return
        self._part()
        self.page.words(said)
        self._part()

    def _say(self, node: LexborNode) -> None:
        words = node.text_content or ""
        if self._raised:
            words = words.translate(self._raised[-1])
        signs = _ANCHOR_SIGNS if self._heading else _ANCHOR_SIGNS_ANYWHERE
        if words.strip() in signs and is_inside(node, "a"):
            return
        if self._pre:
            self.page.verbatim(words)
        else:
            self.page.words(words)

    def _break(self) -> None:
        if self._table or self._heading:
            self.page.blank()
        elif self._pre:
            self.page.verbatim("\n")
        else:
            self.page.new_line()

    def _spaced(self) -> Callable[[], None]:
        """Keep a block inside a heading or a cell apart from what stands around it."""
        self.page.blank()
        return self.page.blank

    def _part(self) -> None:
        """Part two blocks: by a line inside a list, by a blank line elsewhere."""
        if self._lists:
            self.page.new_line()
        elif not self._pre:
            self._close()

    def _close(self) -> None:
        if self._pre:
            kind = BlockKind.CODE
        else:
            kind = BlockKind.LIST if self._lists else BlockKind.PARAGRAPH
        self.page.close(kind)


def _nothing() -> None:
    """End an element that needs no ending."""


def _children_reversed(node: LexborNode) -> list[LexborNode]:
    children = []
    child = node.child
    while child is not None:
        children.append(child)
        child = child.next
    children.reverse()
    return children
