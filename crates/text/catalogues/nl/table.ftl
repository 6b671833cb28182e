table-title-turn = Jij bent aan de beurt
table-title-over = Het spel is afgelopen
table-about = Een spel Sultan: juwelen op kussens, kaarten gedekt.
table-here = De tafel
table-players = Spelers
table-player = Speler { $number }
table-clock-stage = Doorgang { $stage } van { $stages }
table-clock-round = Ronde { $round }
table-last-round = De vorige ronde
table-points = Punten en bonuspunten
table-menu = Meer
table-close = Sluiten
table-deadline = Bedenktijd
table-cards = { $hand ->
    [one] Eén kaart in de hand
   *[other] { $hand } kaarten in de hand
  }, { $deck } in de stapel
table-to-act = is aan de beurt
table-stand-in = een bot speelt: { $bot }
table-gone = weg
table-first-player = startspeler
table-you-first = Je bent de startspeler.
table-jewels = Gewonnen juwelen
table-board = Het spelbord
table-put-back = Teruggelegd
table-cushion = Kussen { $number }: { $jewel }.
table-cushion-empty = Kussen { $number }: leeg.
table-worth = { $points ->
    [one] Eén punt
   *[other] { $points } punten
  }
table-own-card-there = Hier ligt je andere kaart al: kies een ander kussen.
table-bid-own = Kaart { $order }: van jou, { $card }.
table-bid = Kaart { $order }: { $name }, gedekt.
table-drawn-all = Getrokken juwelen
table-drawn = { $colour } · { $points }
table-goes-back = Gaat terug
table-ended = Iedereen heeft deze tafel verlaten.
table-you-open = Jij opent de ronde:
table-you-open-how = welk juweel gaat terug in de buidel?
table-your-turn = Jouw beurt:
table-bid-one = één kaart, gedekt, op één kussen.
table-bid-first = de eerste van je twee kaarten.
table-bid-second = je tweede kaart, op een ander kussen.
table-bot-for-you = Een bot speelt voor jou.
table-opens = { $name } opent de ronde.
table-thinks = { $name } kiest een kaart…
table-you-win = Jij bent de nieuwe schatbewaarder van de sultan, met { $points ->
    [one] één punt
   *[other] { $points } punten
  }!
table-wins = { $name } is de nieuwe schatbewaarder van de sultan, met { $points ->
    [one] één punt
   *[other] { $points } punten
  }.
table-share = Onbeslist: { $names } delen de eerste plaats met { $points ->
    [one] één punt
   *[other] { $points } punten
  }.
table-and = { $most } en { $last }
table-watching = Je kijkt mee. De handkaarten blijven verborgen.
table-own-place = Jouw plaats
table-hand = Je hand
table-card = Kaart { $card }
table-need-back = Kies het juweel dat teruggaat
table-confirm-offer = Terugleggen
table-confirm-back = Leg { $jewel } terug
table-need-card = Kies een kaart uit je hand
table-need-cushion = Kies nu een kussen
table-confirm = Bieden
table-may-prepare = Je kunt alvast een kaart kiezen.
table-is-prepared = Je kaart ligt klaar. Er wordt niets verstuurd tot je in je beurt bevestigt.
keys-choose = Kiezen
keys-cushion = Kussen
keys-confirm = Bevestigen
keys-clear = Wissen
table-confirm-bid = Leg { $card } op kussen { $cushion }
table-bids-left = { $count ->
    [one] Nog één kaart, dan wordt alles omgedraaid
   *[other] Nog { $count } kaarten, dan wordt alles omgedraaid
  }
table-waiting = Wachten op { $name }
table-again = Nog eens kijken
table-away = Een bot speelt voor jou: { $bot }.
table-take-back = Mijn plaats weer innemen
table-treasure = Jouw schat
table-own-points = { $points ->
    [one] Tot nu toe één punt
   *[other] Tot nu toe { $points } punten
  }
table-own-deck = { $count ->
    [one] Eén kaart in je stapel
   *[other] { $count } kaarten in je stapel
  }
table-no-round-yet = Er is nog geen ronde afgelopen.
table-round = Doorgang { $stage }, ronde { $round }
table-you = Jij
table-to-pouch = In de buidel
table-nobody = Niemand wilde { $jewel }: terug in de buidel.
table-you-take = Jij neemt { $jewel } met { $card }.
table-takes = { $name } neemt { $jewel } met { $card }.
table-tie-earliest = De { $card } lag er meer dan eens: de eerst gelegde kaart wint.
table-tie-first-player = Beide spelers legden { $card }: de startspeler wint.
table-points-each = Punten per juweel
table-bonus = Bonuspunten voor juwelen van één kleur
table-alike = { $count } gelijke
table-alike-more = { $count } of meer
table-so-far = Punten tot nu toe
table-react = Roep iets naar de tafel
table-host = Als gastheer
table-fill = Een bot laten spelen voor { $name }
table-give-back = De plaats teruggeven aan { $name }
table-story = Wat er gebeurde
table-offline = De verbinding is weg. Nieuwe poging…
table-rules = Spelregels
table-leave = De tafel verlaten
table-fill-in = Een bot mag het overnemen over
table-watched = Er kijkt iemand mee.
event-time-up-you = De tijd is om: de { $bot } heeft voor jou gespeeld.
event-time-up = De tijd is om: de { $bot } heeft voor { $name } gespeeld.
game-pause = Spel pauzeren
game-paused = Het spel is gepauzeerd.
game-resume = Verder spelen
game-rest = De rest voor mij spelen
game-rest-more = De { $bot } speelt voor jou verder. Je kunt meekijken, ziet de uitslag en kunt je plaats altijd weer innemen.
game-rest-yes = Ja, speel voor mij verder
game-leave-more = De { $bot } speelt voor jou verder. Zolang het spel duurt, kun je terugkomen op je plaats.
game-leave-yes = Ja, verlaten
game-discard = Dit spel opgeven
game-discard-more = Het spel eindigt hier, zonder winnaar. Dat kan niet ongedaan worden gemaakt.
game-discard-yes = Ja, opgeven
reaction-applause = Bravo!
reaction-laugh = Haha!
reaction-wonder = Oh!
reaction-sigh = Jammer.
reaction-hurry = Kom op!
reaction-thanks = Dank je!
event-reaction = { $name }: ‘{ $word }’
event-stands-in = Een bot speelt nu voor { $name }.
event-is-back = { $name } is terug.
event-is-gone = { $name } is even weg.
event-back = Terug in de buidel: { $jewel }.
event-turned-up = Alle kaarten worden omgedraaid.
event-new-round = Ronde { $round } van doorgang { $stage }.
event-new-stage = Doorgang { $stage } begint: iedereen neemt nieuwe kaarten. Ronde { $round }.
event-you-draw = Je trekt: { $jewels }.
event-draws = { $name } trekt: { $jewels }.
event-bid = { $name } legt een kaart op kussen { $cushion }.
event-own-bid = Je legt { $card } op kussen { $cushion }.
