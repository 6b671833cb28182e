end-title = La fin
end-treasurer = Trésorier du sultan
end-treasurers = Trésoriers du sultan
end-points-with = { $points ->
    [one] { $points } point
   *[other] { $points } points
  } avec { $jewels ->
    [one] { $jewels } joyau
   *[other] { $jewels } joyaux
  }
end-draw = Ex æquo : même nombre de points et de joyaux.
end-decided = { $first } et { $second } ont le même nombre de points : { $first } a plus de joyaux.
end-decided-you = Vous et { $second } avez le même nombre de points : vous avez plus de joyaux.
end-decided-against-you = Vous et { $first } avez le même nombre de points : { $first } a plus de joyaux.
end-left-title = La partie a été interrompue
end-left = Tout le monde a quitté cette table. Personne ne devient trésorier aujourd’hui.
end-counting = On compte les trésors…
end-picture = Image du résultat
end-last-round = Le dernier tour
end-ranking = Classement
end-rank = Rang { $rank }
end-jewels = { $count ->
    [one] { $count } joyau
   *[other] { $count } joyaux
  }
end-line = { $colour } : { $count } à { $points } chacun
end-bonus = bonus { $points }
end-together = total { $points }
end-total = { $points ->
    [one] { $points } point
   *[other] { $points } points
  } en tout
end-score = { $points } + bonus { $bonus } = { $total } points, { $count ->
    [one] { $count } joyau
   *[other] { $count } joyaux
}
end-after = Et maintenant ?
end-rematch = Rejouer ensemble
end-rematch-alone = Rejouer
end-asked = { $name } veut rejouer.
end-rematch-join = Aller à la revanche
end-record = Télécharger l’enregistrement
verify-title = Vérifier cette donne
verify-lead = Cette page prend l’enregistrement de la partie et recalcule tout, ici dans votre navigateur : les cartes, les joyaux, chaque coup et le résultat.
verify-running = Vérification…
verify-all-good = Tout concorde.
verify-some-bad = Quelque chose ne concorde pas. Les lignes marquées disent quoi.
verify-failed = L’enregistrement n’a pas pu être reçu. Rechargez cette page, ou téléchargez-le et vérifiez-le vous-même.
verify-no-script = Sans JavaScript, cette page ne peut rien vérifier. Téléchargez l’enregistrement et vérifiez-le avec le programme, ou à la main comme indiqué plus bas.
verify-steps = Ce qui est vérifié
verify-good = correct
verify-bad = incorrect
verify-open = pas vérifié
verify-step-record = L’enregistrement est lisible
verify-step-commitment = La graine du serveur est celle qu’il avait promise
verify-step-noted = La promesse est celle que ce navigateur a notée avant de donner sa graine
verify-step-noted-unknown = Ce navigateur ne l’a pas notée : il n’a pas donné de graine à cette table, ou il l’a oubliée.
verify-step-seed = La graine de ce navigateur fait partie de la donne
verify-step-seed-unknown = Ce navigateur ne connaît ici aucune graine à lui.
verify-step-first = Le hasard a désigné le premier joueur
verify-step-first-host = L’hôte a désigné le premier joueur.
verify-step-first-rematch = Dans une revanche, le premier joueur est celui qui suit celui de la partie précédente.
verify-step-first-unknown = L’enregistrement ne dit pas qui l’a désigné.
verify-step-offers = Les joyaux exposés étaient chaque fois ceux que donnent les graines
verify-step-bids = Chaque enchère était une carte que le joueur avait en main
verify-step-result = Les points et le classement sont ceux que montre la table
verify-step-result-unknown = La partie n’a pas été jouée jusqu’au bout.
verify-fault = Première erreur : coup { $number }, « { $said } ».
verify-values = Les valeurs
verify-seeds = Graines
verify-server-seed = La graine du serveur
verify-promise = Son SHA-256 : la promesse
verify-game-seed = La graine de la partie
verify-decks = Les piles, carte du dessus en premier
verify-player = Joueur
verify-client-seed = Sa graine
verify-rounds = Les tours
verify-round = Tour
verify-drawn = Tirés
verify-offer = Sur les coussins
verify-bids = Enchères dans l’ordre
verify-won = Gagné par
verify-nobody = personne
verify-proves-title = Ce que cela prouve
verify-not-title = Ce que cela ne prouve pas
verify-not-look = Que l’exploitant n’a pas regardé : qui fait tourner le serveur peut calculer toutes les cartes dès que les graines sont là.
verify-not-last = Que l’exploitant ne s’est pas assis en dernier, avec une graine essayée d’avance.
verify-not-page = Cette page vient du même serveur. Si vous ne lui faites pas confiance, vérifiez l’enregistrement avec un programme venu d’ailleurs.
verify-hand-title = Vérifiez vous-même
verify-hand-program = Avec le programme de Sultan, sur n’importe quel ordinateur :
verify-hand-steps = Ou avec tout programme qui connaît SHA-256 et ChaCha20 :
verify-hand-commitment = La promesse est le SHA-256 des 32 octets de la graine du serveur.
verify-hand-seed = La graine de la partie est le SHA-256 de « sultan/1 », de la graine du serveur et, pour chaque place, d’un octet donnant la longueur de sa graine, puis de cette graine.
verify-hand-words = Les mots aléatoires viennent de ChaCha20, avec la graine de la partie pour clé : flux 0 à 4 pour la pile de cette place, à partir de 16 pour le tirage de chaque tour, 64 pour le premier joueur.
verify-hand-deck = Une pile : les valeurs en ordre croissant ; de la dernière position à la deuxième, chacune est échangée avec une position tirée parmi celles qui vont jusqu’à elle.
verify-hand-draw = Un tirage : un nombre inférieur au nombre de joyaux dans le sac, que l’on compte en parcourant le blanc, le rouge, le jaune, le vert et le bleu.
verify-back = Retour à la table
curtain-title = Passez l’appareil
curtain-to = Passez l’appareil à
curtain-why = Derrière le rideau se cache une main que personne d’autre ne doit voir.
curtain-everyone = Regardez tous !
curtain-lift = Je suis { $name } : lever le rideau
curtain-wait = Vous pouvez tous regarder : c’est ce que tout le monde voit. Quand ce sera à l’un de vous, le rideau tombera.
curtain-look = { $name } : derrière l’écran
