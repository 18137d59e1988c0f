"""What only a real encoder can show: answers across languages, and refusals by meaning."""

import os
from pathlib import Path

import pytest
from tests.answering.corpus_of import SmallCorpus
from tests.grounding.passages import evidence_of

from cytat.plugins import load_embedder
from cytat.protocols import Embedder, ModelOptions
from cytat.records import Answer, Refusal
from cytat.testing.generators import ScriptedGenerator

pytestmark = pytest.mark.model

LEASE = ("Kaucja wynosi 4300 zł.", "Czynsz 2150 zł.", "Najem na 12 miesięcy.")


@pytest.fixture
def encoder() -> Embedder:
    options = ModelOptions(
        cache=Path(os.environ["CYTAT_CACHE"]), model=None, base_url=None, api_key=None, timeout_s=60
    )
    return load_embedder("e5-small", options)


def corpus(encoder: Embedder, *texts: str) -> SmallCorpus:
    hits, held = evidence_of(*texts)
    return SmallCorpus(hits, held, embedder=encoder)


# case ANS-05
def test_a_question_in_one_language_is_answered_from_a_text_in_another(encoder: Embedder) -> None:
    deposit = corpus(encoder, "The deposit is 500 EUR.")
    quoted = deposit.ask("Ile wynosi kaucja?").answer
    assert quoted.language == "pl"
    assert [one.quote for one in quoted.citations] == ["The deposit is 500 EUR."]
    model = ScriptedGenerator("Kaucja wynosi 500 EUR [1].")
    written = deposit.ask("Ile wynosi kaucja?", generator=model).answer
    assert written.text == "Kaucja wynosi 500 EUR [1]."
    assert [one.quote for one in written.citations] == ["The deposit is 500 EUR."]


# case ANS-08
def test_what_three_short_documents_do_not_answer_is_refused(encoder: Embedder) -> None:
    lease = corpus(encoder, *LEASE)
    for question in (
        "Dlaczego niebo jest niebieskie?",
        "Jaka jest stolica Francji?",
        "Ile wynosi kaucja za garaż?",
        "Ile wynosi składka ZUS?",
        "What is the capital of Australia?",
        "How do I train a puppy?",
    ):
        assert isinstance(lease.ask(question).reply, Refusal), question


def test_what_three_short_documents_answer_is_answered(encoder: Embedder) -> None:
    lease = corpus(encoder, *LEASE)
    for question, right in (
        ("Ile wynosi kaucja?", LEASE[0]),
        ("Jaki jest czynsz?", LEASE[1]),
        ("Na ile miesięcy jest najem?", LEASE[2]),
    ):
        reply = lease.ask(question).reply
        assert isinstance(reply, Answer), question
        assert right in [one.quote for one in reply.citations], question
