"""Format 7 -> 8: the pages of a PDF become parts as any reader may write them.

Before, the place of a hit was chosen by the media type: a page number in a PDF, the words in HTML.
Since then `reading` itself says both, so that a reader of another format can say its own. Places
of old documents stay as they were, to the character.

The seal of a text is made of `reading`, too. It is made again only where it held before: a
document that was damaged stays one.
"""

import json

import apsw

from cytat.backends.sqlite.rows import dump_json
from cytat.backends.sqlite.seals import SealedPart, read_seals, seal, seal_of
from cytat.records import FragmentStyle, LocatorKind

SELECT_ROWS = "select row, id, media_type from document order by row"
SELECT_READING = "select reading from document where row = :document"
UPDATE_READING = "update document set reading = :reading where row = :document"


def pages_to_parts(connection: apsw.Connection) -> None:
    """Rewrite `reading` of every document; runs inside a transaction."""
    for row, document_id, media_type in list(connection.execute(SELECT_ROWS)):
        reading: str = connection.execute(SELECT_READING, {"document": row}).get
        renewed = _renewed(media_type, reading)
        if renewed is None:
            continue
        kept = read_seals(connection, row)[SealedPart.TEXT]
        is_sound = kept is not None and kept == seal_of(connection, row, SealedPart.TEXT)
        connection.execute(UPDATE_READING, {"document": row, "reading": renewed})
        if is_sound:
            seal(connection, document_id, {SealedPart.TEXT})


def _renewed(media_type: str, reading: str) -> str | None:
    """Return the column in its new form; None for one that is damaged, which stays as it is."""
    try:
        known = json.loads(reading)
        renewed: dict[str, object] = {"blocks": known["blocks"]}
        parts = [
            [LocatorKind.PAGE.value, label or str(number), f"#page={number}", number, start, end]
            for number, label, start, end in known["pages"]
        ]
    except (ValueError, TypeError, KeyError):
        return None
    if parts and media_type == "application/pdf":
        renewed["parts"] = parts
    if media_type == "text/html":
        renewed["fragments"] = FragmentStyle.WORDS.value
    return dump_json(renewed)
