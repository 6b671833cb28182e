table-title-turn = Du bist dran
table-title-over = Das Spiel ist zu Ende
table-about = Eine Partie Sultan: Juwelen auf Kissen, Karten verdeckt.
table-here = Der Tisch
table-players = Spieler
table-player = Spieler { $number }
table-clock-stage = Durchgang { $stage } von { $stages }
table-clock-round = Runde { $round }
table-last-round = Die vorige Runde
table-points = Punkte und Bonuspunkte
table-menu = Mehr
table-close = Schließen
table-deadline = Bedenkzeit
table-cards = { $hand ->
    [one] Eine Karte auf der Hand
   *[other] { $hand } Karten auf der Hand
  }, { $deck } im Stapel
table-to-act = ist an der Reihe
table-stand-in = es spielt ein Bot: { $bot }
table-gone = nicht da
table-first-player = Startspieler
table-you-first = Du bist Startspieler.
table-jewels = Gewonnene Juwelen
table-board = Der Spielplan
table-put-back = Zurückgelegt
table-cushion = Kissen { $number }: { $jewel }.
table-cushion-empty = Kissen { $number }: leer.
table-worth = { $points ->
    [one] Ein Punkt
   *[other] { $points } Punkte
  }
table-own-card-there = Hier liegt schon deine andere Karte: Nimm ein anderes Kissen.
table-bid-own = Karte { $order }: deine, { $card }.
table-bid = Karte { $order }: { $name }, verdeckt.
table-drawn-all = Gezogene Juwelen
table-drawn = { $colour } · { $points }
table-goes-back = Geht zurück
table-ended = Alle haben diesen Tisch verlassen.
table-you-open = Du eröffnest die Runde:
table-you-open-how = Welches Juwel kommt zurück in den Stoffbeutel?
table-your-turn = Du bist dran:
table-bid-one = eine Karte, verdeckt, auf ein Kissen.
table-bid-first = die erste deiner zwei Karten.
table-bid-second = deine zweite Karte, auf ein anderes Kissen.
table-bot-for-you = Ein Bot spielt für dich.
table-opens = { $name } eröffnet die Runde.
table-thinks = { $name } wählt eine Karte …
table-you-win = Du bist mit { $points ->
    [one] einem Punkt
   *[other] { $points } Punkten
  } der neue Schatzmeister des Sultans!
table-wins = { $name } wird Schatzmeister des Sultans, mit { $points ->
    [one] einem Punkt
   *[other] { $points } Punkten
  }.
table-share = Unentschieden: { $names } teilen sich den ersten Platz mit { $points ->
    [one] einem Punkt
   *[other] { $points } Punkten
  }.
table-and = { $most } und { $last }
table-watching = Du schaust zu. Die Handkarten bleiben verdeckt.
table-own-place = Dein Platz
table-hand = Deine Hand
table-card = Karte { $card }
table-need-back = Wähle das Juwel, das zurückgeht
table-confirm-offer = Zurücklegen
table-confirm-back = Leg { $jewel } zurück
table-need-card = Wähle eine Karte aus deiner Hand
table-need-cushion = Wähle jetzt ein Kissen
table-confirm = Gebot abgeben
table-may-prepare = Du kannst schon eine Karte wählen.
table-is-prepared = Deine Karte liegt bereit. Gesendet wird erst, wenn du am Zug bist und bestätigst.
keys-choose = Wählen
keys-cushion = Kissen
keys-confirm = Bestätigen
keys-clear = Verwerfen
table-confirm-bid = { $card } auf Kissen { $cushion } legen
table-bids-left = { $count ->
    [one] Noch eine Karte, dann wird aufgedeckt
   *[other] Noch { $count } Karten, dann wird aufgedeckt
  }
table-waiting = Warten auf { $name }
table-again = Noch einmal schauen
table-away = Für dich spielt gerade ein Bot: { $bot }.
table-take-back = Meinen Platz wieder einnehmen
table-treasure = Dein Schatz
table-own-points = { $points ->
    [one] Bisher ein Punkt
   *[other] Bisher { $points } Punkte
  }
table-own-deck = { $count ->
    [one] Eine Karte in deinem Stapel
   *[other] { $count } Karten in deinem Stapel
  }
table-no-round-yet = Noch ist keine Runde zu Ende.
table-round = Durchgang { $stage }, Runde { $round }
table-you = Du
table-to-pouch = In den Stoffbeutel
table-nobody = Niemand wollte { $jewel }: zurück in den Stoffbeutel.
table-you-take = Du nimmst { $jewel } mit { $card }.
table-takes = { $name } nimmt { $jewel } mit { $card }.
table-tie-earliest = Die { $card } lag mehrmals da: Die zuerst gelegte Karte gewinnt.
table-tie-first-player = Beide legten { $card }: Es gewinnt, wer Startspieler ist.
table-points-each = Punkte je Juwel
table-bonus = Bonuspunkte für Juwelen einer Farbe
table-alike = { $count } gleiche
table-alike-more = ab { $count }
table-so-far = Punkte bisher
table-react = Ruf etwas in die Runde
table-host = Als Gastgeber
table-fill = Einen Bot für { $name } spielen lassen
table-give-back = Den Platz zurückgeben: { $name }
table-story = Was geschah
table-offline = Die Verbindung ist weg. Neuer Versuch …
table-rules = Regeln
table-leave = Den Tisch verlassen
table-fill-in = Ein Bot darf übernehmen in
table-watched = Es schaut jemand zu.
event-time-up-you = Die Zeit ist um: Der { $bot } hat für dich gespielt.
event-time-up = Die Zeit ist um: Der { $bot } hat für { $name } gespielt.
game-pause = Spiel anhalten
game-paused = Das Spiel macht Pause.
game-resume = Weiterspielen
game-rest = Den Rest für mich spielen
game-rest-more = Der { $bot } spielt für dich weiter. Du kannst zuschauen, siehst das Ergebnis und kannst deinen Platz jederzeit wieder einnehmen.
game-rest-yes = Ja, spiel für mich weiter
game-leave-more = Der { $bot } spielt für dich weiter. Solange das Spiel läuft, kannst du auf deinen Platz zurückkommen.
game-leave-yes = Ja, verlassen
game-discard = Dieses Spiel aufgeben
game-discard-more = Das Spiel endet hier, ohne Sieger. Das lässt sich nicht zurücknehmen.
game-discard-yes = Ja, aufgeben
reaction-applause = Bravo!
reaction-laugh = Haha!
reaction-wonder = Oh!
reaction-sigh = Wie schade.
reaction-hurry = Na los!
reaction-thanks = Danke!
event-reaction = { $name }: „{ $word }“
event-stands-in = Für { $name } spielt jetzt ein Bot.
event-is-back = { $name } ist wieder da.
event-is-gone = { $name } ist gerade nicht da.
event-back = Zurück in den Stoffbeutel: { $jewel }.
event-turned-up = Alle Karten werden aufgedeckt.
event-new-round = Runde { $round } im Durchgang { $stage }.
event-new-stage = Durchgang { $stage } beginnt: Alle nehmen neue Karten. Runde { $round }.
event-you-draw = Du ziehst: { $jewels }.
event-draws = { $name } zieht: { $jewels }.
event-bid = { $name } legt eine Karte auf Kissen { $cushion }.
event-own-bid = Du legst { $card } auf Kissen { $cushion }.
