table-title-turn = À vous de jouer
table-title-over = La partie est terminée
table-about = Une partie de Sultan : des joyaux sur des coussins, des cartes face cachée.
table-here = La table
table-players = Joueurs
table-player = Joueur { $number }
table-clock-stage = Manche { $stage } sur { $stages }
table-clock-round = Tour { $round }
table-last-round = Le tour précédent
table-points = Points et bonus
table-menu = Plus
table-close = Fermer
table-deadline = Temps pour décider
table-cards = { $hand ->
    [one] { $hand } carte en main
   *[other] { $hand } cartes en main
  }, { $deck } dans la pile
table-to-act = doit jouer
table-stand-in = un bot joue : { $bot }
table-gone = absent
table-first-player = premier joueur
table-you-first = Vous êtes le premier joueur.
table-jewels = Joyaux gagnés
table-board = Le plateau
table-put-back = Remis au sac
table-cushion = Coussin { $number } : { $jewel }.
table-cushion-empty = Coussin { $number } : vide.
table-worth = { $points ->
    [one] { $points } point
   *[other] { $points } points
  }
table-own-card-there = Votre autre carte est ici : choisissez un autre coussin.
table-bid-own = Carte { $order } : la vôtre, { $card }.
table-bid = Carte { $order } : { $name }, face cachée.
table-drawn-all = Joyaux tirés
table-drawn = { $colour } · { $points }
table-goes-back = Retourne au sac
table-ended = Tout le monde a quitté cette table.
table-you-open = Vous ouvrez le tour :
table-you-open-how = quel joyau retourne dans le sac ?
table-your-turn = À vous de jouer :
table-bid-one = une carte, face cachée, sur un coussin.
table-bid-first = la première de vos deux cartes.
table-bid-second = votre seconde carte, sur un autre coussin.
table-bot-for-you = Un bot joue à votre place.
table-opens = { $name } ouvre le tour.
table-thinks = { $name } choisit une carte…
table-you-win = Vous voilà trésorier du sultan, avec { $points ->
    [one] { $points } point
   *[other] { $points } points
  } !
table-wins = { $name } devient trésorier du sultan, avec { $points ->
    [one] { $points } point
   *[other] { $points } points
  }.
table-share = Ex æquo : { $names } partagent la première place avec { $points ->
    [one] { $points } point
   *[other] { $points } points
  }.
table-and = { $most } et { $last }
table-watching = Vous regardez la partie. Les mains restent cachées.
table-own-place = Votre place
table-hand = Votre main
table-card = Carte { $card }
table-need-back = Choisissez le joyau à remettre au sac
table-confirm-offer = Remettre au sac
table-confirm-back = Remettre { $jewel }
table-need-card = Choisissez une carte de votre main
table-need-cushion = Choisissez maintenant un coussin
table-confirm = Miser
table-may-prepare = Vous pouvez déjà choisir une carte.
table-is-prepared = Votre carte est prête. Rien n’est envoyé avant que vous confirmiez à votre tour.
keys-choose = Choisir
keys-cushion = Coussin
keys-confirm = Confirmer
keys-clear = Annuler
table-confirm-bid = Miser { $card } sur le coussin { $cushion }
table-bids-left = { $count ->
    [one] Encore { $count } carte, puis tout est dévoilé
   *[other] Encore { $count } cartes, puis tout est dévoilé
  }
table-waiting = On attend { $name }
table-again = Regarder de nouveau
table-away = Un bot joue à votre place : { $bot }.
table-take-back = Reprendre ma place
table-treasure = Votre trésor
table-own-points = { $points ->
    [one] { $points } point pour l’instant
   *[other] { $points } points pour l’instant
  }
table-own-deck = { $count ->
    [one] { $count } carte dans votre pile
   *[other] { $count } cartes dans votre pile
  }
table-no-round-yet = Aucun tour n’est encore terminé.
table-round = Manche { $stage }, tour { $round }
table-you = Vous
table-to-pouch = Dans le sac
table-nobody = Personne n’a voulu { $jewel } : retour dans le sac.
table-you-take = Vous prenez { $jewel } avec { $card }.
table-takes = { $name } prend { $jewel } avec { $card }.
table-tie-earliest = Il y avait plusieurs { $card } : la carte posée la première gagne.
table-tie-first-player = Deux fois { $card } : le premier joueur gagne.
table-points-each = Points par joyau
table-bonus = Points de bonus pour des joyaux d’une couleur
table-alike = { $count } identiques
table-alike-more = { $count } ou plus
table-so-far = Points pour l’instant
table-react = Lancez un mot à la table
table-host = En tant qu’hôte
table-fill = Faire jouer un bot pour { $name }
table-give-back = Rendre sa place à { $name }
table-story = Ce qui s’est passé
table-offline = La connexion est perdue. Nouvel essai…
table-rules = Règles
table-leave = Quitter la table
table-fill-in = Un bot peut prendre le relais dans
table-watched = Quelqu’un regarde la partie.
event-time-up-you = Le temps est écoulé : un bot a joué à votre place ({ $bot }).
event-time-up = Le temps est écoulé : un bot a joué pour { $name } ({ $bot }).
game-pause = Mettre la partie en pause
game-paused = La partie est en pause.
game-resume = Reprendre la partie
game-rest = Jouer la suite pour moi
game-rest-more = Un bot continue à votre place : { $bot }. Vous pouvez regarder, voir le résultat et reprendre votre place à tout moment.
game-rest-yes = Oui, jouez pour moi
game-leave-more = Un bot continue à votre place : { $bot }. Tant que la partie dure, vous pouvez revenir à votre place.
game-leave-yes = Oui, quitter
game-discard = Abandonner cette partie
game-discard-more = La partie s’arrête ici, sans vainqueur. C’est définitif.
game-discard-yes = Oui, abandonner
reaction-applause = Bravo !
reaction-laugh = Ha ha !
reaction-wonder = Oh !
reaction-sigh = Dommage.
reaction-hurry = Allez !
reaction-thanks = Merci !
event-reaction = { $name } : « { $word } »
event-stands-in = Un bot joue maintenant pour { $name }.
event-is-back = { $name } est de retour.
event-is-gone = { $name } n’est plus là.
event-back = Retour dans le sac : { $jewel }.
event-turned-up = Toutes les cartes sont retournées.
event-new-round = Tour { $round } de la manche { $stage }.
event-new-stage = La manche { $stage } commence : chacun prend de nouvelles cartes. Tour { $round }.
event-you-draw = Vous tirez : { $jewels }.
event-draws = { $name } tire : { $jewels }.
event-bid = { $name } pose une carte sur le coussin { $cushion }.
event-own-bid = Vous posez { $card } sur le coussin { $cushion }.
