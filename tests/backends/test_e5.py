"""The default encoder: its contract, its tokens, and a cache that is whole or built anew."""

import threading
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.conftest import MODEL_CACHE

from cytat.backends.e5 import embedder as e5
from cytat.backends.e5.embedder import MANIFEST, cached_files
from cytat.backends.e5.tokens import UnigramTokenizer, build_table
from cytat.backends.e5.weights import (
    FILE,
    MASK,
    VECTORS,
    Blocks,
    Precision,
    Vocabulary,
    WeightsFile,
    find_weights,
)
from cytat.embedding import past_window
from cytat.protocols import Embedder, ModelOptions, Vectors
from cytat.testing.embedders import EmbedderContract


def options(cache: Path) -> ModelOptions:
    return ModelOptions(cache=cache, model=None, base_url=None, api_key=None, timeout_s=30)


@pytest.fixture(scope="module")
def weights() -> WeightsFile:
    return WeightsFile(find_weights(Path(MODEL_CACHE)))


@pytest.fixture(scope="module")
def vocabulary(weights: WeightsFile) -> Vocabulary:
    return weights.vocabulary()


@pytest.fixture(scope="module")
def table(vocabulary: Vocabulary) -> memoryview:
    return memoryview(build_table(vocabulary).tobytes()).cast("Q")


@pytest.fixture
def tokenizer(vocabulary: Vocabulary, table: memoryview) -> UnigramTokenizer:
    return UnigramTokenizer(vocabulary, table)


@pytest.fixture(scope="session")
def encoder() -> Embedder:
    """The real encoder, from the user's cache, so that it is built once and not at each run."""
    return e5.open_embedder(options(Path(MODEL_CACHE)))


# ------------------------------------------------------------ tokens


def pieces(tokenizer: UnigramTokenizer, vocabulary: Vocabulary, text: str) -> list[str]:
    return [vocabulary.piece(number).decode() for number in tokenizer.encode(text).ids]


def test_a_word_is_cut_into_its_likeliest_pieces(
    tokenizer: UnigramTokenizer, vocabulary: Vocabulary
) -> None:
    found = pieces(tokenizer, vocabulary, "stawka podatku VAT")
    assert found == ["▁staw", "ka", "▁podatku", "▁VAT"]


def test_ends_are_code_points_of_the_text_as_given(tokenizer: UnigramTokenizer) -> None:
    text = "  Zażółć\t😀 e\u0301t\u00e9 ﬁ"
    decomposed = unicodedata.normalize("NFD", text)
    assert tokenizer.encode(text).ids == tokenizer.encode(decomposed).ids
    assert tokenizer.encode(text).ends[-1] == len(text)
    assert tokenizer.encode(decomposed).ends[-1] == len(decomposed)


def test_the_spelling_of_a_special_token_is_plain_text(
    tokenizer: UnigramTokenizer, vocabulary: Vocabulary
) -> None:
    special = {vocabulary.bos, vocabulary.eos, vocabulary.pad}
    assert not special & set(tokenizer.encode("</s> <s> <pad>").ids)


def test_unknown_neighbours_are_one_token(
    tokenizer: UnigramTokenizer, vocabulary: Vocabulary
) -> None:
    found = tokenizer.encode("x𐎀𐎁𐎂y")
    assert found.ids.count(vocabulary.unknown) == 1
    assert found.ends[found.ids.index(vocabulary.unknown)] == 4


def test_control_characters_alone_are_no_tokens(tokenizer: UnigramTokenizer) -> None:
    assert tokenizer.encode("\x01 \x02\x03 \u200b").ids == []


def test_encoding_can_stop_early_with_the_same_tokens(tokenizer: UnigramTokenizer) -> None:
    text = "Pismo wpłynęło w terminie. " * 40
    assert tokenizer.encode(text, most=7).ids == tokenizer.encode(text).ids[:7]


