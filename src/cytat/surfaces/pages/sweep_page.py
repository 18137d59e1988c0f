"""A sweep -> one HTML page that needs nothing beside itself, in the style of a run's page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from cytat.records import ComparedMetric, EvalSweep, Margin, Variant
from cytat.surfaces import sweep_tables
from cytat.surfaces.pages import svg
from cytat.surfaces.pages.page_parts import Plot, figures, framed, prints, table, text
from cytat.surfaces.sweep_tables import duration, known_metrics

WIDTH, NAMES, RIGHT, ROW, BAR, TOP, BOTTOM = 560, 170, 20, 22, 12, 8, 24
NAME_LETTERS = 26
DEPTHS = (5, 1, 10, 20)
"""The depth that plots are about: the first that was compared."""

FOUND = (
    "Share of what answers among the first hits, with its 95 % interval. Dashed: the corpus as it "
    "is."
)
GAINED_LOST = (
    "Questions gained to the right, lost to the left. Full colour where chance does not explain "
    "the difference."
)
TOKENS = "Tokens of all chunks. Full colour: what is spent on heading paths."
INDEXING = "Time to index all of the stored text. Full colour: its embedding."


def plots(made: EvalSweep) -> Iterator[Plot]:
    """Yield the plots that the sweep has figures for."""
    metric = _metric_shown(made)
    if metric is None:
        return
    yield Plot(
        f"Found: {metric}.",
        FOUND,
        _found_plot(made.variants, metric),
    )
    rows = [
        (variant.name, row)
        for variant in made.variants
        for row in variant.compared
        if row.name == metric
    ]
    yield Plot(
        f"Gained and lost: {metric}.",
        GAINED_LOST,
        _gained_lost(rows),
    )
    yield Plot(
        "What is embedded.",
        TOKENS,
        _bars([_tokens(variant) for variant in made.variants]),
    )
    times = [bar for variant in made.variants if (bar := _time(variant)) is not None]
    if times:
        yield Plot("What it takes.", INDEXING, _bars(times))


def _metric_shown(made: EvalSweep) -> str | None:
    known = known_metrics(made.variants[0])
    names = (f"recall@{depth}" for depth in DEPTHS)
    return next((name for name in names if name in known and known[name].value is not None), None)


# ---------------------------------------------------------------- three drawings


def _found_plot(variants: Sequence[Variant], metric: str) -> str:
    span = WIDTH - NAMES - RIGHT
    parts = list(_grid([(NAMES + span * share, f"{share:.2f}") for share in _QUARTERS], variants))
    for at, variant in enumerate(variants):
        found = known_metrics(variant).get(metric)
        parts.append(_name(at, variant.name))
        if found is None or found.value is None or found.low is None or found.high is None:
            continue
        y = _middle(at)
        low, value, high = (NAMES + span * share for share in (found.low, found.value, found.high))
        if not at:
            bottom = _bottom(len(variants))
            parts.append(f"<line class='now' x1='{value:.1f}' x2='{value:.1f}' y1='{TOP}' "
                         f"y2='{bottom}'/>")  # fmt: skip
        title = f"{variant.name}: {found.value:.3f} ({found.low:.3f} – {found.high:.3f})"
        parts.append(
            f"<line class='line a' x1='{low:.1f}' x2='{high:.1f}' y1='{y:.1f}' y2='{y:.1f}'/>"
        )
        parts.append(svg.dot(value, y, radius=4, kind="a", title=escape(title)))
    return _drawn(parts, len(variants))


def _gained_lost(rows: Sequence[tuple[str, ComparedMetric]]) -> str:
    most = max((max(row.better, row.worse) for _, row in rows), default=0) or 1
    half = (WIDTH - NAMES - RIGHT) / 2 - 14  # room for a number at each end
    zero = NAMES + half + 14
    parts = [
        f"<line class='grid' x1='{zero:.1f}' x2='{zero:.1f}' y1='{TOP}' y2='{_bottom(len(rows))}'/>"
    ]
    for at, (name, row) in enumerate(rows):
        parts.append(_name(at, name))
        faint = "" if row.verdict in {"better", "worse"} else " faint"
        top, y = _middle(at) - BAR / 2, _middle(at) + 4
        for count, sign, kind in ((row.better, 1, "a"), (row.worse, -1, "b")):
            length = half * count / most
            x = zero if sign > 0 else zero - length
            parts.append(svg.bar(x, top, width=length, height=BAR, kind=kind + faint))
            anchor = "start" if sign > 0 else "end"
            parts.append(svg.label(zero + sign * (length + 4), y, str(count), anchor=anchor))
    return _drawn(parts, len(rows))


def _tokens(variant: Variant) -> "_Bar":
    price = variant.price
    return _Bar(variant.name, price.tokens, price.heading_tokens, f"{price.tokens:,}")


def _time(variant: Variant) -> "_Bar | None":
    price = variant.price
    if price.indexing_s is None or price.embedding_s is None:
        return None
    return _Bar(variant.name, price.indexing_s, price.embedding_s, duration(price.indexing_s))


@dataclass(frozen=True, slots=True)
class _Bar:
    """A whole, the part of it in full colour, and what is written beside it."""

    name: str
    whole: float
    part: float

    caption: str


def _bars(bars: Sequence[_Bar]) -> str:
    most = max(bar.whole for bar in bars) or 1
    span = WIDTH - NAMES - RIGHT - 60  # room for what is written
    parts = []
    for at, bar in enumerate(bars):
        top, length = _middle(at) - BAR / 2, span * bar.whole / most
        parts.append(_name(at, bar.name))
        for kind, width in (("a faint", length), ("a", span * bar.part / most)):
            parts.append(svg.bar(NAMES, top, width=width, height=BAR, kind=kind))
        parts.append(svg.label(NAMES + length + 6, top + 10, bar.caption, anchor="start"))
    return _drawn(parts, len(bars))


# ---------------------------------------------------------------- parts

_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def _grid(marks: Sequence[tuple[float, str]], rows: Sequence[Variant]) -> Iterator[str]:
    bottom = _bottom(len(rows))
    for x, name in marks:
        yield f"<line class='grid' x1='{x:.1f}' x2='{x:.1f}' y1='{TOP}' y2='{bottom}'/>"
        yield svg.label(x, bottom + 16, name, anchor="middle")


def _name(at: int, name: str) -> str:
    short = name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1]}…"
    return svg.label(NAMES - 10, _middle(at) + 4, escape(short), anchor="end")


def _middle(at: int) -> float:
    return TOP + ROW * (at + 0.5)


def _bottom(rows: int) -> int:
    return TOP + ROW * rows


def _drawn(parts: Sequence[str], rows: int) -> str:
    return svg.drawing(parts, width=WIDTH, height=_bottom(rows) + BOTTOM)


def page(made: EvalSweep) -> str:
    """Return the whole page."""
    parts = [
        *_head(made),
        *figures(plots(made), kind="plots wide"),
        *_found(made),
        *_price(made),
        *_margins(made),
        *_setups(made),
    ]
    return framed(f"cytat: {len(made.variants)} ways on {made.questions} questions", parts)


def _head(made: EvalSweep) -> Iterator[str]:
    first, *others = sweep_tables.conclusions(made)
    yield "<header>"
    yield f"<p class='over'>cytat · {text(sweep_tables.baseline(made))}</p>"
    yield f"<h1>{text(first)}</h1>"
    yield "<ul class='findings'>"
    yield from (f"<li>{text(sentence)}</li>" for sentence in others)
    for name, finding in sweep_tables.cutting_findings(made):
        yield f"<li>{text(name)}: {text(finding.advice)}</li>"
    yield "</ul></header>"


def _found(made: EvalSweep) -> Iterator[str]:
    yield "<h2>What is found</h2>"
    yield "<p class='hint'>With 95 % intervals. Destroyed: questions whose answer is not whole in "
    yield "no chunk.</p>"
    yield from table(sweep_tables.figures(made))
    yield "<h2>Gained and lost</h2>"
    yield "<p class='hint'>Questions with their answer among so many hits that had not before, and "
    yield "the other way round. The least p of a row, and the same corrected for all "
    yield f"{made.comparisons} comparisons made.</p>"
    yield from table(sweep_tables.differences(made))
    yield "<details><summary>Every comparison; those by group are corrected among themselves"
    yield "</summary>"
    yield from table(sweep_tables.tests(made))
    yield "</details>"
    if made.groups:
        yield "<h2>By group</h2>"
        yield from table(sweep_tables.groups(made))


def _price(made: EvalSweep) -> Iterator[str]:
    yield "<h2>What it costs</h2>"
    yield "<p class='hint'>Tokens as they are embedded, and the share that heading paths take; "
    yield "times to embed and to index all of the stored text on this machine; the median time of "
    yield "a search.</p>"
    yield from table(sweep_tables.prices(made))


def _margins(made: EvalSweep) -> Iterator[str]:
    if not made.margins:
        return
    yield "<h2>Encoders</h2>"
    yield "<p class='hint'>Cosines of questions with what answers, and with what does not. Misled: "
    yield "questions nearer to something that does not answer.</p>"
    yield from table(sweep_tables.margins(made.margins))
    for margin in made.margins:
        yield from _misled(margin)


def _misled(margin: Margin) -> Iterator[str]:
    if not margin.worst:
        return
    yield f"<details><summary>{text(margin.embedder)}: the questions most misled</summary><dl>"
    for pair in margin.worst:
        yield f"<dt>{pair.similar:.3f} &lt; {pair.different:.3f}<dd>{text(pair.question)}"
    yield "</dl></details>"


def _setups(made: EvalSweep) -> Iterator[str]:
    yield "<h2>What was compared</h2>"
    setups = [variant.setup for variant in made.variants]
    yield from table(
        [
            ("variant", [variant.name for variant in made.variants]),
            ("differs", [", ".join(variant.differs) or "–" for variant in made.variants]),
            ("chunking", [setup.chunking for setup in setups]),
            ("embedder", [setup.embedder for setup in setups]),
            ("mode", [setup.mode for setup in setups]),
            ("fusion", [setup.fusion for setup in setups]),
        ]
    )
    print_ = made.variants[0].fingerprint
    yield from prints(
        (name, getattr(print_, name))
        for name in ("gold", "documents", "where", "depth", "weights", "code")
    )
    yield from (f"<p class='hint'>{text(note)}</p>" for note in made.notes)
