taken-white = a fehér drágakövet
taken-red = a piros drágakövet
taken-yellow = a sárga drágakövet
taken-green = a zöld drágakövet
taken-blue = a kék drágakövet
taken-on-cushion = { $jewel } { $cushion ->
    [1] az
   *[other] a
  } { $cushion }. párnáról
analysis-percent = { $number }%
analysis-title = Mi történt, és miért
analysis-verdict = { $reason }; a fordulópont { $stage ->
    [1] az
   *[other] a
  } { $stage }. menet { $round }. köre volt.
analysis-won-deal = { $name } főleg azért nyert, mert kedveztek neki a kártyák és a drágakövek
analysis-won-deal-you = Főleg azért nyertél, mert kedveztek neked a kártyák és a drágakövek
analysis-won-others = { $name } főleg azért nyert, mert a többiek döntései neki kedveztek
analysis-won-others-you = Főleg azért nyertél, mert a többiek döntései neked kedveztek
analysis-won-own = { $name } főleg azért nyert, mert jól döntött
analysis-won-own-you = Főleg azért nyertél, mert jól döntöttél
analysis-won-shared = A győzelem közös
analysis-unfinished = A felvétel a játék vége előtt véget ér; az elemzés is eddig tart.
analysis-players = Szerencse és tudás
analysis-result = Eredmény
analysis-deal = Az osztás szerencséje
analysis-others = Mások döntései
analysis-own = Saját döntések
analysis-accuracy = Pontosság
analysis-mean-loss = Veszteség döntésenként
analysis-adds-up = Mindenki egyenlő eséllyel indul: { $even }. Ebből a három rész adja az eredményt. A ± a standard hiba.
analysis-chart-title = Nyerési esélyek a játék során
analysis-chart-note = Minden kártya látható. A játékot minden pillanattól sokszor végigjátsszuk; mindenki úgy licitál, mint egy gyakorlott bot.
analysis-chart-player = { $player }: legalacsonyabb { $low }, legmagasabb { $high }, a végén { $end }.
analysis-chart-chances = Az esélyek az egyes körök után
analysis-stage = { $stage }. menet
analysis-worst = Ami a legtöbbe került
analysis-worst-none = Semmi, ami a véletlentől megkülönböztethető lenne.
analysis-lost = { $loss } nyerési esély veszett el (± { $error })
analysis-decisions = Minden döntés
analysis-done = Ami történt
analysis-loss = Veszteség
analysis-best = A legjobb
analysis-share = Aránya az erős botnál
analysis-chance = Nyerési esély
analysis-method = Minden döntést az alapján ítélünk meg, amit a játékos akkor tudhatott, ahhoz mérve, milyen arányban választaná az egyes lépéseket a legerősebb bot. Mag: { $seed }.
analysis-bid = { $card } értékű kártyával { $jewel }
analysis-bid-unknown = { $card }, { $cushion }. párna
analysis-offer = visszatenni { $jewel }
reason-wasted-high-card = Egy alacsonyabb kártya ({ $better }) nagyjából ugyanolyan gyakran viszi el { $jewel } ({ $better-take }, ez a kártya { $take }), és a magasabb ({ $card }) megmaradna későbbre.
reason-wasted-as-often = Egy alacsonyabb kártya ({ $better }) ugyanolyan gyakran viszi el { $jewel } ({ $take }), és a magasabb ({ $card }) megmaradna későbbre.
reason-card-too-low = Ez a kártya ({ $card }) csak { $take } eséllyel viszi el { $jewel }, a magasabb ({ $better }) viszont { $better-take } eséllyel.
reason-costly-discard = Ezzel a licittel alig van mit nyerni ({ $take }). Az alacsonyabb kártya ({ $better }) is veszít, de kevesebbe kerül, mint ez ({ $card }).
reason-hopeless-bid = Ez a licit csak { $take } eséllyel viszi el { $jewel }. { $card } értékű kártyával { $better-take } eséllyel lehet elvinni { $better }.
reason-hopeless-never = Ez a licit szinte sosem viszi el { $jewel }. { $card } értékű kártyával { $better-take } eséllyel lehet elvinni { $better }.
reason-missed-set = Ez kihagyja { $jewel }, pedig { $take } eséllyel elvihető: ebből a színből { $count ->
    [1] az
    [5] az
   *[other] a
  } { $count }. lenne, és { $bonus } bónuszpontot érne.
reason-fed-the-leader = Így { $leader }, aki vezet, { $take } eséllyel viszi el { $jewel }, nem pedig { $better-take } eséllyel.
reason-better-cushion = Jobb licit lenne { $card } értékű kártyával elvinni { $better }: ennek { $better-take } az esélye, ezé a licité { $take }.
reason-better-cushion-worth = Itt többet ér elvinni { $better }, mint { $jewel }: jobb rá { $card } értékű kártyával licitálni, esélye { $better-take }, ezé a licité { $take }.
reason-same-colour = { $cushion ->
    [1] Az
   *[other] A
  } { $cushion }. párnán ugyanez a szín van: ott { $card } értékű kártyával { $better-take } a nyerés esélye, ezzel a licittel { $take }.
reason-cheaper-elsewhere = Az alacsonyabb kártya ({ $better-card }) { $better-take } eséllyel viszi el { $better }, ez a licit { $take } eséllyel viszi el { $jewel }; és a magasabb ({ $card }) megmaradna későbbre.
reason-cheaper-same-colour = { $cushion ->
    [1] Az
   *[other] A
  } { $cushion }. párnán ugyanez a szín van: ott az alacsonyabb kártya ({ $better-card }) { $better-take } eséllyel nyer, ez a licit { $take } eséllyel; és a magasabb ({ $card }) megmaradna későbbre.
reason-better-card = Itt jobb kártya a másik ({ $better }); ez ({ $card }) máshol többet ér.
reason-put-back-own-set = Ez visszateszi { $jewel }, pedig ebből a színből { $count ->
    [1] az
    [5] az
   *[other] a
  } { $count }. lenne. Jobb lenne visszatenni { $better }.
reason-offered-to-leader = Ez a párnán hagyja { $jewel }: { $leader }, aki vezet, így ebből a színből { $count ->
    [1] az
    [5] az
   *[other] a
  } { $count }. követ kapná.
reason-better-offer = Jobb visszatenni { $better }, mint { $jewel }.
hint-best = A legjobb: { $action }. Nyerési esély { $win } (± { $error }); az erős bot { $share } gyakorisággal játssza.
hint-instead = Ezt is játssza, { $share } gyakorisággal: { $action }; ez { $loss } százalékponttal csökkenti a nyerési esélyt.
hint-instead-even = Ezt is játssza, { $share } gyakorisággal: { $action }; ez alig csökkenti a nyerési esélyt.
hint-next = A második legjobb: { $action }; az erős bot szinte sosem játssza, és { $loss } százalékponttal csökkenti a nyerési esélyt.
hint-next-even = A második legjobb: { $action }; az erős bot szinte sosem játssza, bár alig csökkenti a nyerési esélyt.
hint-alone = Semmi más nem közelíti meg.
