learn-title = Az első játékod
learn-lead = Tanuld meg a Sultant játék közben: nagyjából öt perc, és mindent tudsz.
learn-table = Igazi asztalnál játszol { $count } barátságos bot ellen.
learn-helper = Egy segítő minden lépésnél elmondja, mit tegyél most, és miért. Bármikor becsukhatod.
learn-end = A végén kinyílnak a paravánok, és a segítő veled együtt számolja meg a kincsedet.
learn-begin = Kezdődjön a játék
learn-fixed = Ennek a játéknak rögzített az osztása, mindenkinek ugyanaz.
learn-fair = Minden más, elölről kezdett játékban bárki ellenőrizheti az osztást.
learn-rules = Inkább a szabályokat olvasom el

guide-title = A segítőd
guide-rules = Minden szabály
guide-offer-first = Te vagy a kezdő játékos, és { $drawn } drágakő került elő a zsákból: válaszd ki, melyik kerüljön vissza, a másik { $count } a párnákra megy.
guide-offer-again = Megint te vagy a kezdő játékos: válaszd ki, melyik drágakő kerüljön vissza a zsákba.
guide-offer-other = Most { $name } a kezdő játékos, és kiválasztja, melyik drágakő kerül vissza.
guide-offer-why = Licitálni is te fogsz elsőként, ezért azt tartsd meg, amit magadnak szeretnél.
guide-offer-strong = Erős kártyád van: azt kínáld fel, amit gyűjtesz.
guide-offer-weak = Alacsonyak a kártyáid: azt tedd vissza, aminek a többiek a legjobban örülnének.
guide-bid-first = Most licitálj: válassz egy kártyát és egy párnát, aztán erősítsd meg. A párnán a legmagasabb kártya viszi a drágakövet.
guide-bid-now = Te következel: válassz egy kártyát és egy párnát.
guide-bid-last = Te licitálsz utoljára: látod, ki hová tett, csak azt nem, mennyit.
guide-free = Van egy párna licit nélkül, és te vagy az utolsó: { $jewel } a legalacsonyabb kártyádért is a tiéd.
guide-set = Nézd meg a kincsedet: { $jewel } a színéből { $count ->
    [1] az
    [5] az
   *[other] a
  } { $count }. lenne, és { $count } azonos színű drágakő { $bonus } bónuszpontot hoz.
guide-wait-before = Most { $name } licitál: látod, melyik párnára, de azt nem, mennyit.
guide-wait-placed = A kártyád lefordítva fekszik: csak te tudod, mennyit ér.
guide-wait-reveal = Ha mindenki licitált, felfordítjuk a kártyákat.
guide-won-alone = Senki sem licitált ellened: elég volt a kártyád ({ $card }), és a tiéd lett { $jewel }.
guide-won = A te kártyád volt a legmagasabb ({ $card }): a tiéd lett { $jewel }.
guide-won-tie = Két egyforma kártya ({ $card }), de a tiéd volt ott előbb: a tiéd lett { $jewel }.
guide-lost-tie = { $name } ugyanolyan kártyát tett le ({ $card }), csak előbb, mint te: egyenlő kártyák közül az első nyer.
guide-lost-high = A kártyád ({ $card }) még erősebbre talált, { $name } kártyája { $other } volt: kár egy ilyen kártyáért.
guide-lost = A kártyád ({ $card }) ezúttal kevés volt: { $name } vitte a drágakövet, { $other } értékű kártyával.
guide-unwanted = Az egyik párnára a múltkor senki sem licitált: visszakerült a zsákba { $jewel }.
guide-tie-others = A múltkor két egyforma kártya ({ $card }) volt egy párnán: { $name } tette le előbb, és elvitte a drágakövet.
guide-tip-order = Minden körben mindenki egy kártyával licitál, passzolni nem lehet.
guide-tip-ties = Ha két kártya egyenlő, az nyer, amelyiket előbb tették le.
guide-tip-sets = Gyűjts színeket: { $count } azonos színű drágakő { $bonus } bónuszpontot hoz, { $most } vagy több pedig { $top } pontot.
guide-tip-memory = A megnyert drágakövek eltűnnek a paravánok mögött: próbáld megjegyezni, ki mit gyűjt.
guide-tip-last-card = Ez az utolsó kártyád ebben a menetben; utána { $hand } újat veszel a paklidból.
guide-tip-once = Minden kártya csak egyszer jön elő a játékban: aki megjegyzi, mely magasak mentek már el, kevesebbel is licitálhat.
guide-tip-bluff = Egy kártya a párnán elriasztja a többieket, bármennyit is ér: így lehet blöffölni.
guide-tip-save = A legmagasabb kártyád értéke { $card }: tartogasd olyan drágakőre, amelyik megéri, az alacsonyakat pedig tedd oda, ahová senki sem licitál.
guide-tip-last-stage = Az utolsó { $rounds } kör: nézd meg, melyik színből hiányzik még egy drágakő a következő bónuszhoz.
guide-quiet = Mindent tudsz, amire szükséged van. Szólok, ha valami különleges történik.
guide-over-count = Nyitva vannak a paravánok: a drágaköveid { $jewels } pontot érnek, a pontkártyáid { $bonus } pontot, ez összesen { $points }.
guide-over-won = Te vagy az új kincstárnok!
guide-over-rank = Ez { $rank ->
    [1] az
    [5] az
   *[other] a
  } { $rank }. hely, és legközelebb már tudod, hogyan megy.
guide-over-next = A többi játékban a véletlen újra oszt, és { $players } játékosnál { $count } párna van.