@pytest.mark.model
def test_tokens_and_ends_are_those_of_another_tokenizer(
    tokenizer: UnigramTokenizer, vocabulary: Vocabulary
) -> None:
    """The `tokenizers` package builds the same model; it normalises nothing here."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    count = len(vocabulary.scores)
    scored = [(vocabulary.piece(n).decode(), vocabulary.scores[n]) for n in range(count)]
    other = Tokenizer(models.Unigram(scored, unk_id=vocabulary.unknown, byte_fallback=False))
    steps = [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    other.pre_tokenizer = pre_tokenizers.Sequence(steps)
    random = np.random.default_rng(7)
    letters = "aąbcćdeęghijklłmnńoóprsśtuwyzźż0123456789.,-()ABCXYZ日本語кирилл   "
    made = ["".join(random.choice(list(letters), size)) for size in (1, 2, 5, 40, 400) * 20]
    for text in [*made, "Zgodnie z art. 43 ust. 1 pkt 2 ustawy, kwota 1 234,50 zł. " * 5]:
        mine, theirs = tokenizer.encode(text), other.encode(text, add_special_tokens=False)
        assert mine.ids == theirs.ids
        assert mine.ends == [end for _, end in theirs.offsets]


# ------------------------------------------------------------ weights


def test_a_block_is_a_scale_and_sixteen_bytes_of_two_weights() -> None:
    nibbles = np.array([[[0x80 + (j == 0) * 0x0F for j in range(16)]]], dtype=np.uint8)
    row = Blocks(np.array([[0.5]], dtype=np.float16), nibbles).dense()[0]
    # Byte 0 is 0x8F: weight 0 is (15 - 8) / 2, weight 16 is (8 - 8) / 2; others are (0 - 8) / 2.
    assert row[0] == 3.5
    assert row[1:16].tolist() == [-4.0] * 15
    assert row[16:].tolist() == [0.0] * 16


def test_the_space_is_named_by_weights_prefixes_and_arithmetic() -> None:
    names = {e5.weights_hash(precision) for precision in Precision}
    assert len(names) == len(Precision)
    assert FILE.sha256 not in names


# case EMB-08
def test_passages_and_queries_differ_by_their_prefix(
    weights: WeightsFile, tokenizer: UnigramTokenizer
) -> None:
    class Spy:
        """A session that keeps the numbers it was given."""

        def __init__(self) -> None:
            self.seen: list[Vectors] = []

        def run(
            self, outputs: list[str] | None, inputs: Mapping[str, NDArray[np.generic]]
        ) -> list[Vectors]:
            self.seen.append(np.asarray(inputs[VECTORS], dtype=np.float32))
            return [np.ones((len(inputs[MASK]), 384), dtype=np.float32)]

    spy = Spy()
    embedder = e5.E5Embedder(weights, tokenizer, spy)
    embedder.embed_documents(["opłata za psa"])
    embedder.embed_query("opłata za psa")
    words = weights.blocks("emb.word", columns=384)
    places = weights.floats("emb.pos").reshape(-1, 384) + weights.floats("emb.type")[:384]
    for seen, text in zip(
        spy.seen, ["passage: opłata za psa", "query: opłata za psa"], strict=True
    ):
        ids = np.array([[0, *tokenizer.encode(text).ids, 2]])
        assert np.array_equal(seen, words.rows(ids) + places[: ids.shape[1]])


# ------------------------------------------------------------ the cache


def test_files_are_built_once(tmp_path: Path) -> None:
    calls: list[int] = []

    def build() -> dict[str, bytes]:
        calls.append(1)
        return {"a": b"content"}

    for _ in range(2):
        assert (cached_files(tmp_path / "made", build) / "a").read_bytes() == b"content"
    assert calls == [1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made"]


@pytest.mark.parametrize(
    "damage", ["shortened", "changed", "deleted", "no-manifest", "bad-manifest"]
)
def test_a_damaged_folder_is_built_anew(tmp_path: Path, damage: str) -> None:
    folder = cached_files(tmp_path / "made", lambda: {"a": b"content", "b": b"more"})
    match damage:
        case "shortened":
            (folder / "a").write_bytes(b"cont")
        case "changed":
            (folder / "a").write_bytes(b"Content")
        case "deleted":
            (folder / "b").unlink()
        case "no-manifest":
            (folder / MANIFEST).unlink()
        case _:
            (folder / MANIFEST).write_text("[1, 2")
    again = cached_files(tmp_path / "made", lambda: {"a": b"content", "b": b"more"})
    assert (again / "a").read_bytes() == b"content"
    assert (again / "b").read_bytes() == b"more"


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> dict[str, bytes]:
        raise RuntimeError("no space")

    with pytest.raises(RuntimeError):
        cached_files(tmp_path / "made", fail)
    assert list(tmp_path.iterdir()) == []


def test_many_builders_at_once_end_with_one_whole_folder(tmp_path: Path) -> None:
    start = threading.Barrier(8)
    found: list[bytes] = []

    def open_it() -> None:
        start.wait()
        folder = cached_files(tmp_path / "made", lambda: {"a": b"content" * 1000})
        found.append((folder / "a").read_bytes())

    threads = [threading.Thread(target=open_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [b"content" * 1000] * 8
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


# ------------------------------------------------------------ the real encoder


@pytest.mark.model
class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, encoder: Embedder) -> Embedder:
        return encoder

    def test_a_query_is_not_a_passage(self, embedder: Embedder) -> None:
        text = "opłata za psa"
        cosine = float(embedder.embed_query(text) @ embedder.embed_documents([text])[0])
        assert cosine < 0.99

    def test_it_answers_across_languages_and_inflection(self, embedder: Embedder) -> None:
        passages = [
            "Stawka podatku VAT na książki wynosi 5%.",
            "Pies jest zwierzęciem domowym.",
            "The invoice must show the date of issue.",
        ]
        vectors = embedder.embed_documents(passages)
        asked = [
            "What is the VAT rate for books?",
            "jakie zwierzę trzyma się w domu",
            "data faktury",
        ]
        best = [int((vectors @ embedder.embed_query(question)).argmax()) for question in asked]
        assert best == [0, 1, 2]

    # case EMB-01
    def test_what_does_not_fit_the_window_is_told(self, embedder: Embedder) -> None:
        long = "lorem " * 900 + "Numer rezerwowy 31337."
        over = past_window(embedder, ["krótki tekst", long])
        assert over == {1: len(embedder.token_ends(long))}
        assert over[1] > embedder.max_tokens

    def test_the_window_leaves_room_for_prefix_and_special_tokens(self, embedder: Embedder) -> None:
        # "query: " is the longer prefix: que, ry, colon.
        assert len(embedder.token_ends("query: ")) == 3
        assert embedder.max_tokens == 512 - 2 - 3

    def test_vectors_are_those_of_the_release(self, embedder: Embedder) -> None:
        """Another runtime or processor may differ in the last digits, not in these."""
        vector = embedder.embed_documents(["Stawka podatku VAT na książki wynosi 5%."])[0]
        cosine = float(embedder.embed_query("Jaka jest stawka VAT na książki?") @ vector)
        assert cosine == pytest.approx(0.9106, abs=5e-4)
