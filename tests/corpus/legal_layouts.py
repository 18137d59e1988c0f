"""Legal documents in the layouts they are published in, each with questions and its units.

The expected units were copied from the texts by hand, blanks made one.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Layout:
    """One small document, and question -> the unit that is its whole answer."""

    name: str
    text: str
    units: dict[str, str]


LAYOUTS = (
    Layout(
        "umowa-najmu.txt",
        """UMOWA NAJMU

§ 1
Przedmiot najmu
1. Wynajmujący oddaje do używania lokal przy ul. Lipowej 4 w Łomży,
zgodnie z § 9 ust. 1 regulaminu
i planem.
2. Lokal ma 48 m2.

§ 2
Czynsz
1. Czynsz wynosi 1 850 zł miesięcznie.
2. Czynsz jest płatny z góry do dnia
10. każdego miesiąca.
3. Do czynszu dolicza się:
1) opłatę za wodę;
2) opłatę za śmieci:
a) segregowane – 20 zł,
b) mieszane – 45 zł.

§ 3
Kaucja
Kaucja wynosi 3 700 zł. Zwrot następuje w ciągu 30 dni.

Postanowienia końcowe
§ 4
Umowa obowiązuje od 1 marca.
""",
        {
            "§ 1 ust. 1": (
                "1. Wynajmujący oddaje do używania lokal przy ul. Lipowej 4 w Łomży, zgodnie "
                "z § 9 ust. 1 regulaminu i planem."
            ),
            "§ 2 ust. 2": "2. Czynsz jest płatny z góry do dnia 10. każdego miesiąca.",
            "§ 2 ust. 3 pkt 2": (
                "2) opłatę za śmieci: a) segregowane – 20 zł, b) mieszane – 45 zł."
            ),
            "§ 2 ust. 3 pkt 2 lit. b": "b) mieszane – 45 zł.",
            "§ 3": "§ 3 Kaucja Kaucja wynosi 3 700 zł. Zwrot następuje w ciągu 30 dni.",
            "Co mówi par. 3?": (
                "§ 3 Kaucja Kaucja wynosi 3 700 zł. Zwrot następuje w ciągu 30 dni."
            ),
            "§ 4": "§ 4 Umowa obowiązuje od 1 marca.",
            "ust. 1 w § 2": "1. Czynsz wynosi 1 850 zł miesięcznie.",
            "Ile wynosi kaucja w § 3?": "Kaucja wynosi 3 700 zł.",
        },
    ),
    Layout(
        "kodeks.txt",
        """KODEKS ŻEGLUGI RZECZNEJ

DZIAŁ PIERWSZY. Przepisy ogólne

Rozdział I. Zasady

Art. 1. § 1. Kodeks określa prawa szyprów. § 2. Przepisów kodeksu nie stosuje się do tratew.
Art. 2. Szyper odpowiada za statek.
Art. 2¹. § 1. Szyper prowadzi dziennik.
§ 2. Dziennik przechowuje się 5 lat.
Art. 5a. Załoga liczy co najmniej 3 osoby.
Art. 6. (uchylony)
Art. 7. § 1. Opłata śluzowa wynosi:
1) 12 zł dla łodzi;
2) 40 zł dla barek, o których mowa w
art. 2 § 1 ustawy;
3) 95 zł dla statków.
§ 2. Opłaty nie pobiera się w nocy.

Rozdział II. Kary

Art. 8. Kto przekracza śluzę bez opłaty, podlega grzywnie.
""",
        {
            "art. 1 § 2": "§ 2. Przepisów kodeksu nie stosuje się do tratew.",
            "art. 1": (
                "Art. 1. § 1. Kodeks określa prawa szyprów. § 2. Przepisów kodeksu nie "
                "stosuje się do tratew."
            ),
            "Art. 2¹": (
                "Art. 2¹. § 1. Szyper prowadzi dziennik. § 2. Dziennik przechowuje się 5 lat."
            ),
            "art. 2(1) § 2": "§ 2. Dziennik przechowuje się 5 lat.",
            "art. 2^1 § 1": "§ 1. Szyper prowadzi dziennik.",
            "art. 2 z indeksem 1 § 2": "§ 2. Dziennik przechowuje się 5 lat.",
            "art. 2": "Art. 2. Szyper odpowiada za statek.",
            "art. 5a": "Art. 5a. Załoga liczy co najmniej 3 osoby.",
            "artykul 6": "Art. 6. (uchylony)",
            "art. 7 § 1 pkt 2": "2) 40 zł dla barek, o których mowa w art. 2 § 1 ustawy;",
            "art. 7 § 2": "§ 2. Opłaty nie pobiera się w nocy.",
            "Co stanowi art. 8 kodeksu?": (
                "Art. 8. Kto przekracza śluzę bez opłaty, podlega grzywnie."
            ),
        },
    ),
    Layout(
        "podatek.txt",
        """USTAWA
