"""A scripted generator for tests, and the suite every generator has to pass.

`ScriptedGenerator` says what it is told to say, in the pieces it is told to say it in.
`GeneratorContract` is the seam's contract: inherit it in a test class that has a fixture
`generator`, which must be able to answer a plain question.
"""

from collections.abc import Iterator, Sequence

from cytat.errors import IncompleteDraftError
from cytat.protocols import Generator, ModelOptions, Passage, Prompt

PROMPT = Prompt(
    system="Answer from the passages.",
    user="[1] Kaucja wynosi 4300 zł.\n\nIle wynosi kaucja?",
    question="Ile wynosi kaucja?",
    language="pl",
    passages=(Passage(1, "umowa", (), "Kaucja wynosi 4300 zł."),),
)
"""A prompt with one passage, such as answering makes."""


class ScriptedGenerator:
    """Says given pieces, whatever the prompt; keeps the prompts it was given."""

    def __init__(self, *pieces: str, name: str = "scripted", breaks_off: bool = False) -> None:
        self.name = name
        self.prompts: list[Prompt] = []
        self._pieces = pieces
        self._breaks_off = breaks_off

    def generate(self, prompt: Prompt, *, max_tokens: int) -> Iterator[str]:
        """Yield the pieces; then break off, if it is made to."""
        self.prompts.append(prompt)
        yield from self._pieces[:max_tokens]
        if self._breaks_off:
            raise IncompleteDraftError("the script breaks off here", hint="ask again")

    def count_tokens(self, text: str) -> int:
        """Return one token for every three characters, and one more."""
        return len(text) // 3 + 1


def open_generator(options: ModelOptions) -> Generator:
    """Return a generator that says the model's name as its draft."""
    return ScriptedGenerator(options.model or "NO_ANSWER")


class GeneratorContract:
    """What every `Generator` promises. Provide a fixture `generator` in the class that inherits."""

    def test_a_draft_comes_in_pieces_of_text(self, generator: Generator) -> None:
        pieces = list(generator.generate(PROMPT, max_tokens=200))
        assert all(isinstance(piece, str) for piece in pieces)
        assert "".join(pieces).strip()

    def test_it_can_be_asked_again(self, generator: Generator) -> None:
        assert list(generator.generate(PROMPT, max_tokens=200))
        assert list(generator.generate(PROMPT, max_tokens=200))

    def test_a_draft_may_be_left_unread(self, generator: Generator) -> None:
        stream = generator.generate(PROMPT, max_tokens=200)
        next(iter(stream))
        assert list(generator.generate(PROMPT, max_tokens=200))

    def test_longer_text_never_has_fewer_tokens(self, generator: Generator) -> None:
        text = "Zażółć gęślą jaźń. Article 5 applies, see 1,230.00 EUR."
        counts = [generator.count_tokens(text[:end]) for end in range(len(text) + 1)]
        assert counts == sorted(counts)

    def test_tokens_are_counted_for_odd_texts(self, generator: Generator) -> None:
        odd: Sequence[str] = ("", " \n", "😀", "日本語", "\u0000", "a" * 10_000)
        assert all(generator.count_tokens(text) >= 0 for text in odd)
        assert generator.count_tokens("words " * 100) >= 100

    def test_the_generator_has_a_name(self, generator: Generator) -> None:
        assert generator.name
