home-title = joyaux, cartes et bluff
home-motto = Des joyaux sur des coussins, des cartes face cachée, et un visage impassible.
home-about = Jouez au jeu de société Sultan dans votre navigateur : contre des bots, entre amis ou sur un seul appareil.
home-what = Sultan est un jeu rapide d’enchères et de bluff pour deux à cinq joueurs. Qui rassemble les joyaux les plus précieux devient trésorier du palais.
home-draw = Des joyaux tirés du sac
home-draw-more = Le premier joueur en remet un et pose les autres sur les coussins.
home-bid = Une carte, face cachée
home-bid-more = Chacun mise sur un coussin. Qui osera, et où ?
home-win = La carte la plus forte gagne
home-win-more = Un joyau dont personne ne veut retourne dans le sac.
home-rules = Règles
home-fair = La donne est-elle honnête ?
home-api = Pour les programmes
home-links = En savoir plus sur Sultan
home-unofficial = Une version non officielle de Sultan, d’André Zatz et Sergio Halaban (Queen Games, 2009), avec ses propres images et ses propres textes. Logiciel libre.
home-your-name = Votre nom
home-lucky-word = Votre mot porte-bonheur
home-lucky-word-hint = Il entre dans le mélange, pour que personne ne décide seul de la donne. Vous pouvez le laisser vide.
home-guest = Invité
home-seat-number = Place { $number }
home-a-person = Une personne
home-a-bot = Un bot
home-who-are-they = Qui sont les bots ?
home-more-choices = Autres options
home-play-now = Jouer tout de suite
home-play-bots = Combien d’adversaires ?
home-play-level = Qui sont-ils ?
home-play-go = Jouer
home-new-here = Première visite ? Commencez par une partie guidée.
home-game = Durée de la partie
home-screens = Écrans
home-screens-closed = Fermés
home-screens-open = Ouverts
home-screens-hint = Fermés : les autres ne voient pas les joyaux gagnés. Ouverts : tout le monde les voit.
home-time = Temps de réflexion
home-time-none = Sans limite
home-time-seconds = { $seconds } s
home-time-minutes = { $minutes } min
home-time-hours = { $hours } h
home-time-days = { $days ->
    [one] { $days } jour
   *[other] { $days } jours
}
home-time-own = Autre
home-time-unit = Unité
home-time-in-seconds = secondes
home-time-in-minutes = minutes
home-time-in-hours = heures
home-time-in-days = jours
home-time-hint = Pour chaque décision : de 1 seconde à 7 jours.
home-first-player = Premier joueur
home-first-chance = Au hasard
home-first-me = Moi
home-even-pace = Rythme égal
home-even-pace-hint = Personne ne voit combien de temps un autre a réfléchi.
home-friends = Jouer entre amis
home-friends-hint = Ouvrez une table et partagez son lien.
home-friends-seats = Qui prend les autres places ?
home-friends-who = Qui peut trouver la table ?
home-friends-link = Par lien seulement
home-friends-public = Tout le monde
home-friends-go = Ouvrir la table
home-join = Rejoindre une table
home-join-code = Code ou lien
home-join-go = Rejoindre
home-pass = Sur un seul appareil
home-pass-hint = Faites-le circuler : un rideau tombe entre deux joueurs.
home-pass-people = Personnes sur cet appareil
home-pass-names = Noms
home-pass-bots = Bots en plus
home-pass-go = Commencer la partie
home-my-games = Vos parties
home-game-with = Avec { $names }
home-game-over = Terminée : voir le résultat
home-your-turn = À vous de jouer
home-left = Vous avez quitté la table. Un bot continue à votre place : { $bot }.
home-left-back = Retour à cette table
home-left-over = Cette partie est finie pour vous. Et si vous en commenciez une autre ?
home-game-paused = En pause
home-game-more = Plus
home-seats-awaited = { $free ->
    [one] Il manque une personne
   *[other] Il manque { $free } personnes
}
home-open-tables = Tables ouvertes
home-no-open-tables = Aucune table n’attend de joueurs en ce moment. Ouvrez-en une : on la trouvera ici.
home-playing-tables = Parties en cours
home-table-join = Rejoindre
home-table-watch = Regarder
home-table-players = { $players ->
    [one] { $players } joueur
   *[other] { $players } joueurs
}
