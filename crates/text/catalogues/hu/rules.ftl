rules-title = A Sultan szabályai
rules-about = A Sultan szabályai képekben és röviden: drágakövek, rejtett licitek, egyenlőség, pontok.
rules-lead = Drágakövek a párnákon, lefordított kártyák és rezzenéstelen arc. Itt minden megvan, amire szükséged lesz.
rules-learn = Tanuld meg vezetett játékban
rules-short = Öt sorban
rules-short-offer = A kezdő játékos minden körben drágaköveket húz, { $count } követ a párnákra tesz ({ $players } játékosnál { $fewer } követ), az utolsót pedig vissza a zsákba.
rules-short-bid = Sorban mindenki egy pénzkártyát tesz lefordítva valamelyik párnára. Passzolni nem lehet.
rules-short-win = Minden kártyát felfordítunk: egy párnán a legmagasabb viszi el a követ, egyenlők közül az, amelyiket előbb tették le. A kijátszott kártyák elfogytak.
rules-short-screens = Az elnyert kövek eltűnnek a paravánok mögött. Próbáld megjegyezni, kinél mi van.
rules-short-points = Egy drágakő { $least }–{ $most } pontot ér, több azonos színű pedig akár +{ $bonus } bónuszpontot. A legtöbb pont nyer.
rules-contents = Ezen az oldalon

rules-aim = Mi a cél?
rules-aim-treasurer = Aki a legszebb drágaköveket gyűjti, az lesz a szultán kincstárnoka.
rules-aim-bids = Minden körben drágakövek fekszenek a bársonypárnákon. Mindenki egy lefordított pénzkártyával licitál valamelyikre; a párnán lévő legnagyobb értékű kártya viszi a drágakövet.
rules-aim-points = A ritka színek többet érnek, és több azonos színű drágakő bónuszpontot hoz. Az nyer, akinek a legtöbb pontja van.

rules-material = Mi van az asztalon?
rules-material-jewels = { $count } drágakő { $colours } színben, mind egy zsákban.
rules-material-each = Ennyi van az egyes színekből
rules-material-cards = Pénzkártyák { $colours } játékosszínben. Mindegyik színben az értékek: 1–{ $highest }.
rules-material-cushions = { $count } párna a játéktáblán; { $players } játékosnál csak { $fewer }.
rules-material-screens = Mindenkinek egy paraván. A megnyert drágakövek mögéje kerülnek, a többiek nem látják őket. A paraván hátoldala megmutatja, mennyit érnek a drágakövek és a bónuszok.
rules-material-bonus = { $a }, { $b }, { $c } és { $d } pontos pontkártyák a végső számoláshoz.

rules-setup = Előkészületek
rules-setup-colours = A Sultan { $fewest }–{ $most } játékosnak szól. Mindenki választ egy színt, és a kártyáit lefordított pakliba keveri.
rules-setup-first = Minden drágakő a zsákba kerül. Igazi asztalnál a legfiatalabb az első kör kezdő játékosa; itt a házigazda jelöli ki, vagy a véletlen.
rules-setup-stages = Egy játék { $stages } menetből áll. A menet elején kézbe veszed a paklid felső { $hand } kártyáját. Ezeknek ki kell tartaniuk: új csak akkor jár, ha minden kéz kiürült, és kezdődik a következő menet.
rules-numbers = Ami a játékosok számától függ
rules-row-cushions = Párnák
rules-row-drawn = Húzott drágakövek körönként
rules-row-cards = Egy játékos kártyái
rules-row-highest = Legnagyobb értékű kártya
rules-row-hand = Kártyák a kézben egy menethez
rules-row-bids = Egy játékos licitjei körönként
rules-row-stage = Körök egy menetben
rules-row-rounds = Körök a játékban

rules-round = Egy kör
rules-round-intro = Minden kör ugyanúgy zajlik.
rules-draw = Húzás
rules-draw-text = A kezdő játékos { $count } drágakövet húz a zsákból ({ $players } játékosnál { $fewer } darabot). Mindenki látja őket.
rules-offer = Kínálat
rules-offer-text = Közülük { $count } darabot ({ $players } játékosnál { $fewer } darabot) a párnákra tesz, mindegyikre egyet, ahogy tetszik. Ami kimarad, rögtön visszakerül a zsákba.
rules-bid = Licit
rules-bid-text = A kezdő játékos kezd, aztán balra haladva mindenki letesz { $count ->
    [one] egy kártyát
   *[other] { $count } kártyát
 } lefordítva valamelyik párnára. Ott már lehet másnak is licitje. Passzolni nem lehet.
