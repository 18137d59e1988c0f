"""Text or passage -> its language, by function words, letters and a few word shapes. Pure.

Function words distinguish languages, and are left out of matching. Their lists hold articles,
pronouns, prepositions, conjunctions, auxiliaries and question words only, as typed with diacritics;
the folded spelling counts too. No list holds a word that carries content.

Made for documents, passages and short questions in the languages of `LANGUAGES`; anything else, or
a text of names and numbers alone, has no language here.

A document has a language; a quote, an abstract or one column of a contract may be in another. A
part is taken for foreign only when it says so clearly: stems of the wrong language cost more than
those of a language that is merely not the best.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter

from cytat.text.folding import clean, fold, only_assigned

_LISTS: dict[str, str] = {
    "pl": """
        a aby ale albo ani bez bo bowiem by była było były był być będzie będą byłby byłaby chce
        ci cię ciebie co czego czemu czy czyj czyja czyje czyli czym dla dlaczego do dokąd gdy
        gdyby gdzie go i ich ile ilu im inne inny innych iż ja jak jaka jaki jakie jakich jakiego
        jakiej jakim jakimi jaką jako je jednak jego jej jemu jest jestem jesteś jeśli jeżeli już
        ją kiedy kim kogo komu kto która które którego której który których którym którymi którzy
        którą ku lecz lub ma mają mam mamy mi mnie mną moja moje może można mój mu my na nad nam
        nami nas nasz nasza nasze nie niech nich nim nimi niż no o od on ona one oni ono oraz pan
        pani po pod podczas ponieważ poza przed przez przy przecież siebie się skąd są ta tak taka
        taki takie także tam te tego tej ten też tę tych tym tymi tylko to tobie tu twoja twoje
        twój ty u w we wam wami was wasz więc wobec wszystko z za zatem że ze żeby żaden zaś
        została zostało zostały został
        """,
    "en": """
        a about above after again against all am an and any are as at be because been before being
        below between both but by can cannot could did do does doing down during each either for
        from further had has have having he her here hers him his how however i if in into is it
        its itself just let may me might more most must my neither no nor not of off on once only
        or other our ours out over own same shall she should so some such than that the their
        theirs them then there these they this those through thus to too under until up upon us
        very was we were what when where whether which while who whom whose why will with within
        without would you your yours
        """,
    "de": """
        aber als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein deine
        dem den denn der des dessen die dies diese diesem diesen dieser dieses doch dort du durch
        ein eine einem einen einer eines er es euch euer für gegen hat hatte haben habe ich ihm
        ihn ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann kein
        keine keinem keinen keiner können man mein meine mich mir mit muss müssen nach nicht noch
        nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so soll
        sollen sowie über um und uns unser unter vom von vor wann war waren warum was weil welche
        welchem welchen welcher welches wenn wer werden wie wieviel wir wird wo wurde wurden zu
        zum zur zwischen
        """,
    "fr": """
        a ai ainsi au aucun aucune aussi autre aux avec avait c ce cela celle celui ces cet cette
        ceux chaque ci comme comment d dans de des donc dont du elle elles en entre est et été
        être eu il ils j je jusque l la le les leur leurs lui m ma mais me mes moi mon n ne ni nos
        notre nous on ont ou où par pas pendant plus pour pourquoi qu quand que quel quelle
        quelles quels qui quoi s sa sans se selon sera ses si soit son sont sous sur t ta te tes
        toi ton tous tout toute toutes très tu un une vers vos votre vous y étaient était combien
        """,
    "es": """
        a al algo ante antes aunque como con contra cuando cuanto cuál cuándo cuánta cuántas
        cuánto cuántos cómo de del desde donde dónde durante e el ella ellas ellos en entre era
        eran es esa ese eso esta estas este esto estos está están fue fueron ha han hasta hay la
        las le les lo los más me mi mis mientras muy ni no nos nosotros o para pero por porque
        pues que quien quién qué se según ser si sido sin sobre son su sus también te tiene tienen
        tu tus un una unas uno unos y ya yo él
        """,
    "it": """
        a ad agli ai al alla alle allo anche c che chi ci come con contro cosa cui d da dagli dai
        dal dalla dalle dallo degli dei del della delle dello dell di dopo dove e ed era erano
        essere fra gli ha hanno i il in io l la le lei li lo loro lui ma mentre mi mia mio ne
        negli nei nel nella nelle nello nell noi non nostra nostro o ogni per perché però più qual
        quale quali quando quanta quante quanti quanto quella quelle quello questa queste questi
        questo se sei senza si sia sono sta stata stato su sua sue sugli sui sul sulla sulle suo
        suoi tra tu tuo un una uno vi voi è
        """,
    "pt": """
        a ao aos as até com como da das de dela dele deles depois do dos e ela elas ele eles em
        entre era eram essa esse esta estas este estes está estão eu foi foram há isso isto já lhe
        mais mas me mesmo meu minha muito na nas nem no nos nosso não nós o onde os ou para pela
        pelas pelo pelos por porque porquê qual quais quando quanta quantas quanto quantos que
        quem se sem ser seu seus sobre sua suas são também te tem têm um uma umas uns você vocês à
        às é
        """,
    "nl": """
        aan al alle als bij daar dan dat de deze die dit doch door dus een en er geen had heb
        hebben heeft hem het hier hij hoe hoeveel hun ik in is ja je kan kunnen maar me meer men
        met mij mijn moet moeten na naar niet nog nu of om omdat onder ons onze ook op over te
        tegen toch toe tot tussen u uit uw van veel voor waar waarom wanneer want waren was wat we
        welk welke werd werden wie wij wil worden wordt zal ze zich zij zijn zo zonder zou zullen
        """,
    "cs": """
        a aby ale ani asi až bez bude budou by byl byla byli bylo být co což či další do ho i jak
        jaká jaké jaký jako je jeho jej její jejich jen ještě jež ji jsem jsi jsme jsou již k kam
        kde kdo kdy když ke kolik která které kterého který kterou kteří ku ma máme mezi mi mu
        musí má mají může my na nad nám nebo neboť nejsou než ni nic není o od on ona oni ono pak
        po pod podle pokud pouze pro proč proto protože před přes při s se si své svůj svých ta
        tak také takže tam tato ten tedy této tím to toho tom tomu tu ty tyto u už v vám ve však
        všech z za zda ze že
        """,
    "sk": """
        a aby aj ak ako aká aké aký ale alebo ani až bez bol bola boli bolo bude budú by byť cez
        čo či do ho i ich iba ja je jeho jej keď kde kedy kto koľko ktorá ktoré ktorého ktorý
        ktorí ku ma majú má medzi mi mu musí môže my na nad nie o od on ona oni ono po pod podľa
        pokiaľ pre prečo pred preto pretože pri s sa si som sme sú svoj tak takže tam ten tento
        tejto tieto to toho tom tomu tu ty táto už v vo však všetko z za zo že
        """,
    "ru": """
        а без бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для
        до его ее ей если есть еще же за и из или им их к каждый как какая какие каких какой какое
        какого когда которая которые который которых кто куда ли мне может можно мой мы на над
        надо нам нас не него нее нет ни них но о об однако он она они оно от очень по под после
        потому при про с сам свой себя со сколько так также такой там те тем то того тоже той
        только том ты у уже чего чем что чтобы эта эти это этого этой этом этот я является
        """,
    "uk": """
        а або без би був була були було бути в вам вас весь ви від він вона вони воно все всі всіх
        де для до його його її їх є ж за з зі і із її й йому коли кому котрий кого ким куди лише
        ми може можна моя мій на над нам нас не неї немає ні них ніж о об один однак по під після
        при про протягом свій себе скільки та так також такий там те тим ти тільки то того тому у
        хто це цей ці цього цьому ця чи чим чого чому що щоб як яка яке який якого якої яких які
        якщо я
        """,
    "sv": """
        alla att av blev bli blir de dem den denna deras dess det detta dig din du där efter eller
        en ett från för ha hade han hans har hon hur hur här i icke inte ja jag kan kunde man med
        mellan men mig min mot mycket ni nu när någon något några och om oss på sedan sig sin sina
        ska skall skulle som så till under upp ut utan vad var varför vi vid vilka vilken vilket
        är över
        """,
    "da": """
        af alle at blev bliver da de den denne deres det dette dig din du eller en end er et efter
        for fra ham han hans har havde hende her hun hvad hvem hvilke hvilken hvilket hvis hvor
        hvordan hvorfor hvornår i ikke ind ja jeg kan kunne man med mellem men mig min mod må ned
        nogen noget nogle nu når og også om op os over på sig sin skal skulle som så til ud under
        var ved vi vil være været
        """,
}

LANGUAGES = frozenset(_LISTS)
"""Languages with a list, ISO 639-1."""


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the function words of a language, in both spellings; empty when there is no list."""
    words = _LISTS.get(language, "").split()
    return frozenset(words) | frozenset(fold(word) for word in words)