z dnia 3 lutego 2019 r.
o podatku od latarni

Art. 43. 1. Zwalnia się od podatku:
17) latarnie szkolne;
18) latarnie w szpitalach:
a) publicznych,
b) prywatnych, jeżeli działają dłużej niż 2 lata;
18a) latarnie w aptekach;
19) latarnie morskie.
2. Zwolnienie, o którym mowa w ust. 1 pkt 18, stosuje się do końca roku.
Art. 43a. Podatek płaci się kwartalnie.
Art. 44. 1. Stawka wynosi 7%.
1a. Stawka obniżona wynosi 3%.
2. Minister może podwyższyć stawkę.
""",
        {
            "art. 43 ust. 1 pkt 18": (
                "18) latarnie w szpitalach: a) publicznych, b) prywatnych, jeżeli działają "
                "dłużej niż 2 lata;"
            ),
            "art. 43 ust. 1 pkt 18 lit. b": "b) prywatnych, jeżeli działają dłużej niż 2 lata;",
            "art. 43 ust. 1 pkt 18a": "18a) latarnie w aptekach;",
            "pkt 19 art. 43 ust. 1": "19) latarnie morskie.",
            "art. 43 ust. 2": (
                "2. Zwolnienie, o którym mowa w ust. 1 pkt 18, stosuje się do końca roku."
            ),
            "art. 43a": "Art. 43a. Podatek płaci się kwartalnie.",
            "art. 44 ust. 1a": "1a. Stawka obniżona wynosi 3%.",
            "Jaka jest stawka obniżona w art. 44?": "Stawka obniżona wynosi 3%.",
        },
    ),
    Layout(
        "regulamin.md",
        """# Regulamin wspólnoty

**§ 1. Postanowienia ogólne**

1. Cisza nocna trwa od 22:00 do 6:00.
2. Grill jest zabroniony.

**§ 2. Parking**

1. Każdy lokal ma jedno miejsce.
2. Goście parkują do 3 godzin.

### § 3 Zwierzęta

Psy prowadzi się na smyczy. Koty są wolne.
""",
        {
            "§ 1": (
                "**§ 1. Postanowienia ogólne** 1. Cisza nocna trwa od 22:00 do 6:00. 2. "
                "Grill jest zabroniony."
            ),
            "§ 2 ust. 2": "2. Goście parkują do 3 godzin.",
            "paragraf 3": "§ 3 Zwierzęta Psy prowadzi się na smyczy. Koty są wolne.",
            "Pokaż § 3 regulaminu": "§ 3 Zwierzęta Psy prowadzi się na smyczy. Koty są wolne.",
        },
    ),
    Layout(
        "studia.html",
        """<html lang="pl"><body><h1>Regulamin studiów</h1>
<h2>Rozdział 1</h2>
<h3>§ 1</h3>
<ol><li>Rok trwa 10 miesięcy.</li><li>Semestr trwa 15 tygodni.</li></ol>
<p style="text-align:center"><b>§ 2</b></p>
<p>1. Egzamin poprawkowy kosztuje 80 zł.</p>
<p>2. Student może powtarzać rok raz.</p>
<p>Art. 7<sup>2</sup>. Dziekan wydaje decyzję w 14 dni.</p></body></html>""",
        {
            "§ 1 ust. 2": "2. Semestr trwa 15 tygodni.",
            "§ 2": "§ 2 1. Egzamin poprawkowy kosztuje 80 zł. 2. Student może powtarzać rok raz.",
            "§ 2 ust. 1": "1. Egzamin poprawkowy kosztuje 80 zł.",
            "art. 7^2": "Art. 7². Dziekan wydaje decyzję w 14 dni.",
        },
    ),
    Layout(
        "lease.txt",
        """LEASE AGREEMENT

