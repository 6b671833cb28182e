end-title = The end
end-treasurer = The sultan’s treasurer
end-treasurers = The sultan’s treasurers
end-points-with = { $points ->
    [one] One point
   *[other] { $points } points
  } with { $jewels ->
    [one] one jewel
   *[other] { $jewels } jewels
  }
end-draw = A draw: equal points and equally many jewels.
end-decided = { $first } and { $second } have equal points: { $first } has more jewels.
end-decided-you = You and { $second } have equal points: you have more jewels.
end-decided-against-you = You and { $first } have equal points: { $first } has more jewels.
end-left-title = The game was broken off
end-left = Everybody has left this table. Nobody becomes treasurer today.
end-counting = The treasures are counted …
end-picture = Picture of the result
end-last-round = The last round
end-ranking = Ranking
end-rank = Place { $rank }
end-jewels = { $count ->
    [one] One jewel
   *[other] { $count } jewels
  }
end-line = { $colour }: { $count } at { $points }
end-bonus = bonus { $points }
end-together = total { $points }
end-total = { $points ->
    [one] One point
   *[other] { $points } points
  } in all
end-score = { $points } + bonus { $bonus } = { $total } points, { $count ->
    [one] one jewel
   *[other] { $count } jewels
}
end-after = What now?
end-rematch = Play again together
end-rematch-alone = Play again
end-asked = { $name } wants to play again.
end-rematch-join = Go to the rematch
end-record = Download the record
verify-title = Verify this deal
verify-lead = This page takes the record of the game and works everything out again, here in your browser: the cards, the jewels, each move and the result.
verify-running = Checking…
verify-all-good = Everything holds.
verify-some-bad = Something does not hold. The marked lines say what.
verify-failed = The record could not be fetched. Load this page again, or download the record and check it yourself.
verify-no-script = Without JavaScript this page cannot check anything. Download the record and check it with the program, or by hand as described below.
verify-steps = What is checked
verify-good = holds
verify-bad = does not hold
verify-open = not checked
verify-step-record = The record can be read
verify-step-commitment = The server’s seed is the one it promised
verify-step-noted = The promise is the one this browser noted before it gave its seed
verify-step-noted-unknown = This browser did not note it: it gave no seed at this table, or it has forgotten.
verify-step-seed = The seed of this browser is part of the deal
verify-step-seed-unknown = This browser knows of no seed of its own here.
verify-step-first = Chance chose the first player
verify-step-first-host = The host named the first player.
verify-step-first-rematch = In a rematch the first player is the one after the last game’s.
verify-step-first-unknown = The record does not say who chose.
verify-step-offers = Each offer was made of the jewels that the seeds give
verify-step-bids = Each bid was a card its player held
verify-step-result = Points and places are as the table shows them
verify-step-result-unknown = The game was not played to its end.
verify-fault = First fault: move { $number }, “{ $said }”.
verify-values = The values
verify-seeds = Seeds
verify-server-seed = The server’s seed
verify-promise = Its SHA-256: the promise
verify-game-seed = The seed of the game
verify-decks = The decks, top card first
verify-player = Player
verify-client-seed = Own seed
verify-rounds = The rounds
verify-round = Round
verify-drawn = Drawn
verify-offer = On the cushions
verify-bids = Bids in order
verify-won = Won by
verify-nobody = nobody
verify-proves-title = What this proves
verify-not-title = What it does not prove
verify-not-look = That the operator did not look: whoever runs the server can work out all cards once the seeds are in.
verify-not-last = That the operator did not sit down last, with a seed tried out beforehand.
verify-not-page = This page comes from the same server. If you do not trust it, check the record with a program from elsewhere.
verify-hand-title = Check it yourself
verify-hand-program = With Sultan’s own program, on any computer:
verify-hand-steps = Or with any program that knows SHA-256 and ChaCha20:
verify-hand-commitment = The promise is the SHA-256 of the 32 bytes of the server’s seed.
verify-hand-seed = The seed of the game is the SHA-256 of “sultan/1”, the server’s seed, and for each seat one byte with the length of its seed, then that seed.
verify-hand-words = Random words come from ChaCha20 with the seed of the game as key: stream 0 to 4 for the deck of that seat, 16 and up for the draw of each round, 64 for the first player.
verify-hand-deck = A deck: the values in rising order; from the last place down to the second, swap each with a place drawn among those up to it.
verify-hand-draw = A draw: a number below the number of jewels in the pouch, counted through white, red, yellow, green and blue.
verify-back = Back to the table
curtain-title = Hand it over
curtain-to = Hand the device to
curtain-why = Behind the curtain is a hand that nobody else should see.
curtain-everyone = Everyone look!
curtain-lift = I am { $name }: lift the curtain
curtain-wait = All of you may look: this is what everybody sees. When it is the turn of one of you, the curtain falls.
curtain-look = Behind the screen of { $name }
