"""The citation law: whatever is drafted over whatever texts, every quote stands at its span."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.answering.corpus_of import corpus_of
from tests.grounding.passages import evidence_of, is_fresh

from cytat.answering import open_gate
from cytat.grounding import ground
from cytat.records import Span

SAID = (
    "kaucja wynosi 4300 zł . czynsz nie 2150 😀 e\u0301 \n | - \u00a0 Art. 43 ust. 1 : ; Najem "
    "trwa 12 miesięcy ? <think> [3] “cytat” 1 230,00 § 5"
)
WORDS = st.sampled_from(SAID.split(" "))
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=25).map(" ".join), min_size=1, max_size=3)
MARKERS = st.sampled_from([" [1].", " [2]", " [1][3].", " [9].", ". ", "\n", "【1†s】"])


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.lists(st.tuples(st.integers(0, 2), st.integers(0, 60), MARKERS), max_size=5))
def test_every_citation_of_a_draft_slices_to_its_quote(
    texts: list[str], said: list[tuple[int, int, str]]
) -> None:
    evidence, held = evidence_of(*texts)
    draft = "".join(texts[which % len(texts)][:length] + marker for which, length, marker in said)
    grounding = ground(draft, evidence, texts=held, is_stale=is_fresh)
    for citation in grounding.citations:
        assert citation.span.of(held.texts[citation.document_id]) == citation.quote
        assert citation.quote.strip()
    numbers = {citation.marker for citation in grounding.citations}
    assert numbers == set(range(1, len(numbers) + 1))
    assert all(set(one.markers) <= numbers and one.markers for one in grounding.statements)


@settings(max_examples=40, deadline=None)
@given(TEXTS, st.lists(WORDS, min_size=1, max_size=6).map(" ".join))
def test_every_quoting_answer_slices_to_its_quotes(texts: list[str], question: str) -> None:
    corpus = corpus_of(*texts)
    reply = corpus.ask(f"{question} ile").reply
    for citation in getattr(reply, "citations", ()):
        assert (
            Span(citation.span.start, citation.span.end).of(
                corpus.texts.texts[citation.document_id]
            )
            == citation.quote
        )


QUOTED_WORDS = st.sampled_from(
    [
        "kaucja", "wynosi", "4300", "zł", "-", "–", "*", "•", "dwu- i trzyosobowe", "9.00 - 17.00",
        "5 * 3 m.", "\n- ", "\n* ", "\n| Pokój | Cena |\n|---|---|\n| duży | 90 - 120 zł |\n",
        "\n\n", "Najem:", "~~90~~", "**Opłata**", "1)", "\u00a0", "Lp.", "?",
    ]
)  # fmt: skip
QUOTED_TEXTS = st.lists(
    st.lists(QUOTED_WORDS, min_size=3, max_size=25).map(" ".join), min_size=1, max_size=3
)


@settings(max_examples=100, deadline=None)
@given(QUOTED_TEXTS, st.sampled_from(["kaucja", "Ile wynosi kaucja", "pokój duży", "Najem 4300"]))
def test_a_quoted_statement_is_its_quotes_in_order(texts: list[str], question: str) -> None:
    reply = corpus_of(*texts).ask(question, gate=open_gate()).reply
    quotes = {one.marker: one.quote for one in getattr(reply, "citations", ())}
    for statement in getattr(reply, "statements", ()):
        assert statement.text == "\n".join(quotes[marker] for marker in statement.markers)
