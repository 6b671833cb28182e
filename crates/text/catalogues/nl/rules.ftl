rules-title = De regels van Sultan
rules-about = De regels van Sultan in beeld en in weinig woorden: juwelen, gedekt bieden, gelijke kaarten, punten.
rules-lead = Juwelen op kussens, kaarten gedekt, en een stalen gezicht. Hier staat alles wat je nodig hebt.
rules-learn = Leer het in een begeleid spel
rules-short = In vijf regels
rules-short-offer = In elke ronde trekt de startspeler juwelen, legt er { $count } op kussens (met { $players } spelers { $fewer }) en doet de laatste terug.
rules-short-bid = Om de beurt legt iedereen een geldkaart gedekt op een kussen. Passen mag niet.
rules-short-win = Alle kaarten worden omgedraaid: de hoogste op een kussen pakt het juweel, bij gelijke kaarten de eerst gelegde. Gespeelde kaarten zijn weg.
rules-short-screens = Gewonnen juwelen verdwijnen achter de zichtschermen. Probeer te onthouden wie wat heeft.
rules-short-points = Een juweel is { $least } tot { $most } punten waard, en meer van één kleur geven een bonus tot +{ $bonus }. De meeste punten winnen.
rules-contents = Op deze pagina

rules-aim = Waar het om gaat
rules-aim-treasurer = Wie de mooiste juwelen mee naar huis neemt, wordt schatbewaarder van de sultan.
rules-aim-bids = In elke ronde liggen er juwelen op fluwelen kussens. Iedereen biedt op een ervan met een gedekte geldkaart; de hoogste kaart op een kussen pakt het juweel.
rules-aim-points = Zeldzame kleuren zijn meer waard, en meerdere juwelen van één kleur leveren bonuspunten op. Wie de meeste punten heeft, wint.

rules-material = Wat er op tafel ligt
rules-material-jewels = { $count } juwelen in { $colours } kleuren, allemaal in één buidel.
rules-material-each = Zoveel zijn er van elke kleur
rules-material-cards = Geldkaarten in { $colours } spelerskleuren. In elke kleur gaan ze van 1 tot en met { $highest }.
rules-material-cushions = { $count } kussens op het spelbord; { $fewer } als er { $players } spelen.
rules-material-screens = Een zichtscherm voor iedereen. Gewonnen juwelen gaan erachter, uit het zicht van de anderen. Op de achterkant zie je wat juwelen en bonussen waard zijn.
rules-material-bonus = Bonuspuntenkaarten van { $a }, { $b }, { $c } en { $d } punten voor de telling aan het eind.

rules-setup = Voorbereiding
rules-setup-colours = Sultan is voor { $fewest } tot { $most } spelers. Iedereen neemt een kleur en schudt die kaarten tot een gedekte stapel.
rules-setup-first = Alle juwelen gaan in de buidel. Aan een echte tafel is de jongste startspeler van de eerste ronde; hier wijst de gastheer iemand aan, of het toeval.
rules-setup-stages = Een spel heeft { $stages } doorgangen. Aan het begin van een doorgang neem je de bovenste { $hand } kaarten van je stapel in de hand. Daar moet je het mee doen: nieuwe krijg je pas als alle handen leeg zijn en de volgende doorgang begint.
rules-numbers = Wat van het aantal spelers afhangt
rules-row-cushions = Kussens
rules-row-drawn = Getrokken juwelen per ronde
rules-row-cards = Kaarten van elke speler
rules-row-highest = Hoogste kaart
rules-row-hand = Handkaarten voor een doorgang
rules-row-bids = Kaarten die elke speler per ronde biedt
rules-row-stage = Rondes in een doorgang
rules-row-rounds = Rondes in het spel

rules-round = Een ronde
rules-round-intro = Elke ronde verloopt hetzelfde.
rules-draw = Trekken
rules-draw-text = De startspeler trekt { $count } juwelen uit de buidel ({ $fewer } als er { $players } spelen). Iedereen ziet ze.
rules-offer = Aanbieden
rules-offer-text = De startspeler legt er { $count } ({ $fewer } als er { $players } spelen) op de kussens, op elk een, naar eigen keuze. Het juweel dat overblijft, gaat meteen terug in de buidel.
rules-bid = Bieden
rules-bid-text = De startspeler begint, daarna gaat het met de klok mee: iedereen legt { $count ->
    [one] één kaart
   *[other] { $count } kaarten
  } gedekt op een kussen. Anderen mogen daar al geboden hebben. Passen mag niet.
