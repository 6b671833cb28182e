rules-title = The rules of Sultan
rules-about = The rules of Sultan in pictures and a few words: jewels, face-down bids, ties, points.
rules-lead = Jewels on cushions, cards face down, and a straight face. Here is all you need.
rules-learn = Learn by playing a guided game
rules-short = In five lines
rules-short-offer = In each round the first player draws jewels, lays { $count } of them on cushions ({ $fewer } when { $players } play) and puts the last one back.
rules-short-bid = One after the other, everybody puts a money card face down on a cushion. Nobody may pass.
rules-short-win = All cards are turned up: the highest on a cushion takes its jewel, of equal cards the one placed first. All played cards are gone.
rules-short-screens = Won jewels vanish behind the screens. Try to remember who has what.
rules-short-points = A jewel is worth { $least } to { $most } points, and several of one colour bring a bonus of up to +{ $bonus }. Most points win.
rules-contents = On this page

rules-aim = What you are after
rules-aim-treasurer = Whoever brings home the finest jewels becomes the sultan’s treasurer.
rules-aim-bids = In every round jewels lie on velvet cushions. Each player bids for one of them with a money card, face down; the highest card on a cushion takes its jewel.
rules-aim-points = Rare colours are worth more, and several jewels of one colour bring bonus points. Most points win.

rules-material = What is on the table
rules-material-jewels = { $count } jewels in { $colours } colours, all in one pouch.
rules-material-each = How many there are of each colour
rules-material-cards = Money cards in { $colours } player colours. In each colour they go from 1 to { $highest }.
rules-material-cushions = { $count } cushions on the board; { $fewer } when { $players } play.
rules-material-screens = A screen for each player. Won jewels go behind it, out of the others’ sight. Its back tells you what jewels and bonuses are worth.
rules-material-bonus = Bonus cards of { $a }, { $b }, { $c } and { $d } points for the count at the end.

rules-setup = Set-up
rules-setup-colours = Sultan is for { $fewest } to { $most } players. Everybody takes a colour and shuffles its cards into a face-down deck.
rules-setup-first = All jewels go into the pouch. At a real table the youngest is the first player of the first round; here the host names somebody, or chance does.
rules-setup-stages = A game has { $stages } stages. At the start of a stage you take the top { $hand } cards of your deck in hand. They must last: there are no more until all hands are empty and the next stage begins.
rules-numbers = What depends on how many play
rules-row-cushions = Cushions
rules-row-drawn = Jewels drawn in a round
rules-row-cards = Cards of each player
rules-row-highest = Highest card
rules-row-hand = Cards in hand for a stage
rules-row-bids = Cards each player bids in a round
rules-row-stage = Rounds in a stage
rules-row-rounds = Rounds in the game

rules-round = A round
rules-round-intro = Every round goes the same way.
rules-draw = Draw
rules-draw-text = The first player draws { $count } jewels from the pouch ({ $fewer } when { $players } play). Everybody sees them.
rules-offer = Offer
rules-offer-text = The first player puts { $count } of them ({ $fewer } when { $players } play) on the cushions, one on each, as he or she likes. The one left over goes back into the pouch at once.
rules-bid = Bid
rules-bid-text = The first player begins, then it goes round to the left: everybody puts { $count ->
    [one] one card
   *[other] { $count } cards
 } face down on a cushion. Others may have bid there already. Nobody may pass.
rules-reveal = Reveal
rules-reveal-text = When everybody has bid, all cards are turned up. On each cushion the highest card takes the jewel.
rules-round-seen = You see who bids where, and in which order. How much, only the owner of the card knows until the reveal.
rules-round-one = A single card on a cushion takes the jewel, however low it is.
rules-round-none = A jewel that nobody bids for goes back into the pouch.
rules-round-gone = All played cards leave the game, including those that won nothing.
rules-round-next = The left neighbour is the first player of the next round. This goes on from stage to stage.
rules-ties = Ties
rules-ties-text = Equal highest cards: the one that was placed first takes the jewel. (Two players have a rule of their own.)
rules-tie-caption = Two cards of { $card }: the one placed as number { $first } wins against number { $second }.

rules-two = Two players
rules-two-intro = With two players everything is as above, except:
rules-two-cards = Each has { $copies } sets of the cards 1 to { $highest }: { $cards } cards, shuffled together.
rules-two-hand = A stage has { $rounds } rounds, and you take { $hand } cards in hand for it.
rules-two-bids = You take turns bidding until each has placed { $count } cards. Your own cards must lie on different cushions.
rules-two-ties = Equal cards: the first player of the round takes the jewel, whoever placed first.
rules-two-next = The first player changes after every round.
rules-two-bonus = The first bonus needs { $count } jewels of a colour instead of { $usual }.
rules-two-see = See the table.

rules-end = The end, and points
rules-end-when = The game ends when all cards are played: after { $rounds } rounds, with { $players } players after { $fewer }.
rules-end-count = The screens are lifted. Every jewel counts, and for each colour you may get a bonus.
rules-points = Points for each jewel
rules-bonus-caption = Bonus for jewels of one colour
rules-bonus-column = Bonus
rules-from-to = { $from }–{ $to } players
rules-players = { $count } players
rules-end-win = Most points win, and the winner is the new treasurer. With equal points more jewels decide; if those are equal too, it is a draw and the place is shared. All other places are decided in the same way.