_SAMPLE_CHARACTERS = 8_000
"""The beginning of a document shows its language; more only costs time."""

_WORD = re.compile(r"[^\W\d_]+")
_IDENTIFIER = re.compile(r"\S*[\d@\\_]\S*|\S+://\S+|\S+/\S+")
"""Codes and addresses have no language."""

_LETTERS: dict[str, str] = {
    "pl": "ąćęłńśźż", "cs": "ěřůťď", "sk": "ľĺŕôä", "de": "ßäöü", "fr": "œçèêâîû", "es": "ñ¿¡",
    "pt": "ãõ", "it": "òìù", "sv": "åäö", "da": "æøå", "uk": "іїєґ", "ru": "ыэъё",
}  # fmt: skip
_SHAPES: dict[str, str] = {
    "pl": r"sz|cz|rz|dz|(?:ego|emu|ach|ami|ych|ymi|owi|nia|nie|cja|cji|ow|osc|osci|esz|kiem|iej)$"
    r"|^(?:prz|wsp|nie)",
    "en": r"(?:ing|tion|tions|ness|ally|ght|ould|ously|ity)$|^(?:wh|th)",
    "de": r"sch|(?:ung|ungen|heit|keit|lich|lichen|isch|ischen)$|^(?:ver|ge)",
    "fr": r"eau|(?:eux|aux|ment|tion|ique|aire|ées?)$",
    "es": r"(?:ción|ciones|dad|miento|ar|ados?)$",
    "it": r"(?:zione|zioni|mente|etto|ità|are|ere)$|gli",
    "pt": r"(?:ção|ções|dade|mento|ões)$|nh|lh",
    "nl": r"ij|aa|(?:heid|lijk|lijke|atie)$",
    "cs": r"(?:ého|ých|ost|osti|ání|ení|ových?)$",
    "ru": r"(?:ого|ение|ения|ость|ться|ый|ая|ых)$",
    "uk": r"(?:ого|ення|ість|ться|ий|ості|их)$",
}