rules-reveal = Omdraaien
rules-reveal-text = Als iedereen geboden heeft, worden alle kaarten omgedraaid. Op elk kussen pakt de hoogste kaart het juweel.
rules-round-seen = Je ziet wie waar biedt, en in welke volgorde. Hoeveel, dat weet tot het omdraaien alleen wie de kaart legde.
rules-round-one = Een kaart die alleen op een kussen ligt, pakt het juweel, hoe laag die ook is.
rules-round-none = Een juweel waar niemand op biedt, gaat terug in de buidel.
rules-round-gone = Alle gespeelde kaarten gaan uit het spel, ook de kaarten die niets gewonnen hebben.
rules-round-next = De linkerbuur is de startspeler van de volgende ronde. Dat gaat van doorgang tot doorgang zo door.
rules-ties = Gelijke kaarten
rules-ties-text = Gelijke hoogste kaarten: de kaart die het eerst gelegd is, pakt het juweel. (Met twee spelers geldt een eigen regel.)
rules-tie-caption = Twee keer { $card }: de kaart die als nummer { $first } gelegd is, wint van nummer { $second }.

rules-two = Met twee spelers
rules-two-intro = Met z’n tweeën gaat alles zoals hierboven, behalve dit:
rules-two-cards = Ieder heeft { $copies } sets van de kaarten 1 tot en met { $highest }: { $cards } kaarten, door elkaar geschud.
rules-two-hand = Een doorgang heeft { $rounds } rondes, en je neemt er { $hand } kaarten voor in de hand.
rules-two-bids = Jullie bieden om beurten, tot ieder { $count } kaarten gelegd heeft. Je eigen kaarten moeten op verschillende kussens liggen.
rules-two-ties = Gelijke kaarten: de startspeler van de ronde pakt het juweel, wie er ook het eerst legde.
rules-two-next = De startspeler wisselt na elke ronde.
rules-two-bonus = Voor de eerste bonus zijn { $count } juwelen van een kleur nodig in plaats van { $usual }.
rules-two-see = Zie de tabel.

rules-end = Het einde en de punten
rules-end-when = Het spel eindigt als alle kaarten gespeeld zijn: na { $rounds } rondes, met { $players } spelers na { $fewer }.
rules-end-count = De zichtschermen gaan weg. Elk juweel telt, en voor elke kleur kan er een bonus zijn.
rules-points = Punten voor elk juweel
rules-bonus-caption = Bonus voor juwelen van één kleur
rules-bonus-column = Bonus
rules-from-to = { $from }–{ $to } spelers
rules-players = { $count } spelers
rules-end-win = Wie de meeste punten heeft, wint en is de nieuwe schatbewaarder. Bij gelijke punten beslist het aantal juwelen; is ook dat gelijk, dan is het onbeslist en wordt de plaats gedeeld. Over alle andere plaatsen wordt net zo beslist.

rules-example = Een verzameling tellen
rules-example-text = In een spel met { $from } tot { $to } spelers haalt iemand het zichtscherm weg, en daar liggen { $count } juwelen:
rules-example-collection = Verzameling
rules-example-jewels = Juwelen
rules-example-total = Samen
rules-example-sum = { $total } punten
rules-example-two = Met { $players } spelers zijn dezelfde juwelen { $points } + { $bonus } = { $total } punten waard, want daar begint de bonus later.

rules-know = Wie wat mag weten
rules-know-intro = Kaarten zijn geheim tot ze omgedraaid worden, juwelen vanaf het moment dat ze achter een zichtscherm liggen. De zichtschermen zijn gesloten, tenzij de gastheer ze opent.
rules-know-fact = Wat
rules-know-closed = Anderen, zichtschermen gesloten
rules-know-open = Anderen, zichtschermen open
rules-know-hand = Je hand en je gedekte kaart
rules-know-counts = Hoeveel kaarten je in je hand en je stapel hebt
rules-know-placed = Waar je biedt, en in welke volgorde
rules-know-drawn = Juwelen die getrokken, aangeboden en teruggelegd zijn
rules-know-last = Kaarten en winnaars van de vorige ronde
rules-know-collection = Je juwelen
rules-know-played = Je kaarten uit eerdere rondes
rules-know-secret = Wat er in de buidel zit, de volgorde van de stapels, de startwaarden
rules-know-always = altijd
rules-know-never = nooit vóór het einde
rules-know-at-once = meteen
rules-know-not-shown = niet getoond
rules-know-reveal = gespeelde kaarten, bij het omdraaien
rules-know-next-draw = tot er weer getrokken wordt
rules-know-next-round = tot de volgende ronde voorbij is
rules-know-memory = Wat niet meer getoond wordt, was ooit te zien. Het onthouden hoort bij het spel.
rules-know-over = Als het spel afgelopen is, ligt alles voor iedereen open.

