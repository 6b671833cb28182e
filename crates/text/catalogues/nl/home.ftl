home-title = juwelen, kaarten en bluf
home-motto = Juwelen op kussens, kaarten gedekt, en een stalen gezicht.
home-about = Speel het bordspel Sultan in je browser: tegen bots, met vrienden of op één apparaat.
home-what = Sultan is een snel spel van bieden en bluffen voor twee tot vijf spelers. Wie de kostbaarste juwelen verzamelt, wordt schatbewaarder van het paleis.
home-draw = Juwelen uit de buidel
home-draw-more = De startspeler legt er één terug en de andere op de kussens.
home-bid = Eén kaart, gedekt
home-bid-more = Iedereen biedt op een kussen. Wie durft waar?
home-win = De hoogste kaart wint
home-win-more = Een juweel dat niemand wil, gaat terug in de buidel.
home-rules = Spelregels
home-fair = Wordt er eerlijk geschud?
home-api = Voor programma’s
home-links = Meer over Sultan
home-unofficial = Een onofficiële versie van Sultan van André Zatz en Sergio Halaban (Queen Games, 2009), met eigen beelden en teksten. Vrije software.
home-your-name = Je naam
home-lucky-word = Je gelukswoord
home-lucky-word-hint = Het telt mee bij het schudden, zodat niemand alleen over de verdeling beslist. Je mag het leeg laten.
home-guest = Gast
home-seat-number = Plaats { $number }
home-a-person = Een mens
home-a-bot = Een bot
home-who-are-they = Wie zijn de bots?
home-more-choices = Meer keuzes
home-play-now = Meteen spelen
home-play-bots = Hoeveel tegenstanders?
home-play-level = Wie zijn het?
home-play-go = Spelen
home-new-here = Nieuw hier? Speel eerst een begeleid spel.
home-game = Lengte van het spel
home-screens = Zichtschermen
home-screens-closed = Gesloten
home-screens-open = Open
home-screens-hint = Gesloten: de anderen zien gewonnen juwelen niet. Open: iedereen ziet ze.
home-time = Bedenktijd
home-time-none = Geen limiet
home-time-seconds = { $seconds } s
home-time-minutes = { $minutes } min
home-time-hours = { $hours } uur
home-time-days = { $days ->
    [one] { $days } dag
   *[other] { $days } dagen
}
home-time-own = Anders
home-time-unit = Eenheid
home-time-in-seconds = seconden
home-time-in-minutes = minuten
home-time-in-hours = uur
home-time-in-days = dagen
home-time-hint = Per beslissing: van 1 seconde tot 7 dagen.
home-first-player = Startspeler
home-first-chance = Het toeval beslist
home-first-me = Ik
home-even-pace = Gelijk tempo
home-even-pace-hint = Niemand merkt hoe lang iemand nadacht.
home-friends = Met vrienden spelen
home-friends-hint = Open een tafel en deel de link.
home-friends-seats = Wie krijgt de andere plaatsen?
home-friends-who = Wie kan de tafel vinden?
home-friends-link = Alleen met link
home-friends-public = Iedereen
home-friends-go = Tafel openen
home-join = Aanschuiven aan een tafel
home-join-code = Code of link
home-join-go = Meedoen
home-pass = Op één apparaat
home-pass-hint = Geef het door: tussendoor valt het gordijn.
home-pass-people = Mensen op dit apparaat
home-pass-names = Namen
home-pass-bots = Bots erbij
home-pass-go = Spel beginnen
home-my-games = Jouw spellen
home-game-with = Met { $names }
home-game-over = Afgelopen: bekijk de uitslag
home-your-turn = Jouw beurt
home-left = Je hebt de tafel verlaten. De { $bot } speelt voor jou verder.
home-left-back = Terug naar die tafel
home-left-over = Dat spel is voor jou voorbij. Zin in een nieuw spel?
home-game-paused = Gepauzeerd
home-game-more = Meer
home-seats-awaited = { $free ->
    [one] Er ontbreekt nog één speler
   *[other] Er ontbreken nog { $free } spelers
  }
home-open-tables = Open tafels
home-no-open-tables = Er wacht nu geen tafel op spelers. Open er een: anderen vinden hem hier.
home-playing-tables = Hier wordt gespeeld
home-table-join = Meespelen
home-table-watch = Kijken
home-table-players = { $players ->
    [one] { $players } speler
   *[other] { $players } spelers
}
