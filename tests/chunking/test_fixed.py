import pytest

from cytat.chunking import FixedChunker
from cytat.errors import UsageError
from cytat.testing.chunkers import per_character, per_word, plain_document


@pytest.mark.parametrize("overlap_tokens", [50, 80, -1])
def test_an_overlap_that_never_moves_on_is_refused_with_a_remedy(overlap_tokens: int) -> None:
    # case CHUNK-01
    with pytest.raises(UsageError, match="overlap_tokens") as refused:
        FixedChunker(50, overlap_tokens, per_character)
    assert "less than 50" in refused.value.hint


def test_without_overlap_two_hundred_letters_make_four_chunks_of_fifty() -> None:
    chunks = FixedChunker(50, 0, per_character).cut(plain_document("abcdefghij" * 20))
    assert [(chunk.span.start, chunk.span.end) for chunk in chunks] == [
        (0, 50),
        (50, 100),
        (100, 150),
        (150, 200),
    ]


@pytest.mark.parametrize("overlap_tokens", [52, 60, 90, 99])
def test_lines_as_long_as_half_a_chunk_still_move_on(overlap_tokens: int) -> None:
    # case CHUNK-02
    text = ("x" * 51 + "\n") * 20
    chunks = FixedChunker(100, overlap_tokens, per_character).cut(plain_document(text))
    assert [chunk.span.start for chunk in chunks] == [52 * line for line in range(20)]


def test_repeated_words_have_their_own_places() -> None:
    # case CHUNK-05
    chunks = FixedChunker(9, 0, per_character).cut(plain_document("Punkt A. Punkt A. Punkt A. "))
    assert [chunk.span.start for chunk in chunks] == [0, 9, 18]


def test_neighbours_share_the_words_of_the_overlap() -> None:
    document = plain_document("a b c d e f g h i j")
    chunks = FixedChunker(4, 1, per_word).cut(document)
    assert [chunk.span.of(document.text) for chunk in chunks] == ["a b c d", "d e f g", "g h i j"]
