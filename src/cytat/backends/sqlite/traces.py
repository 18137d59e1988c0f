"""Trace <-> its row. The last `TRACES_KEPT` stay: questions, and evidence in their stages."""

import json

import apsw

from cytat.backends.sqlite.rows import Row, dump_json
from cytat.errors import SourceError
from cytat.records import Trace, TraceId, TraceStage

TRACES_KEPT = 500

INSERT_TRACE = """
insert or replace into main.trace (id, at, verb, question, stages, reader)
values (:id, :at, :verb, :question, :stages, :reader)
"""
DELETE_OLD_TRACES = """
delete from main.trace
where id in (select id from main.trace order by at desc, id desc limit -1 offset :kept)
"""
SELECT_TRACE = "select id, verb, question, at, stages from trace where id = :id"
SELECT_LAST_TRACE = """
select id, verb, question, at, stages
from trace
order by at desc, id desc
limit 1
"""


def record_trace(connection: apsw.Connection, trace: Trace, *, reader: str | None) -> None:
    """Keep a trace and let the oldest go; `reader` is who asked, None the owner."""
    stages = [
        {"name": stage.name, "input": stage.input, "output": stage.output, "ms": stage.ms}
        for stage in trace.stages
    ]
    connection.execute(
        INSERT_TRACE,
        {
            "id": trace.id,
            "at": trace.at,
            "verb": trace.verb,
            "question": trace.question,
            "stages": dump_json(stages),
            "reader": reader,
        },
    )
    connection.execute(DELETE_OLD_TRACES, {"kept": TRACES_KEPT})


def read_trace(connection: apsw.Connection, trace_id: str) -> Trace:
    """Return a trace by its id."""
    for row in connection.execute(SELECT_TRACE, {"id": trace_id}):
        return _trace(row)
    raise SourceError(
        f"there is no trace {trace_id}",
        hint=f"`cytat why` shows the last one; the last {TRACES_KEPT} are kept",
    )


def read_last_trace(connection: apsw.Connection) -> Trace:
    """Return the latest trace."""
    for row in connection.execute(SELECT_LAST_TRACE):
        return _trace(row)
    raise SourceError(
        "there is no trace yet", hint='search or ask something first: `cytat search "…"`'
    )


def _trace(row: Row) -> Trace:
    trace_id, verb, question, at, stages = row
    return Trace(
        id=TraceId(trace_id),
        verb=verb,
        question=question,
        at=at,
        stages=tuple(TraceStage(**stage) for stage in json.loads(stages)),
    )
