"""A run -> one HTML page that needs nothing beside itself: no script, no font, no address.

Escaped and closed off as every page; see `page_parts`.
"""

from collections.abc import Iterator, Sequence

from cytat.records import (
    Cause,
    EvalReport,
    JudgeVerdict,
    MetricValue,
    QuestionOutcome,
    RankedHit,
    Reply,
)
from cytat.records.metrics import GROUP_TABLE, JUDGED, LOWER_IS_BETTER, TILES
from cytat.surfaces.pages import eval_plots
from cytat.surfaces.pages.page_parts import field_values, figures, framed, prints, text
from cytat.surfaces.terminal.measuring import judge_name

GROUP_COLUMNS = (*GROUP_TABLE, "faithfulness")
SHOWN_HITS = 10
"""Runs of cytat keep the text of so many; those of others have ids alone."""


def page(run: EvalReport) -> str:
    """Return the whole page."""
    parts = [
        *_head(run),
        *figures(eval_plots.plots(run)),
        *_tables(run),
        *_questions(run),
        *_fingerprint(run),
    ]
    return framed(f"cytat: a run of {len(run.questions)} questions", parts)


# ---------------------------------------------------------------- the top


def _head(run: EvalReport) -> Iterator[str]:
    print_ = run.fingerprint
    yield "<header>"
    yield f"<p class='over'>cytat · {len(run.questions)} questions · {text(print_.generator)}</p>"
    first, *others = run.diagnosis
    yield f"<h1>{text(first.advice)}</h1>"
    if others:
        yield "<ul class='findings'>"
        yield from (f"<li>{text(finding.advice)}</li>" for finding in others)
        yield "</ul>"
    yield from (f"<p class='hint'>{text(note)}</p>" for note in run.notes)
    yield "</header>"
    known = {metric.name: metric for metric in run.metrics if metric.group is None}
    yield "<div class='tiles'>"
    yield from (_tile(known[name]) for name in TILES if name in known)
    yield "</div>"


def _tile(found: MetricValue) -> str:
    if found.value is None:
        value, range_ = "–", f"not measured: {found.not_measured}"
    else:
        value = f"{found.value:.2f}"
        range_ = f"{found.low:.2f} – {found.high:.2f} · {found.n} questions"
    bad = " bad" if found.name in LOWER_IS_BETTER and found.value else ""
    return (
        f"<div class='tile{bad}'><span>{text(found.name)}</span><b>{value}</b>"
        f"<small>{range_}</small></div>"
    )


# ---------------------------------------------------------------- tables


def _tables(run: EvalReport) -> Iterator[str]:
    yield from _by_group(run)
    yield "<h2>Metrics</h2><details><summary>All metrics with 95 % intervals</summary>"
    yield "<div class='scroll'><table><tr><th>metric<th>group<th>value<th>95 %<th>interval<th>n"
    yield "<th>not measured</tr>"
    yield from (_row(found, run.fingerprint.judge) for found in run.metrics)
    yield "</table></div></details>"


def _by_group(run: EvalReport) -> Iterator[str]:
    known = {(metric.group, metric.name): metric for metric in run.metrics}
    groups = dict.fromkeys(group for group, _ in known if group is not None)
    if not groups:
        return
    names = [name for name in GROUP_COLUMNS if (None, name) in known]
    yield "<h2>By group</h2><div class='scroll'><table><tr><th>group"
    yield from (f"<th>{text(name)}" for name in names)
    yield "</tr>"
    for group in (None, *groups):
        cells = "".join(f"<td>{_cell(known.get((group, name)))}" for name in names)
        yield f"<tr><td>{text(group or 'all')}{cells}</tr>"
    yield "</table></div>"


def _cell(found: MetricValue | None) -> str:
    if found is None or found.value is None:
        return "–"
    return f"{found.value:.2f} <small>{found.low:.2f} – {found.high:.2f} · {found.n}</small>"


def _row(found: MetricValue, judge: str) -> str:
    by = f" <small>judged by {text(judge_name(judge))}</small>" if found.name in JUDGED else ""
    if found.value is None:
        figures = "<td>–<td>–<td>–"
    else:
        figures = (
            f"<td>{found.value:.3f}<td>{found.low:.3f} – {found.high:.3f}"
            f"<td>{text(found.interval or '')}"
        )
    return (
        f"<tr><td>{text(found.name)}{by}<td>{text(found.group or 'all')}{figures}<td>{found.n}"
        f"<td>{found.not_measured or ''}</tr>"
    )


# ---------------------------------------------------------------- questions


