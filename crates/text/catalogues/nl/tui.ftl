tui-you = jij
tui-players = Spelers
tui-hand = hand
tui-deck = stapel
tui-points = punten
tui-jewels = juwelen
tui-bonus = bonus
tui-log = Wat er gebeurde
tui-drawn = Getrokken
tui-cushion = Kussen { $cushion }
tui-your-hand = Jouw hand
tui-hand-of = { $name }: hand
tui-behind = achter het zichtscherm
tui-stands-in = { $bot } speelt
tui-seat-free = vrij
tui-seat-number = Plaats { $number }
tui-clock = Doorgang { $stage } van { $stages }, ronde { $round } van { $rounds }
tui-clock-variant = { $game }, ronde { $round } van { $rounds }
tui-first = eerst: { $name }
tui-waits-offer = { $name } legt juwelen op de kussens…
tui-waits-bid = { $name } biedt…
tui-do-offer = Jij bent aan de beurt: welk juweel komt op kussen { $cushion }?
tui-do-confirm-offer = { $jewel } gaat terug in de buidel. Enter bevestigt.
tui-do-card = Jij bent aan de beurt: welke kaart bied je?
tui-do-card-begun = 1… en het tweede cijfer; Enter neemt de gemarkeerde kaart.
tui-do-cushion = Op welk kussen leg je de { $card }?
tui-do-confirm-bid = { $card } op kussen { $cushion }: Enter bevestigt.
tui-reveal = Doorgang { $stage }, ronde { $round }: de kaarten worden omgedraaid
tui-reveal-takes = { $name } pakt het
tui-reveal-back = terug in de buidel
tui-curtain = Het scherm is nu voor { $name }.
tui-curtain-lift = { $name }: als niemand anders kijkt, druk op Enter.
tui-end = Einde van het spel
tui-rematch = Iemand aan deze tafel speelt nog een keer: druk op r om mee te doen.
tui-kept = Het spel blijft bewaard. Ga verder met: sultan play
tui-come-back = Terug naar je plaats kom je met: sultan play { $link }
tui-places = Uitslag
tui-points-of = De punten van { $name }
tui-points-bonus = bonus { $bonus }
tui-waiting-title = Voor het spel
tui-waiting = { $count ->
    [one] Er ontbreekt nog één speler…
   *[other] Er ontbreken nog { $count } spelers…
  }
