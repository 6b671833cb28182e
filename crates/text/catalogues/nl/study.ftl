replay-title = Terugkijken
replay-about = Een afgelopen spel Sultan, stap voor stap.
replay-eyes = Gezien door
replay-all = Alles open
replay-seat-note = Alleen wat er toen vanaf deze plaats te weten was.
replay-all-note = Alle kaarten en alle schatten, zoals niemand ze toen zag.
replay-steps = Naar een moment gaan
replay-at = Zet { $at } van { $last }
replay-first = Naar het begin
replay-back = Eén zet terug
replay-next = Eén zet verder
replay-last = Naar het einde
replay-play = Afspelen
replay-pause = Pauze
replay-slider = Gespeelde zetten
replay-go = Erheen
replay-keys = Toetsen: ← en → gaan stap voor stap, Home en End naar begin en einde, de spatiebalk speelt af en pauzeert.
replay-begins = Het spel begint. Iedereen heeft kaarten op de hand genomen.
replay-cards = Alle handen en stapels
replay-hand = In de hand
replay-deck = Komt nog, bovenste kaart eerst
replay-bid-open = Kaart { $order }: { $name }, { $card }.
study-about = Een afgelopen spel Sultan ontleed: elke beslissing, de winkansen, geluk en kunde.
study-running = Het spel wordt ontleed. Dat duurt ongeveer een kwart minuut, langer zolang anderen hier spelen.
study-waits = { $ahead ->
    [one] Eén spel gaat voor, dan wordt dit ontleed.
   *[other] { $ahead } spellen gaan voor, dan wordt dit ontleed.
}
study-progress = Voortgang van de ontleding
study-leave = Je kunt deze pagina verlaten: het gaat door en wordt bewaard.
