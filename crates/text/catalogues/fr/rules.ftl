rules-title = Les règles de Sultan
rules-about = Les règles de Sultan en images et en quelques mots : joyaux, mises cachées, égalités, points.
rules-lead = Des joyaux sur des coussins, des cartes face cachée et un visage impassible. Voici tout ce qu’il vous faut.
rules-learn = Apprendre avec une partie guidée
rules-short = En cinq lignes
rules-short-offer = À chaque tour, le premier joueur tire des joyaux, en pose { $count } sur les coussins ({ $fewer } à { $players } joueurs) et remet le dernier dans le sac.
rules-short-bid = Chacun à son tour pose une carte Argent face cachée sur un coussin. Personne ne peut passer.
rules-short-win = On retourne toutes les cartes : la plus forte d’un coussin prend son joyau ; à égalité, celle posée en premier. Les cartes jouées sont perdues.
rules-short-screens = Les joyaux gagnés disparaissent derrière les écrans. Essayez de retenir qui a quoi.
rules-short-points = Un joyau vaut de { $least } à { $most } points, et plusieurs d’une même couleur donnent un bonus, jusqu’à +{ $bonus }. Le plus grand total gagne.
rules-contents = Sur cette page

rules-aim = Le but du jeu
rules-aim-treasurer = Celui qui réunit les plus beaux joyaux devient le trésorier du sultan.
rules-aim-bids = À chaque tour, des joyaux reposent sur des coussins de velours. Chacun mise sur l’un d’eux avec une carte Argent, côté verso ; la plus forte carte d’un coussin emporte son joyau.
rules-aim-points = Les couleurs rares valent plus, et plusieurs joyaux d’une couleur rapportent des points de bonus. Celui qui a le plus de points gagne.

rules-material = Ce qu’il y a sur la table
rules-material-jewels = { $count } joyaux en { $colours } couleurs, tous dans un sac.
rules-material-each = Combien il y en a de chaque couleur
rules-material-cards = Des cartes Argent en { $colours } couleurs de joueurs. Dans chaque couleur, elles vont de 1 à { $highest }.
rules-material-cushions = { $count } coussins sur le plateau ; { $fewer } seulement quand on joue à { $players }.
rules-material-screens = Un écran pour chacun. Les joyaux gagnés passent derrière, hors de la vue des autres. Son verso vous rappelle ce que valent les joyaux et les bonus.
rules-material-bonus = Des cartes Points de bonus de { $a }, { $b }, { $c } et { $d } points pour le décompte final.

rules-setup = Mise en place
rules-setup-colours = Sultan se joue de { $fewest } à { $most } joueurs. Chacun prend une couleur et mélange ses cartes en une pile face cachée.
rules-setup-first = Tous les joyaux vont dans le sac. Autour d’une vraie table, le plus jeune est premier joueur du premier tour ; ici, l’hôte désigne quelqu’un, ou c’est le hasard.
rules-setup-stages = Une partie compte { $stages } manches. Au début d’une manche, vous prenez en main les { $hand } premières cartes de votre pile. Elles doivent suffire : il n’y en aura d’autres que lorsque toutes les mains seront vides et que la manche suivante commencera.
rules-numbers = Ce qui dépend du nombre de joueurs
rules-row-cushions = Coussins
rules-row-drawn = Joyaux piochés par tour
rules-row-cards = Cartes de chaque joueur
rules-row-highest = Carte la plus forte
rules-row-hand = Cartes en main pour une manche
rules-row-bids = Cartes misées par joueur et par tour
rules-row-stage = Tours dans une manche
rules-row-rounds = Tours dans la partie

rules-round = Un tour
rules-round-intro = Tous les tours se déroulent de la même façon.
rules-draw = Piocher
rules-draw-text = Le premier joueur pioche { $count } joyaux du sac ({ $fewer } quand on joue à { $players }). Tout le monde les voit.
rules-offer = Exposer
rules-offer-text = Il en pose { $count } ({ $fewer } quand on joue à { $players }) sur les coussins, un sur chacun, comme il veut. Celui qui reste retourne aussitôt dans le sac.
rules-bid = Miser
rules-bid-text = Le premier joueur commence, puis on continue vers la gauche : chacun pose { $count ->
    [one] une carte
   *[other] { $count } cartes
 } face cachée sur un coussin. D’autres peuvent déjà y avoir misé. Personne ne peut passer.
