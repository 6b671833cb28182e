home-title = jewels, cards and bluff
home-motto = Jewels on cushions, cards face down, and a straight face.
home-about = Play the board game Sultan in your browser: against bots, with friends, or on one device.
home-what = Sultan is a quick game of bidding and bluff for two to five people. Whoever collects the most precious jewels becomes treasurer of the palace.
home-draw = Jewels from the pouch
home-draw-more = The first player puts one back and lays the others on the cushions.
home-bid = One card, face down
home-bid-more = Everybody bids on a cushion. Who dares, and where?
home-win = The highest card wins
home-win-more = A jewel that nobody wants goes back into the pouch.
home-rules = Rules
home-fair = Is the deal fair?
home-api = For programs
home-links = More about Sultan
home-unofficial = An unofficial version of Sultan by André Zatz and Sergio Halaban (Queen Games, 2009), with art and words of its own. Free software.
home-your-name = Your name
home-lucky-word = Your lucky word
home-lucky-word-hint = It is mixed into the shuffling, so that nobody alone decides the deal. You may leave it empty.
home-guest = Guest
home-seat-number = Seat { $number }
home-a-person = A person
home-a-bot = A bot
home-who-are-they = Who are the bots?
home-more-choices = More choices
home-play-now = Play now
home-play-bots = How many rivals?
home-play-level = Who are they?
home-play-go = Play
home-new-here = New here? Play a guided game first.
home-game = Length of the game
home-screens = Screens
home-screens-closed = Closed
home-screens-open = Open
home-screens-hint = Closed: jewels you have won are hidden from the others. Open: everybody sees them.
home-time = Time to think
home-time-none = No limit
home-time-seconds = { $seconds } s
home-time-minutes = { $minutes } min
home-time-hours = { $hours } h
home-time-days = { $days ->
    [one] { $days } day
   *[other] { $days } days
}
home-time-own = Other
home-time-unit = Unit
home-time-in-seconds = seconds
home-time-in-minutes = minutes
home-time-in-hours = hours
home-time-in-days = days
home-time-hint = For each decision: from 1 second to 7 days.
home-first-player = First player
home-first-chance = Chance decides
home-first-me = Me
home-even-pace = Even pace
home-even-pace-hint = Nobody can tell how long anybody took to think.
home-friends = Play with friends
home-friends-hint = Open a table and share its link.
home-friends-seats = Who takes the other seats?
home-friends-who = Who can find the table?
home-friends-link = Only by link
home-friends-public = Everybody
home-friends-go = Open the table
home-join = Join a table
home-join-code = Code or link
home-join-go = Join
home-pass = On one device
home-pass-hint = Pass it round: a curtain falls between turns.
home-pass-people = People at this device
home-pass-names = Names
home-pass-bots = Bots as well
home-pass-go = Start the game
home-my-games = Your games
home-game-with = With { $names }
home-game-over = Over: see the result
home-your-turn = Your turn
home-left = You have left the table. The { $bot } plays on for you.
home-left-back = Back to that table
home-left-over = That game is over for you. How about a new one?
home-game-paused = Paused
home-game-more = More
home-seats-awaited = { $free ->
    [one] Waiting for one more
   *[other] Waiting for { $free } more
}
home-open-tables = Open tables
home-no-open-tables = No table is waiting for players right now. Open one: others will find it here.
home-playing-tables = In progress
home-table-join = Join
home-table-watch = Watch
home-table-players = { $players ->
    [one] { $players } player
   *[other] { $players } players
}
