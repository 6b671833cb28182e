taken-white = the white jewel
taken-red = the red jewel
taken-yellow = the yellow jewel
taken-green = the green jewel
taken-blue = the blue jewel
taken-on-cushion = { $jewel } on cushion { $cushion }
analysis-percent = { $number }%
analysis-title = What happened, and why
analysis-unfinished = The record ends before the game is over; so does the analysis.
analysis-players = Luck and skill
analysis-result = Result
analysis-deal = Luck of the deal
analysis-others = Others’ choices
analysis-own = Own decisions
analysis-accuracy = Accuracy
analysis-mean-loss = Lost per decision
analysis-adds-up = Everybody starts from an even share, { $even }. These three parts, added to it, give the result. ± is the standard error.
analysis-chart-title = Winning chances over the game
analysis-chart-note = With all cards known, the game is played on many times from every moment, everybody bidding as trained bots do.
analysis-chart-player = { $player }: lowest { $low }, highest { $high }, in the end { $end }.
analysis-chart-chances = The chances after each round
analysis-stage = Stage { $stage }
analysis-worst = What cost most
analysis-worst-none = Nothing that could be told apart from chance.
analysis-lost = { $loss } winning chance lost (± { $error })
analysis-decisions = All decisions
analysis-done = What was done
analysis-loss = Lost
analysis-best = Best
analysis-share = The strong bot’s share
analysis-chance = Chance to win
analysis-method = Every decision is judged by what its player could know then, compared with the mix of moves that the strongest bot would play there. Seed { $seed }.
analysis-bid = { $card } for { $jewel }
analysis-bid-unknown = { $card } on cushion { $cushion }
analysis-offer = put { $jewel } back
reason-wasted-high-card = The { $better } takes { $jewel } about as often as the { $card } ({ $better-take } instead of { $take }), and the { $card } would be free for later.
reason-wasted-as-often = The { $better } takes { $jewel } as often as the { $card } ({ $take }), and the { $card } would be free for later.
reason-card-too-low = The { $card } takes { $jewel } only { $take } of the time; the { $better } takes it { $better-take } of the time.
reason-costly-discard = There is little to win with this bid ({ $take }). The { $better } loses as well, and costs less than the { $card }.
reason-hopeless-bid = This bid takes { $jewel } only { $take } of the time. The { $card } takes { $better } { $better-take } of the time.
reason-hopeless-never = This bid hardly ever takes { $jewel }. The { $card } takes { $better } { $better-take } of the time.
reason-missed-set = This passes over { $jewel }, which can be taken { $take } of the time: number { $count } of its colour, for a bonus of { $bonus }.
reason-fed-the-leader = This way { $leader }, who is ahead, takes { $jewel } { $take } of the time, instead of { $better-take }.
reason-better-cushion = The { $card } for { $better } is the better bid: it takes its jewel { $better-take } of the time, this bid { $take }.
reason-better-cushion-worth = Here { $better } is worth more than { $jewel }: better the { $card } for it, which takes it { $better-take } of the time (this bid: { $take }).
reason-same-colour = Cushion { $cushion } has the same colour: there the { $card } wins { $better-take } of the time, this bid { $take }.
reason-cheaper-elsewhere = The { $better-card } takes { $better } { $better-take } of the time, this bid { $jewel } { $take }; and the { $card } would be free for later.
reason-cheaper-same-colour = Cushion { $cushion } has the same colour: there the { $better-card } wins { $better-take } of the time, this bid { $take }; and the { $card } would be free for later.
reason-better-card = The { $better } is the better card here; the { $card } is worth more elsewhere.
reason-put-back-own-set = This puts { $jewel } back, which would be number { $count } of its colour. Better put { $better } back.
reason-offered-to-leader = This leaves { $jewel } on a cushion: number { $count } of its colour for { $leader }, who is ahead.
reason-better-offer = Putting { $better } back is better than putting { $jewel } back.
hint-best = Best: { $action }. Chance to win { $win } (± { $error }); the strong bot plays it { $share } of the time.
hint-instead = Also played, { $share } of the time: { $action }. It lowers the chance to win by { $loss ->
    [one] 1 percentage point
   *[other] { $loss } percentage points
  }.
hint-instead-even = Also played, { $share } of the time: { $action }. It barely lowers the chance to win.
hint-next = Next best: { $action }. The strong bot hardly ever plays it; it lowers the chance to win by { $loss ->
    [one] 1 percentage point
   *[other] { $loss } percentage points
  }.
hint-next-even = Next best: { $action }. The strong bot hardly ever plays it, though it barely lowers the chance to win.
hint-alone = Nothing else comes close.
