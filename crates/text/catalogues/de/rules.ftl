rules-title = Die Regeln von Sultan
rules-about = Die Regeln von Sultan in Bildern und kurzen Worten: Juwelen, verdeckte Gebote, Gleichstände, Punkte.
rules-lead = Juwelen auf Kissen, verdeckte Karten, und bloß keine Miene verziehen. Hier steht alles, was du brauchst.
rules-learn = Lerne es in einem geführten Spiel
rules-short = In fünf Zeilen
rules-short-offer = In jeder Runde zieht der Startspieler Juwelen, legt { $count } davon auf Kissen (zu { $players } nur { $fewer }) und das letzte zurück.
rules-short-bid = Reihum legen alle eine Geldkarte verdeckt auf ein Kissen. Passen darf niemand.
rules-short-win = Alle Karten werden aufgedeckt: Die höchste auf einem Kissen holt das Juwel, bei gleichen die zuerst gelegte. Alle gespielten Karten sind weg.
rules-short-screens = Gewonnene Juwelen verschwinden hinter den Sichtschirmen. Merk dir, wer was hat.
rules-short-points = Ein Juwel bringt { $least } bis { $most } Punkte, mehrere einer Farbe einen Bonus von bis zu +{ $bonus }. Die meisten Punkte gewinnen.
rules-contents = Auf dieser Seite

rules-aim = Worum es geht
rules-aim-treasurer = Wer die schönsten Juwelen nach Hause bringt, wird Schatzmeister des Sultans.
rules-aim-bids = In jeder Runde liegen Juwelen auf samtenen Kissen. Jeder bietet mit einer verdeckten Geldkarte auf eines davon; die höchste Karte auf einem Kissen bekommt das Juwel.
rules-aim-points = Seltene Farben sind mehr wert, und mehrere Juwelen einer Farbe bringen Bonuspunkte. Wer die meisten Punkte hat, gewinnt.

rules-material = Was auf dem Tisch liegt
rules-material-jewels = { $count } Juwelen in { $colours } Farben, alle in einem Stoffbeutel.
rules-material-each = So viele gibt es von jeder Farbe
rules-material-cards = Geldkarten in { $colours } Spielerfarben. In jeder Farbe gehen sie von 1 bis { $highest }.
rules-material-cushions = { $count } Kissen auf dem Spielplan; { $fewer }, wenn { $players } spielen.
rules-material-screens = Ein Sichtschirm für jeden. Dahinter bleiben gewonnene Juwelen vor den anderen verborgen. Seine Rückseite zeigt dir, was Juwelen und Bonus wert sind.
rules-material-bonus = Bonuspunktekarten zu { $a }, { $b }, { $c } und { $d } Punkten für die Wertung am Ende.

rules-setup = Aufbau
rules-setup-colours = Sultan ist für { $fewest } bis { $most } Spieler. Jeder nimmt eine Farbe und mischt ihre Karten zu einem verdeckten Stapel.
rules-setup-first = Alle Juwelen kommen in den Stoffbeutel. Am echten Tisch ist der Jüngste Startspieler der ersten Runde; hier bestimmt ihn der Gastgeber oder der Zufall.
rules-setup-stages = Ein Spiel hat { $stages } Durchgänge. Zu Beginn eines Durchgangs nimmst du die obersten { $hand } Karten deines Stapels auf die Hand. Sie müssen reichen: Neue gibt es erst, wenn alle Hände leer sind und der nächste Durchgang beginnt.
rules-numbers = Was von der Spielerzahl abhängt
rules-row-cushions = Kissen
rules-row-drawn = Gezogene Juwelen je Runde
rules-row-cards = Karten jedes Spielers
rules-row-highest = Höchste Karte
rules-row-hand = Handkarten für einen Durchgang
rules-row-bids = Gebote jedes Spielers je Runde
rules-row-stage = Runden im Durchgang
rules-row-rounds = Runden im Spiel

rules-round = Eine Runde
rules-round-intro = Jede Runde läuft gleich ab.
rules-draw = Ziehen
rules-draw-text = Der Startspieler zieht { $count } Juwelen aus dem Stoffbeutel ({ $fewer }, wenn { $players } spielen). Alle sehen sie.
rules-offer = Auslegen
rules-offer-text = Er legt { $count } davon ({ $fewer }, wenn { $players } spielen) auf die Kissen, auf jedes eines, ganz wie er will. Das übrige kommt gleich zurück in den Stoffbeutel.
rules-bid = Bieten
rules-bid-text = Der Startspieler beginnt, dann geht es im Uhrzeigersinn weiter: Jeder legt { $count ->
    [one] eine Karte
   *[other] { $count } Karten
 } verdeckt auf ein Kissen. Dort dürfen schon Gebote anderer liegen. Passen darf niemand.
