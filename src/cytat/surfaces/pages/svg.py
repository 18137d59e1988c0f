"""Places and words -> elements of inline SVG, in the classes of the pages' style sheet. Pure."""

from collections.abc import Sequence


def drawing(parts: Sequence[str], *, width: float, height: float) -> str:
    """Return elements as one picture, which scales with the page."""
    return f"<svg viewBox='0 0 {width} {height}' role='img'>{''.join(parts)}</svg>"


def label(x: float, y: float, words: str, *, anchor: str, kind: str = "") -> str:
    """Return words, given as HTML, at a position."""
    return f"<text class='{kind}' x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}'>{words}</text>"


def bar(x: float, y: float, *, width: float, height: float, kind: str) -> str:
    """Return a filled bar, from its upper left corner."""
    return (
        f"<rect class='fill {kind}' x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' "
        f"height='{height:.1f}' rx='2'/>"
    )


def dot(x: float, y: float, *, radius: float, kind: str, title: str) -> str:
    """Return a dot that shows its figure under the pointer; `title` is HTML."""
    return (
        f"<circle class='fill {kind}' cx='{x:.1f}' cy='{y:.1f}' r='{radius:g}'>"
        f"<title>{title}</title></circle>"
    )