rules-reveal = Révéler
rules-reveal-text = Quand tous ont misé, on retourne toutes les cartes. Sur chaque coussin, la plus forte emporte le joyau.
rules-round-seen = Vous voyez qui mise où, et dans quel ordre. Combien, seul le propriétaire de la carte le sait avant la révélation.
rules-round-one = Une carte seule sur un coussin emporte le joyau, si faible soit-elle.
rules-round-none = Un joyau sur lequel personne ne mise retourne dans le sac.
rules-round-gone = Toutes les cartes jouées sont retirées du jeu, même celles qui n’ont rien gagné.
rules-round-next = Le voisin de gauche devient premier joueur au tour suivant. Cela continue d’une manche à l’autre.
rules-ties = Égalités
rules-ties-text = Si les cartes les plus fortes sont égales, celle qui a été posée la première emporte le joyau. (À deux joueurs, la règle est différente.)
rules-tie-caption = Deux cartes de { $card } : celle posée en numéro { $first } l’emporte sur le numéro { $second }.

rules-two = À deux joueurs
rules-two-intro = À deux, tout se passe comme ci-dessus, sauf ceci :
rules-two-cards = Chacun a { $copies } séries des cartes 1 à { $highest } : { $cards } cartes mélangées ensemble.
rules-two-hand = Une manche compte { $rounds } tours, et vous prenez pour cela { $hand } cartes en main.
rules-two-bids = Vous misez en alternance, jusqu’à { $count } cartes chacun. Vos propres cartes doivent être sur des coussins différents.
rules-two-ties = Cartes égales : le premier joueur du tour emporte le joyau, peu importe qui a posé en premier.
rules-two-next = Le premier joueur change après chaque tour.
rules-two-bonus = Le premier bonus demande { $count } joyaux d’une couleur au lieu de { $usual }.
rules-two-see = Voir le tableau.

rules-end = La fin et les points
rules-end-when = La partie se termine quand toutes les cartes sont jouées : après { $rounds } tours, à { $players } joueurs après { $fewer }.
rules-end-count = On lève les écrans. Chaque joyau compte, et chaque couleur peut rapporter un bonus.
rules-points = Points par joyau
rules-bonus-caption = Bonus pour les joyaux d’une couleur
rules-bonus-column = Bonus
rules-from-to = { $from }–{ $to } joueurs
rules-players = { $count } joueurs
rules-end-win = Celui qui a le plus de points gagne et devient le nouveau trésorier. À points égaux, le nombre de joyaux décide ; s’il est égal aussi, les joueurs sont ex æquo et partagent la place. Toutes les autres places se décident de la même façon.

rules-example = Décompte d’une collection
rules-example-text = Dans une partie de { $from } à { $to } joueurs, quelqu’un lève son écran, et voici { $count } joyaux :
rules-example-collection = Collection
rules-example-jewels = Joyaux
rules-example-total = Total
rules-example-sum = { $total } points
rules-example-two = À { $players } joueurs, les mêmes joyaux valent { $points } + { $bonus } = { $total } points, car les bonus y commencent plus tard.

rules-know = Qui peut savoir quoi
rules-know-intro = Les cartes sont secrètes jusqu’à la révélation, les joyaux dès qu’ils sont derrière un écran. Les écrans sont fermés, sauf si l’hôte les ouvre.
rules-know-fact = Quoi
rules-know-closed = Les autres, écrans fermés
rules-know-open = Les autres, écrans ouverts
rules-know-hand = Votre main et votre carte face cachée
rules-know-counts = Combien de cartes vous avez en main et dans la pile
rules-know-placed = Où vous misez, et dans quel ordre
rules-know-drawn = Les joyaux piochés, exposés et remis
rules-know-last = Les cartes et les gagnants du tour précédent
rules-know-collection = Vos joyaux
rules-know-played = Vos cartes des tours précédents
rules-know-secret = Le contenu du sac, l’ordre des piles, les graines
rules-know-always = toujours
rules-know-never = jamais avant la fin
rules-know-at-once = aussitôt
rules-know-not-shown = pas montré
rules-know-reveal = les cartes jouées, à la révélation
rules-know-next-draw = jusqu’à la pioche suivante
rules-know-next-round = jusqu’à la fin du tour suivant
rules-know-memory = Ce qui n’est plus montré a été vu une fois. S’en souvenir fait partie du jeu.
rules-know-over = Quand la partie est finie, tout est visible de tous.