1. Parties. The landlord is Mill Lane Ltd. The tenant is Ann Poole.
2. Rent. The rent is 900 pounds a month.
3. Deposit. The tenant pays 1,350 pounds. The deposit is returned within 20 days.
3.1 The deposit is kept in a scheme.
3.2 Interest belongs to the tenant.
4. Notice. Either party may give two months' notice, subject to clause 3.
""",
        {
            "clause 3": (
                "3. Deposit. The tenant pays 1,350 pounds. The deposit is returned within 20 "
                "days. 3.1 The deposit is kept in a scheme. 3.2 Interest belongs to the "
                "tenant."
            ),
            "clause 3.2": "3.2 Interest belongs to the tenant.",
            "What does clause 2 say?": "2. Rent. The rent is 900 pounds a month.",
            "clause 4": (
                "4. Notice. Either party may give two months' notice, subject to clause 3."
            ),
            "section 2": "2. Rent. The rent is 900 pounds a month.",
        },
    ),
    Layout(
        "act.txt",
        """Harbour Act

PART I
Preliminary

Section 1. Short title. This Act may be cited as the Harbour Act.
Section 4. Fees.
(1) A master pays a fee of 30 pounds.
(2) No fee is due from:
(a) fishing boats;
(b) boats of the coast guard.
(3) Fees are reviewed yearly.
Section 5. Penalties. A master who does not pay is fined 200 pounds.
Schedule 2
Forms of the harbour office.
""",
        {
            "Section 4(2)(b)": "(b) boats of the coast guard.",
            "section 4(2)": (
                "(2) No fee is due from: (a) fishing boats; (b) boats of the coast guard."
            ),
            "section 4(3)": "(3) Fees are reviewed yearly.",
            "section 5": "Section 5. Penalties. A master who does not pay is fined 200 pounds.",
            "Schedule 2": "Schedule 2 Forms of the harbour office.",
            "section 1": "Section 1. Short title. This Act may be cited as the Harbour Act.",
        },
    ),
    Layout(
        "statutes.md",
        """# Statutes of the club

## Article 5 Members

1. A member pays 15 euro a year.
2. A member may resign at any time.

## Article 6 Board

The board has five members.
""",
        {
            "Article 5": (
                "Article 5 Members 1. A member pays 15 euro a year. 2. A member may resign "
                "at any time."
            ),
            "Article 5(2)": "2. A member may resign at any time.",
            "article 6": "Article 6 Board The board has five members.",
        },
    ),
    Layout(
        "rules.txt",
        """Rules of the regatta

Rule 3.1 Boats start at noon.
Rule 3.2 A boat that starts early sails two laps more.
Rule 4 Protests are made within one hour.
""",
        {
            "Rule 3.2": "Rule 3.2 A boat that starts early sails two laps more.",
            "rule 4": "Rule 4 Protests are made within one hour.",
        },
    ),
    Layout(
        "regs.txt",
        """The Ferry Regulations

6. Ferries run until dusk.

7.—(1) A ferry carries at most 40 persons.
(2) Children under four are not counted.

8. These Regulations come into force in May.
""",
        {
            "reg. 7": (
                "7.—(1) A ferry carries at most 40 persons. (2) Children under four are not "
                "counted."
            ),
            "regulation 7(2)": "(2) Children under four are not counted.",
            "regulation 7(1)": "(1) A ferry carries at most 40 persons.",
            "reg 6": "6. Ferries run until dusk.",
        },
    ),
    Layout(
        "uchwala.txt",
        """Uchwała nr 5

§ 1. Ustala się opłatę targową. § 2. Opłata wynosi 11 zł dziennie. § 3. Uchwała obowiązuje od maja.
""",
        {
            "§ 1": "§ 1. Ustala się opłatę targową.",
            "§ 2": "§ 2. Opłata wynosi 11 zł dziennie.",
            "§ 3 uchwały": "§ 3. Uchwała obowiązuje od maja.",
        },
    ),
    Layout(
        "instrukcja.txt",
        """Instrukcja

Paragraf 5
1. Wartownik:
– zamyka bramę,
– gasi światło,
– oddaje klucze.
2. Zmiana trwa 8 godzin.
Paragraf 6
Wartownik nosi mundur.
""",
        {
            "paragraf 5 ust. 2": "2. Zmiana trwa 8 godzin.",
            "§ 5 ust. 1": "1. Wartownik: – zamyka bramę, – gasi światło, – oddaje klucze.",
            "§ 5 ust. 1 tiret drugie": "– gasi światło,",
            "§ 6": "Paragraf 6 Wartownik nosi mundur.",
        },
    ),
)
