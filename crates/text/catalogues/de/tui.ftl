tui-you = du
tui-players = Spieler
tui-hand = Hand
tui-deck = Stapel
tui-points = Punkte
tui-jewels = Juwelen
tui-bonus = Bonus
tui-log = Was geschah
tui-drawn = Gezogen
tui-cushion = Kissen { $cushion }
tui-your-hand = Deine Hand
tui-hand-of = { $name }: Hand
tui-behind = hinter dem Sichtschirm
tui-stands-in = es spielt: { $bot }
tui-seat-free = frei
tui-seat-number = Platz { $number }
tui-clock = Durchgang { $stage } von { $stages }, Runde { $round } von { $rounds }
tui-clock-variant = { $game }, Runde { $round } von { $rounds }
tui-first = zuerst: { $name }
tui-waits-offer = { $name } legt Juwelen auf die Kissen …
tui-waits-bid = { $name } bietet …
tui-do-offer = Du bist dran: Welches Juwel kommt auf Kissen { $cushion }?
tui-do-confirm-offer = { $jewel } kommt zurück in den Stoffbeutel. Enter bestätigt.
tui-do-card = Du bist dran: Welche Karte bietest du?
tui-do-card-begun = 1 … und die zweite Ziffer; Enter nimmt die markierte Karte.
tui-do-cushion = Auf welches Kissen legst du die { $card }?
tui-do-confirm-bid = { $card } auf Kissen { $cushion }: Enter bestätigt.
tui-reveal = Durchgang { $stage }, Runde { $round }: Die Karten werden aufgedeckt
tui-reveal-takes = geht an { $name }
tui-reveal-back = in den Stoffbeutel
tui-curtain = Jetzt gehört der Bildschirm { $name }.
tui-curtain-lift = { $name }: Wenn sonst niemand hinsieht, drück Enter.
tui-end = Spielende
tui-rematch = Jemand an diesem Tisch spielt noch einmal: Mit r bist du dabei.
tui-kept = Das Spiel bleibt erhalten. Weiter geht es mit: sultan play
tui-come-back = Zurück an deinen Platz kommst du mit: sultan play { $link }
tui-places = Rangliste
tui-points-of = Die Punkte von { $name }
tui-points-bonus = Bonus { $bonus }
tui-waiting-title = Vor dem Spiel
tui-waiting = { $count ->
    [one] Es fehlt noch ein Spieler …
   *[other] Es fehlen noch { $count } Spieler …
}
tui-unfinished = { $count ->
    [one] Ein angefangenes Spiel
   *[other] { $count } angefangene Spiele
}
tui-new-game = Ein neues Spiel
tui-give-up-sure = Drück noch einmal die Rücktaste, um dieses Spiel endgültig aufzugeben.
tui-set-language = Sprache
tui-set-players = Spieler
tui-set-game = Spiel
tui-set-screens = Sichtschirme
tui-set-first = Startspieler
tui-screens-closed = geschlossen
tui-screens-open = offen
tui-first-chance = der Zufall entscheidet
tui-bot = Bot
tui-person = Mensch
tui-colour-any = beliebig
tui-start = Los geht’s
tui-about-person = Jemand an diesem Gerät. Mehrere reichen es herum; dazwischen fällt ein Vorhang.
tui-about-closed = Gewonnene Juwelen verschwinden hinter den Sichtschirmen: Merk dir, wer was hat.
tui-about-open = Alle sehen alle gewonnenen Juwelen und gespielten Karten.
tui-about-first = Wer die ersten Juwelen auf die Kissen legt.
tui-about-colour = Die Farbe der Karten und das Zeichen dazu.
tui-key-help = Hilfe
tui-key-rules = Regeln
tui-key-quit = Ende
tui-key-confirm = bestätigen
tui-key-choose = wählen
tui-key-move = wechseln
tui-key-undo = zurücknehmen
tui-key-lift = Vorhang auf
tui-key-on = weiter
tui-key-turn-up = alle aufdecken
tui-key-player = Spieler
tui-key-once-more = noch einmal
tui-key-new = neues Spiel
tui-key-back = deinen Platz wieder einnehmen
tui-key-give-up = aufgeben
tui-key-next = weiter
tui-key-change = ändern
tui-key-write = schreiben
tui-key-close = schließen
tui-key-scroll = blättern
tui-too-small = Dieses Fenster ist zu klein für Sultan: Mach es mindestens { $columns } Spalten breit und { $rows } Zeilen hoch, oder starte mit --plain.
tui-lost = Der Tisch ist nicht zu erreichen ({ $why }). Neuer Versuch …
tui-gone = Von diesem Tisch kommt nichts mehr: { $why }
tui-help-intro = Wähle, dann bestätige mit Enter. Vorher ist nichts gespielt.
tui-help-number = Karte nach Wert, Juwel oder Kissen nach Nummer wählen
tui-help-arrows = zwischen Juwelen, Karten oder Kissen wechseln; im Formular einen Wert ändern
tui-help-letters = ein weißes, rotes, gelbes, grünes oder blaues Juwel auf das nächste Kissen legen
tui-help-enter = nehmen, was markiert ist; bestätigen, wenn alles gewählt ist
tui-help-undo = die letzte Wahl zurücknehmen
tui-help-help = diese Seite; jede andere Taste schließt sie
tui-help-rules = die Regeln in Kürze
tui-help-quit = aufhören; das Spiel bleibt erhalten
tui-help-mouse = Mit der Maus: Klick auf Juwelen, Karten, Kissen und alle Tasten, die zu sehen sind; die rechte Maustaste nimmt zurück.
tui-help-signs = Juwelen: ○W weiß, ◆R rot, ▲Y gelb, ■G grün, ★B blau. Spieler: ☾ Violett, ☼ Gold, ♣ Grün, ♥ Rot, ♠ Blau. Die Zahl vor einer Karte sagt, als wievielte sie gelegt wurde.
tui-help-more = sultan play --plain spielt Zeile für Zeile, für Vorleseprogramme und Skripte; sultan play --help zeigt alles Weitere.
tui-plain-own = Deine Juwelen: { $jewels }, zusammen { $points ->
    [one] ein Punkt
   *[other] { $points } Punkte
}.
tui-plain-offer = Gezogen: { $jewels }. Schreib die Juwelen für Kissen 1, 2 und so weiter der Reihe nach, etwa RYB; oder eine Nummer:
tui-plain-bid = Schreib eine Karte und ein Kissen, etwa 12@2; oder eine Nummer:
tui-plain-no-card = keine Karte
tui-plain-help = Schreib eine Aktion oder ihre Nummer; eine leere Zeile zeigt die Auswahl noch einmal; rules zeigt die Regeln; mit q hörst du auf, und das Spiel bleibt erhalten.
tui-rules-title = Die Regeln in Kürze, für { $players } Spieler
tui-rules-aim = Du kaufst Juwelen für den Sultan, mit verdeckten Geldkarten. Wer am Ende die meisten Punkte hat, wird sein Schatzmeister.
tui-rules-pouch = Im Stoffbeutel sind { $count } Juwelen: { $jewels }.
tui-rules-hand = Das Spiel hat { $stages ->
    [one] einen Durchgang
   *[other] { $stages } Durchgänge
} zu { $rounds } Runden. { $sets ->
    [one] Du hast die Karten 1 bis { $highest }
   *[other] Du hast die Karten 1 bis { $highest }, jede { $sets }-mal
}, gemischt; zu Beginn jedes Durchgangs nimmst du { $cards } davon auf die Hand.
tui-rules-offer = In jeder Runde zieht der Startspieler { $drawn } Juwelen, legt { $cushions } davon nach Belieben auf die Kissen und das letzte zurück.
tui-rules-bid = Dann legt reihum, der Startspieler zuerst, jeder genau eine Karte verdeckt auf ein Kissen. Passen ist nicht erlaubt.
tui-rules-bid-two = Dann legt ihr abwechselnd, der Startspieler zuerst, je zwei Karten verdeckt auf zwei verschiedene Kissen.
tui-rules-settle = Alle Karten werden aufgedeckt. Auf jedem Kissen nimmt die höchste Karte das Juwel; liegt dort keine, kommt es zurück in den Stoffbeutel. Alle gespielten Karten sind weg.
tui-rules-tie = Von gleichen Karten gewinnt die zuerst gelegte. In der nächsten Runde beginnt der linke Nachbar.
tui-rules-tie-two = Von gleichen Karten gewinnt die des Startspielers. In der nächsten Runde beginnt der andere.
tui-rules-screen = Gewonnene Juwelen liegen hinter deinem Sichtschirm; mit offenen Sichtschirmen sehen sie alle.
tui-rules-points = Punkte für jedes Juwel: { $points }.
tui-rules-bonus = Bonuspunkte für Juwelen einer Farbe (Anzahl: Punkte): { $steps }; noch mehr zählen wie das letzte.
tui-rules-win = Wer die meisten Punkte hat, gewinnt; bei Gleichstand, wer mehr Juwelen hat; sonst wird der Platz geteilt.
tui-key-step = Schritt
tui-key-play = abspielen
tui-key-pause = anhalten
tui-key-ends = Anfang / Ende
tui-key-eyes = andere Sicht
