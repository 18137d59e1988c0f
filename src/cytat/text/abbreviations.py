"""A word before a dot -> what its dot says. Lists, and no rules.

Polish and English first; German and French as far as they do not clash. Written in lower case
without the last dot. What a list cannot decide is decided by `text.sentences` from the context.
"""


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Line by line: Polish law and places in a text, titles, connecting words; English; German; French;
# names of languages before a foreign word.
LEANING_FORWARD = _words("""
    art ust pkt lit poz par rozdz zał tabl rys ryc tab str nr dz por zob sygn zd t
    prof dr hab mgr inż lek med ks bp abp św gen płk ppłk mjr kpt por sierż kpr red dyr doc
    np tj tzn tzw m.in ww zw j.w ok pt ps ds pl os ul im wg daw pn tel ur zm godz
    jw dot płd płn wsch zach woj pow gm sp p.o t.j j.t k.p.c k.p.a k.c k.k
    mr mrs ms messrs st mt prof rev hon gov sen rep capt col lt sgt maj gen
    e.g i.e eg ie cf vs viz ca approx fig figs eq eqs sec sect ch chap vol vols pp ref refs
    ed eds para cl nos app tbl incl resp
    bzw z.b d.h u.a fr dipl ing abs bd hrsg vgl sog evtl ggf inkl abschn kap ziff
    mme mlle éd cit
    ang łac niem ros ukr arab port trb wł hiszp czes słow szw pol
    trl pw właśc hebr jap chiń tur lit oryg bł
""")
"""Always followed by what they introduce: their dot ends no sentence."""

BEFORE_NUMBERS = _words("no p s c k n v m tom")
"""Their dot belongs to the number that follows; before anything else it may end a sentence."""

UNITS = _words("ms")
"""Like a title but for its small letter."""

MULTIPLES = _words("tys mln mld bln szt")
"""What is counted follows, whatever its case: "270 tys. Tatarów"."""

NEVER_LAST = _words("u d z o")
"""Single letters inside Polish chains such as "Dz. U. z" and "sp. z o.o."."""

EITHER_WAY = _words("""
    r w itd itp etc in cd cdn zł gr min sek rb br bm ub s.a
    o.o n.e p.n.e sp.j sp.k s.c a.s b.r b.m inc ltd co corp llc plc jr sr esq bros dept u.s
    u.k u.n e.u d.c p.m a.m ph.d m.d b.a m.a usw gmbh km kg cm mm ha proc al
""")
"""They close a phrase: their dot ends a sentence too when a new one begins after it."""

LABELLING_NOUNS = _words("""
    punkt wariant witamina witaminy witaminę grupa grupy klasa klasy plan etap sala budynek
    blok typ typu kategoria kategorii opcja opcję załącznik tabela wersja część seria strefa
    zespół point variant vitamin group class stage room building block type category option
    appendix table version part series zone team section step grade schedule annex exhibit
    hepatitis model case serie person company bank teil gruppe klasse anhang
""")
"""A single capital letter after one of these is a label, not somebody's initial."""

OPENING_WORDS = _words("""
    w we z ze na do od po za o u przy przez dla bez pod nad przed nie to ta ten te ci tak jest są
    był była było były jeżeli jeśli gdy kiedy gdyby czy ale a i oraz lub albo jednak jednakże
    dlatego ponadto natomiast zatem wtedy następnie potem później dalej także również
    każdy każda każde wszystkie wszyscy strony podczas zgodnie ponieważ bowiem co kto który jego
    jej ich on ona ono oni one
    the this that these those it its he she they we you his her their our my your there here
    in at by for from with without under over after before during as if when while although
    because since until and but or so yet however therefore moreover furthermore thus then
    what who which why how where is are was were do does did can could may might must should
    no not all each every some any many most such both an
    der die das ein eine es er sie wir ich dies diese dieser dieses im am auf bei mit nach und
    aber oder wenn als le la les un une des ce cette ces il elle ils elles nous vous mais dans
    pour sur avec
""")
"""Words whose capital letter tells that a sentence begins: nobody's name starts with them."""

MONTHS_CUT_SHORT = _words("jan feb mar apr jun jul aug sep sept oct okt nov dec dez stycz paźdz")
"""Before a number their dot ends no sentence: "Jan. 5, 1990"."""

MONTHS = _words("""
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada
    grudnia january february march april may june july august september october november
    december januar februar märz mai juni juli oktober dezember jan feb mar apr jun jul aug sep
    sept oct okt nov dec dez
""")
