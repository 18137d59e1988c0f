"""The refusal law: no evidence, no answer; and an Answer without citations cannot be built."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.answering.corpus_of import corpus_of

from cytat.records import Answer, Refusal, RefusalReason
from cytat.testing.generators import ScriptedGenerator

QUESTION = "Ile wynosi kaucja?"


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=80))
def test_whatever_a_model_says_without_evidence_there_is_no_answer(draft: str) -> None:
    reply = corpus_of().ask(QUESTION, generator=ScriptedGenerator(draft)).reply
    assert isinstance(reply, Refusal)
    assert reply.reason is RefusalReason.EMPTY_CORPUS


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="Kaucja wynosi 9zł.[]1234?\n", max_size=60))
def test_whatever_a_model_says_an_answer_has_citations(draft: str) -> None:
    reply = (
        corpus_of("Kaucja wynosi 4300 zł.").ask(QUESTION, generator=ScriptedGenerator(draft)).reply
    )
    if isinstance(reply, Answer):
        assert reply.citations
        assert all(statement.markers for statement in reply.statements)


def test_an_answer_without_citations_cannot_be_built() -> None:
    answer = corpus_of("Kaucja wynosi 4300 zł.").ask(QUESTION).answer
    with pytest.raises(ValueError, match="citation"):
        replace(answer, citations=())
    with pytest.raises(ValueError, match="statement"):
        replace(answer, statements=())
    with pytest.raises(ValueError, match="markers"):
        replace(answer, statements=(replace(answer.statements[0], markers=(7,)),))