tui-unfinished = { $count ->
    [one] Een onvoltooid spel
   *[other] { $count } onvoltooide spellen
}
tui-new-game = Een nieuw spel
tui-give-up-sure = Druk nog eens op Backspace om dit spel voorgoed op te geven.
tui-set-language = Taal
tui-set-players = Spelers
tui-set-game = Spel
tui-set-screens = Zichtschermen
tui-set-first = Startspeler
tui-screens-closed = gesloten
tui-screens-open = open
tui-first-chance = het toeval beslist
tui-bot = Bot
tui-person = Mens
tui-colour-any = om het even
tui-start = Beginnen
tui-about-person = Iemand op dit apparaat. Met meer geef je het door; daartussen valt een gordijn.
tui-about-closed = Gewonnen juwelen verdwijnen achter de zichtschermen: onthoud wie wat heeft.
tui-about-open = Iedereen ziet alle gewonnen juwelen en gespeelde kaarten.
tui-about-first = Wie de eerste juwelen op de kussens legt.
tui-about-colour = De kleur van de kaarten en het teken erbij.
tui-key-help = Hulp
tui-key-rules = Regels
tui-key-quit = Stoppen
tui-key-confirm = bevestigen
tui-key-choose = kiezen
tui-key-move = verplaatsen
tui-key-undo = terugnemen
tui-key-lift = gordijn open
tui-key-on = verder
tui-key-turn-up = alles omdraaien
tui-key-player = speler
tui-key-once-more = nog een keer
tui-key-new = nieuw spel
tui-key-back = je plaats weer innemen
tui-key-give-up = opgeven
tui-key-next = volgende
tui-key-change = wijzigen
tui-key-write = schrijven
tui-key-close = sluiten
tui-key-scroll = bladeren
tui-too-small = Dit venster is te klein voor Sultan: maak het minstens { $columns } kolommen breed en { $rows } regels hoog, of start met --plain.
tui-lost = De tafel is niet te bereiken ({ $why }). Nieuwe poging…
tui-gone = Van deze tafel komt niets meer: { $why }
tui-help-intro = Kies, en bevestig met Enter. Daarvoor is er niets gespeeld.
tui-help-number = een kaart op waarde kiezen, juweel of kussen op nummer
tui-help-arrows = tussen juwelen, kaarten of kussens bewegen; in het formulier een waarde wijzigen
tui-help-letters = een wit, rood, geel, groen of blauw juweel op het volgende kussen leggen
tui-help-enter = nemen wat gemarkeerd is; bevestigen als alles gekozen is
tui-help-undo = de laatste keuze terugnemen
tui-help-help = deze pagina; elke andere toets sluit die
tui-help-rules = de regels in het kort
tui-help-quit = stoppen; het spel blijft bewaard
tui-help-mouse = Met de muis: klik op juwelen, kaarten, kussens en op alle toetsen die je ziet; de rechterknop neemt terug.
tui-help-signs = Juwelen: ○W wit, ◆R rood, ▲Y geel, ■G groen, ★B blauw. Spelers: ☾ paars, ☼ goud, ♣ groen, ♥ rood, ♠ blauw. Het getal voor een kaart zegt als hoeveelste die gelegd is.
tui-help-more = sultan play --plain speelt regel voor regel, voor schermlezers en scripts; sultan play --help vertelt de rest.
tui-plain-own = Jouw juwelen: { $jewels }, samen { $points ->
    [one] één punt
   *[other] { $points } punten
}.
tui-plain-offer = Getrokken: { $jewels }. Schrijf de juwelen voor kussen 1, 2 enzovoort op volgorde, zoals RYB; of een nummer:
tui-plain-bid = Schrijf een kaart en een kussen, zoals 12@2; of een nummer:
tui-plain-no-card = geen kaart
tui-plain-help = Schrijf een actie of het nummer ervan; een lege regel toont de mogelijkheden opnieuw; rules toont de regels; q stopt, en het spel blijft bewaard.
tui-rules-title = De regels in het kort, voor { $players } spelers
tui-rules-aim = Je koopt juwelen voor de sultan met gedekte geldkaarten. Wie aan het eind de meeste punten heeft, wordt zijn schatbewaarder.
tui-rules-pouch = In de buidel zitten { $count } juwelen: { $jewels }.
tui-rules-hand = Het spel heeft { $stages ->
    [one] één doorgang
   *[other] { $stages } doorgangen
} van { $rounds } rondes. { $sets ->
    [one] Je hebt de kaarten 1 tot en met { $highest }
   *[other] Je hebt de kaarten 1 tot en met { $highest }, elk { $sets } keer
  }, geschud; aan het begin van elke doorgang neem je er { $cards } in de hand.
tui-rules-offer = In elke ronde trekt de startspeler { $drawn } juwelen, legt er { $cushions } naar believen op de kussens en het laatste terug.
tui-rules-bid = Dan legt iedereen om de beurt, de startspeler eerst, precies één kaart gedekt op een kussen. Passen mag niet.
tui-rules-bid-two = Dan leggen jullie om de beurt, de startspeler eerst, elk twee kaarten gedekt op twee verschillende kussens.
tui-rules-settle = Alle kaarten worden omgedraaid. Op elk kussen pakt de hoogste kaart het juweel; ligt er geen, dan gaat het terug in de buidel. Alle gespeelde kaarten zijn weg.
tui-rules-tie = Van gelijke kaarten wint de eerst gelegde. In de volgende ronde begint de linkerbuur.
tui-rules-tie-two = Van gelijke kaarten wint die van de startspeler. In de volgende ronde begint de ander.
tui-rules-screen = Gewonnen juwelen liggen achter je zichtscherm; met open zichtschermen ziet iedereen ze.
tui-rules-points = Punten voor elk juweel: { $points }.
tui-rules-bonus = Bonuspunten voor juwelen van één kleur (aantal: punten): { $steps }; nog meer telt als het laatste.
tui-rules-win = Wie de meeste punten heeft, wint; bij gelijke stand wie meer juwelen heeft; anders wordt de plaats gedeeld.
tui-key-step = stap
tui-key-play = afspelen
tui-key-pause = pauze
tui-key-ends = begin / einde
tui-key-eyes = andere blik
