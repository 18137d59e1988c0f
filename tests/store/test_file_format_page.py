"""docs/file-format.md describes every table and every column there is."""

from pathlib import Path

import apsw

from cytat.backends.sqlite.schema import MIGRATIONS

PAGE = Path(__file__).parents[2] / "docs" / "file-format.md"


def test_every_table_and_column_is_described() -> None:
    corpus = apsw.Connection("")
    for step in MIGRATIONS:
        corpus.execute(step)
    page = PAGE.read_text("utf-8")
    tables = [
        name
        for (name,) in corpus.execute("select name from sqlite_schema where type = 'table'")
        if not name.startswith("sqlite_")
    ]
    for table in tables:
        section = page.split(f"\n## {table}\n", 1)[1].split("\n## ", 1)[0]
        columns = [row[1] for row in corpus.execute(f"pragma table_info({table})")]
        assert [name for name in columns if f"`{name}`" not in section] == [], table
    assert f"| `user_version` | the format, {len(MIGRATIONS)} now" in page