_FUNCTION_WORD, _LETTER, _SHAPE = 1.0, 0.6, 0.2
"""Evidence of one word, one telling letter, one shape: a shape alone, three times, is a hint only
when nothing speaks against it."""
_LEAST_EVIDENCE = 0.35
"""More than one shape: a single ending such as "-ment" is at home in several languages."""


@cache
def _shape(language: str) -> re.Pattern[str]:
    return re.compile(_SHAPES[language])


@cache
def _languages_of(word: str) -> tuple[str, ...]:
    """Return the languages that have `word` among their function words."""
    return tuple(sorted(code for code in LANGUAGES if word in stop_words(code)))


@lru_cache(maxsize=65_536)
def _evidence(word: str) -> tuple[tuple[str, float], ...]:
    """Return how much one word speaks for each language; a word shared by many says little."""
    evidence: dict[str, float] = defaultdict(float)
    owners = _languages_of(word)
    for code in owners:
        evidence[code] += _FUNCTION_WORD / len(owners) ** 0.5
    for code, letters in _LETTERS.items():
        evidence[code] += _LETTER * any(letter in letters for letter in word)
    if len(word) > 3 and not owners:  # noqa: PLR2004 - shorter words have no endings
        for code in _SHAPES:
            evidence[code] += _SHAPE * bool(_shape(code).search(word))
    return tuple((code, weight) for code, weight in evidence.items() if weight)


