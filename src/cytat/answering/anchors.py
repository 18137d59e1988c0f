"""Question + embedder -> how near the question is to texts that surely do not answer it.

An encoder's cosines mean nothing by themselves: e5's lie between 0.7 and 0.9 whatever is compared.
A corpus of five chunks has no spread to compare with, so each question is measured against a few
sentences on everything under the sun. How many of their deviations the best sentence lies above
their mean can be compared between questions, corpora of any size, and encoders.
"""

from weakref import WeakKeyDictionary

import numpy as np

from cytat.protocols import Embedder, Vectors

ANCHORS: dict[str, tuple[str, ...]] = {
    "pl": (
        "Wczoraj wieczorem nad jeziorem padał deszcz i wiał silny wiatr.",
        "Ciasto należy wyrabiać przez dziesięć minut, a potem odstawić w ciepłe miejsce.",
        "Drużyna gości zdobyła bramkę w ostatniej minucie meczu.",
        "Król Kazimierz założył w mieście uniwersytet i rozbudował mury.",
        "Lekarz zapisał pacjentowi tabletki przeciwbólowe na dwa tygodnie.",
        "Urząd wydaje decyzję w terminie trzydziestu dni od złożenia wniosku.",
        "Koszt naprawy pokrywa właściciel, chyba że umowa stanowi inaczej.",
        "Program zapisuje ustawienia w pliku, który można skopiować.",
        "Bociany odlatują do Afryki pod koniec sierpnia.",
        "Aktorka otrzymała nagrodę za rolę w filmie o muzykach.",
    ),
    "en": (
        "The river flooded the valley after three days of heavy rain.",
        "Mix the flour with butter and bake it until the crust turns golden.",
        "The striker signed a contract with the club for two seasons.",
        "The empire lost its eastern provinces in the following century.",
        "Patients should drink plenty of water and rest for a few days.",
        "Applications must be submitted to the office before the end of the month.",
        "The tenant pays for electricity and the owner pays for repairs.",
        "Press the button for five seconds to restart the device.",
        "Whales travel thousands of miles between their feeding grounds.",
        "The band recorded its second album in a small studio in London.",
    ),
}
"""Sentences of ours, each on something else, in the two languages most documents are in."""
LEAST_DEVIATION = 1e-3
"""Against a division by nothing, should an encoder give all anchors one cosine."""

_KEPT: WeakKeyDictionary[Embedder, dict[str | None, Vectors]] = WeakKeyDictionary()


def above_anchors(
    question_vector: Vectors, cosine: float, *, language: str | None, embedder: Embedder
) -> float:
    """Return how many deviations `cosine` lies above the question's cosines to the anchors.

    `language` is that of the text whose cosine it is: every text of the question's own language is
    nearer to it than any of another, so only anchors of the same language can be compared.
    """
    kept = _vectors(embedder)
    cosines = kept.get(language, kept[None]) @ question_vector
    return float((cosine - np.mean(cosines)) / max(float(np.std(cosines)), LEAST_DEVIATION))


def typical_cosine(question_vector: Vectors, *, language: str | None, embedder: Embedder) -> float:
    """Return the question's mean cosine to the anchors of a language."""
    kept = _vectors(embedder)
    return float(np.mean(kept.get(language, kept[None]) @ question_vector))


def _vectors(embedder: Embedder) -> dict[str | None, Vectors]:
    """Return the anchors' vectors by language, all under None; made once for each embedder."""
    if embedder not in _KEPT:
        kept: dict[str | None, Vectors] = {
            language: embedder.embed_documents(texts) for language, texts in ANCHORS.items()
        }
        kept[None] = np.concatenate(list(kept.values()))
        _KEPT[embedder] = kept
    return _KEPT[embedder]
