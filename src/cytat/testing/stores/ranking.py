"""What a store promises of ranking by words: the scores of BM25, ties, filters, identifiers."""

import math
from collections.abc import Mapping

import pytest

from cytat.analysis.filters import parse_where
from cytat.protocols import Moment, Store, WordsFound
from cytat.records import ChunkId, Query
from cytat.testing.stores.versions import (
    StoreFixtures,
    asked,
    identifier,
    ids,
    make_passages,
    put,
    word,
)

THREE = make_passages("a.txt", ["alfa beta", "gamma beta", "delta beta"])
"""All have two words, the mean length, so that once in a chunk counts 1 * 2.2 / (1 + 1.2) = 1."""
INVOICE = identifier("fv/1", "fv-1", parts=[["fv"], ["1"]])


def _found(store: Store, query: Query, *, depth: int = 99, where: str | None = None) -> WordsFound:
    with store.moment() as moment:
        allowed = None if where is None else moment.allowed(parse_where(where))
        return moment.by_words(query, depth=depth, allowed=allowed)


def _order(store: Store, query: Query, *, depth: int = 99) -> tuple[ChunkId, ...]:
    return tuple(hit.chunk_id for hit in _found(store, query, depth=depth).scored.hits)


def _scores(store: Store, query: Query) -> list[float]:
    return [hit.score for hit in _found(store, query).scored.hits]


def _check(store: Store, query: Query, expected: Mapping[ChunkId, float]) -> None:
    """Compare all hits, in their order, with the scores expected."""
    assert _order(store, query) == tuple(expected)
    assert _scores(store, query) == pytest.approx(list(expected.values()))