def evidence_of(words: Iterable[str]) -> dict[str, float]:
    """Return how much words in small letters speak for each language; what has none is absent."""
    total: dict[str, float] = defaultdict(float)
    for word, count in Counter(words).items():
        for code, weight in _evidence(word[:64]):
            total[code] += weight * count
    return total


def detect_language(text: str) -> str | None:
    """Return the language of `text` (ISO 639-1), or None when nothing in it shows it."""
    sample = _IDENTIFIER.sub(" ", clean(text[:_SAMPLE_CHARACTERS]))
    total = evidence_of(_WORD.findall(sample))
    ranked = sorted(((weight, code) for code, weight in total.items()), reverse=True)
    if not ranked or ranked[0][0] < _LEAST_EVIDENCE:
        return None
    (best, code), (second, _) = ranked[0], ranked[1] if len(ranked) > 1 else (0.0, "")
    return code if best > second * 1.1 else None


FEWEST_WORDS = 6
LEAST_EVIDENCE = 3.0
"""Three function words that no other language has, or more that are shared."""
TIMES_THE_OTHERS = 3.0
"""Of the evidence for the document's own language; a neighbour of it shares its short words."""
AHEAD_OF_THE_NEXT = 1.5

_PIECE = re.compile(r"[^\n|]*(?:[\n|]+|\Z)")
"""A line, or a cell of a table, with what ends it."""


def parts_by_language(text: str, language: str | None) -> list[tuple[str, str | None]]:
    """Return a text in parts with their languages; joined they are the text.

    Args:
        text: of one chunk, or any other.
        language: of its document; a text without a recognised language has it.
    """
    pieces = _with_languages(filter(None, _PIECE.findall(text)), language)
    return [
        ("".join(piece for piece, _ in found), code)
        for code, found in groupby(pieces, key=itemgetter(1))
    ] or [(text, language)]


def passage_language(text: str, language: str | None) -> str | None:
    """Return the language of the most of a text: its document's, unless it is clearly foreign."""
    held: dict[str | None, int] = defaultdict(int)
    for part, code in parts_by_language(text, language):
        held[code] += len(part)
    return max(held, key=lambda code: held[code])


def _with_languages(
    pieces: Iterable[str], language: str | None
) -> Iterator[tuple[str, str | None]]:
    """Yield each piece with its language; an unrecognised one goes with the piece before."""
    code = language
    for piece in pieces:
        words = _WORD.findall(only_assigned(piece).lower())
        code = _language_of(words, language, before=code) if words else language
        yield piece, code


def _language_of(words: list[str], language: str | None, *, before: str | None) -> str | None:
    found = evidence_of(words)
    if not found:
        return before
    own = found.get(language, 0.0) if language else 0.0
    *_, second, (best, code) = (0.0, ""), *sorted((weight, code) for code, weight in found.items())
    if code == language:
        return language
    is_clear = best >= max(LEAST_EVIDENCE, TIMES_THE_OTHERS * own, AHEAD_OF_THE_NEXT * second[0])
    return code if is_clear and len(words) >= FEWEST_WORDS else before
