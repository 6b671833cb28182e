taken-white = das weiße Juwel
taken-red = das rote Juwel
taken-yellow = das gelbe Juwel
taken-green = das grüne Juwel
taken-blue = das blaue Juwel
taken-on-cushion = { $jewel } auf Kissen { $cushion }
analysis-percent = { $number }{"\u00A0"}%
analysis-title = Was geschah, und warum
analysis-unfinished = Die Aufzeichnung endet vor dem Ende der Partie, und mit ihr die Auswertung.
analysis-players = Glück und Können
analysis-result = Ergebnis
analysis-deal = Glück der Verteilung
analysis-others = Wahl der anderen
analysis-own = Eigene Entscheidungen
analysis-accuracy = Genauigkeit
analysis-mean-loss = Verlust je Entscheidung
analysis-adds-up = Alle beginnen mit dem gleichen Anteil, { $even }. Die drei Teile machen daraus das Ergebnis. ± ist der Standardfehler.
analysis-chart-title = Gewinnchancen im Lauf der Partie
analysis-chart-note = Alle Karten offen. Von jedem Moment an wird die Partie viele Male zu Ende gespielt; alle bieten wie geübte Bots.
analysis-chart-player = { $player }: am niedrigsten { $low }, am höchsten { $high }, am Ende { $end }.
analysis-chart-chances = Die Chancen nach jeder Runde
analysis-stage = Durchgang { $stage }
analysis-worst = Was am meisten gekostet hat
analysis-worst-none = Nichts, was sich vom Zufall unterscheiden ließe.
analysis-lost = { $loss } Gewinnchance verloren (± { $error })
analysis-decisions = Alle Entscheidungen
analysis-done = Was getan wurde
analysis-loss = Verlust
analysis-best = Am besten
analysis-share = Anteil beim starken Bot
analysis-chance = Gewinnchance
analysis-method = Jede Entscheidung wird danach beurteilt, was dieser Spieler damals wissen konnte, verglichen mit der Mischung von Zügen, die der stärkste Bot dort spielen würde. Startwert { $seed }.
analysis-bid = { $card } für { $jewel }
analysis-bid-unknown = { $card } auf Kissen { $cushion }
analysis-offer = { $jewel } zurücklegen
reason-wasted-high-card = Die { $better } holt { $jewel } etwa so oft wie die { $card } ({ $better-take } statt { $take }), und die { $card } bliebe für später.
reason-wasted-as-often = Die { $better } holt { $jewel } so oft wie die { $card } (in { $take } der Fälle), und die { $card } bliebe für später.
reason-card-too-low = Die { $card } holt { $jewel } nur in { $take } der Fälle, die { $better } in { $better-take }.
reason-costly-discard = Mit diesem Gebot ist kaum etwas zu gewinnen ({ $take }). Die { $better } verliert auch, kostet aber weniger als die { $card }.
reason-hopeless-bid = Dieses Gebot holt { $jewel } nur in { $take } der Fälle. Die { $card } holt { $better } in { $better-take } der Fälle.
reason-hopeless-never = Dieses Gebot holt { $jewel } so gut wie nie. Die { $card } holt { $better } in { $better-take } der Fälle.
reason-missed-set = So bleibt { $jewel } liegen, das in { $take } der Fälle zu holen ist: Nummer { $count } dieser Farbe, für einen Bonus von { $bonus }.
reason-fed-the-leader = So holt { $leader } (in Führung) { $jewel } in { $take } der Fälle statt in { $better-take }.
reason-better-cushion = Die { $card } für { $better } ist das bessere Gebot: Sie holt ihr Juwel in { $better-take } der Fälle, dieses Gebot seines in { $take }.
reason-better-cushion-worth = Hier ist { $better } mehr wert als { $jewel }: besser die { $card } dafür, die es in { $better-take } der Fälle holt (dieses Gebot: { $take }).
reason-same-colour = Kissen { $cushion } hat dieselbe Farbe: Dort gewinnt die { $card } in { $better-take } der Fälle, dieses Gebot in { $take }.
reason-cheaper-elsewhere = Die { $better-card } holt { $better } in { $better-take } der Fälle, dieses Gebot { $jewel } in { $take }; und die { $card } bliebe für später.
reason-cheaper-same-colour = Kissen { $cushion } hat dieselbe Farbe: Dort gewinnt die { $better-card } in { $better-take } der Fälle, dieses Gebot in { $take }; und die { $card } bliebe für später.
reason-better-card = Die { $better } ist hier die bessere Karte; die { $card } ist anderswo mehr wert.
reason-put-back-own-set = So geht { $jewel } zurück, das Nummer { $count } seiner Farbe wäre. Besser: { $better } zurücklegen.
reason-offered-to-leader = So bleibt { $jewel } auf einem Kissen: Nummer { $count } dieser Farbe für { $leader } (in Führung).
reason-better-offer = Besser ist es, { $better } zurückzulegen statt { $jewel }.
hint-best = Am besten: { $action }. Gewinnchance { $win } (± { $error }); der starke Bot spielt es in { $share } der Fälle.
hint-instead = Auch gespielt, in { $share } der Fälle: { $action }. Das senkt die Gewinnchance um { $loss ->
    [one] 1 Prozentpunkt
   *[other] { $loss } Prozentpunkte
  }.
hint-instead-even = Auch gespielt, in { $share } der Fälle: { $action }. Das senkt die Gewinnchance kaum.
hint-next = Zweitbeste Wahl: { $action }. Das spielt der starke Bot kaum je; es senkt die Gewinnchance um { $loss ->
    [one] 1 Prozentpunkt
   *[other] { $loss } Prozentpunkte
  }.
hint-next-even = Zweitbeste Wahl: { $action }. Das spielt der starke Bot kaum je, obwohl es die Gewinnchance fast nicht senkt.
hint-alone = Nichts anderes kommt da heran.
