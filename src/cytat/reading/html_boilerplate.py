"""An HTML element -> whether it is part of what the page says. Pure, by names and attributes.

Leaving out too much hurts more than keeping a menu: only elements that name themselves as
navigation, a cookie bar and the like are left out, and never one that holds the article.
"""

import re
from collections.abc import Mapping

from cytat.reading.extraction import word_set

NEVER = word_set(
    "script style template noscript head iframe object embed svg canvas audio video map select "
    "textarea button datalist input link meta base frame frameset noframes rp applet"
)
"""Elements whose content no reader of the page sees as its text."""

BOILERPLATE_TAGS = frozenset({"nav", "footer", "aside", "dialog", "menu"})
BOILERPLATE_ROLES = frozenset(
    {"navigation", "contentinfo", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar"}
)
_BOILERPLATE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:cookies?|ciasteczk\w*|gdpr|rodo|consent|newsletter|breadcrumbs?|sphinxsidebar|navbar"
    r"|navheader|navfooter|nav-panel|sidebar|skip-?(?:link|nav|to-content|to-main)|headerlink|permalink|social-share"
    r"|share-buttons)(?:$|[\s_-])"
    r"|^(?:nav|navigation|menu|footer|related|toc|site-?nav|main-?nav)$",
    re.IGNORECASE,
)
_CONTAINERS = word_set("div ul ol table section p span a dl center td form")
"""Elements that a class name may rule out; `<body class="has-sidebar">` is the page itself."""
_UNSEEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def is_unseen(attributes: Mapping[str, str | None]) -> bool:
    """Say whether an element is hidden from every reader."""
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    return _UNSEEN_STYLE.search(attributes.get("style") or "") is not None


def is_boilerplate(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Say whether an element names itself as something other than the page's content."""
    if tag in BOILERPLATE_TAGS or attributes.get("role") in BOILERPLATE_ROLES:
        return True
    if tag not in _CONTAINERS:
        return False
    names = (attributes.get("id"), *(attributes.get("class") or "").split())
    return any(name is not None and _BOILERPLATE_NAMES.search(name) for name in names)