rules-reveal = Felfedés
rules-reveal-text = Ha mindenki licitált, felfordítjátok a kártyákat. Minden párnán a legnagyobb értékű kártya viszi a drágakövet.
rules-round-seen = Látod, ki hová licitál, és milyen sorrendben. Hogy mennyit, azt a felfedésig csak a kártya gazdája tudja.
rules-round-one = Ha egy párnán csak egy kártya van, az viszi a drágakövet, bármilyen kis értékű.
rules-round-none = Az a drágakő, amelyre senki sem licitál, visszakerül a zsákba.
rules-round-gone = Minden kijátszott kártya kikerül a játékból, az is, amelyik semmit sem nyert.
rules-round-next = A bal oldali szomszéd lesz a következő kör kezdő játékosa. Ez menetről menetre így folytatódik.
rules-ties = Egyenlőség
rules-ties-text = Ha a legnagyobb értékű kártyák egyenlők, az viszi a drágakövet, amelyiket előbb tették le. (Két játékosnál más a szabály.)
rules-tie-caption = Két { $card } értékű kártya: a korábban letett (sorszáma { $first }) legyőzi a későbbit (sorszáma { $second }).

rules-two = Két játékos
rules-two-intro = Két játékosnál minden úgy megy, mint fent, ezek kivételével:
rules-two-cards = Mindkettőtöknek { $copies } sorozat kártyája van, 1-től { $highest }-ig számozva: { $cards } kártya összekeverve.
rules-two-hand = Egy menet { $rounds } körből áll, és { $hand } kártyát veszel hozzá kézbe.
rules-two-bids = Felváltva licitáltok, amíg mindketten le nem tettetek { $count } kártyát. A saját kártyáidnak különböző párnákon kell lenniük.
rules-two-ties = Egyenlő kártyáknál a kör kezdő játékosa viszi a drágakövet, akárki tette le előbb.
rules-two-next = A kezdő játékos minden kör után változik.
rules-two-bonus = Az első bónuszhoz { $count } azonos színű drágakő kell { $usual } helyett.
rules-two-see = Lásd a táblázatot.

rules-end = A játék vége és a pontok
rules-end-when = A játéknak akkor van vége, ha minden kártyát kijátszottatok: { $rounds } kör után, { $players } játékosnál { $fewer } kör után.
rules-end-count = Félrekerülnek a paravánok. Minden drágakő számít, és minden színért járhat bónusz.
rules-points = Pont drágakövenként
rules-bonus-caption = Bónusz az azonos színű drágakövekért
rules-bonus-column = Bónusz
rules-from-to = { $from }–{ $to } játékos
rules-players = { $count } játékos
rules-end-win = Az nyer, akinek a legtöbb pontja van, és ő az új kincstárnok. Egyenlő pontszámnál a több drágakő dönt; ha az is egyenlő, az eredmény döntetlen, és a helyezés közös. A többi helyezés is így dől el.

rules-example = Számoljunk meg egy gyűjteményt!
rules-example-text = Egy { $from }–{ $to } fős játékban valaki félreteszi a paravánt, és { $count } drágakő van mögötte:
rules-example-collection = Gyűjtemény
rules-example-jewels = Drágakövek
rules-example-total = Összesen
rules-example-sum = { $total } pont
rules-example-two = { $players } játékosnál ugyanezek a drágakövek { $points } + { $bonus } = { $total } pontot érnek, mert ott később kezdődik a bónusz.

rules-know = Ki mit tudhat?
rules-know-intro = A kártyák a felfedésig titkosak, a drágakövek attól kezdve, hogy paraván mögé kerültek. A paravánok zárva vannak, hacsak a házigazda ki nem nyitja őket.
rules-know-fact = Mit
rules-know-closed = Mások, zárt paraván
rules-know-open = Mások, nyitott paraván
rules-know-hand = A kezedben lévő kártyák és a lefordított kártyád
rules-know-counts = Hány kártya van a kezedben és a paklidban
rules-know-placed = Hová licitáltál, és hányadikként
rules-know-drawn = Húzott, felkínált és visszatett drágakövek
rules-know-last = Az előző kör kártyái és nyertesei
rules-know-collection = A drágaköveid
rules-know-played = A korábbi körökben kijátszott kártyáid
rules-know-secret = Mi van a zsákban, a paklik sorrendje, a magok
rules-know-always = mindig
rules-know-never = a végéig soha
rules-know-at-once = azonnal
rules-know-not-shown = nem látszik
rules-know-reveal = a kijátszott kártyák, a felfedéskor
rules-know-next-draw = a következő húzásig
rules-know-next-round = a következő kör végéig
rules-know-memory = Ami már nem látszik, az egyszer látható volt. Ezt megjegyezni is a játék része.
rules-know-over = Ha vége a játéknak, minden nyitva áll mindenki előtt.

