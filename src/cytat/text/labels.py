"""Labels of read rights: what a label is, and which one everybody has."""

from cytat.errors import UsageError

EVERYONE = ""
"""The label of a document that any reader may read."""


def check_label(label: str) -> str:
    """Return a label as it is kept; UsageError for a text that cannot be one."""
    if label.strip() != label or "," in label or not label.isprintable():
        raise UsageError(f"{label!r} is not a label", hint="give a word without commas, such as hr")
    return label
