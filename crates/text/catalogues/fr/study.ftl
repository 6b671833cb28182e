replay-title = Revoir la partie
replay-about = Une partie de Sultan terminée, pas à pas.
replay-eyes = Vu par
replay-all = Tout dévoilé
replay-seat-note = Seulement ce que l’on savait alors depuis cette place.
replay-all-note = Toutes les cartes et tous les trésors, comme personne ne les voyait alors.
replay-steps = Aller à un moment
replay-at = Coup { $at } sur { $last }
replay-first = Au début
replay-back = Un coup en arrière
replay-next = Un coup en avant
replay-last = À la fin
replay-play = Lecture
replay-pause = Pause
replay-slider = Coups joués
replay-go = Y aller
replay-keys = Touches : ← et → avancent pas à pas, Début et Fin vont aux extrémités, la barre d’espace lance et arrête la lecture.
replay-begins = La partie commence. Tout le monde a pris ses cartes en main.
replay-cards = Toutes les mains et toutes les piles
replay-hand = En main
replay-deck = Encore à venir, la carte du dessus en premier
replay-bid-open = Carte { $order } : { $name }, { $card }.
study-about = Une partie de Sultan terminée, analysée : chaque décision, les chances de gagner, la chance et le talent.
study-running = La partie est en cours d’analyse. Cela prend environ un quart de minute, davantage tant que d’autres jouent ici.
study-waits = { $ahead ->
    [one] { $ahead } partie passe d’abord, puis celle-ci sera analysée.
   *[other] { $ahead } parties passent d’abord, puis celle-ci sera analysée.
}
study-progress = Avancement de l’analyse
study-leave = Vous pouvez quitter cette page : l’analyse continue et sera conservée.