rules-reveal = Aufdecken
rules-reveal-text = Haben alle geboten, werden die Karten aufgedeckt. Auf jedem Kissen bekommt die höchste Karte das Juwel.
rules-round-seen = Du siehst, wer wo bietet und in welcher Reihenfolge. Wie hoch, weiß bis zum Aufdecken nur, wem die Karte gehört.
rules-round-one = Liegt nur eine Karte auf einem Kissen, bekommt sie das Juwel, so niedrig sie auch ist.
rules-round-none = Ein Juwel, auf das niemand bietet, kommt zurück in den Stoffbeutel.
rules-round-gone = Alle gespielten Karten sind aus dem Spiel, auch die, die nichts gewonnen haben.
rules-round-next = Der linke Nachbar ist der Startspieler der nächsten Runde. Das geht von Durchgang zu Durchgang so weiter.
rules-ties = Gleichstand
rules-ties-text = Liegen mehrere höchste Karten gleichauf, bekommt die zuerst gelegte das Juwel. (Zu zweit gilt eine eigene Regel.)
rules-tie-caption = Zweimal die { $card }: Die als Nummer { $first } gelegte Karte gewinnt gegen Nummer { $second }.

rules-two = Zu zweit
rules-two-intro = Zu zweit ist alles wie oben, bis auf dies:
rules-two-cards = Jeder hat { $copies } Sätze der Karten 1 bis { $highest }: { $cards } Karten, zusammen gemischt.
rules-two-hand = Ein Durchgang hat { $rounds } Runden, und du nimmst dafür { $hand } Karten auf die Hand.
rules-two-bids = Ihr bietet abwechselnd, bis jeder { $count } Karten gelegt hat. Deine eigenen Karten müssen auf verschiedenen Kissen liegen.
rules-two-ties = Gleich hohe Karten: Der Startspieler der Runde bekommt das Juwel, egal wer zuerst gelegt hat.
rules-two-next = Der Startspieler wechselt nach jeder Runde.
rules-two-bonus = Den ersten Bonus gibt es für { $count } Juwelen einer Farbe statt für { $usual }.
rules-two-see = Zur Tabelle.

rules-end = Ende und Punkte
rules-end-when = Das Spiel endet, wenn alle Karten gespielt sind: nach { $rounds } Runden, mit { $players } Spielern nach { $fewer }.
rules-end-count = Die Sichtschirme werden weggenommen. Jedes Juwel zählt, und für jede Farbe kann es einen Bonus geben.
rules-points = Punkte für jedes Juwel
rules-bonus-caption = Bonus für Juwelen einer Farbe
rules-bonus-column = Bonus
rules-from-to = { $from }–{ $to } Spieler
rules-players = { $count } Spieler
rules-end-win = Wer die meisten Punkte hat, gewinnt und ist der neue Schatzmeister. Bei gleichen Punkten entscheidet die Zahl der Juwelen; ist auch sie gleich, endet es unentschieden und der Platz wird geteilt. Über alle anderen Plätze wird genauso entschieden.

rules-example = Eine Sammlung wird gezählt
rules-example-text = In einem Spiel mit { $from } bis { $to } Spielern öffnet jemand den Sichtschirm, und da liegen { $count } Juwelen:
rules-example-collection = Sammlung
rules-example-jewels = Juwelen
rules-example-total = Zusammen
rules-example-sum = { $total } Punkte
rules-example-two = Mit { $players } Spielern sind dieselben Juwelen { $points } + { $bonus } = { $total } Punkte wert, denn der Bonus beginnt dort später.

rules-know = Wer was wissen darf
rules-know-intro = Karten sind geheim, bis sie aufgedeckt werden, Juwelen, sobald sie hinter einem Sichtschirm liegen. Die Sichtschirme sind geschlossen, wenn der Gastgeber sie nicht öffnet.
rules-know-fact = Was
rules-know-closed = Andere, Sichtschirme geschlossen
rules-know-open = Andere, Sichtschirme offen
rules-know-hand = Deine Hand und deine verdeckte Karte
rules-know-counts = Wie viele Karten du auf der Hand und im Stapel hast
rules-know-placed = Wo du bietest und in welcher Reihenfolge
rules-know-drawn = Gezogene, ausgelegte und zurückgelegte Juwelen
rules-know-last = Karten und Gewinner der vorigen Runde
rules-know-collection = Deine Juwelen
rules-know-played = Deine Karten aus früheren Runden
rules-know-secret = Was im Stoffbeutel ist, die Reihenfolge der Stapel, die Startwerte
rules-know-always = immer
rules-know-never = nie vor dem Ende
rules-know-at-once = sofort
rules-know-not-shown = nicht gezeigt
rules-know-reveal = gespielte Karten, beim Aufdecken
rules-know-next-draw = bis zum nächsten Ziehen
rules-know-next-round = bis die nächste Runde vorbei ist
rules-know-memory = Was nicht mehr gezeigt wird, war einmal zu sehen. Es sich zu merken gehört zum Spiel.
rules-know-over = Ist das Spiel vorbei, liegt alles für alle offen.

