"""A sweep -> one HTML page that needs nothing beside itself, in the style of a run's page."""

from collections.abc import Iterator

from cytat.records import EvalSweep, Margin
from cytat.surfaces import sweep_plots, sweep_tables
from cytat.surfaces.page_parts import figures, framed, prints, table, text


def page(made: EvalSweep) -> str:
    """Return the whole page."""
    parts = [
        *_head(made),
        *figures(sweep_plots.plots(made), kind="plots wide"),
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
    yield from (f"<li>{text(one)}</li>" for one in others)
    for name, finding in sweep_tables.cutting_findings(made):
        yield f"<li>{text(name)}: {text(finding.advice)}</li>"
    yield "</ul></header>"


def _found(made: EvalSweep) -> Iterator[str]:
    yield "<h2>What is found</h2>"
    yield "<p class='hint'>With 95 % intervals. Destroyed: questions whose answer stands whole in "
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
    for one in made.margins:
        yield from _misled(one)


def _misled(margin: Margin) -> Iterator[str]:
    if not margin.worst:
        return
    yield f"<details><summary>{text(margin.embedder)}: the questions most misled</summary><dl>"
    for pair in margin.worst:
        yield f"<dt>{pair.similar:.3f} &lt; {pair.different:.3f}<dd>{text(pair.question)}"
    yield "</dl></details>"


def _setups(made: EvalSweep) -> Iterator[str]:
    yield "<h2>What was compared</h2>"
    setups = [one.setup for one in made.variants]
    yield from table(
        [
            ("variant", [one.name for one in made.variants]),
            ("differs", [", ".join(one.differs) or "–" for one in made.variants]),
            ("chunking", [one.chunking for one in setups]),
            ("embedder", [one.embedder for one in setups]),
            ("mode", [one.mode for one in setups]),
            ("fusion", [one.fusion for one in setups]),
        ]
    )
    print_ = made.variants[0].fingerprint
    yield from prints(
        (name, getattr(print_, name))
        for name in ("gold", "documents", "where", "depth", "weights", "code")
    )
    yield from (f"<p class='hint'>{text(note)}</p>" for note in made.notes)
