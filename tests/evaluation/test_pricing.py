"""Passages -> tokens and what they are spent on, counted by hand with a token a word."""

from cytat.evaluation.sweeps.derived import PassageCounts, PassageParts, count_passages
from cytat.testing.chunkers import per_word


def test_tokens_of_heading_paths_are_counted_apart_from_titles_and_words() -> None:
    passages = [
        PassageParts("Lease", ("Rent",), "", "Due monthly"),  # Lease › Rent, Due monthly
        PassageParts("Lease", (), "", "Signed twice"),  # Lease, Signed twice
        PassageParts("Lease", ("Lease", "Deposit"), "", "Returned"),  # Lease › Deposit, Returned
    ]
    counts = count_passages(passages, token_ends=per_word, window=4)
    # 5 + 3 + 4 tokens; "› Rent" and "› Deposit" are two each; the first does not fit the window.
    assert counts == PassageCounts(chunks=3, tokens=12, heading_tokens=4, past_window=1)


def test_the_context_of_a_passage_counts_as_tokens_and_not_as_headings() -> None:
    passages = [PassageParts("", (), "name | price", "tea | 3")]
    counts = count_passages(passages, token_ends=per_word, window=6)
    assert counts == PassageCounts(chunks=1, tokens=6, heading_tokens=0, past_window=0)


def test_nothing_costs_nothing() -> None:
    assert count_passages([], token_ends=per_word, window=6) == PassageCounts(0, 0, 0, 0)