rules-faq = Ahol a kiadott szabályok eltérnek
rules-faq-intro = A Sultan több nyelven is megjelent, és a szövegek nem mindenütt mondják ugyanazt. Itt ez érvényes.
rules-faq-start = Két játékosnál mikor változik a kezdő játékos?
rules-faq-start-answer = Minden kör után. Az angol szöveg szerint minden játék után; a német, a francia és a holland szerint minden kör után; a magyar csak annyit mond, hogy a játékosok felváltva kezdenek. Visszavágónál is eggyel továbbkerül a kezdő játékos.
rules-faq-pass = Passzolhatok?
rules-faq-pass-answer = Nem. Csak a magyar szöveg mondja, hogy mindenkinek licitálnia kell; a többi hallgat erről. Itt mindenki licitál: körönként pontosan { $count ->
    [one] egy kártyával
   *[other] { $count } kártyával
 }, két játékosnál { $two } kártyával.
rules-faq-jewels = Hány drágakő van az egyes színekből?
rules-faq-jewels-answer = A számok a képek mellett állnak, és a szövegek némelyik másolatából hiányoznak. { $white } fehér, { $red } piros, { $yellow } sárga, { $green } zöld és { $blue } kék van.
rules-faq-cushions = Két játékosnál tehetem mindkét kártyámat ugyanarra a párnára?
rules-faq-cushions-answer = Nem. Az angol, a német, a holland és a francia szöveg különböző párnákat követel; a magyar csak annyit mond, hogy a kártyákat elosztjátok.
rules-faq-ties = Mely kártyáknak kell egyenlőnek lenniük?
rules-faq-ties-answer = A legnagyobbaknak egy párnán. A magyar szöveg két egyenlő értékű kártyáról beszél, a „legnagyobb” szó nélkül; itt a kisebb kártyák sosem számítanak.
rules-faq-left = Merre haladva licitálunk?
rules-faq-left-answer = Balra. A szövegek csak annyit mondanak, hogy a következő kezdő játékos balra ül.
rules-faq-places = Ki a második?
rules-faq-places-answer = A szövegek csak a győztest nevezik meg. Itt minden helyről a pontok döntenek, aztán a drágakövek; egyenlőség esetén a hely közös.
rules-faq-pouch = Kiürülhet a zsák?
rules-faq-pouch-answer = Nem. Ha minden drágakő gazdára talál, az utolsó húzás előtt akkor is marad { $left }, és { $drawn } elég.
rules-faq-cards = Mi van, ha elfogynak a pontkártyák?
rules-faq-cards-answer = 24 van belőlük, és a szövegek nem szólnak erről. Csak a pontokat mutatják: mindenki minden bónuszt megkap.

rules-here = Így játszunk itt
rules-here-choose = Választás
rules-here-choose-text = Koppints egy kártyára és egy párnára, vagy húzd oda a kártyát; aztán erősítsd meg. Addig meggondolhatod magad.
rules-here-keys = Billentyűzet
rules-here-keys-text = A Tab és a nyilak kártyáról kártyára és párnáról párnára lépnek, az 1, a 2 és a 3 a kiválasztott kártyát vagy drágakövet egy párnára teszi, az Enter megerősít, az Esc visszavonja a választást.
rules-here-screens-text = Zárt paravánokkal olyan a játék, amilyennek szánták. Nyitott paravánokkal mindenki látja a megnyert drágaköveket és a kijátszott kártyákat: tanuláshoz jó.
rules-here-pace-text = Ha a házigazda úgy kívánja, minden rögzített ütemben jelenik meg. Így senki sem tud meg semmit abból, meddig gondolkodtál.
rules-here-away = Idő és távozás
rules-here-away-text = Ha lejár az időd, egy bot dönt helyetted, ha pedig elmész, ő játszik tovább helyetted. Bármikor visszajöhetsz.
rules-here-bots = Botok
rules-here-bots-text = A szabad helyekre botok ülnek. Azt látják, amit egy ember látna a helyükön, semmi mást; de mindenre emlékeznek.

rules-fair = Tisztességes sorsolás
rules-fair-promise = Mielőtt bárki leülne, a szerver választ egy titkos magot, és megmutatja az ujjlenyomatát (SHA-256): ez az ígérete.
rules-fair-seeds = Minden játékos hozzáadhat egy magot. Ezekből együtt következik minden pakli és minden húzás.
rules-fair-check = A játék végén a szerver megmutatja a magját. Bárki ellenőrizheti, hogy illik az ujjlenyomathoz, és újraszámolhat minden kártyát és drágakövet, például a „sultan verify” paranccsal.
rules-fair-proved-text = Aki a szerver ígéretét azelőtt látta, hogy magot adott volna, az tudja: a szerver az osztást sem megválasztani, sem megváltoztatni nem tudta.
rules-fair-open = Amit nem bizonyít
rules-fair-open-text = Hogy a szerver üzemeltetője nem nézett bele a kártyákba, vagy nem ült le utolsónak egy előre kipróbált maggal. Tétre csak ott játssz, ahol ennyire megbízol benne.
rules-fair-guided = A vezetett játék osztása rögzített, mindenkinek ugyanaz: ott nincs ígéret.
