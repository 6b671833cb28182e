tui-you = you
tui-players = Players
tui-hand = hand
tui-deck = deck
tui-points = points
tui-jewels = jewels
tui-bonus = bonus
tui-log = What happened
tui-drawn = Drawn
tui-cushion = Cushion { $cushion }
tui-your-hand = Your hand
tui-hand-of = { $name }: hand
tui-behind = behind the screen
tui-stands-in = { $bot } is playing
tui-seat-free = free
tui-seat-number = Seat { $number }
tui-clock = Stage { $stage } of { $stages }, round { $round } of { $rounds }
tui-clock-variant = { $game }, round { $round } of { $rounds }
tui-first = first: { $name }
tui-waits-offer = { $name } is putting jewels on the cushions…
tui-waits-bid = { $name } is bidding…
tui-do-offer = Your turn: which jewel goes on cushion { $cushion }?
tui-do-confirm-offer = { $jewel } goes back into the pouch. Enter confirms.
tui-do-card = Your turn: which card do you bid?
tui-do-card-begun = 1… and the second digit; Enter takes the card that is marked.
tui-do-cushion = On which cushion do you put the { $card }?
tui-do-confirm-bid = { $card } on cushion { $cushion }: Enter confirms.
tui-reveal = Stage { $stage }, round { $round }: the cards are turned up
tui-reveal-takes = { $name } takes it
tui-reveal-back = back into the pouch
tui-curtain = It is { $name }’s turn to look.
tui-curtain-lift = { $name }: when nobody else is looking, press Enter.
tui-end = The end
tui-rematch = Somebody at this table wants to play again: press r to join.
tui-kept = The game is saved. Go on with it: sultan play
tui-come-back = Come back to your seat with: sultan play { $link }
tui-places = Ranking
tui-points-of = The points of { $name }
tui-points-bonus = bonus { $bonus }
tui-waiting-title = Before the game
tui-waiting = { $count ->
    [one] One player is still missing…
   *[other] { $count } players are still missing…
  }
tui-unfinished = { $count ->
    [one] An unfinished game
   *[other] { $count } unfinished games
}
tui-new-game = A new game
tui-give-up-sure = Press Backspace once more to give this game up for good.
tui-set-language = Language
tui-set-players = Players
tui-set-game = Game
tui-set-screens = Screens
tui-set-first = First player
tui-screens-closed = closed
tui-screens-open = open
tui-first-chance = chance decides
tui-bot = Bot
tui-person = Person
tui-colour-any = any colour
tui-start = Start
tui-about-person = Somebody at this device. Several hand it around; a curtain falls in between.
tui-about-closed = Won jewels disappear behind the screens: remember who has what.
tui-about-open = Everybody sees all won jewels and played cards.
tui-about-first = Who puts the first jewels on the cushions.
tui-about-colour = The colour of the cards and the emblem.
tui-key-help = Help
tui-key-rules = Rules
tui-key-quit = Quit
tui-key-confirm = confirm
tui-key-choose = choose
tui-key-move = move
tui-key-undo = take back
tui-key-lift = lift the curtain
tui-key-on = go on
tui-key-turn-up = turn all up
tui-key-player = player
tui-key-once-more = play once more
tui-key-new = new game
tui-key-back = take your seat back
tui-key-give-up = give up
tui-key-next = next
tui-key-change = change
tui-key-write = write
tui-key-close = close
tui-key-scroll = scroll
tui-too-small = This window is too small for Sultan: make it at least { $columns } columns wide and { $rows } rows high, or start with --plain.
tui-lost = The table cannot be reached ({ $why }). Trying again…
tui-gone = Nothing more comes from this table: { $why }
tui-help-intro = Choose, then confirm with Enter. Nothing is played before you confirm.
tui-help-number = choose a card by its value, a jewel or cushion by number
tui-help-arrows = move among jewels, cards or cushions; in the form, change a value
tui-help-letters = put a white, red, yellow, green or blue jewel on the next cushion
tui-help-enter = take what is marked; confirm when everything is chosen
tui-help-undo = take the last choice back
tui-help-help = this page; any other key closes it
tui-help-rules = the rules in short
tui-help-quit = stop playing; the game is saved
tui-help-mouse = With the mouse: click on jewels, cards, cushions and on all keys that are shown; the right button takes back.
tui-help-signs = Jewels: ○W white, ◆R red, ▲Y yellow, ■G green, ★B blue. Players: ☾ violet, ☼ gold, ♣ green, ♥ red, ♠ blue. A number before a card says when it was placed.
tui-help-more = sultan play --plain plays line by line, for screen readers and scripts; sultan play --help tells the rest.
tui-plain-own = Your jewels: { $jewels }, worth { $points ->
    [one] one point
   *[other] { $points } points
}.
tui-plain-offer = Drawn: { $jewels }. Write the jewels for cushions 1, 2 and so on, in order, such as RYB; or a number:
tui-plain-bid = Write a card and a cushion, such as 12@2; or a number:
tui-plain-no-card = no card
tui-plain-help = Write an action or its number; an empty line shows the choices again; rules shows the rules; q stops, and the game is saved.
tui-rules-title = The rules in short, for { $players } players
tui-rules-aim = You buy jewels for the sultan with face-down money cards. Whoever has the most points at the end becomes his treasurer.
tui-rules-pouch = In the pouch are { $count } jewels: { $jewels }.
tui-rules-hand = The game has { $stages ->
    [one] one stage
   *[other] { $stages } stages
} of { $rounds } rounds. { $sets ->
    [one] You own the cards 1 to { $highest }
   *[other] You own the cards 1 to { $highest }, each { $sets } times
}, shuffled; at the start of each stage you take { $cards } of them in hand.
tui-rules-offer = In each round the first player draws { $drawn } jewels, puts { $cushions } of them on the cushions as he or she likes, and the last one back.
tui-rules-bid = Then everybody in turn, the first player first, puts exactly one card face down on a cushion. Passing is not allowed.
tui-rules-bid-two = Then both take turns, the first player first, and put two cards each face down on two different cushions.
tui-rules-settle = All cards are turned up. On each cushion the highest card takes the jewel; a cushion without a card gives it back to the pouch. All cards played are gone.
tui-rules-tie = Of equal cards, the one that was placed first wins. The next player to the left is first in the next round.
tui-rules-tie-two = Of equal cards, the first player’s wins. The other player is first in the next round.
tui-rules-screen = Won jewels lie behind your screen; with open screens everybody sees them.
tui-rules-points = Points for each jewel: { $points }.
tui-rules-bonus = Bonus for jewels of one colour (how many: points): { $steps }; more than that counts as the last.
tui-rules-win = Most points win; if equal, more jewels; still equal, the place is shared.
tui-key-step = step
tui-key-play = play
tui-key-pause = pause
tui-key-ends = start / end
tui-key-eyes = change view
