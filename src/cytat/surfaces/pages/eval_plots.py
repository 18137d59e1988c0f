"""A run -> plots as inline SVG: recall by depth, the gate's threshold, the first right rank."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cytat.evaluation import errors_by_threshold
from cytat.records import ErrorRate, EvalReport, MetricValue, QuestionOutcome, SweepStep
from cytat.surfaces.pages import svg
from cytat.surfaces.pages.page_parts import Plot

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 420, 230, 38, 30, 12, 12

Point = tuple[float, float]
PointOf = Callable[[float, float], Point]


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A share at a place, with the ends of its interval."""

    x: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A line, and its band unless it is dashed.

    `kind` is a class of the style sheet; `name` is shown beside the line, as HTML, or empty.
    """

    kind: str
    name: str
    points: Sequence[CurvePoint]


def plots(run: EvalReport) -> Iterator[Plot]:
    """Yield the plots that the run has figures for."""
    recall = _by_depth(run, "recall")
    if recall:
        documents = _by_depth(run, "document-recall")
        caption = "Share of what answers among the first k hits, with its 95 % interval."
        dashed = " Dashed: by document." if documents else ""
        yield Plot("Recall by depth.", caption + dashed, _recall(recall, documents))
        yield Plot(
            "First right rank.",
            "Questions by the rank of the first hit that holds what answers.",
            _ranks(run),
        )
    steps = errors_by_threshold(run.questions)
    if steps:
        lost, bluffs = steps[0].errors.lost.among, steps[0].errors.bluffs.among
        caption = (
            "Errors of the gate alone if its threshold were moved, in log odds; 0 is in force. "
            f"Falling: bluffs, of {bluffs}. Rising: lost, of {lost}. What a rule decided is left "
            "out."
        )
        yield Plot("Refusal threshold.", caption, both_errors(steps, at=0.0))


def _by_depth(run: EvalReport, kind: str) -> list[tuple[int, MetricValue]]:
    found = []
    for metric in run.metrics:
        name, _, depth = metric.name.partition("@")
        if name == kind and depth and metric.group is None and metric.value is not None:
            found.append((int(depth), metric))
    return sorted(found, key=lambda pair: pair[0])


# ---------------------------------------------------------------- three drawings


def _recall(
    recall: Sequence[tuple[int, MetricValue]], documents: Sequence[tuple[int, MetricValue]]
) -> str:
    deepest = math.log(max(2, recall[-1][0]))
    place = _placed(0, deepest)
    parts = list(_frame([(math.log(depth), str(depth)) for depth, _ in recall], place))
    at = [(math.log(depth), found) for depth, found in recall]
    parts.append(
        _band(
            [place(x, found.low or 0) for x, found in at],
            [place(x, found.high or 0) for x, found in at],
            "a",
        )
    )
    parts.append(_line([place(x, found.value or 0) for x, found in at], "a"))
    parts += [
        svg.dot(
            *place(x, found.value or 0),
            radius=3,
            kind="a",
            title=f"{found.name} = {found.value:.3f}",
        )
        for x, found in at
    ]
    if documents:
        points = [place(math.log(depth), found.value or 0) for depth, found in documents]
        parts.append(_line(points, "a dashed"))
    return svg.drawing(parts, width=WIDTH, height=HEIGHT)


def _ranks(run: EvalReport) -> str:
    names = ["1", "2", "3", "4–5", "6–10", "11–20", "21–", "not found"]
    asked = [outcome for outcome in run.questions if outcome.targets]
    counts = Counter(_bin(outcome) for outcome in asked)
    most = max(counts.values(), default=1)
    step = (WIDTH - LEFT - RIGHT) / len(names)
    room = HEIGHT - TOP - BOTTOM
    parts = []
    for at, name in enumerate(names):
        count = counts[at]
        height = room * count / most
        x, y = LEFT + at * step, HEIGHT - BOTTOM - height
        kind = "b" if name == "not found" else "a"
        parts.append(svg.bar(x + 3, y, width=step - 6, height=height, kind=kind))
        parts.append(svg.label(x + step / 2, HEIGHT - BOTTOM + 16, name, anchor="middle"))
        if count:
            parts.append(svg.label(x + step / 2, max(y - 3, 9), str(count), anchor="middle"))
    return svg.drawing(parts, width=WIDTH, height=HEIGHT)


def _bin(outcome: QuestionOutcome) -> int:
    ranks = [target.rank for target in outcome.targets if target.rank is not None]
    if not ranks:
        return 7
    return next((at for at, last in enumerate((1, 2, 3, 5, 10, 20)) if min(ranks) <= last), 6)


def both_errors(steps: Sequence[SweepStep], *, at: float, names: tuple[str, str] = ("", "")) -> str:
    """Return both errors over thresholds, and a line at the threshold in use."""
    lost, bluffs = names
    return thresholds(
        [
            error_curve("a", lost, [(step.stricter, step.errors.lost) for step in steps]),
            error_curve("b", bluffs, [(step.stricter, step.errors.bluffs) for step in steps]),
        ],
        at=at,
    )


def error_curve(kind: str, name: str, rates: Sequence[tuple[float, ErrorRate]]) -> Curve:
    """Return an error over thresholds."""
    return Curve(
        kind,
        name,
        [
            CurvePoint(at, rate.wrong / rate.among if rate.among else 0.0, rate.low, rate.high)
            for at, rate in rates
        ],
    )


def thresholds(curves: Sequence[Curve], *, at: float) -> str:
    """Return errors over thresholds, each with its band, and a line at the threshold in use."""
    ends = [point.x for curve in curves for point in curve.points]
    low, high = min(ends), max(ends)
    place = _placed(low, high)
    marks = [(float(x), f"{x:+d}" if x else "0") for x in range(math.ceil(low), int(high) + 1)]
    parts = list(_frame(marks, place))
    if low < at < high:
        (x, top), (_, bottom) = place(at, 1), place(at, 0)
        parts.append(f"<line class='now' x1='{x:.1f}' x2='{x:.1f}' y1='{top:.1f}' y2='{bottom}'/>")
    for curve in curves:
        if "dashed" not in curve.kind:
            parts.append(
                _band(
                    [place(point.x, point.low) for point in curve.points],
                    [place(point.x, point.high) for point in curve.points],
                    curve.kind,
                )
            )
        line = [place(point.x, point.share) for point in curve.points]
        parts.append(_line(line, curve.kind))
        parts.append(
            svg.label(*_beside(line), curve.name, anchor="start", kind=curve.kind.split()[0])
        )
    return svg.drawing(parts, width=WIDTH, height=HEIGHT)


def _beside(line: Sequence[Point]) -> Point:
    """Return a place beside the middle of a line's height: there curves lie apart."""
    middle = (HEIGHT - BOTTOM + TOP) / 2
    x, y = min(line, key=lambda point: abs(point[1] - middle))
    return min(x + 6, WIDTH - RIGHT - 60), y


# ---------------------------------------------------------------- parts


def _placed(low: float, high: float) -> PointOf:
    """Return what turns a value and a share into a point of the drawing."""

    def place(x: float, share: float) -> Point:
        across = (x - low) / (high - low)
        return (
            LEFT + across * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM),
        )

    return place


def _frame(marks: Sequence[tuple[float, str]], place: PointOf) -> Iterator[str]:
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = place(0, share)[1]
        yield f"<line class='grid' x1='{LEFT}' x2='{WIDTH - RIGHT}' y1='{y:.1f}' y2='{y:.1f}'/>"
        yield svg.label(LEFT - 6, y + 4, f"{share:.2f}", anchor="end")
    for x, name in marks:
        yield svg.label(place(x, 0)[0], HEIGHT - BOTTOM + 16, name, anchor="middle")


def _line(points: Sequence[Point], kind: str) -> str:
    return f"<polyline class='line {kind}' points='{_path(points)}'/>"


def _band(low: Sequence[Point], high: Sequence[Point], kind: str) -> str:
    return f"<polygon class='band {kind}' points='{_path([*high, *reversed(low)])}'/>"


def _path(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