rules-faq = Waar gedrukte regels verschillen
rules-faq-intro = Sultan is in verschillende talen verschenen, en de teksten zeggen niet overal hetzelfde. Dit geldt hier.
rules-faq-start = Wanneer wisselt met twee spelers de startspeler?
rules-faq-start-answer = Na elke ronde. De Engelse tekst zegt na elk spel; de Duitse, de Franse en de Nederlandse zeggen na elke ronde; de Hongaarse zegt alleen dat de spelers om beurten beginnen. Ook bij een revanche schuift de startspeler een plaats op.
rules-faq-pass = Mag ik passen?
rules-faq-pass-answer = Nee. Alleen de Hongaarse tekst zegt dat iedereen moet bieden; de andere zwijgen. Hier biedt iedereen: precies { $count ->
    [one] één kaart
   *[other] { $count } kaarten
  } per ronde, met twee spelers { $two }.
rules-faq-jewels = Hoeveel juwelen zijn er van elke kleur?
rules-faq-jewels-answer = De aantallen staan naast de afbeeldingen en ontbreken in sommige kopieën van de teksten. Er zijn { $white } witte, { $red } rode, { $yellow } gele, { $green } groene en { $blue } blauwe.
rules-faq-cushions = Mag ik met twee spelers beide kaarten op één kussen leggen?
rules-faq-cushions-answer = Nee. De Engelse, de Duitse, de Nederlandse en de Franse tekst eisen verschillende kussens; de Hongaarse zegt alleen dat de kaarten worden verdeeld.
rules-faq-ties = Welke kaarten moeten gelijk zijn?
rules-faq-ties-answer = De hoogste op een kussen. De Hongaarse tekst spreekt van twee gelijke kaarten, zonder ‘hoogste’; hier tellen lagere kaarten nooit mee.
rules-faq-left = In welke richting wordt er geboden?
rules-faq-left-answer = Naar links. De teksten zeggen alleen dat de volgende startspeler links zit.
rules-faq-places = Wie is tweede?
rules-faq-places-answer = De teksten noemen alleen de winnaar. Hier beslissen bij elke plaats de punten, dan de juwelen; wie gelijk is, deelt de plaats.
rules-faq-pouch = Kan de buidel leeg raken?
rules-faq-pouch-answer = Nee. Zelfs als elk juweel een koper vindt, zijn er voor de laatste trekking nog { $left } over, en { $drawn } is genoeg.
rules-faq-cards = En als de bonuspuntenkaarten op zijn?
rules-faq-cards-answer = Er zijn er 24, en de teksten zeggen er niets over. Ze laten alleen punten zien: iedereen krijgt elke bonus.

rules-here = Hier spelen
rules-here-choose = Kiezen
rules-here-choose-text = Tik op een kaart en een kussen, of sleep de kaart erheen; bevestig dan. Tot dat moment mag je je bedenken.
rules-here-keys = Toetsenbord
rules-here-keys-text = Met Tab en de pijltjestoetsen ga je van kaart naar kaart en van kussen naar kussen, 1, 2 en 3 leggen de gekozen kaart of het juweel op een kussen, Enter bevestigt, Esc neemt de keuze terug.
rules-here-screens-text = Met gesloten zichtschermen is het spel zoals het bedoeld is. Met open schermen ziet iedereen de gewonnen juwelen en de gespeelde kaarten: goed om te leren.
rules-here-pace-text = Als de gastheer dat wil, wordt alles in een vast ritme getoond. Dan verraadt je bedenktijd niets aan anderen.
rules-here-away = Tijd en weggaan
rules-here-away-text = Is je tijd om, dan beslist een bot voor je, en ga je weg, dan speelt die voor je verder. Kom terug wanneer je wilt.
rules-here-bots = Bots
rules-here-bots-text = Bots nemen vrije plaatsen in. Ze zien wat een mens op hun plaats zou zien, en niets meer; maar ze onthouden alles.

rules-fair = Eerlijk toeval
rules-fair-promise = Voordat er iemand gaat zitten, kiest de server een geheime startwaarde en toont de vingerafdruk ervan (SHA-256): zijn belofte.
rules-fair-seeds = Elke speler mag een startwaarde toevoegen. Uit alle samen volgen alle stapels en elke trekking.
rules-fair-check = Als het spel afgelopen is, toont de server zijn startwaarde. Iedereen kan nagaan dat die bij de vingerafdruk hoort, en elke kaart en elk juweel narekenen, bijvoorbeeld met ‘sultan verify’.
rules-fair-proved-text = Wie de belofte van de server te zien kreeg en pas daarna een eigen startwaarde gaf, weet: de server kon de verdeling niet kiezen en niet veranderen.
rules-fair-open = Wat dit niet bewijst
rules-fair-open-text = Dat de beheerder van de server niet in de kaarten keek, of niet als laatste ging zitten met een vooraf uitgeprobeerde startwaarde. Speel alleen om een inzet waar je de beheerder zo ver vertrouwt.
rules-fair-guided = Het begeleide spel heeft een vaste verdeling, voor iedereen dezelfde: daar wordt niets beloofd.
