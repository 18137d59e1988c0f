"""Base URL + key -> where a request goes, what proves who asks, and texts without both secrets.

A password in a base URL (`https://anna:secret@host/v1`) is sent as HTTP Basic authorization where
no key is set, and is never part of `url`. What a server sends back may repeat a key or a password,
whole, escaped or encoded: `hidden` takes them out of a text before it becomes part of a message.
"""

import base64
import html
import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, quote, unquote

import urllib3

from cytat.errors import SettingsError
from cytat.text.addresses import HIDDEN, public_url

SHORTEST_SECRET = 4
"""A shorter one is no secret, and taking it out would spoil every message."""
SHORTEST_IN_DRAFTS = 8
"""Keys that mean "none" are short words ("ollama", "none"): a draft may hold them as words."""


class ServerAddress:
    """One address of one server, and what it must not repeat."""

    def __init__(self, base_url: str, path: str, *, api_key: str | None) -> None:
        key = (api_key or "").strip()
        _check_key(key)
        parts = _parsed(base_url)
        self.scheme = str(parts.scheme)
        self.host = str(parts.host).strip("[]")
        self.port = parts.port or (443 if parts.scheme == "https" else 80)
        place = (parts.path or "").rstrip("/") + path
        self.target = f"{place}?{parts.query}" if parts.query else place
        port = f":{parts.port}" if parts.port else ""
        self.url = f"{parts.scheme}://{parts.host}{port}{place}"
        """For messages: without user name, password and query."""
        user = unquote(parts.auth or "")
        self.authorization = _authorization(key, user)
        secrets = [key, user, user.partition(":")[2]]
        secrets += [value for _, value in parse_qsl(parts.query or "")]
        forms = {form for secret in secrets for form in _forms(secret)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        self._secrets = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)
        self._has_secrets = bool(forms)
        self.key = key if len(key) >= SHORTEST_IN_DRAFTS and not key.isalpha() else ""
        """The key, where it is long enough to be taken out of a draft."""

    def hidden(self, text: str) -> str:
        """Return `text` without the key, the password and the values of the base URL's query."""
        return self._secrets.sub(HIDDEN, text) if self._has_secrets else text

    def hidden_in_url(self, url: str) -> str:
        """Return a URL that a server names; its path is left out if it holds a secret."""
        public = public_url(url)
        if self.hidden(unquote(public)) == unquote(public):
            return public
        scheme, _, rest = public.partition("//")
        return self.hidden(f"{scheme}//{rest.partition('/')[0]}/{HIDDEN}")

    def hidden_in_draft(self, pieces: Iterator[str]) -> Iterator[str]:
        """Yield pieces of a draft without the key, also where it is split between two."""
        if not self.key:
            yield from pieces
            return
        held = ""
        for piece in pieces:
            seen = (held + piece).replace(self.key, HIDDEN)
            size = next(
                (n for n in range(len(self.key) - 1, 0, -1) if seen.endswith(self.key[:n])), 0
            )
            held = seen[len(seen) - size :]
            if given := seen[: len(seen) - size]:
                yield given
        if held:
            yield held


def _parsed(base_url: str) -> urllib3.util.Url:
    hint = "write it as http://127.0.0.1:11434/v1"
    try:
        parts = urllib3.util.parse_url(base_url.strip())
    except urllib3.exceptions.LocationParseError:
        # The address is not repeated, nor chained: it may hold a password.
        raise SettingsError("the base URL of the model server is not a URL", hint=hint) from None
    if parts.scheme not in {"http", "https"} or not parts.host:
        raise SettingsError("the base URL of the model server is not an http URL", hint=hint)
    return parts


def _check_key(key: str) -> None:
    if not (key.isascii() and key.isprintable()):
        raise SettingsError(
            "the API key holds characters that no key has, such as a line break",
            hint="set the key again, without what was copied beside it",
        )


def _authorization(key: str, user: str) -> str | None:
    if key:
        return f"Bearer {key}"
    return "Basic " + base64.b64encode(user.encode("utf-8")).decode("ascii") if user else None


def _forms(secret: str) -> set[str]:
    """Return how a text may spell a secret."""
    if len(secret) < SHORTEST_SECRET:
        return set()
    encoded = base64.b64encode(secret.encode("utf-8")).decode("ascii").rstrip("=")
    escaped = {html.escape(secret), json.dumps(secret)[1:-1]}
    return {secret, quote(secret), quote(secret, safe=""), encoded, *escaped}
