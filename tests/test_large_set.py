"""A hundred questions to a large real document set: each citation is read again by a second way."""

from pathlib import Path

import pytest
from benchmarks.hundred_questions import measure

from cytat import Corpus

pytestmark = [pytest.mark.model, pytest.mark.slow]

MANUALS = [
    Path("/usr/share/doc/python3.11/html/tutorial"),
    Path("/usr/share/doc/python3.11/html/faq"),
]
"""HTML manuals of Debian's package python3.11-doc."""
FEWEST_FILES = 20


def test_a_hundred_questions_to_real_manuals_get_only_citations_that_stand_at_their_span(
    tmp_path: Path,
) -> None:
    folders = [folder for folder in MANUALS if folder.is_dir()]
    files = sum(len(list(folder.glob("*.html"))) for folder in folders)
    if files < FEWEST_FILES:
        pytest.skip("no HTML manuals here: apt-get install python3.11-doc")
    corpus_file = tmp_path / "manuals.db"
    with Corpus.open(corpus_file) as corpus:
        report = corpus.add(folders)
        assert report.failed == ()
        assert len(report.added) >= files
        figures = measure(corpus, corpus_file)
    assert figures["questions"] == 100
    assert figures["citations_not_at_their_span"] == []
    assert isinstance(figures["citations_checked"], int)
    assert figures["citations_checked"] >= 50
