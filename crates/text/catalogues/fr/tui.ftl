tui-you = vous
tui-players = Joueurs
tui-hand = main
tui-deck = pile
tui-points = points
tui-jewels = joyaux
tui-bonus = bonus
tui-log = Déroulement
tui-drawn = Tirés
tui-cushion = Coussin { $cushion }
tui-your-hand = Votre main
tui-hand-of = { $name } : main
tui-behind = derrière l’écran
tui-stands-in = { $bot } joue à sa place
tui-seat-free = libre
tui-seat-number = Place { $number }
tui-clock = Manche { $stage } sur { $stages }, tour { $round } sur { $rounds }
tui-clock-variant = { $game }, tour { $round } sur { $rounds }
tui-first = premier : { $name }
tui-waits-offer = { $name } pose les joyaux sur les coussins…
tui-waits-bid = { $name } mise…
tui-do-offer = À vous de jouer : quel joyau sur le coussin { $cushion } ?
tui-do-confirm-offer = { $jewel } retourne au sac. Entrée confirme.
tui-do-card = À vous de jouer : quelle carte misez-vous ?
tui-do-card-begun = 1… et le deuxième chiffre ; Entrée prend la carte marquée.
tui-do-cushion = Sur quel coussin posez-vous le { $card } ?
tui-do-confirm-bid = { $card } sur le coussin { $cushion } : Entrée confirme.
tui-reveal = Manche { $stage }, tour { $round } : les cartes sont retournées
tui-reveal-takes = { $name } l’emporte
tui-reveal-back = retour au sac
tui-curtain = C’est maintenant à { $name } de regarder.
tui-curtain-lift = { $name } : quand personne d’autre ne regarde, appuyez sur Entrée.
tui-end = Fin de la partie
tui-rematch = Quelqu’un rejoue à cette table : appuyez sur r pour en être.
tui-kept = La partie est sauvegardée. Pour continuer : sultan play
tui-come-back = Pour revenir à votre place : sultan play { $link }
tui-places = Classement
tui-points-of = Les points : { $name }
tui-points-bonus = bonus { $bonus }
tui-waiting-title = Avant la partie
tui-waiting = { $count ->
    [one] Il manque encore { $count } joueur…
   *[other] Il manque encore { $count } joueurs…
  }
