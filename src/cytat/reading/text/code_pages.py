"""Bytes -> the code page in which they look most like one language, and the nearest rival. Pure.

Of languages in Latin letters, those beyond ASCII decide; of others, letters count by how common
they are: read in a wrong code page, all are letters of the alphabet, and the rare ones prevail.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

CODE_PAGES = (
    ("windows-1250", "cp1250"),
    ("iso-8859-2", "iso8859-2"),
    ("windows-1252", "cp1252"),
    ("iso-8859-15", "iso8859-15"),
    ("iso-8859-1", "iso8859-1"),
    ("windows-1251", "cp1251"),
    ("ibm852", "cp852"),
    ("koi8-r", "koi8-r"),
    ("koi8-u", "koi8-u"),
    ("ibm866", "cp866"),
    ("iso-8859-5", "iso8859-5"),
    ("windows-1253", "cp1253"),
    ("iso-8859-7", "iso8859-7"),
    ("windows-1254", "cp1254"),
    ("windows-1257", "cp1257"),
    ("windows-1255", "cp1255"),
    ("windows-1256", "cp1256"),
    ("windows-874", "cp874"),
    ("ibm850", "cp850"),
    ("macintosh", "mac-roman"),
)
"""Name shown and Python's name, the commoner first: an earlier one wins a tie."""

LETTERS = {
    "pl": "ąćęłńóśźż",
    "cs": "áčďéěíňóřšťúůýž",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "hu": "áéíóöőúüű",
    "hr": "čćđšž",
    "ro": "ăâîşţ",
    "de": "äöüß",
    "fr": "àâçèéêëîïôùûüœ",
    "es": "áéíñóúü",
    "pt": "àáâãçéêíóôõú",
    "it": "àèéìòù",
    "sv": "äåöé",
    "da": "æøåé",
    "is": "áéíóúýþæöð",
    "tr": "çğıöşüâîû",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "et": "äöõüšž",
}
COMMON_WORDS = {
    "pl": "w z na do i o nie jest po od dla przez oraz lub za to jak ma są",
    "cs": "je na se do v z s a i o po za pro od jako není jsou nebo",
    "sk": "je na sa do v z s a i o po za pre od ako nie alebo",
    "hu": "a az és is nem hogy egy van volt",
    "hr": "je na se u i za od do s o ne su ili kao",
    "ro": "de la cu din nu pe un o este sunt care pentru",
    "de": "der die das und ist nicht von zu den mit ein im auf",
    "fr": "le la les de des et est un une en pour que dans du",
    "es": "el la los de y es un una en por que con para se",
    "pt": "o a os de e um uma em por que com para se do da",
    "it": "il la di e un una in per che con non si del",
    "sv": "och att det som en i av den med ett inte",
    "da": "og at det som en i af den med et ikke er",
    "is": "og er sem hann ekki til um a",
    "tr": "bir ve bu da de ile olan olarak ne gibi daha",
    "lt": "ir yra kad su kaip bet ar iki nuo",
    "lv": "un ir ka ar no par uz kas bet vai",
    "et": "ja on ei see et kui oma ka ning",
}
OTHER_ALPHABETS = {
    "ru": ("оеаинтсрвлкмдпуя", "ыьгзбчйхжшюцщэфъё"),
    "uk": ("оаинівертслкдмупя", "зьбгйчхцїжєшщюфґ"),
    "bg": ("аеоинтрсвлкдпмзъя", "угбчйцжщхшюфь"),
    "sr": ("аоиенртсјкувдмпл", "гзбчшжцћхњљђџф"),
    "el": ("αοιετσνηυρπκμλςωάίόέή", "γδβχθφξζψύώϊϋΐΰ"),
    "he": ("יוהלאתרמבשנד", "עחקפכגטצסזםןךףץ"),
    "ar": ("ايلمنرتوبةعدسفهكقأح", "جشصطخذضغزثظىءئؤآإ"),
    "th": ("านรอกเงยลมวดทสตะ่้ิัี", "ปบคหแจพชข็์ืุูโใไำถธณศภผญษฐซฟฝฎฏฆฬฮๆ"),
}
"""Common letters, by their frequency in running text, and the others."""
WEIGHT_OF_OTHERS = 0.3
TYPOGRAPHIC = frozenset("„”“’‘‚–—…«»§°€•\u00a0\u00ad·×™©®‰")
INSIDE_WORDS = frozenset("\u00ad’–—·")
"""Typographic signs that may stand between letters."""
FONDNESS = 3.0
"""Weight of the share of a language's commonest words among those in ASCII alone."""
RARE = frozenset({"cp852", "cp850", "cp866", "mac-roman"})
RARE_WEIGHT = 0.85
"""Of the code pages of DOS and of old Macs: a few letters are no evidence for them."""
MIXED_WEIGHT = 0.75
"""Of a reading in which each word may be of another language."""
RIVAL_SHARE = 0.85
"""A rival with at least this share of the best plausibility leaves a doubt."""
DOUBTFUL_FIT = 0.5
"""Below it, for each letter beyond ASCII, no code page fits."""
_WESTERN = ("de", "fr", "es", "pt", "it", "sv", "da")
_CENTRAL = ("pl", "cs", "sk", "hu", "hr", "ro")
_MIXED = {"cp1252": _WESTERN, "iso8859-15": _WESTERN, "iso8859-1": _WESTERN, "cp1250": _CENTRAL,
          "iso8859-2": _CENTRAL}  # fmt: skip