rules-example = Counting a collection
rules-example-text = In a game of { $from } to { $to } players somebody lifts the screen, and there lie { $count } jewels:
rules-example-collection = Collection
rules-example-jewels = Jewels
rules-example-total = Total
rules-example-sum = { $total } points
rules-example-two = With { $players } players the same jewels are worth { $points } + { $bonus } = { $total } points, since bonuses begin later.

rules-know = Who may know what
rules-know-intro = Cards are secret until the reveal, jewels from the moment they are behind a screen. Screens are closed unless the host opens them.
rules-know-fact = What
rules-know-closed = Others, screens closed
rules-know-open = Others, screens open
rules-know-hand = Your hand, and your face-down card
rules-know-counts = How many cards are in your hand and deck
rules-know-placed = Where you bid, and in which order
rules-know-drawn = Jewels drawn, offered and put back
rules-know-last = Cards and winners of the previous round
rules-know-collection = Your jewels
rules-know-played = Cards you played in earlier rounds
rules-know-secret = What is in the pouch, the order of the decks, the seeds
rules-know-always = always
rules-know-never = never before the end
rules-know-at-once = at once
rules-know-not-shown = not shown
rules-know-reveal = played cards, at the reveal
rules-know-next-draw = until the next draw
rules-know-next-round = until the next round is over
rules-know-memory = What is not shown any more was seen once. Remembering it is part of the game.
rules-know-over = When the game is over, everything is open to everybody.

rules-faq = Where published rules disagree
rules-faq-intro = Sultan was published in several languages, and the texts do not say the same everywhere. This is what holds here.
rules-faq-start = When does the first player change with two players?
rules-faq-start-answer = After every round. The English text says after every game; the German, French and Dutch texts say after every round; the Hungarian text only says that the players start in turn. A rematch also moves the first seat.
rules-faq-pass = May I pass?
rules-faq-pass-answer = No. Only the Hungarian text says that everybody must bid; the others are silent. Here everybody bids: exactly { $count ->
    [one] one card
   *[other] { $count } cards
 } in a round, with two players { $two }.
rules-faq-jewels = How many jewels are there of each colour?
rules-faq-jewels-answer = The numbers are printed next to the pictures, and some copies of the texts lack them. There are { $white } white, { $red } red, { $yellow } yellow, { $green } green and { $blue } blue ones.
rules-faq-cushions = With two players, may I put both cards on one cushion?
rules-faq-cushions-answer = No. The English, German, Dutch and French texts demand different cushions; the Hungarian text only says that the cards are spread.
rules-faq-ties = Which cards must be equal for a tie?
rules-faq-ties-answer = The highest on a cushion. The Hungarian text speaks of two equal cards without saying “highest”; here lower cards never matter.
rules-faq-left = In which direction do we bid?
rules-faq-left-answer = To the left. The texts only say that the next first player sits to the left.
rules-faq-places = Who is second?
rules-faq-places-answer = The texts only name the winner. Here points decide every place, then jewels; equal players share the place.
rules-faq-pouch = Can the pouch run empty?
rules-faq-pouch-answer = No. Even if every jewel finds a buyer, { $left } are left before the last draw, and { $drawn } are enough.
rules-faq-cards = What if the bonus cards run out?
rules-faq-cards-answer = There are 24 of them, and the texts do not say. They only show points: everybody gets every bonus.

rules-here = Playing here
rules-here-choose = Choosing
rules-here-choose-text = Tap a card and a cushion, or drag the card there; then confirm. Until you confirm you may change your mind.
rules-here-keys = Keyboard
rules-here-keys-text = Tab and the arrow keys go from card to card and from cushion to cushion, 1, 2 and 3 put the chosen card or jewel on a cushion, Enter confirms, Esc takes the choice back.
rules-here-screens-text = Closed screens are the game as it is meant to be played. With open screens all see the jewels won and the cards played: good for learning.
rules-here-pace-text = If the host wishes, actions are shown on a fixed beat. Then nobody learns anything from how long you thought.
rules-here-away = Time, and leaving
rules-here-away-text = If your time runs out a bot decides for you, and if you leave it plays on for you. Come back whenever you like.
rules-here-bots = Bots
rules-here-bots-text = Bots take free seats. They see what a person in their seat would see, and nothing more; but they remember all of it.

rules-fair = Fair chance
rules-fair-promise = Before anybody sits down the server chooses a secret seed and shows its fingerprint (SHA-256): its promise.
rules-fair-seeds = Each player may add a seed. From all of them together follow every deck and every draw.
rules-fair-check = When the game is over the server shows its seed. Anybody can check that it fits the fingerprint, and recompute every card and jewel, for instance with “sultan verify”.
rules-fair-proved-text = Whoever was shown the server’s promise before giving a seed of their own knows: the server could neither choose nor change the deal.
rules-fair-open = What it does not prove
rules-fair-open-text = That whoever runs the server did not look at the cards, or did not sit down last with a seed tried out beforehand. Play for stakes only where you trust the operator that far.
rules-fair-guided = The guided game has a fixed deal, the same for everybody: nothing is promised there.
