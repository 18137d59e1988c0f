"""Labels that outlive their documents, kept by name and by content.

A labelled document that is removed leaves its label under its id, which is made of its name, and
under its version, the SHA-256 of its bytes; content that is replaced leaves it under the version.
No words are kept. What comes under such a name, or with such content, has the label at once, until
the owner says otherwise.
"""

import apsw

from cytat.records import DocumentId

REMEMBER_CONTENT = """
insert into label_memory (key, label)
select version, read_label
from document
where row = :document and read_label <> '' and version is not null
on conflict (key) do update set label = excluded.label
"""
REMEMBER_NAME = """
insert into label_memory (key, label)
select id, read_label
from document
where row = :document and read_label <> ''
on conflict (key) do update set label = excluded.label
"""
INHERIT = """
update document
set read_label = coalesce(
    (select label from label_memory where key = document.id),
    (
        select other.read_label
        from document as other
        where other.version = document.version and other.read_label <> ''
        order by other.read_label
        limit 1
    ),
    (select label from label_memory where key = document.version),
    :place_label
)
where row = :document and read_label = ''
"""
"""The name counts first, then documents that are there, then those that were. Of several documents
any will do: whoever has that label may read the content already."""
FORGET = """
delete from label_memory
where key in (
    select id from document where id = :id
    union all
    select version from document where id = :id
)
"""


def remember_content(connection: apsw.Connection, row: int) -> None:
    """Keep the label of a document for the content that it holds and is about to lose."""
    connection.execute(REMEMBER_CONTENT, {"document": row})


def remember_document(connection: apsw.Connection, row: int) -> None:
    """Keep the label of a document that is about to go, for its name and its content."""
    remember_content(connection, row)
    connection.execute(REMEMBER_NAME, {"document": row})


def inherit_label(connection: apsw.Connection, row: int, *, place_label: str) -> None:
    """Give a document without a label the one that its name or its content has or had.

    Where there is none, it gets that of its folder or container, "" for everyone.
    """
    connection.execute(INHERIT, {"document": row, "place_label": place_label})


def forget_labels(connection: apsw.Connection, document_id: DocumentId) -> None:
    """Forget what a name and its content had: the owner has just said who may read them."""
    connection.execute(FORGET, {"id": document_id})
