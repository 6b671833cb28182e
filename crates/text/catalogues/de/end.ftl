end-title = Das Ende
end-treasurer = Schatzmeister des Sultans
end-treasurers = Die Schatzmeister des Sultans
end-points-with = { $points ->
    [one] Ein Punkt
   *[other] { $points } Punkte
  } mit { $jewels ->
    [one] einem Juwel
   *[other] { $jewels } Juwelen
  }
end-draw = Unentschieden: gleich viele Punkte und gleich viele Juwelen.
end-decided = { $first } und { $second } haben gleich viele Punkte: { $first } hat mehr Juwelen.
end-decided-you = Du und { $second } habt gleich viele Punkte: Du hast mehr Juwelen.
end-decided-against-you = Du und { $first } habt gleich viele Punkte: { $first } hat mehr Juwelen.
end-left-title = Das Spiel wurde abgebrochen
end-left = Alle haben diesen Tisch verlassen. Heute wird niemand Schatzmeister.
end-counting = Die Schätze werden gezählt …
end-picture = Bild vom Ergebnis
end-last-round = Die letzte Runde
end-ranking = Rangliste
end-rank = Platz { $rank }
end-jewels = { $count ->
    [one] Ein Juwel
   *[other] { $count } Juwelen
  }
end-line = { $colour }: { $count } zu je { $points }
end-bonus = Bonus { $points }
end-together = zusammen { $points }
end-total = { $points ->
    [one] Ein Punkt
   *[other] { $points } Punkte
  } insgesamt
end-score = { $points } + Bonus { $bonus } = { $total } Punkte, { $count ->
    [one] ein Juwel
   *[other] { $count } Juwelen
}
end-after = Und jetzt?
end-rematch = Noch einmal zusammen spielen
end-rematch-alone = Noch einmal spielen
end-asked = { $name } möchte noch einmal spielen.
end-rematch-join = Zur Revanche
end-record = Aufzeichnung herunterladen
verify-title = Diese Verteilung prüfen
verify-lead = Diese Seite nimmt die Aufzeichnung des Spiels und rechnet alles nach, hier in deinem Browser: die Karten, die Juwelen, jeden Zug und das Ergebnis.
verify-running = Wird geprüft …
verify-all-good = Alles stimmt.
verify-some-bad = Etwas stimmt nicht. Die markierten Zeilen sagen, was.
verify-failed = Die Aufzeichnung kam nicht an. Lade diese Seite neu, oder lade die Aufzeichnung herunter und prüfe sie selbst.
verify-no-script = Ohne JavaScript kann diese Seite nichts prüfen. Lade die Aufzeichnung herunter und prüfe sie mit dem Programm oder von Hand, wie unten beschrieben.
verify-steps = Was geprüft wird
verify-good = stimmt
verify-bad = stimmt nicht
verify-open = nicht geprüft
verify-step-record = Die Aufzeichnung ist lesbar
verify-step-commitment = Der Startwert des Servers ist der, den er versprochen hat
verify-step-noted = Es ist das Versprechen, das dieser Browser notiert hat, bevor er seinen Startwert gab
verify-step-noted-unknown = Dieser Browser hat es nicht notiert: Er gab an diesem Tisch keinen Startwert, oder er hat es vergessen.
verify-step-seed = Der Startwert dieses Browsers ist Teil der Verteilung
verify-step-seed-unknown = Dieser Browser weiß hier von keinem eigenen Startwert.
verify-step-first = Der Zufall hat den Startspieler bestimmt
verify-step-first-host = Der Gastgeber hat den Startspieler bestimmt.
verify-step-first-rematch = Bei einer Revanche beginnt, wer links von dem sitzt, der das letzte Spiel begonnen hat.
verify-step-first-unknown = Die Aufzeichnung sagt nicht, wer ihn bestimmt hat.
verify-step-offers = Jede Auslage bestand aus den Juwelen, die die Startwerte ergeben
verify-step-bids = Jedes Gebot war eine Karte aus der Hand des Bietenden
verify-step-result = Punkte und Plätze sind so, wie der Tisch sie zeigt
verify-step-result-unknown = Das Spiel wurde nicht zu Ende gespielt.
verify-fault = Erster Fehler: Zug { $number }, „{ $said }“.
verify-values = Die Werte
verify-seeds = Startwerte
verify-server-seed = Der Startwert des Servers
verify-promise = Sein SHA-256: das Versprechen
verify-game-seed = Der Startwert des Spiels
verify-decks = Die Stapel, oberste Karte zuerst
verify-player = Spieler
verify-client-seed = Eigener Startwert
verify-rounds = Die Runden
verify-round = Runde
verify-drawn = Gezogen
verify-offer = Auf den Kissen
verify-bids = Gebote der Reihe nach
verify-won = Gewonnen von
verify-nobody = niemand
verify-proves-title = Was das beweist
verify-not-title = Was es nicht beweist
verify-not-look = Dass der Betreiber nicht hingesehen hat: Wer den Server betreibt, kann alle Karten ausrechnen, sobald die Startwerte da sind.
verify-not-last = Dass der Betreiber sich nicht als Letzter hingesetzt hat, mit einem vorher ausprobierten Startwert.
verify-not-page = Diese Seite kommt vom selben Server. Wenn du ihm nicht traust, prüfe die Aufzeichnung mit einem Programm von anderswo.
verify-hand-title = Selbst prüfen
verify-hand-program = Mit dem Programm von Sultan, auf jedem Rechner:
verify-hand-steps = Oder mit jedem Programm, das SHA-256 und ChaCha20 kennt:
verify-hand-commitment = Das Versprechen ist der SHA-256 der 32 Bytes vom Startwert des Servers.
verify-hand-seed = Der Startwert des Spiels ist der SHA-256 von „sultan/1“, dem Startwert des Servers und für jeden Platz einem Byte mit der Länge seines Startwerts, dann diesem Startwert.
verify-hand-words = Zufallswörter kommen von ChaCha20 mit dem Startwert des Spiels als Schlüssel: Strom 0 bis 4 für den Stapel dieses Platzes, ab 16 für das Ziehen jeder Runde, 64 für den Startspieler.
verify-hand-deck = Ein Stapel: die Werte in steigender Folge; von der letzten Stelle bis zur zweiten wird jede mit einer gezogenen Stelle bis zu ihr getauscht.
verify-hand-draw = Ein Zug aus dem Stoffbeutel: eine Zahl unter der Zahl der Juwelen darin, abgezählt in der Folge Weiß, Rot, Gelb, Grün, Blau.
verify-back = Zurück zum Tisch
curtain-title = Weitergeben
curtain-to = Gib das Gerät an
curtain-why = Hinter dem Vorhang liegen Karten, die sonst niemand sehen soll.
curtain-everyone = Schaut alle her!
curtain-lift = Ich bin { $name }: Vorhang auf
curtain-wait = Ihr dürft alle hinsehen: Das hier sehen alle. Wenn jemand von euch dran ist, fällt der Vorhang.
curtain-look = Hinter dem Sichtschirm von { $name }
