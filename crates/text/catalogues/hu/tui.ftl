tui-you = te
tui-players = Játékosok
tui-hand = kéz
tui-deck = pakli
tui-points = pont
tui-jewels = drágakő
tui-bonus = bónusz
tui-log = Mi történt
tui-drawn = Kihúzva
tui-cushion = { $cushion }. párna
tui-your-hand = A kezedben
tui-hand-of = { $name } kezében
tui-behind = a paraván mögött
tui-stands-in = { $bot } játszik
tui-seat-free = szabad
tui-seat-number = { $number }. hely
tui-clock = Menet: { $stage }/{ $stages }, kör: { $round }/{ $rounds }
tui-clock-variant = { $game }, kör: { $round }/{ $rounds }
tui-first = kezd: { $name }
tui-waits-offer = { $name } drágaköveket tesz a párnákra…
tui-waits-bid = { $name } licitál…
tui-do-offer = Te következel: melyik drágakő kerüljön { $cushion ->
    [1] az
   *[other] a
  } { $cushion }. párnára?
tui-do-confirm-offer = { $jewel } visszakerül a zsákba. Enter: megerősítés.
tui-do-card = Te következel: melyik kártyával licitálsz?
tui-do-card-begun = 1… és a második számjegy; az Enter a megjelölt kártyát választja.
tui-do-cushion = Melyik párnára teszed ezt a kártyát: { $card }?
tui-do-confirm-bid = { $card } { $cushion ->
    [1] az
   *[other] a
  } { $cushion }. párnára. Enter: megerősítés.
tui-reveal = { $stage }. menet, { $round }. kör: a kártyák felfordulnak
tui-reveal-takes = { $name } viszi
tui-reveal-back = vissza a zsákba
tui-curtain = Most { $name } nézheti a képernyőt.
tui-curtain-lift = { $name }: ha más nem néz oda, nyomj Entert.
tui-end = Vége
tui-rematch = Valaki ennél az asztalnál újra játszik: nyomj r-t, ha te is.
tui-kept = A játék megmarad. Folytatás: sultan play
tui-come-back = Így ülhetsz vissza a helyedre: sultan play { $link }
tui-places = Helyezések
tui-points-of = { $name } pontjai
tui-points-bonus = bónusz { $bonus }
tui-waiting-title = A játék előtt
tui-waiting = Még { $count } játékos hiányzik…
tui-unfinished = { $count ->
    [one] Egy befejezetlen játék
   *[other] { $count } befejezetlen játék
}
tui-new-game = Új játék
tui-give-up-sure = Nyomd meg még egyszer a Backspace-t, hogy végleg feladd ezt a játékot.
tui-set-language = Nyelv
tui-set-players = Játékosok
tui-set-game = Játék
tui-set-screens = Paravánok
tui-set-first = Kezdő játékos
tui-screens-closed = zárva
tui-screens-open = nyitva
tui-first-chance = a véletlen dönt
tui-bot = Bot
tui-person = Ember
tui-colour-any = mindegy
tui-start = Indulhat
tui-about-person = Valaki ennél az eszköznél. Ha többen vagytok, adjátok körbe: függöny takar.
tui-about-closed = A megnyert drágakövek eltűnnek a paravánok mögött: jegyezd meg, kinek mije van.
tui-about-open = Mindenki lát minden megnyert drágakövet és kijátszott kártyát.
tui-about-first = Ki teszi az első drágaköveket a párnákra.
tui-about-colour = A kártyák színe és a hozzá tartozó jel.
tui-key-help = Súgó
tui-key-rules = Szabályok
tui-key-quit = Kilépés
tui-key-confirm = megerősítés
tui-key-choose = választás
tui-key-move = mozgás
tui-key-undo = visszavonás
tui-key-lift = függöny fel
tui-key-on = tovább
tui-key-turn-up = mindet felfordít
tui-key-player = játékos
tui-key-once-more = még egyszer
tui-key-new = új játék
tui-key-back = vissza a helyedre
tui-key-give-up = feladás
tui-key-next = tovább
tui-key-change = változtatás
tui-key-write = írás
tui-key-close = bezárás
tui-key-scroll = görgetés
tui-too-small = Ez az ablak túl kicsi a Sultanhoz: legyen legalább { $columns } oszlop széles és { $rows } sor magas, vagy indítsd --plain kapcsolóval.
tui-lost = Az asztal nem érhető el ({ $why }). Újrapróbálás…
tui-gone = Ettől az asztaltól nem jön több hír: { $why }
tui-help-intro = Válassz, aztán erősítsd meg az Enterrel. Addig semmi sincs kijátszva.
tui-help-number = kártya választása érték, drágakő vagy párna szám szerint
tui-help-arrows = mozgás a drágakövek, kártyák vagy párnák közt; az űrlapon egy érték változtatása
tui-help-letters = fehér, piros, sárga, zöld vagy kék drágakő a következő párnára
tui-help-enter = a megjelölt kiválasztása; ha minden megvan, megerősítés
tui-help-undo = az utolsó választás visszavonása
tui-help-help = ez az oldal; bármely más billentyű bezárja
tui-help-rules = a szabályok röviden
tui-help-quit = a játék abbahagyása; megmarad, ahol tartasz
tui-help-mouse = Egérrel: kattints drágakövekre, kártyákra, párnákra és minden látható billentyűre; a jobb gomb visszavon.
tui-help-signs = Drágakövek: ○W fehér, ◆R piros, ▲Y sárga, ■G zöld, ★B kék. Játékosok: ☾ lila, ☼ arany, ♣ zöld, ♥ piros, ♠ kék. A kártya előtti szám mutatja, hányadikként tették le.
tui-help-more = A sultan play --plain soronként játszik, képernyőolvasóknak és szkripteknek; a sultan play --help elmondja a többit.
tui-plain-own = Drágaköveid: { $jewels }, értékük { $points } pont.
tui-plain-offer = Kihúzva: { $jewels }. Írd sorban az 1., 2. és további párnára szánt drágaköveket, például RYB; vagy egy számot:
tui-plain-bid = Írj egy kártyát és egy párnát, például 12@2; vagy egy számot:
tui-plain-no-card = nincs kártya
tui-plain-help = Írj egy lépést vagy a számát; üres sor megismétli a választékot; a rules elmondja a szabályokat; a q abbahagyja, és a játék megmarad.
tui-rules-title = A szabályok röviden, { $players } játékosnak
tui-rules-aim = Drágaköveket veszel a szultánnak lefordított pénzkártyákkal. Akinek a végén a legtöbb pontja van, az lesz a kincstárnoka.
tui-rules-pouch = A zsákban { $count } drágakő van: { $jewels }.
tui-rules-hand = A játék { $stages ->
    [one] egyetlen menetből áll, { $rounds } körrel
   *[other] { $stages } menetből áll, egyenként { $rounds } körrel
}. { $sets ->
    [one] Kártyáid értéke 1–{ $highest }
   *[other] Kártyáid értéke 1–{ $highest }, mindegyikből { $sets }
  }, megkeverve; minden menet elején { $cards } kártyát veszel kézbe.