tui-unfinished = { $count ->
    [one] Une partie inachevée
   *[other] { $count } parties inachevées
}
tui-new-game = Une nouvelle partie
tui-give-up-sure = Appuyez encore une fois sur Retour arrière pour abandonner définitivement cette partie.
tui-set-language = Langue
tui-set-players = Joueurs
tui-set-game = Partie
tui-set-screens = Écrans
tui-set-first = Premier joueur
tui-screens-closed = fermés
tui-screens-open = ouverts
tui-first-chance = au hasard
tui-bot = Bot
tui-person = Personne
tui-colour-any = au choix
tui-start = Commencer
tui-about-person = Quelqu’un devant cet appareil. À plusieurs, on se le passe ; un rideau tombe.
tui-about-closed = Les joyaux gagnés disparaissent derrière les écrans : retenez qui possède quoi.
tui-about-open = Tout le monde voit tous les joyaux gagnés et les cartes jouées.
tui-about-first = Qui pose les premiers joyaux sur les coussins.
tui-about-colour = La couleur des cartes et son emblème.
tui-key-help = Aide
tui-key-rules = Règles
tui-key-quit = Quitter
tui-key-confirm = confirmer
tui-key-choose = choisir
tui-key-move = se déplacer
tui-key-undo = annuler
tui-key-lift = lever le rideau
tui-key-on = continuer
tui-key-turn-up = tout retourner
tui-key-player = joueur
tui-key-once-more = rejouer
tui-key-new = nouvelle partie
tui-key-back = reprendre votre place
tui-key-give-up = abandonner
tui-key-next = suivant
tui-key-change = changer
tui-key-write = écrire
tui-key-close = fermer
tui-key-scroll = défiler
tui-too-small = Cette fenêtre est trop petite pour Sultan : il faut au moins { $columns } colonnes et { $rows } lignes, ou lancez avec --plain.
tui-lost = La table est injoignable ({ $why }). Nouvel essai…
tui-gone = Plus rien ne vient de cette table : { $why }
tui-help-intro = Choisissez, puis confirmez avec Entrée. Rien n’est joué avant.
tui-help-number = choisir une carte par sa valeur, joyau ou coussin par numéro
tui-help-arrows = passer d’un joyau, d’une carte ou d’un coussin à l’autre ; dans le formulaire, changer une valeur
tui-help-letters = poser un joyau blanc, rouge, jaune, vert ou bleu sur le coussin suivant
tui-help-enter = prendre ce qui est marqué ; confirmer quand tout est choisi
tui-help-undo = annuler le dernier choix
tui-help-help = cette page ; toute autre touche la ferme
tui-help-rules = les règles en bref
tui-help-quit = s’arrêter ; la partie est sauvegardée
tui-help-mouse = À la souris : cliquez sur les joyaux, les cartes, les coussins et sur toutes les touches affichées ; le bouton droit annule.
tui-help-signs = Joyaux : ○W blanc, ◆R rouge, ▲Y jaune, ■G vert, ★B bleu. Joueurs : ☾ violet, ☼ or, ♣ vert, ♥ rouge, ♠ bleu. Le numéro devant une carte dit quand elle a été posée.
tui-help-more = sultan play --plain joue ligne par ligne, pour les lecteurs d’écran et les scripts ; sultan play --help affiche le reste.
tui-plain-own = Vos joyaux : { $jewels }, soit { $points ->
    [one] { $points } point
   *[other] { $points } points
}.
tui-plain-offer = Tirés : { $jewels }. Écrivez dans l’ordre les joyaux des coussins 1, 2 et ainsi de suite, par exemple RYB ; ou un numéro :
tui-plain-bid = Écrivez une carte et un coussin, par exemple 12@2 ; ou un numéro :
tui-plain-no-card = aucune carte
tui-plain-help = Écrivez une action ou son numéro ; une ligne vide réaffiche les choix ; rules affiche les règles ; q arrête, et la partie est sauvegardée.
tui-rules-title = Les règles en bref, à { $players } joueurs
tui-rules-aim = Vous achetez des joyaux pour le sultan avec des cartes Argent posées face cachée. Qui a le plus de points à la fin devient son trésorier.
tui-rules-pouch = Le sac contient { $count } joyaux : { $jewels }.
tui-rules-hand = La partie compte { $stages ->
    [one] une seule manche
   *[other] { $stages } manches
} de { $rounds } tours. { $sets ->
    [one] Vous avez les cartes 1 à { $highest }
   *[other] Vous avez les cartes 1 à { $highest }, chacune { $sets } fois
}, mélangées ; au début de chaque manche, vous en prenez { $cards } en main.
tui-rules-offer = À chaque tour, le premier joueur tire { $drawn } joyaux, en pose { $cushions } sur les coussins comme il lui plaît et remet le dernier.
tui-rules-bid = Puis chacun, en commençant par le premier joueur, pose exactement une carte face cachée sur un coussin. Passer est interdit.
tui-rules-bid-two = Puis, en alternance et en commençant par le premier joueur, chacun pose deux cartes face cachée sur deux coussins différents.
tui-rules-settle = Toutes les cartes sont retournées. Sur chaque coussin, la plus forte emporte le joyau ; sans carte, il retourne au sac. Toutes les cartes jouées sont perdues.
tui-rules-tie = À égalité, la carte posée la première l’emporte. Le voisin de gauche est premier joueur au tour suivant.
tui-rules-tie-two = À égalité, la carte du premier joueur l’emporte. L’autre est premier joueur au tour suivant.
tui-rules-screen = Les joyaux gagnés sont derrière votre écran ; si les écrans sont ouverts, tout le monde les voit.
tui-rules-points = Points par joyau : { $points }.
tui-rules-bonus = Points de bonus pour les joyaux d’une couleur (nombre : points) : { $steps } ; au-delà, comme le dernier.
tui-rules-win = Qui a le plus de points gagne ; à égalité, qui a le plus de joyaux ; sinon, la place est partagée.
tui-key-step = pas à pas
tui-key-play = lancer
tui-key-pause = pause
tui-key-ends = début / fin
tui-key-eyes = autre vue
