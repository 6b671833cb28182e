end-title = Het einde
end-treasurer = Schatbewaarder van de sultan
end-treasurers = Schatbewaarders van de sultan
end-points-with = { $points ->
    [one] Eén punt
   *[other] { $points } punten
  } met { $jewels ->
    [one] één juweel
   *[other] { $jewels } juwelen
  }
end-draw = Onbeslist: evenveel punten en evenveel juwelen.
end-decided = { $first } en { $second } hebben evenveel punten: { $first } heeft meer juwelen.
end-decided-you = Jij en { $second } hebben evenveel punten: jij hebt meer juwelen.
end-decided-against-you = Jij en { $first } hebben evenveel punten: { $first } heeft meer juwelen.
end-left-title = Het spel is afgebroken
end-left = Iedereen heeft deze tafel verlaten. Vandaag wordt niemand schatbewaarder.
end-counting = De schatten worden geteld …
end-picture = Plaatje van de uitslag
end-last-round = De laatste ronde
end-ranking = Ranglijst
end-rank = Plaats { $rank }
end-jewels = { $count ->
    [one] Eén juweel
   *[other] { $count } juwelen
  }
end-line = { $colour }: { $count } keer { $points }
end-bonus = bonus { $points }
end-together = samen { $points }
end-total = { $points ->
    [one] Eén punt
   *[other] { $points } punten
  } in totaal
end-score = { $points } + bonus { $bonus } = { $total } punten, { $count ->
    [one] één juweel
   *[other] { $count } juwelen
}
end-after = En nu?
end-rematch = Nog eens samen spelen
end-rematch-alone = Nog eens spelen
end-asked = { $name } wil nog een keer spelen.
end-rematch-join = Naar de revanche
end-record = Verslag downloaden
verify-title = Deze verdeling controleren
verify-lead = Deze pagina neemt het verslag van het spel en rekent alles na, hier in je browser: de kaarten, de juwelen, elke zet en de uitslag.
verify-running = Bezig met controleren…
verify-all-good = Alles klopt.
verify-some-bad = Er klopt iets niet. De gemarkeerde regels zeggen wat.
verify-failed = Het verslag kon niet worden opgehaald. Laad deze pagina opnieuw, of download het verslag en controleer het zelf.
verify-no-script = Zonder JavaScript kan deze pagina niets controleren. Download het verslag en controleer het met het programma, of met de hand zoals hieronder staat.
verify-steps = Wat er wordt gecontroleerd
verify-good = klopt
verify-bad = klopt niet
verify-open = niet gecontroleerd
verify-step-record = Het verslag is leesbaar
verify-step-commitment = De startwaarde van de server is de waarde die hij beloofde
verify-step-noted = Het is de belofte die deze browser noteerde voordat hij zijn startwaarde gaf
verify-step-noted-unknown = Deze browser heeft die niet genoteerd: hij gaf aan deze tafel geen startwaarde, of hij is het vergeten.
verify-step-seed = De startwaarde van deze browser is deel van de verdeling
verify-step-seed-unknown = Deze browser weet hier van geen eigen startwaarde.
verify-step-first = Het toeval koos de startspeler
verify-step-first-host = De gastheer koos de startspeler.
verify-step-first-rematch = Bij een revanche begint wie na de startspeler van het vorige spel komt.
verify-step-first-unknown = Het verslag zegt niet wie hem koos.
verify-step-offers = Elk aanbod bestond uit de juwelen die de startwaarden opleveren
verify-step-bids = Elk bod was een kaart die de speler in de hand had
verify-step-result = Punten en plaatsen zijn zoals de tafel ze toont
verify-step-result-unknown = Het spel is niet uitgespeeld.
verify-fault = Eerste fout: zet { $number }, ‘{ $said }’.
verify-values = De waarden
verify-seeds = Startwaarden
verify-server-seed = De startwaarde van de server
verify-promise = De SHA-256 ervan: de belofte
verify-game-seed = De startwaarde van het spel
verify-decks = De stapels, bovenste kaart eerst
verify-player = Speler
verify-client-seed = Eigen startwaarde
verify-rounds = De rondes
verify-round = Ronde
verify-drawn = Getrokken
verify-offer = Op de kussens
verify-bids = Biedingen op volgorde
verify-won = Gewonnen door
verify-nobody = niemand
verify-proves-title = Wat dit bewijst
verify-not-title = Wat het niet bewijst
verify-not-look = Dat de beheerder niet keek: wie de server draait, kan alle kaarten uitrekenen zodra de startwaarden er zijn.
verify-not-last = Dat de beheerder niet als laatste ging zitten, met een startwaarde die vooraf was uitgeprobeerd.
verify-not-page = Deze pagina komt van dezelfde server. Vertrouw je die niet, controleer het verslag dan met een programma van elders.
verify-hand-title = Zelf controleren
verify-hand-program = Met het programma van Sultan, op elke computer:
verify-hand-steps = Of met elk programma dat SHA-256 en ChaCha20 kent:
verify-hand-commitment = De belofte is de SHA-256 van de 32 bytes van de startwaarde van de server.
verify-hand-seed = De startwaarde van het spel is de SHA-256 van ‘sultan/1’, de startwaarde van de server, en voor elke plaats één byte met de lengte van haar startwaarde, dan die startwaarde.
verify-hand-words = Willekeurige woorden komen van ChaCha20 met de startwaarde van het spel als sleutel: stroom 0 tot en met 4 voor de stapel van die plaats, vanaf 16 voor de trekking van elke ronde, 64 voor de startspeler.
verify-hand-deck = Een stapel: de waarden in oplopende volgorde; van de laatste plaats tot de tweede wordt elke gewisseld met een getrokken plaats tot en met die plaats.
verify-hand-draw = Een trekking: een getal onder het aantal juwelen in de buidel, geteld in de volgorde wit, rood, geel, groen, blauw.
verify-back = Terug naar de tafel
curtain-title = Doorgeven
curtain-to = Geef het apparaat aan
curtain-why = Achter het gordijn liggen kaarten die niemand anders mag zien.
curtain-everyone = Kijk allemaal!
curtain-lift = Ik ben { $name }: gordijn open
curtain-wait = Jullie mogen allemaal kijken: dit ziet iedereen. Is een van jullie aan de beurt, dan valt het gordijn.
curtain-look = Achter het zichtscherm van { $name }