class WordsContract(StoreFixtures):
    """Chunks are ranked by BM25 over the words of a question; the expected scores are by hand."""

    # ------------------------------------------------------------ scores

    def test_a_score_is_rarity_times_saturated_frequency(self, store: Store) -> None:
        put(store, THREE)
        # 1 of 3 chunks: ln(1 + 2.5 / 1.5) = ln(8 / 3)
        _check(store, asked(word("alfa")), {ids(THREE)[0]: math.log(8 / 3)})

    def test_a_word_in_every_chunk_still_counts(self, store: Store) -> None:
        put(store, THREE)
        # ln(1 + 0.5 / 3.5) = ln(8 / 7)
        assert _scores(store, asked(word("beta"))) == pytest.approx([math.log(8 / 7)] * 3)

    def test_words_are_added_up(self, store: Store) -> None:
        put(store, THREE)
        query = asked(word("beta"), word("alfa"))
        assert _order(store, query)[0] == ids(THREE)[0]
        assert _scores(store, query)[0] == pytest.approx(math.log(8 / 7) + math.log(8 / 3))

    def test_a_word_counts_once_by_its_best_form(self, store: Store) -> None:
        new = make_passages("a.txt", ["umowy umow umow beta", "beta beta beta beta"])
        put(store, new)
        # Twice in a chunk of mean length: 2 * 2.2 / (2 + 1.2) = 1.375; 1 of 2 chunks: ln 2
        _check(store, asked(word("umow", "umowy")), {ids(new)[0]: 1.375 * math.log(2)})

    def test_forms_of_a_word_share_their_rarity(self, store: Store) -> None:
        new = make_passages("a.txt", ["umowy beta", "umow beta", "beta beta"])
        put(store, new)
        # 2 of 3 chunks hold the word: ln(1 + 1.5 / 2.5) = ln 1.6
        assert _scores(store, asked(word("umow", "umowy"))) == pytest.approx([math.log(1.6)] * 2)

    def test_a_long_chunk_is_held_back(self, store: Store) -> None:
        new = make_passages("a.txt", ["alfa", "alfa beta beta", "beta beta"])
        put(store, new)
        # Mean length 2. Length 1: 2.2 / (1 + 1.2 * 0.625) = 2.2 / 1.75; length 3: 2.2 / 2.65
        short, long = 2.2 / 1.75 * math.log(1.6), 2.2 / 2.65 * math.log(1.6)
        _check(store, asked(word("alfa")), {ids(new)[0]: short, ids(new)[1]: long})

    def test_a_term_counts_at_most_255_times_in_a_chunk(self, store: Store) -> None:
        new = make_passages("a.txt", [" ".join(["alfa"] * 300), " ".join(["beta"] * 300)])
        put(store, new)
        score = 255 * 2.2 / (255 + 1.2) * math.log(2)
        _check(store, asked(word("alfa")), {ids(new)[0]: score})

    def test_a_compound_adds_its_parts(self, store: Store) -> None:
        new = make_passages("a.txt", ["multi-agent multi agent", "agent beta beta"])
        put(store, new)
        query = asked(word("multi-agent", parts=[["multi"], ["agent"], ["agent"]]))
        # Each part counts once: ln 2 for the whole and for "multi", ln(1 + 0.5 / 2.5) for "agent"
        part = math.log(1.2)
        _check(store, query, {ids(new)[0]: 2 * math.log(2) + part, ids(new)[1]: part})

    def test_the_64_rarest_words_of_a_question_are_looked_for(self, store: Store) -> None:
        words = [f"w{number}" for number in range(66)]
        put(store, make_passages("a.txt", [" ".join(words), "w0 w1", "w1"]))
        found = _found(store, asked(*map(word, words)))
        assert found.words_left_out == 2
        assert len(found.scored.hits) == 1  # "w1", in three chunks, and "w0", in two, are left out

    def test_nothing_is_found_in_an_empty_corpus(self, store: Store) -> None:
        found = _found(store, asked(word("alfa"), INVOICE))
        assert (tuple(found.scored.hits), found.scored.searched) == ((), 0)
        assert found.scored.spread() == (0, 0)
        assert found.missing == ("fv/1",)

    # ------------------------------------------------------------ order, depth, filters

    def test_equal_scores_stand_in_the_order_of_chunk_ids(self, store: Store) -> None:
        new = make_passages("a.txt", ["alfa"] * 9)
        put(store, new)
        assert _order(store, asked(word("alfa"))) == tuple(sorted(ids(new)))
        for depth in (1, 4, 9):
            best = _order(store, asked(word("alfa")), depth=depth)
            assert best == tuple(sorted(ids(new))[:depth])

    def test_a_filter_comes_before_the_depth_and_leaves_rarity_as_it_is(self, store: Store) -> None:
        kept = make_passages("kept.txt", ["alfa beta beta", "beta", "alfa"])
        put(store, kept, make_passages("other.txt", ["alfa"] * 20))
        everywhere = _found(store, asked(word("alfa"))).scored
        found = _found(store, asked(word("alfa")), depth=2, where="source=kept.txt").scored
        assert [hit.chunk_id for hit in found.hits] == [ids(kept)[2], ids(kept)[0]]
        assert found.scores_of(ids(kept)) == everywhere.scores_of(ids(kept))
        assert (found.searched, everywhere.searched) == (3, 23)

    def test_a_filter_that_keeps_nothing_finds_nothing(self, store: Store) -> None:
        put(store, THREE)
        found = _found(store, asked(word("alfa")), where="source=unknown.txt").scored
        assert (tuple(found.hits), found.searched, found.spread()) == ((), 0, (0, 0))
        assert found.scores_of(ids(THREE)) == {}

    def test_chunks_below_the_hits_have_scores_too(self, store: Store) -> None:
        put(store, THREE)
        first, second, third = ids(THREE)
        with store.moment() as moment:
            scored = moment.by_words(asked(word("beta")), depth=1, allowed=None).scored
            scores = scored.scores_of([first, second, third, ChunkId("c0")])
            assert scores == dict.fromkeys((first, second, third), round(math.log(8 / 7), 6))
            scored = moment.by_words(asked(word("alfa")), depth=1, allowed=None).scored
            assert scored.scores_of([first, second]) == {first: round(math.log(8 / 3), 6)}

    def test_mean_and_deviation_count_chunks_without_a_word_as_nothing(self, store: Store) -> None:
        put(store, THREE)
        score = math.log(8 / 3)
        with store.moment() as moment:
            found = moment.by_words(asked(word("alfa")), depth=1, allowed=None).scored
            assert found.spread() == pytest.approx((score / 3, score * math.sqrt(2) / 3))
            found = moment.by_words(asked(word("beta")), depth=1, allowed=None).scored
            assert found.spread() == pytest.approx((math.log(8 / 7), 0))

    # ------------------------------------------------------------ identifiers

    def test_a_chunk_that_holds_an_identifier_stands_above_all_others(self, store: Store) -> None:
        new = make_passages("a.txt", ["alfa alfa alfa", "fv/1 fv 1", "fv 1 alfa"])
        put(store, new)
        found = _found(store, asked(word("alfa"), INVOICE))
        assert found.scored.hits[0].chunk_id == ids(new)[1]
        assert found.holders == {ids(new)[1]}
        assert (found.missing, found.is_decided) == ((), False)
        # Its parts are not looked for, and its own score is the highest: that comes once more.
        rarity, part = math.log(8 / 3), math.log(1.6)
        assert found.scored.hits[0].score == pytest.approx(2 * 3.2 * (rarity + 2 * part))

    def test_an_identifier_in_another_writing_counts_less(self, store: Store) -> None:
        new = make_passages("a.txt", ["fv-1 beta", "fv/1 beta", "beta beta"])
        put(store, new)
        first, second, third = ids(new)
        assert _order(store, asked(INVOICE, word("beta"))) == (second, first, third)

    def test_a_question_of_identifiers_alone_is_decided_by_who_holds_one(
        self, store: Store
    ) -> None:
        new = make_passages("a.txt", ["fv/1", "fv 1 fv/2", "fv 2"])
        put(store, new)
        other = identifier("fv/9", parts=[["fv"], ["9"]])
        found = _found(store, asked(INVOICE, other))
        assert [hit.chunk_id for hit in found.scored.hits] == [ids(new)[0]]
        assert (found.is_decided, found.missing) == (True, ("fv/9",))

    def test_the_parts_of_an_identifier_are_found_where_no_chunk_holds_it(
        self, store: Store
    ) -> None:
        new = make_passages("a.txt", ["fv beta", "1 beta", "beta beta"])
        put(store, new)
        found = _found(store, asked(INVOICE))
        assert {hit.chunk_id for hit in found.scored.hits} == set(ids(new)[:2])
        assert not found.holders
        assert (found.is_decided, found.missing) == (False, ("fv/1",))

    @pytest.mark.parametrize(("holding", "lifted"), [(10, 10), (11, 0)])
    def test_an_identifier_that_many_chunks_hold_lifts_none(
        self, store: Store, holding: int, lifted: int
    ) -> None:
        put(store, make_passages("a.txt", ["fv/1"] * holding + ["alfa"] * 3))
        assert len(_found(store, asked(INVOICE, word("alfa"))).holders) == lifted

    def test_what_holds_an_identifier_and_may_not_be_found_is_no_holder(self, store: Store) -> None:
        put(store, make_passages("a.txt", ["alfa"]), make_passages("b.txt", ["fv/1", "alfa"]))
        found = _found(store, asked(INVOICE, word("alfa")), where="source=a.txt")
        assert not found.holders
        assert (found.missing, len(found.scored.hits)) == ((), 1)

    def test_holders_are_among_the_hits(self, store: Store) -> None:
        new = make_passages("a.txt", ["fv/1", "fv/1 alfa", "alfa"])
        put(store, new)
        found = _found(store, asked(INVOICE, word("alfa")), depth=1)
        assert found.holders == {found.scored.hits[0].chunk_id} == {ids(new)[1]}

    # ------------------------------------------------------------ counts

    def test_frequencies_count_the_chunks_that_hold_a_term(self, store: Store) -> None:
        put(store, THREE, make_passages("b.txt", ["alfa alfa alfa"]))
        with store.moment() as moment:
            assert self._frequencies(moment) == {"alfa": 2, "beta": 3, "omega": 0}
        with store.writing() as writing:
            writing.remove(THREE.document.id)
        with store.moment() as moment:
            assert self._frequencies(moment) == {"alfa": 1, "beta": 0, "omega": 0}
            assert moment.count_chunks() == 1

    @staticmethod
    def _frequencies(moment: Moment) -> dict[str, int]:
        return dict(moment.frequencies(["omega", "alfa", "beta"]))
