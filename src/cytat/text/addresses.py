"""URL -> what may be shown of it: no user name, password, query or fragment. Pure."""

import re

HIDDEN = "…"

_END = re.compile(r"[?#]")
_HOST = re.compile(r"(?:\[[^\[\]]*\]|[^:\[\]]+)(?::[0-9]*)?")


def public_url(url: str) -> str:
    """Return a URL to show; one that is no URL and may hold a password becomes "…"."""
    before, mark, rest = url.strip().partition("://")
    if not mark:
        return HIDDEN if "@" in url else _END.split(url.strip(), maxsplit=1)[0]
    place = _END.split(rest, maxsplit=1)[0]
    authority, slash, path = place.partition("/")
    host = authority.rpartition("@")[2]
    # A password with one of "/?#" that was not encoded ends the host too early.
    if not _HOST.fullmatch(host) and "@" in rest:
        return f"{before}://{HIDDEN}"
    return f"{before}://{host}{slash}{path}"
