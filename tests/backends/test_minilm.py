"""The small English encoder: its contract and its tokens."""

import importlib.metadata
from pathlib import Path

import numpy as np
import pytest

from cytat.backends import minilm
from cytat.backends.wordpiece import WordPieceTokenizer, read_vocabulary
from cytat.errors import ModelMissingError
from cytat.protocols import Embedder, ModelOptions
from cytat.testing.embedders import EmbedderContract


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer(read_vocabulary())


def pieces(tokenizer: WordPieceTokenizer, text: str) -> list[str]:
    names = {number: piece for piece, number in read_vocabulary().items()}
    return [names[number] for number in tokenizer.encode(text).ids]


def test_the_vocabulary_is_the_public_one() -> None:
    vocabulary = read_vocabulary()
    assert len(vocabulary) == 30_522
    assert (vocabulary["[PAD]"], vocabulary["[CLS]"], vocabulary["the"]) == (0, 101, 1996)


def test_words_are_cut_into_the_longest_pieces(tokenizer: WordPieceTokenizer) -> None:
    assert pieces(tokenizer, "Unaffable, ÉTUDE!") == [
        "una",
        "##ffa",
        "##ble",
        ",",
        "et",
        "##ude",
        "!",
    ]


def test_ends_are_code_points_of_the_text_as_given(tokenizer: WordPieceTokenizer) -> None:
    assert tokenizer.encode(" e\u0301tude\x00, 日本").ends == [4, 7, 9, 11, 12]


@pytest.mark.model
def test_tokens_and_ends_are_those_of_another_tokenizer(tokenizer: WordPieceTokenizer) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    vocabulary = dict(read_vocabulary())
    other = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    other.normalizer = normalizers.BertNormalizer(lowercase=True)
    other.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    random = np.random.default_rng(7)
    letters = list("aąbcćdeéghijklmnopqrstuvwxyz0123456789.,-()$+ABCXYZÅ日本語кирилл      ")
    made = ["".join(random.choice(letters, size)) for size in (1, 2, 5, 40, 400) * 20]
    for text in [*made, "The committee's 3rd meeting (Art. 43) cost $1,234.50 – or so."]:
        mine, theirs = tokenizer.encode(text), other.encode(text, add_special_tokens=False)
        assert mine.ids == theirs.ids
        assert mine.ends == [end for _, end in theirs.offsets]


def test_without_its_weights_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "DISTRIBUTION", "cytat-no-such-distribution")
    with pytest.raises(ModelMissingError) as caught:
        minilm.find_graph()
    assert "cytat[minilm]" in caught.value.hint


def _is_installed() -> bool:
    try:
        importlib.metadata.distribution(minilm.DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


@pytest.fixture(scope="module")
def encoder() -> Embedder:
    options = ModelOptions(
        cache=Path("unused"), model=None, base_url=None, api_key=None, timeout_s=30
    )
    return minilm.open_embedder(options)


@pytest.mark.model
@pytest.mark.skipif(not _is_installed(), reason="the extra `minilm` is not installed")
class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, encoder: Embedder) -> Embedder:
        return encoder

    def test_it_knows_english_alone(self, embedder: Embedder) -> None:
        assert embedder.languages == frozenset({"en"})

    def test_it_finds_what_is_meant(self, embedder: Embedder) -> None:
        passages = embedder.embed_documents(["The dog barks at night.", "Taxes are due in May."])
        scores = passages @ embedder.embed_query("When must I pay the revenue office?")
        assert scores[1] > scores[0] + 0.2