tui-rules-offer = Minden körben a kezdő játékos { $drawn } drágakövet húz, { $cushions } darabot tetszés szerint a párnákra tesz, az utolsót vissza.
tui-rules-bid = Aztán sorban mindenki, elsőként a kezdő játékos, pontosan egy kártyát tesz lefordítva valamelyik párnára. Passzolni nem lehet.
tui-rules-bid-two = Aztán felváltva, elsőként a kezdő játékos, mindketten két-két kártyát tesztek lefordítva két különböző párnára.
tui-rules-settle = Minden kártya felfordul. Minden párnán a legmagasabb kártya viszi a drágakövet; ha nincs ott kártya, visszakerül a zsákba. A kijátszott kártyák elvesznek.
tui-rules-tie = Egyenlő kártyák közül a korábban letett nyer. A következő kört a bal oldali szomszéd kezdi.
tui-rules-tie-two = Egyenlő kártyák közül a kezdő játékosé nyer. A következő kört a másik kezdi.
tui-rules-screen = A megnyert drágakövek a paravánod mögött vannak; nyitott paravánokkal mindenki látja őket.
tui-rules-points = Pont drágakövenként: { $points }.
tui-rules-bonus = Bónuszpont egy szín drágaköveiért (darab: pont): { $steps }; ennél több annyit ér, mint az utolsó.
tui-rules-win = Az nyer, akinek a legtöbb pontja van; egyenlőségnél, akinek több drágaköve; ha az is egyenlő, osztoznak a helyen.
tui-key-step = lépés
tui-key-play = lejátszás
tui-key-pause = szünet
tui-key-ends = eleje / vége
tui-key-eyes = más szemmel
