"""A reader's labels -> a connection on which only what that reader may read can be seen.

Temporary views stand in for the tables, under the tables' own names, so that every statement of
every module reads through them: there is no second way in to forget. What is forbidden is as if it
were not there; the words index counts it with what was removed, so that rarities, lengths and
notes are those of a corpus without it.
"""

import json
from collections.abc import Collection

import apsw

from cytat.text.identity import EVERYONE, check_label

USER_CACHE_KIB = 4_096
"""Pages that a user's connection keeps. One process may serve many users; what ranking needs of the
file is in memory once for all of them: benchmarks/results/shared_indexes.json."""

CREATE_VIEWS = """
create temp table reader_label (label text primary key) without rowid;
create temp table reader (name text not null);

create temp view document as
select * from main.document
where read_label in (select label from temp.reader_label);

-- By the index of labels: it holds the rows, and a document's own row may be long.
create temp view chunk as
select * from main.chunk
where exists (
    select 1 from main.document as owner indexed by document_label
    where owner.read_label in (select label from temp.reader_label) and owner.row = chunk.document
);

create temp view segment as
select * from main.segment
where exists (
    select 1 from main.document as owner indexed by document_label
    where owner.read_label in (select label from temp.reader_label) and owner.row = segment.document
);

create temp view vector as
select * from main.vector
where exists (select 1 from temp.chunk as own where own.row = vector.chunk);

create temp view vector_next as
select * from main.vector_next
where exists (select 1 from temp.chunk as own where own.row = vector_next.chunk);

create temp view posting_removed as
select chunk from main.posting_removed
union
select row from main.chunk as every
where not exists (
    select 1 from main.document as owner indexed by document_label
    where owner.read_label in (select label from temp.reader_label) and owner.row = every.document
);

-- The threshold holds for readers too; what it was fitted on is the owner's.
create temp view meta as
select
    key,
    case key
        when 'calibration' then json_set(value, '$.gold', '', '$.gold_hash', '')
        else value
    end as value
from main.meta;

create temp view folder as
select * from main.folder
where false;   -- paths of the owner's disk

create temp view label_memory as
select * from main.label_memory
where false;   -- of what others may read

create temp view trace as
select * from main.trace
where reader = (select name from temp.reader);
"""
INSERT_LABEL = "insert or ignore into temp.reader_label (label) values (:label)"
INSERT_READER = "insert into temp.reader (name) values (:name)"


def name_of_reader(labels: Collection[str]) -> str:
    """Return the one spelling of a reader's labels: readers of the same labels are one."""
    return json.dumps(sorted(labels), ensure_ascii=False)


def restrict(connection: apsw.Connection, labels: Collection[str]) -> None:
    """Let a connection see what is for everyone or has one of `labels`; for good."""
    connection.execute(CREATE_VIEWS)
    connection.pragma("cache_size", -USER_CACHE_KIB)
    allowed = {EVERYONE, *map(check_label, labels)}
    connection.executemany(INSERT_LABEL, ({"label": label} for label in allowed))
    connection.execute(INSERT_READER, {"name": name_of_reader(labels)})
