replay-title = Nachspielen
replay-about = Eine beendete Partie Sultan, Schritt für Schritt.
replay-eyes = Gesehen von
replay-all = Alles offen
replay-seat-note = Nur was damals von diesem Platz aus zu wissen war.
replay-all-note = Alle Karten und alle Schätze, wie sie damals niemand sah.
replay-steps = Zu einem Zeitpunkt gehen
replay-at = Zug { $at } von { $last }
replay-first = Zum Anfang
replay-back = Einen Zug zurück
replay-next = Einen Zug weiter
replay-last = Zum Ende
replay-play = Abspielen
replay-pause = Pause
replay-slider = Gespielte Züge
replay-go = Dorthin
replay-keys = Tasten: ← und → gehen schrittweise, Pos1 und Ende an Anfang und Schluss, die Leertaste spielt ab und hält an.
replay-begins = Die Partie beginnt. Alle haben ihre Karten auf die Hand genommen.
replay-cards = Alle Hände und Stapel
replay-hand = Auf der Hand
replay-deck = Kommt noch, oberste Karte zuerst
replay-bid-open = Karte { $order }: { $name }, { $card }.
study-about = Eine beendete Partie Sultan im Rückblick: jede Entscheidung, die Gewinnchancen, Glück und Können.
study-running = Die Partie wird ausgewertet. Das dauert etwa eine Viertelminute, länger, solange hier andere spielen.
study-waits = { $ahead ->
    [one] Eine Partie kommt zuerst, dann wird diese ausgewertet.
   *[other] { $ahead } Partien kommen zuerst, dann wird diese ausgewertet.
}
study-progress = Fortschritt der Auswertung
study-leave = Du kannst diese Seite verlassen: Es geht weiter und bleibt erhalten.