def _questions(run: EvalReport) -> Iterator[str]:
    yield "<h2>Questions</h2>"
    yield "<p class='hint'>What went wrong first. Open a question to see what was retrieved.</p>"
    order: list[Cause | None] = [*Cause, None]
    yield from (
        _question(outcome)
        for outcome in sorted(run.questions, key=lambda outcome: order.index(outcome.cause))
    )


def _question(outcome: QuestionOutcome) -> str:
    label = (
        outcome.cause.value
        if outcome.cause
        else (outcome.reply.outcome.value if outcome.reply else "found")
    )
    kind = "bad" if outcome.cause else "good"
    ranks = ", ".join(str(target.rank or "–") for target in outcome.targets)
    at = f"<small>rank {ranks}</small>" if ranks else ""
    group = f"<small>{text(outcome.group)}</small>" if outcome.group else ""
    summary = (
        f"<details class='question'><summary><span class='label {kind}'>{text(label)}</span>"
        f"<span class='asked'>{text(outcome.question)}</span>{group}{at}</summary>"
    )
    return "\n".join(
        (
            summary,
            *_gold(outcome),
            *(_reply(outcome.reply) if outcome.reply else ()),
            *_judged(outcome),
            "<h3>Retrieved</h3>",
            *(_hit(hit) for hit in outcome.hits if hit.rank <= SHOWN_HITS),
            "</details>",
        )
    )


def _gold(outcome: QuestionOutcome) -> Iterator[str]:
    yield "<dl>"
    if outcome.expected:
        yield f"<dt>expected<dd>{text(outcome.expected)}"
    for target in outcome.targets:
        rank = f"rank {target.rank}" if target.rank else "not found"
        cut = " · cut apart: no chunk holds it whole" if target.is_destroyed else ""
        yield f"<dt>{text(target.kind.value.removesuffix('s'))}<dd>{text(target.text)} "
        yield f"<small>{rank}{cut}</small>"
    if not outcome.is_answerable:
        yield "<dt>expected<dd>a refusal: the documents do not hold the answer"
    yield "</dl>"


def _reply(reply: Reply) -> Iterator[str]:
    reason = f" · {reply.reason}" if reply.reason else ""
    yield f"<h3>Reply: {text(reply.outcome.value)}{text(reason)}</h3>"
    yield f"<p class='reply'>{text(reply.text)}</p>"
    for citation in reply.citations:
        sign = {True: "right place", False: "other place", None: "not judged"}[citation.is_right]
        yield (
            f"<p class='cited'>[{citation.marker}] {text(citation.source)} · "
            f"{text(citation.place)} <small>{sign}</small><br>“{text(citation.quote)}”</p>"
        )
    yield from (f"<p class='cited'>left out: {text(dropped)}</p>" for dropped in reply.dropped)


def _judged(outcome: QuestionOutcome) -> Iterator[str]:
    if outcome.judged:
        yield "<h3>Judged by a model</h3>"
    for found in outcome.judged:
        said = f" · {found.said}" if found.verdict is JudgeVerdict.UNREADABLE else ""
        yield (
            f"<p class='cited'>{text(found.metric)}: <b>{text(found.verdict.value)}</b>"
            f"{text(said)}<br>“{text(found.text)}”</p>"
        )


def _hit(hit: RankedHit) -> str:
    path = " › ".join(hit.heading_path)
    under = f"{path} · " if path and path != hit.place else ""
    right = " right" if hit.is_right else ""
    place = " · ".join(filter(None, (hit.source, hit.place)))
    words = "" if hit.text is None else f"<pre>{_marked(hit)}</pre>"
    return (
        f"<div class='hit{right}'><p>{hit.rank}. {text(place)} "
        f"<small>{text(under)}{hit.score:.3f}</small></p>{words}</div>"
    )


def _marked(hit: RankedHit) -> str:
    """Return a hit's text with its needles marked; overlapping ones are marked as one."""
    words, pieces, at = hit.text or "", [], 0
    for start, end in _merged([(mark.start, mark.end) for mark in hit.marks]):
        pieces += [text(words[at:start]), "<mark>", text(words[start:end]), "</mark>"]
        at = end
    return "".join((*pieces, text(words[at:])))


def _merged(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _fingerprint(run: EvalReport) -> Iterator[str]:
    yield "<h2>Fingerprint</h2>"
    stages = (
        (timing.name, f"median {timing.median_ms:.0f} ms, 95 % within {timing.p95_ms:.0f} ms")
        for timing in run.timings
    )
    yield from prints([*field_values(run.fingerprint), *stages])
