"""The name of a fusion, as a person writes it -> the rule. Pure."""

from dataclasses import dataclass

from cytat.errors import UsageError
from cytat.retrieval.hybrid import Fusion

FORMS = ("best-shares[:WEIGHT]", "standard-scores[:WEIGHT]", "reciprocal-ranks")


@dataclass(frozen=True, slots=True)
class FusionRule:
    """How two arms become one ranking, and what the vectors weigh; None: as the rule has it."""

    fusion: Fusion
    vectors_weight: float | None

    @property
    def text(self) -> str:
        """The name as a person writes it."""
        if self.vectors_weight is None:
            return self.fusion.value
        return f"{self.fusion.value}:{self.vectors_weight:g}"


DEFAULT_FUSION = FusionRule(Fusion.BEST_SHARES, None)


def parse_fusion(name: str) -> FusionRule:
    """Return the rule of `standard-scores:0.5`.

    Raises:
        UsageError: no fusion has such a name, or its weight is none.
    """
    kind, sign, number = name.strip().lower().partition(":")
    if kind not in set(Fusion) or (sign and kind == Fusion.RECIPROCAL_RANKS):
        raise UsageError(f"there is no fusion {name!r}", hint=f"one of: {', '.join(FORMS)}")
    if not sign:
        return FusionRule(Fusion(kind), None)
    try:
        weight = float(number)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise UsageError(
            f"{number!r} is no weight of the vectors", hint="give a number from 0 to 1, such as 0.5"
        )
    return FusionRule(Fusion(kind), weight)
