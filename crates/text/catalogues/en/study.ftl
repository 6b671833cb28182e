replay-title = Replay
replay-about = A finished game of Sultan, step by step.
replay-eyes = Seen by
replay-all = Everything open
replay-seat-note = Only what this player knew then.
replay-all-note = All cards and all treasures, as nobody saw them then.
replay-steps = Go to a moment
replay-at = Move { $at } of { $last }
replay-first = To the beginning
replay-back = One move back
replay-next = One move on
replay-last = To the end
replay-play = Play
replay-pause = Pause
replay-slider = Moves played
replay-go = Go there
replay-keys = Keys: ← and → step, Home and End go to the ends, the space bar plays and pauses.
replay-begins = The game begins. Everybody has taken a hand of cards.
replay-cards = All hands and decks
replay-hand = In hand
replay-deck = Still to come, top card first
replay-bid-open = Card { $order }: { $name }, { $card }.
study-about = A finished game of Sultan, analysed: every decision, the winning chances, luck and skill.
study-running = The game is being analysed. That takes a quarter of a minute or so, longer while others play here.
study-waits = { $ahead ->
    [one] One game comes first, then this one is analysed.
   *[other] { $ahead } games come first, then this one is analysed.
}
study-progress = Progress of the analysis
study-leave = You can leave this page: it goes on, and is kept.
