"""The tables of a corpus file, as numbered migrations. `docs/file-format.md` has each column."""

APPLICATION_ID = 0x43595441
"""ASCII "CYTA", in the file's header."""

MIGRATIONS: tuple[str, ...] = (
    """
create table meta (
    key   text primary key,
    value text not null
) without rowid;

create table folder (               -- folders given to `add`: vanished files leave the index
    path text primary key           -- absolute
) without rowid;

create table document (
    row         integer primary key,
    id          text not null unique,
    source      text not null,
    title       text not null,
    media_type  text not null,
    state       text not null,      -- indexed | partial | skipped | failed | stale
    code        text,
    message     text,
    hint        text,
    version     text,               -- SHA-256 of the bytes read
    size        integer,            -- bytes
    modified_ns integer,
    characters  integer not null,   -- code points of the canonical text
    language    text,               -- ISO 639-1
    reading     text not null,      -- JSON: pages, blocks
    metadata    text not null,      -- JSON object of strings: the document's own, then `given`
    given       text not null,      -- JSON object of strings: what the person added
    ledger      text,               -- JSON
    stamp       text,               -- JSON
    read_label  text not null default ''   -- who may read it; empty means everyone
);

create table segment (              -- the canonical text in pieces, so that a span is cheap to read
    document integer not null references document (row) on delete cascade,
    start    integer not null,      -- code point of the first character
    line     integer not null,      -- line breaks before it
    text     text not null,
    primary key (document, start)
) without rowid;

create table chunk (
    row          integer primary key,
    id           text not null unique,
    document     integer not null references document (row) on delete cascade,
    start        integer not null,
    end          integer not null,
    heading_path text not null,     -- JSON array
    context      text not null,
    passage_hash blob not null,     -- SHA-256 of the text that is embedded
    words_hash   blob not null      -- SHA-256 of the chunk's own words: copies are collapsed by it
);
create index chunk_document on chunk (document, start);
create index chunk_passage on chunk (passage_hash);

create virtual table words using fts5 (   -- rowid = chunk.row; analysed terms, blank separated
    heading, body,
    content = '', contentless_delete = 1,
    -- The analyser has cut and folded already: every sign a term may hold is a token character.
    tokenize = "ascii tokenchars '-/._:@&+#\\'"
);

create virtual table term using fts5vocab (words, row);   -- in how many chunks each term stands

create table vector (
    chunk  integer primary key references chunk (row) on delete cascade,
    vector blob not null            -- float32, little-endian, length 1
);

create table trace (
    id       text primary key,
    at       text not null,         -- UTC, ISO 8601
    verb     text not null,
    question text not null,
    stages   text not null          -- JSON
) without rowid;
create index trace_at on trace (at);
""",
    """
-- Seals: what was written, hashed, so that damage shows. Null in a version written before.
alter table document add column text_seal blob;      -- SHA-256 of text, chunks and what they are
alter table document add column record_seal blob;    -- SHA-256 of state, ledger, stamp, metadata
alter table document add column vectors_seal blob;   -- SHA-256 of the vectors

create table vector_next (                -- vectors of the space in meta.space_next, half way
    chunk  integer primary key references chunk (row) on delete cascade,
    vector blob not null
);
""",
    """
-- Postings of our own in place of FTS5.
create table posting_batch (              -- the chunks indexed by one transaction, or several
    batch   integer primary key,
    rows    blob not null,                -- chunk rows, uint32, little-endian, rising
    lengths blob not null                 -- how many terms each has, uint32, little-endian
);

create table posting (
    batch  integer not null references posting_batch (batch),
    term   text not null,
    rows   blob not null,                 -- the chunks that hold it: as in posting_batch
    counts blob not null,                 -- how often each holds it, one byte, 255 at most
    primary key (batch, term)
) without rowid;

create table posting_removed (            -- rows of removed chunks that may stand in batches
    chunk integer primary key
);

create virtual table temp.instance using fts5vocab (main, words, instance);

-- Each join is by key: of a large corpus, millions of rows pass here.
create table temp.counted as
select term, doc, count(*) as n
from temp.instance
group by term, doc
order by term, doc;

create table temp.held (chunk integer primary key, n integer not null);

insert into temp.held (chunk, n)
select doc, sum(n)
from temp.counted
group by doc;

insert into posting_batch (batch, rows, lengths)
select 1,
       unhex(group_concat(
           format('%02x%02x%02x%02x', id & 255, id >> 8 & 255, id >> 16 & 255, id >> 24 & 255),
           '' order by id)),
       unhex(group_concat(
           format('%02x%02x%02x%02x', n & 255, n >> 8 & 255, n >> 16 & 255, n >> 24 & 255),
           '' order by id))
from (
    select words_docsize.id, coalesce(held.n, 0) as n
    from words_docsize
    left join temp.held as held on held.chunk = words_docsize.id
)
having count(*) > 0;

insert into posting (batch, term, rows, counts)
select 1, term,
       unhex(group_concat(
           format('%02x%02x%02x%02x', doc & 255, doc >> 8 & 255, doc >> 16 & 255, doc >> 24 & 255),
           '' order by doc)),
       unhex(group_concat(format('%02x', min(n, 255)), '' order by doc))
from temp.counted
group by term
order by term;

drop table temp.held;
drop table temp.counted;
drop table temp.instance;
drop table term;
drop table words;

insert into meta (key, value) select 'last_row', max(row) from chunk having max(row) is not null;
""",
    """
create index document_label on document (read_label);

alter table trace add column reader text;   -- JSON array of a reader's labels; null: the owner
""",
    """
-- Seals of postings: null in a batch whose words were not compared with the text since it came
-- from an older file.
alter table posting_batch add column seal blob;   -- SHA-256 of the batch and its postings
""",
    """
-- Tables with rows, whose keys have an index of their own: among keys that stand with texts and
-- blobs each step of a look-up read one of them.
create table segment_next (
    document integer not null references document (row) on delete cascade,
    start    integer not null,      -- code point of the first character
    line     integer not null,      -- line breaks before it
    text     text not null,
    unique (document, start)
);

insert into segment_next (document, start, line, text)
select document, start, line, text
from segment
order by document, start;

drop table segment;
alter table segment_next rename to segment;

create table posting_next (
    batch  integer not null references posting_batch (batch),
    term   text not null,
    rows   blob not null,                 -- the chunks that hold it: as in posting_batch
    counts blob not null,                 -- how often each holds it, one byte, 255 at most
    unique (batch, term)
);

insert into posting_next (batch, term, rows, counts)
select batch, term, rows, counts
from posting
order by batch, term;

drop table posting;
alter table posting_next rename to posting;
""",
    """
-- By it a search sees at once whether an earlier pipeline made something. A damaged stamp has none.
create index document_pipeline on document (iif(json_valid(stamp), stamp ->> 'pipeline', null));
""",
    """
-- What an answer says of the whole corpus, counted from the index alone. Of a damaged ledger,
-- nothing is counted.
create index document_coverage on document (
    read_label,
    state,
    iif(json_valid(ledger), (ledger ->> 'empty') + (ledger ->> 'failed'), 0)
);

-- By it a file that was renamed keeps who may read it.
create index document_version on document (version);

-- Pages become parts: in `document.reading`, by `migrations`, for the seals are made again too.
""",
    """
-- Compared before any of the text leaves the file. Null where the text was not as it was written
-- when this came: `migrations` compares first.
alter table segment add column hash blob;   -- SHA-256 of the version, `start`, `line` and `text`

alter table folder add column label text;   -- of what comes into it; null: nobody has said

create table label_memory (         -- labels that outlive their documents
    key   text primary key,         -- id of a removed document, or version of content that left
    label text not null
) without rowid;
""",
)
