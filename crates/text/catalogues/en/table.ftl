table-title-turn = Your turn
table-title-over = The game is over
table-about = A game of Sultan: jewels on cushions, cards face down.
table-here = The table
table-players = Players
table-player = Player { $number }
table-clock-stage = Stage { $stage } of { $stages }
table-clock-round = Round { $round }
table-last-round = The previous round
table-points = Points and bonuses
table-menu = More
table-close = Close
table-deadline = Time to decide
table-cards = { $hand ->
    [one] One card in hand
   *[other] { $hand } cards in hand
  }, { $deck } in the deck
table-to-act = to play now
table-stand-in = a bot plays: { $bot }
table-gone = away
table-first-player = first player
table-you-first = You are the first player.
table-jewels = Jewels won
table-board = The board
table-put-back = Put back
table-cushion = Cushion { $number }: { $jewel }.
table-cushion-empty = Cushion { $number }: empty.
table-worth = { $points ->
    [one] One point
   *[other] { $points } points
  }
table-own-card-there = Your other card lies here: choose another cushion.
table-bid-own = Card { $order }: yours, { $card }.
table-bid = Card { $order }: { $name }, face down.
table-drawn-all = Jewels drawn
table-drawn = { $colour } · { $points }
table-goes-back = Goes back
table-ended = Everybody has left this table.
table-you-open = You open the round:
table-you-open-how = which jewel goes back into the pouch?
table-your-turn = Your turn:
table-bid-one = one card, face down, on one cushion.
table-bid-first = the first of your two cards.
table-bid-second = your second card, on another cushion.
table-bot-for-you = A bot is playing for you.
table-opens = { $name } opens the round.
table-thinks = { $name } is choosing a card…
table-you-win = You are the sultan’s new treasurer, with { $points ->
    [one] one point
   *[other] { $points } points
  }!
table-wins = { $name } is the sultan’s new treasurer, with { $points ->
    [one] one point
   *[other] { $points } points
  }.
table-share = A draw: { $names } share first place with { $points ->
    [one] one point
   *[other] { $points } points
  }.
table-and = { $most } and { $last }
table-watching = You are watching. Hands stay hidden.
table-own-place = Your place
table-hand = Your hand
table-card = Card { $card }
table-need-back = Choose the jewel that goes back
table-confirm-offer = Put it back
table-confirm-back = Put back { $jewel }
table-need-card = Choose a card from your hand
table-need-cushion = Now choose a cushion
table-confirm = Place your bid
table-may-prepare = You can choose a card ahead.
table-is-prepared = Your card is ready. Nothing is sent before you confirm on your turn.
keys-choose = Choose
keys-cushion = Cushion
keys-confirm = Confirm
keys-clear = Clear
table-confirm-bid = Place { $card } on cushion { $cushion }
table-bids-left = { $count ->
    [one] One more card, then all are turned up
   *[other] { $count } more cards, then all are turned up
  }
table-waiting = Waiting for { $name }
table-again = Look again
table-away = { $bot } is playing for you.
table-take-back = Take my seat back
table-treasure = Your treasure
table-own-points = { $points ->
    [one] One point so far
   *[other] { $points } points so far
  }
table-own-deck = { $count ->
    [one] One card in your deck
   *[other] { $count } cards in your deck
  }
table-no-round-yet = No round is over yet.
table-round = Stage { $stage }, round { $round }
table-you = You
table-to-pouch = To the pouch
table-nobody = Nobody wanted { $jewel }: back into the pouch.
table-you-take = You take { $jewel } with { $card }.
table-takes = { $name } takes { $jewel } with { $card }.
table-tie-earliest = There was more than one { $card }: the card placed first wins.
table-tie-first-player = Both played { $card }: the first player wins.
table-points-each = Points for each jewel
table-bonus = Bonus for jewels of one colour
table-alike = { $count } alike
table-alike-more = { $count } or more
table-so-far = Points so far
table-react = Call out to the table
table-host = As the host
table-fill = Let a bot play for { $name }
table-give-back = Give the seat back to { $name }
table-story = What happened
table-offline = The connection is lost. Trying again…
table-rules = Rules
table-leave = Leave the table
table-fill-in = A bot may take over in
table-watched = Somebody is watching.
event-time-up-you = Time is up: the { $bot } played for you.
event-time-up = Time is up: the { $bot } played for { $name }.
game-pause = Pause the game
game-paused = The game is paused.
game-resume = Go on playing
game-rest = Play the rest for me
game-rest-more = The { $bot } plays on in your place. You can watch, see the result, and take your seat back at any time.
game-rest-yes = Yes, play on for me
game-leave-more = The { $bot } plays on for you. While the game lasts, you can come back to your seat.
game-leave-yes = Yes, leave
game-discard = Give this game up
game-discard-more = The game ends here, without a winner. This cannot be undone.
game-discard-yes = Yes, give it up
reaction-applause = Bravo!
reaction-laugh = Ha ha!
reaction-wonder = Oh!
reaction-sigh = What a pity.
reaction-hurry = Go on!
reaction-thanks = Thank you!
event-reaction = { $name }: “{ $word }”
event-stands-in = A bot now plays for { $name }.
event-is-back = { $name } is back.
event-is-gone = { $name } is away.
event-back = Back into the pouch: { $jewel }.
event-turned-up = All cards are turned up.
event-new-round = Round { $round } of stage { $stage }.
event-new-stage = Stage { $stage } begins: everybody takes new cards. Round { $round }.
event-you-draw = You draw: { $jewels }.
event-draws = { $name } draws: { $jewels }.
event-bid = { $name } puts a card on cushion { $cushion }.
event-own-bid = You put { $card } on cushion { $cushion }.