"""Languages that documents in several of them are written in, with one code page."""

_WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
_MAX_WORDS = 1000
"""Words with letters beyond ASCII that vote, the most frequent first."""

Words = list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Guess:
    """A code page, and the name of another that gives another text and fits nearly as well."""

    name: str
    codec: str
    rival: str | None


@dataclass(frozen=True, slots=True)
class _Reading:
    plausibility: float
    name: str
    codec: str
    words: Words


def by_letters(content: bytes) -> Guess:
    """Return the code page whose decoded words look most like one language."""
    words = Counter(_WORD.findall(content))
    beyond = [item for item in words.most_common() if not item[0].isascii()][:_MAX_WORDS]
    plain = {word.decode().lower(): n for word, n in words.items() if word.isascii()}
    readings = [
        _reading(name, codec, beyond, plain)
        for name, codec in CODE_PAGES
        if _decodes(content, codec)
    ]
    # The first of equals: the commoner code page.
    best = max(readings, key=lambda one: one.plausibility)
    return Guess(best.name, best.codec, _rival_of(best, readings))


def _rival_of(best: _Reading, readings: list[_Reading]) -> str | None:
    others = [one for one in readings if one.words != best.words]
    if not others:
        return None
    rival = max(others, key=lambda one: one.plausibility)
    letters = sum(
        count * sum(sign.isalpha() and not sign.isascii() for sign in word)
        for word, count in best.words
    )
    is_poor = best.plausibility < DOUBTFUL_FIT * letters
    is_near = 0 < best.plausibility * RIVAL_SHARE <= rival.plausibility
    return rival.name if is_poor or is_near else None


def _decodes(content: bytes, codec: str) -> bool:
    try:
        content.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _share_of(languages: Sequence[str], words: Mapping[str, int]) -> float:
    """Return the share of the words that are common ones of any of the languages."""
    total = sum(words.values())
    common = {word for one in languages for word in COMMON_WORDS[one].split()}
    return sum(words.get(word, 0) for word in common) / total if total else 0.0


def _reading(
    name: str, codec: str, beyond: Sequence[tuple[bytes, int]], plain: Mapping[str, int]
) -> _Reading:
    words = [(word.decode(codec), count) for word, count in beyond]
    by_language = {
        language: [count * _fit(word, weights) for word, count in words]
        for language, weights in _WEIGHTS.items()
    }
    plausible = [
        sum(fits) * (1 + FONDNESS * _share_of((one,), plain)) for one, fits in by_language.items()
    ]
    plausible += [
        sum(count * _fit(word, weights, is_latin=False) for word, count in words)
        for weights in _OTHER_WEIGHTS
    ]
    if codec in _MIXED:
        several = _MIXED[codec]
        best = sum(max(fits) for fits in zip(*(by_language[one] for one in several), strict=True))
        plausible.append(MIXED_WEIGHT * best * (1 + FONDNESS * _share_of(several, plain)))
    rarity = RARE_WEIGHT if codec in RARE else 1.0
    return _Reading(rarity * max(plausible), name, codec, words)


def _weights(common: str, others: str) -> dict[str, float]:
    weights = dict.fromkeys((*common, *common.upper()), 1.0)
    return weights | dict.fromkeys((*others, *others.upper()), WEIGHT_OF_OTHERS)


_WEIGHTS = {language: _weights(letters, "") for language, letters in LETTERS.items()}
_OTHER_WEIGHTS = [_weights(*letters) for letters in OTHER_ALPHABETS.values()]


def _fit(word: str, weights: dict[str, float], *, is_latin: bool = True) -> float:
    """Return how well the signs of a word beyond ASCII fit an alphabet: 1 a letter, or less."""
    is_mixed = not is_latin and any(sign.isascii() for sign in word)
    fit = 0.0
    for place, sign in enumerate(word):
        if sign.isascii():
            continue
        if sign in weights:
            is_right = _has_case_of_neighbours(word, place) and not is_mixed
            fit += weights[sign] if is_right else -1.0
        elif sign.isalpha():
            fit -= 1.0
        elif sign not in TYPOGRAPHIC:
            fit -= 3.0
        elif 0 < place < len(word) - 1 and sign not in INSIDE_WORDS:
            fit -= 1.0
        else:
            fit += 0.5
    return fit


def _has_case_of_neighbours(word: str, place: int) -> bool:
    """Say whether no capital follows a small letter there: "zapŁaty" is of another code page."""
    before, sign, after = word[:place][-1:], word[place], word[place + 1 : place + 2]
    return not (sign.isupper() and before.islower()) and not (sign.islower() and after.isupper())