rules-faq = Là où les règles publiées divergent
rules-faq-intro = Sultan a paru en plusieurs langues, et les textes ne disent pas tous la même chose. Voici ce qui vaut ici.
rules-faq-start = À deux, quand le premier joueur change-t-il ?
rules-faq-start-answer = Après chaque tour. Le texte anglais dit après chaque partie ; les textes allemand, français et néerlandais, après chaque tour ; le texte hongrois dit seulement que les joueurs commencent à tour de rôle. Une revanche déplace aussi le premier joueur.
rules-faq-pass = Puis-je passer ?
rules-faq-pass-answer = Non. Seul le texte hongrois dit que chacun doit miser ; les autres n’en parlent pas. Ici, chacun mise : exactement { $count ->
    [one] une carte
   *[other] { $count } cartes
 } par tour, à deux joueurs { $two }.
rules-faq-jewels = Combien y a-t-il de joyaux de chaque couleur ?
rules-faq-jewels-answer = Les nombres sont imprimés à côté des images, et certaines copies des textes ne les ont pas. Il y en a { $white } blancs, { $red } rouges, { $yellow } jaunes, { $green } verts et { $blue } bleus.
rules-faq-cushions = À deux, puis-je poser mes deux cartes sur le même coussin ?
rules-faq-cushions-answer = Non. Les textes anglais, allemand, néerlandais et français demandent des coussins différents ; le texte hongrois dit seulement que les cartes sont réparties.
rules-faq-ties = Quelles cartes doivent être égales pour une égalité ?
rules-faq-ties-answer = Les plus fortes d’un coussin. Le texte hongrois parle de deux cartes égales sans dire « les plus fortes » ; ici, les cartes plus faibles ne comptent jamais.
rules-faq-left = Dans quel sens mise-t-on ?
rules-faq-left-answer = Vers la gauche. Les textes disent seulement que le premier joueur suivant est assis à gauche.
rules-faq-places = Qui est deuxième ?
rules-faq-places-answer = Les textes ne nomment que le gagnant. Ici, les points décident de chaque place, puis les joyaux ; à égalité, la place est partagée.
rules-faq-pouch = Le sac peut-il se vider ?
rules-faq-pouch-answer = Non. Même si chaque joyau trouve preneur, il en reste { $left } avant la dernière pioche, et { $drawn } suffisent.
rules-faq-cards = Et s’il n’y a plus de cartes Points de bonus ?
rules-faq-cards-answer = Il y en a 24, et les textes n’en disent rien. Elles ne font que montrer les points : chacun reçoit tous ses bonus.

rules-here = Jouer ici
rules-here-choose = Choisir
rules-here-choose-text = Touchez une carte puis un coussin, ou faites glisser la carte ; puis confirmez. Avant de confirmer, vous pouvez changer d’avis.
rules-here-keys = Clavier
rules-here-keys-text = Tab et les flèches vont de carte en carte et de coussin en coussin, 1, 2 et 3 posent la carte ou le joyau choisi sur un coussin, Entrée confirme, Échap annule le choix.
rules-here-screens-text = Écrans fermés : le jeu tel qu’il est conçu. Écrans ouverts : tous voient les joyaux gagnés et les cartes jouées, c’est bien pour apprendre.
rules-here-pace-text = Si l’hôte le souhaite, tout est montré à un rythme fixe. Alors votre temps de réflexion n’apprend rien à personne.
rules-here-away = Temps et départs
rules-here-away-text = Si votre temps s’écoule, un bot décide pour vous ; si vous partez, il joue à votre place. Revenez quand vous voulez.
rules-here-bots = Bots
rules-here-bots-text = Des bots prennent les places libres. Ils voient ce que verrait une personne à leur place, rien de plus ; mais ils se souviennent de tout.

rules-fair = Un tirage équitable
rules-fair-promise = Avant que quiconque s’assoie, le serveur choisit une graine secrète et en montre l’empreinte (SHA-256) : sa promesse.
rules-fair-seeds = Chaque joueur peut ajouter une graine. De toutes ensemble découlent toutes les piles et toutes les pioches.
rules-fair-check = La partie finie, le serveur montre sa graine. Chacun peut vérifier qu’elle correspond à l’empreinte et recalculer chaque carte et chaque joyau, par exemple avec « sultan verify ».
rules-fair-proved-text = Quiconque a vu la promesse du serveur avant de donner sa propre graine le sait : le serveur n’a pu ni choisir ni changer la donne.
rules-fair-open = Ce que cela ne prouve pas
rules-fair-open-text = Que l’exploitant du serveur n’a pas regardé les cartes, ou ne s’est pas assis en dernier avec une graine essayée d’avance. Ne jouez avec un enjeu que si vous lui faites confiance à ce point.
rules-fair-guided = La partie guidée a une donne fixe, la même pour tous : rien n’y est promis.
