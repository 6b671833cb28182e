end-title = Vége
end-treasurer = A szultán kincstárnoka
end-treasurers = A szultán kincstárnokai
end-points-with = { $points ->
    [one] { $points } pont
   *[other] { $points } pont
  }, { $jewels ->
    [one] { $jewels } drágakővel
   *[other] { $jewels } drágakővel
  }
end-draw = Döntetlen: ugyanannyi pont és ugyanannyi drágakő.
end-decided = { $first } és { $second } pontjainak száma egyenlő: { $first } több drágakövet gyűjtött.
end-left-title = A játék félbeszakadt
end-left = Mindenki elhagyta ezt az asztalt. Ma senki sem lesz kincstárnok.
end-ranking = Rangsor
end-rank = { $rank }. hely
end-jewels = { $count ->
    [one] { $count } drágakő
   *[other] { $count } drágakő
  }
end-line = { $colour }: { $count } darab, egyenként { $points }
end-bonus = bónusz: { $points }
end-together = összesen { $points }
end-total = Mindösszesen { $points ->
    [one] { $points } pont
   *[other] { $points } pont
  }
end-last-round = Az utolsó kör
end-after = És most?
end-rematch = Játsszunk még egyet
end-rematch-join = Irány a visszavágó
end-verify = Az osztás ellenőrzése
end-record = A játék adatainak letöltése
verify-title = Az osztás ellenőrzése
verify-lead = Ez az oldal veszi a játék adatait, és itt, a böngésződben mindent újraszámol: a lapokat, a drágaköveket, minden lépést és az eredményt.
verify-running = Ellenőrzés…
verify-all-good = Minden rendben van.
verify-some-bad = Valami nem stimmel. A megjelölt sorok megmondják, mi.
verify-failed = A játék adatai nem érkeztek meg. Töltsd be újra az oldalt, vagy töltsd le az adatokat, és ellenőrizd magad.
verify-no-script = JavaScript nélkül ez az oldal semmit sem tud ellenőrizni. Töltsd le a játék adatait, és ellenőrizd a programmal, vagy kézzel, ahogy lent áll.
verify-steps = Amit ellenőrzünk
verify-good = rendben
verify-bad = nem stimmel
verify-open = nincs ellenőrizve
verify-step-record = A játék adatai olvashatók
verify-step-commitment = A szerver magja az, amelyet megígért
verify-step-noted = Az ígéret az, amelyet ez a böngésző feljegyzett, mielőtt a saját magját megadta
verify-step-noted-unknown = Ez a böngésző nem jegyezte fel: nem adott magot ennél az asztalnál, vagy elfelejtette.
verify-step-seed = Ennek a böngészőnek a magja része az osztásnak
verify-step-seed-unknown = Ez a böngésző itt nem tud saját magról.
verify-step-first = A véletlen választotta a kezdő játékost
verify-step-first-host = A házigazda nevezte meg a kezdő játékost.
verify-step-first-rematch = Visszavágón az előző kezdő játékos után következő kezd.
verify-step-first-unknown = Az adatok nem mondják meg, ki választotta.
verify-step-offers = Minden kínálat azokból a drágakövekből állt, amelyeket a magok adnak
verify-step-bids = Minden licit egy lap volt abból a kézből
verify-step-result = A pontok és a helyezések olyanok, ahogy az asztal mutatja
verify-step-result-unknown = A játékot nem játszották végig.
verify-fault = Az első hiba: { $number }. lépés, „{ $said }”.
verify-values = Az értékek
verify-seeds = Magok
verify-server-seed = A szerver magja
verify-promise = Az SHA-256 értéke: az ígéret
verify-game-seed = A játék magja
verify-decks = A paklik, felülről lefelé
verify-player = Játékos
verify-client-seed = Saját mag
verify-stage = { $stage }. menet
verify-rounds = A körök
verify-round = Kör
verify-first = Kezdő játékos
verify-drawn = Húzott
verify-offer = A párnákon
verify-bids = Licitek sorrendben
verify-won = Nyertes
verify-nobody = senki
verify-proves-title = Amit ez bizonyít
verify-proves = A szerver megmutatta az ígéretét, mielőtt az első játékos magot adott volna. Így amint egy becsületes játékos megadta a magáét, az osztást már sem megválasztani, sem megváltoztatni nem tudta.
verify-not-title = Amit nem bizonyít
verify-not-look = Azt, hogy az üzemeltető nem nézte meg: aki a szervert futtatja, minden lapot kiszámíthat, amint a magok megvannak.
verify-not-last = Azt, hogy az üzemeltető nem utolsóként ült le egy előre kipróbált maggal.
verify-not-page = Ez az oldal ugyanarról a szerverről jön. Ha nem bízol benne, ellenőrizd az adatokat egy máshonnan származó programmal.
verify-hand-title = Ellenőrizd magad
verify-hand-program = A Sultan programjával, bármelyik gépen:
verify-hand-steps = Vagy bármilyen programmal, amely ismeri az SHA-256-ot és a ChaCha20-at:
verify-hand-commitment = Az ígéret a szerver magja 32 bájtjának SHA-256 értéke.
verify-hand-seed = A játék magja a „sultan/1”, a szerver magja, majd helyenként egy bájt a hely magjának hosszával és maga a mag SHA-256 értéke.
verify-hand-words = A véletlen szavakat a ChaCha20 adja, kulcsa a játék magja: a 0–4. folyam az adott hely paklija, a 16.-tól az egyes körök húzása, a 64. a kezdő játékos.
verify-hand-deck = Egy pakli: az értékek növekvő sorrendben; az utolsó helytől a másodikig mindegyiket felcseréljük egy kisorsolt hellyel az addigiak közül.
verify-hand-draw = Egy húzás: egy szám a zsákban lévő drágakövek száma alatt, végigszámolva a fehér, piros, sárga, zöld és kék köveken.
verify-back = Vissza az asztalhoz
curtain-title = Add tovább
curtain-to = Add át az eszközt neki:
curtain-why = A függöny mögött egy kéz van, amelyet más nem láthat.
curtain-lift = Én vagyok { $name }: fel a függönnyel
curtain-wait = Mindannyian nézhetitek: ezt mindenki látja. Ha valamelyikőtök következik, leereszkedik a függöny.
curtain-look = { $name } paravánja mögött
