"""An HTML element -> why it is no part of what the page says; None for most. Pure.

Leaving out too much hurts more than keeping a menu: only elements that name themselves as
navigation, a cookie bar and the like are left out, and never one that holds the article.
"""

import re
from collections.abc import Mapping

from cytat.reading.extraction import word_set

NEVER = word_set(
    "script style template noscript head iframe object embed svg canvas audio video map select "
    "textarea button datalist input link meta base frame frameset noframes rp applet annotation "
    "annotation-xml"
)
"""Elements whose content no reader of the page sees as its text."""
PIECES = word_set(
    "noscript iframe object embed svg canvas audio video map select textarea button datalist "
    "noframes applet"
)
"""Of these, the ones that may hold words for people: how many is told."""

MENUS = "menus"
FOOTERS = "footers"
ASIDES = "asides"
NOTICES = "notices and forms"
SHARING = "sharing and related pages"
EDITING = "links to edit or to other languages"
HIDDEN = "hidden"
STRUCK = "struck out"
CONTROLS = "controls and embedded pieces"

_TAGS = {"nav": MENUS, "menu": MENUS, "footer": FOOTERS, "aside": ASIDES, "dialog": NOTICES}
_ROLES = {
    **dict.fromkeys(("navigation", "menu", "menubar", "toolbar"), MENUS),
    "contentinfo": FOOTERS,
    **dict.fromkeys(("search", "dialog", "alertdialog"), NOTICES),
}
_NAMES = (
    (
        MENUS,
        (
            r"(?:^|[\s_-])(?:breadcrumbs?|sphinxsidebar|navbar|navheader|navfooter|nav-panel|sidebar"
            r"|skip-?(?:link|nav|to-content|to-main))(?:$|[\s_-])"
            r"|^(?:nav|navigation|menu|toc|site-?nav|main-?nav|navbox(?:-\w+)?|vertical-navbox|catlinks"
            r"|mw-jump-link|vector-(?:menu|dropdown|toc|header\w*|page-toolbar\w*)|mw-portlet"
            r"|pagination|pager|post-navigation|nav-links)$"
        ),
    ),
    (FOOTERS, r"^(?:footer|site-footer|page-footer|printfooter|colophon)$"),
    (
        NOTICES,
        (
            r"(?:^|[\s_-])(?:cookies?|ciasteczk\w*|gdpr|rodo|consent|newsletter)(?:$|[\s_-])"
            r"|^(?:onetrust\S*|paywall|adblock\S*|advert\w*|ad-slot|sponsored)$"
        ),
    ),
    (
        SHARING,
        (
            r"(?:^|[\s_-])(?:social-share|share-?buttons|share-?bar|share-?links|sharedaddy)(?:$|[\s_-])"
            r"|^(?:share|sharing|social|related|related-(?:articles|posts|stories|links|content)"
            r"|recommended(?:-\w+)?|more-stories|read-?more|read-?next|sistersitebox)$"
        ),
    ),
    (
        EDITING,
        (
            r"(?:^|[\s_-])(?:headerlink|permalink)(?:$|[\s_-])"
            r"|^(?:mw-editsection|mw-cite-backlink|interlanguage-link\S*|p-lang(?:-\S+)?)$"
        ),
    ),
)
_BY_NAME = tuple((reason, re.compile(form, re.IGNORECASE)) for reason, form in _NAMES)
_CONTAINERS = word_set("div ul ol li table section p span a dl center td form header")
"""Elements that a class name may rule out; `<body class="has-sidebar">` is the page itself."""
_UNSEEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


_STRUCK_TAGS = frozenset({"s", "strike", "del"})
_STRUCK_STYLE = re.compile(r"text-decoration(?:-line)?\s*:[^;]{0,60}\bline-through", re.IGNORECASE)
_NOTE = re.compile(
    r"^(?:note|notes|warning|warn|tip|hint|caution|danger|important|attention|info|alert|callout"
    r"|admonition|notice|remark|uwaga|ostrze[zż]enie|wskaz[oó]wka)(?:$|[_-])"
    r"|[_-](?:note|warning|tip|caution|danger|important|callout|admonition)$",
    re.IGNORECASE,
)
"""Names of asides that say something about the text beside them."""


def is_struck(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Say whether an element is struck out: it says what no longer holds."""
    return tag in _STRUCK_TAGS or _STRUCK_STYLE.search(attributes.get("style") or "") is not None


def is_note(attributes: Mapping[str, str | None]) -> bool:
    """Say whether an aside names itself as a note or a warning."""
    if attributes.get("role") in {"note", "doc-tip", "doc-notice"}:
        return True
    names = [attributes.get("id") or "", *(attributes.get("class") or "").split()]
    return any(_NOTE.search(name) for name in names)


def is_unseen(attributes: Mapping[str, str | None]) -> bool:
    """Say whether an element is hidden from every reader; what a search opens is not."""
    if attributes.get("hidden") == "until-found":
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    return _UNSEEN_STYLE.search(attributes.get("style") or "") is not None


def boilerplate(tag: str, attributes: Mapping[str, str | None]) -> str | None:
    """Return what an element names itself as, if that is not the page's content."""
    by_tag = _TAGS.get(tag) or _ROLES.get(attributes.get("role") or "")
    if by_tag is not None or tag not in _CONTAINERS:
        return by_tag
    names = [attributes.get("id"), *(attributes.get("class") or "").split()]
    told = [name for name in names if name]
    return next(
        (reason for reason, form in _BY_NAME if any(form.search(name) for name in told)), None
    )