rules-faq = Wo gedruckte Regeln sich widersprechen
rules-faq-intro = Sultan ist in mehreren Sprachen erschienen, und die Texte sagen nicht überall dasselbe. Hier gilt dies.
rules-faq-start = Wann wechselt zu zweit der Startspieler?
rules-faq-start-answer = Nach jeder Runde. Der englische Text sagt: nach jedem Spiel; der deutsche, der französische und der niederländische sagen: nach jeder Runde; der ungarische sagt nur, dass abwechselnd begonnen wird. Auch in einer Revanche rückt der Startspieler einen Platz weiter.
rules-faq-pass = Darf ich passen?
rules-faq-pass-answer = Nein. Nur der ungarische Text sagt, dass jeder bieten muss; die anderen schweigen. Hier bietet jeder: genau { $count ->
    [one] eine Karte
   *[other] { $count } Karten
 } in jeder Runde, zu zweit { $two }.
rules-faq-jewels = Wie viele Juwelen gibt es von jeder Farbe?
rules-faq-jewels-answer = Die Zahlen stehen neben den Bildern, und in manchen Abschriften fehlen sie. Es sind { $white } weiße, { $red } rote, { $yellow } gelbe, { $green } grüne und { $blue } blaue.
rules-faq-cushions = Darf ich zu zweit beide Karten auf ein Kissen legen?
rules-faq-cushions-answer = Nein. Der englische, der deutsche, der niederländische und der französische Text verlangen verschiedene Kissen; der ungarische sagt nur, dass die Karten verteilt werden.
rules-faq-ties = Welche Karten müssen für einen Gleichstand gleich sein?
rules-faq-ties-answer = Die höchsten auf einem Kissen. Der ungarische Text spricht von zwei gleichen Karten, ohne „höchste“; hier zählen niedrigere Karten nie.
rules-faq-left = In welcher Richtung wird geboten?
rules-faq-left-answer = Nach links, im Uhrzeigersinn. Die Texte sagen nur, dass der nächste Startspieler links sitzt.
rules-faq-places = Wer ist Zweiter?
rules-faq-places-answer = Die Texte nennen nur den Sieger. Hier entscheiden über jeden Platz die Punkte, dann die Juwelen; wer gleich ist, teilt sich den Platz.
rules-faq-pouch = Kann der Stoffbeutel leer werden?
rules-faq-pouch-answer = Nein. Selbst wenn jedes Juwel einen Käufer findet, sind vor dem letzten Ziehen noch { $left } da, und { $drawn } genügen.
rules-faq-cards = Was, wenn die Bonuspunktekarten ausgehen?
rules-faq-cards-answer = Es gibt 24, und die Texte sagen nichts dazu. Sie zeigen nur Punkte an: Jeder bekommt jeden Bonus.

rules-here = Hier spielen
rules-here-choose = Wählen
rules-here-choose-text = Tippe auf eine Karte und ein Kissen oder zieh die Karte dorthin; dann bestätige. Bis dahin darfst du es dir anders überlegen.
rules-here-keys = Tastatur
rules-here-keys-text = Tab und die Pfeiltasten gehen von Karte zu Karte und von Kissen zu Kissen, 1, 2 und 3 legen die gewählte Karte oder das Juwel auf ein Kissen, Enter bestätigt, Esc nimmt die Wahl zurück.
rules-here-screens-text = Mit geschlossenen Sichtschirmen ist das Spiel, wie es gedacht ist. Mit offenen sehen alle die gewonnenen Juwelen und die gespielten Karten: gut zum Lernen.
rules-here-pace-text = Wenn der Gastgeber es will, wird alles in festem Takt gezeigt. Dann verrät deine Bedenkzeit niemandem etwas.
rules-here-away = Zeit und Weggehen
rules-here-away-text = Läuft deine Zeit ab, entscheidet ein Bot für dich, und gehst du weg, spielt er für dich weiter. Du kannst jederzeit zurückkommen.
rules-here-bots = Bots
rules-here-bots-text = Bots nehmen freie Plätze ein. Sie sehen, was ein Mensch auf ihrem Platz sähe, und nicht mehr; aber sie merken sich alles.

rules-fair = Ehrlicher Zufall
rules-fair-promise = Bevor sich jemand setzt, wählt der Server einen geheimen Startwert und zeigt dessen Fingerabdruck (SHA-256): sein Versprechen.
rules-fair-seeds = Jeder Spieler kann einen eigenen Startwert dazugeben. Aus allen zusammen folgen alle Stapel und jedes Ziehen.
rules-fair-check = Nach dem Spiel zeigt der Server seinen Startwert. Jeder kann prüfen, dass er zum Fingerabdruck passt, und alle Karten und Juwelen nachrechnen, zum Beispiel mit „sultan verify“.
rules-fair-proved-text = Wer das Versprechen des Servers gesehen hat, bevor er einen eigenen Startwert gab, weiß: Der Server konnte die Verteilung weder wählen noch ändern.
rules-fair-open = Was es nicht beweist
rules-fair-open-text = Dass der Betreiber des Servers nicht in die Karten gesehen oder sich nicht zuletzt gesetzt hat, mit einem vorher ausprobierten Startwert. Spiel um Einsätze nur, wo du ihm so weit vertraust.
rules-fair-guided = Das geführte Spiel hat eine feste Verteilung, für alle dieselbe: Dort wird nichts versprochen.
