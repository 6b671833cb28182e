taken-white = le joyau blanc
taken-red = le joyau rouge
taken-yellow = le joyau jaune
taken-green = le joyau vert
taken-blue = le joyau bleu
taken-on-cushion = { $jewel } du coussin { $cushion }
analysis-percent = { $number }{"\u00A0"}%
analysis-title = Ce qui s’est passé, et pourquoi
analysis-unfinished = L’enregistrement s’arrête avant la fin de la partie ; l’analyse aussi.
analysis-players = Chance et maîtrise
analysis-result = Résultat
analysis-deal = Chance de la donne
analysis-others = Choix des autres
analysis-own = Ses décisions
analysis-accuracy = Précision
analysis-mean-loss = Perte par décision
analysis-adds-up = Chacun commence avec une part égale, { $even }. Les trois éléments s’y ajoutent et donnent le résultat. ± est l’erreur type.
analysis-chart-title = Chances de gagner au fil de la partie
analysis-chart-note = Toutes les cartes sont visibles. À partir de chaque instant, des bots entraînés jouent bien des fois la fin de la partie.
analysis-chart-player = { $player } : au plus bas { $low }, au plus haut { $high }, à la fin { $end }.
analysis-chart-chances = Les chances après chaque tour
analysis-stage = Manche { $stage }
analysis-worst = Ce qui a coûté le plus
analysis-worst-none = Rien que l’on puisse distinguer du hasard.
analysis-lost = { $loss } de chances de gagner en moins (± { $error })
analysis-decisions = Toutes les décisions
analysis-done = Ce qui a été joué
analysis-loss = Perte
analysis-best = Le mieux
analysis-share = Part chez le bot fort
analysis-chance = Chance de gagner
analysis-method = Chaque décision est jugée d’après ce que son joueur pouvait savoir alors, comparée au mélange de coups que le bot le plus fort y jouerait. Graine { $seed }.
analysis-bid = { $card } pour { $jewel }
analysis-bid-unknown = { $card } sur le coussin { $cushion }
analysis-offer = remettre { $jewel } dans le sac
reason-wasted-high-card = Le { $better } prend { $jewel } à peu près aussi souvent que le { $card } ({ $better-take } au lieu de { $take }), et le { $card } resterait pour plus tard.
reason-wasted-as-often = Le { $better } prend { $jewel } aussi souvent que le { $card } ({ $take }), et le { $card } resterait pour plus tard.
reason-card-too-low = Le { $card } ne prend { $jewel } que dans { $take } des cas ; le { $better }, dans { $better-take }.
reason-costly-discard = Il n’y a guère à gagner avec cette enchère ({ $take }). Le { $better } perd aussi, et coûte moins que le { $card }.
reason-hopeless-bid = Cette enchère ne prend { $jewel } que dans { $take } des cas. Le { $card } prend { $better } dans { $better-take } des cas.
reason-hopeless-never = Cette enchère ne prend presque jamais { $jewel }. Le { $card } prend { $better } dans { $better-take } des cas.
reason-missed-set = Cela laisse { $jewel }, que l’on peut prendre dans { $take } des cas : le numéro { $count } de sa couleur, pour un bonus de { $bonus }.
reason-fed-the-leader = Ainsi { $leader }, en tête, prend { $jewel } dans { $take } des cas au lieu de { $better-take }.
reason-better-cushion = Le { $card } pour { $better } est la meilleure enchère : il prend son joyau dans { $better-take } des cas, celle-ci le sien dans { $take }.
reason-better-cushion-worth = Ici, { $better } vaut plus que { $jewel } : mieux vaut y mettre le { $card }, qui le prend dans { $better-take } des cas (cette enchère : { $take }).
reason-same-colour = Le coussin { $cushion } porte la même couleur : le { $card } y gagne dans { $better-take } des cas, cette enchère dans { $take }.
reason-cheaper-elsewhere = Le { $better-card } prend { $better } dans { $better-take } des cas, cette enchère { $jewel } dans { $take } ; et le { $card } resterait pour plus tard.
reason-cheaper-same-colour = Le coussin { $cushion } porte la même couleur : le { $better-card } y gagne dans { $better-take } des cas, cette enchère dans { $take } ; et le { $card } resterait pour plus tard.
reason-better-card = Le { $better } est ici la meilleure carte ; le { $card } vaut plus ailleurs.
reason-put-back-own-set = Cela remet { $jewel } dans le sac, qui serait le numéro { $count } de sa couleur. Mieux vaut remettre { $better }.
reason-offered-to-leader = Cela laisse { $jewel } sur un coussin : le numéro { $count } de sa couleur pour { $leader }, en tête.
reason-better-offer = Remettre { $better } vaut mieux que remettre { $jewel }.
hint-best = Le mieux : { $action }. Chance de gagner { $win } (± { $error }) ; le bot fort le joue dans { $share } des cas.
hint-instead = Se joue aussi, dans { $share } des cas : { $action }. Cela réduit la chance de gagner de { $loss ->
    [one] { $loss } point de pourcentage
   *[other] { $loss } points de pourcentage
  }.
hint-instead-even = Se joue aussi, dans { $share } des cas : { $action }. Cela ne réduit presque pas la chance de gagner.
hint-next = Deuxième choix : { $action }. Le bot fort ne le joue presque jamais ; cela réduit la chance de gagner de { $loss ->
    [one] { $loss } point de pourcentage
   *[other] { $loss } points de pourcentage
  }.
hint-next-even = Deuxième choix : { $action }. Le bot fort ne le joue presque jamais, bien que cela ne réduise presque pas la chance de gagner.
hint-alone = Rien d’autre ne s’en approche.
