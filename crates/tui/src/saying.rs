//! What happens at a table, in sentences: the log of the screens, and all that the plain game says.

use sultan_domain::{
    Bid, Cushion, Jewel, Kind, Parameters, Person, PlacedBid, PlayingTable, RoundRecord, Screens, Seat, ViewPhase,
};
use sultan_text::{Text, harmless};

use crate::glyph;

/// What somebody is called. Names come from others: nothing in them may steer the terminal.
pub(crate) fn name(text: Text, person: &Person, seat: Seat) -> String {
    if person.kind == Kind::Open { text.say("tui-seat-free") } else { harmless(&text.player(seat, person)) }
}

/// The players of a game, and what they are called.
pub(crate) struct People<'a> {
    text: Text,
    playing: &'a PlayingTable,
    /// Whether jewels have their shapes: who listens to a text has no use for them.
    shapes: bool,
}

impl<'a> People<'a> {
    pub(crate) const fn of(text: Text, playing: &'a PlayingTable) -> Self {
        Self { text, playing, shapes: true }
    }

    /// The same, to be read out.
    pub(crate) const fn read_out(text: Text, playing: &'a PlayingTable) -> Self {
        Self { text, playing, shapes: false }
    }

    fn jewel(&self, jewel: Jewel) -> String {
        if self.shapes { glyph::jewel(jewel) } else { jewel.to_string() }
    }

    /// Jewels in a row.
    pub(crate) fn jewels(&self, row: impl IntoIterator<Item = Jewel>) -> String {
        row.into_iter().map(|jewel| self.jewel(jewel)).collect::<Vec<_>>().join(" ")
    }

    /// What the player of a seat is called; with the colour where several are called the same.
    pub(crate) fn name(&self, seat: Seat) -> String {
        let text = self.text;
        let called = |seat: Seat| name(text, self.person(seat), seat);
        let own = called(seat);
        let twice = self.playing.view.parameters.players.seats().filter(|&other| called(other) == own).count() > 1;
        if twice { format!("{own} ({})", text.colour(self.person(seat).colour)) } else { own }
    }

    /// Who has a seat.
    pub(crate) fn person(&self, seat: Seat) -> &'a Person {
        self.playing.person(seat)
    }

    /// What happened in this round so far.
    pub(crate) fn round(&self) -> Vec<String> {
        let (text, view) = (self.text, &self.playing.view);
        let first = self.name(view.first_seat);
        if view.phase == ViewPhase::Over || view.drawn.is_empty() {
            return Vec::new();
        }
        let drawn = self.jewels(view.drawn.iter());
        let mut lines = vec![text.with("tui-drew", &[("name", (&first).into()), ("jewels", (&drawn).into())])];
        if let Some(back) = view.put_back() {
            let offer = self.jewels(view.cushions.iter().map(|cushion| cushion.jewel));
            lines.push(self.offered(view.first_seat, &offer, back));
        }
        lines.extend(view.bids.iter().map(|bid| self.bid(*bid)));
        lines
    }

    fn offered(&self, seat: Seat, offer: &str, back: Jewel) -> String {
        let (name, back) = (self.name(seat), self.jewel(back));
        let text = self.text;
        text.with("tui-offered", &[("name", (&name).into()), ("jewels", offer.into()), ("back", (&back).into())])
    }

    fn bid(&self, bid: PlacedBid) -> String {
        let text = self.text;
        let (name, cushion) = (self.name(bid.seat()), bid.cushion().number());
        match bid {
            PlacedBid::FaceDown(_) => text.with("tui-bid", &[("name", (&name).into()), ("cushion", cushion.into())]),
            PlacedBid::Own(own) => {
                let card = own.card.value().into();
                text.with("tui-bid-own", &[("name", (&name).into()), ("cushion", cushion.into()), ("card", card)])
            }
        }
    }

    /// The cards of a finished round, as they were turned up.
    pub(crate) fn turned_up(&self, round: &RoundRecord) -> String {
        let card = |bid: &Bid| format!("{} {}@{}", self.name(bid.seat), bid.card, bid.cushion);
        round.bids.iter().map(card).collect::<Vec<_>>().join(", ")
    }

    /// What came of a finished round, cushion by cushion.
    pub(crate) fn told(&self, round: &RoundRecord) -> Vec<String> {
        (0..round.offer.map_or(0, sultan_domain::Offer::len)).map(|place| self.settled(round, place)).collect()
    }

    /// What became of the jewel on a cushion.
    pub(crate) fn settled(&self, round: &RoundRecord, place: usize) -> String {
        let text = self.text;
        let jewel = round
            .offer
            .and_then(|offer| offer.iter().nth(place))
            .map_or(String::new(), |jewel| format!("{} {}", self.jewel(jewel), text.jewel(jewel)));
        let cushion = ("cushion", (place + 1).into());
        let cushion_of = Cushion::first(Cushion::MOST).nth(place);
        let Some(winning) = cushion_of.and_then(|cushion| round.winning_bid(cushion)) else {
            return text.with("tui-nobody-took", &[cushion, ("jewel", (&jewel).into())]);
        };
        let name = self.name(winning.seat);
        let card = ("card", winning.card.value().into());
        text.with("tui-took", &[cushion, ("jewel", (&jewel).into()), ("name", (&name).into()), card])
    }

    /// The clock of the game.
    pub(crate) fn clock(&self) -> String {
        let (text, view) = (self.text, &self.playing.view);
        let parameters = view.parameters;
        let (round, rounds) = (("round", view.round.0.into()), ("rounds", parameters.rounds_per_stage.into()));
        if let Some(game) = text.variant_title(&parameters.variant()) {
            return text.with("tui-clock-variant", &[("game", (&game).into()), round, rounds]);
        }
        let stages = ("stages", parameters.stages.into());
        text.with("tui-clock", &[("stage", view.stage.0.into()), stages, round, rounds])
    }
}

/// How the screens stand.
pub(crate) fn screens(text: Text, screens: Screens) -> String {
    match screens {
        Screens::Closed => text.say("tui-screens-closed"),
        Screens::Open => text.say("tui-screens-open"),
    }
}

/// Who won.
pub(crate) fn verdict(text: Text, playing: &PlayingTable) -> String {
    let people = People::of(text, playing);
    let Some(outcome) = playing.view.outcome else { return text.say("tui-ended") };
    let names: Vec<String> = outcome.winners().map(|seat| people.name(seat)).collect();
    match &names[..] {
        [only] => text.with("tui-winner", &[("name", only.into())]),
        several => text.with("tui-draw", &[("names", (&several.join(", ")).into())]),
    }
}

/// The rules in short, with the numbers for so many players.
pub(crate) fn rules(text: Text, parameters: &Parameters, shapes: bool) -> Vec<String> {
    let sign = |jewel: Jewel| if shapes { glyph::jewel(jewel) } else { jewel.to_string() };
    let two = parameters.bids_per_round == 2;
    let points = Jewel::ALL.map(|jewel| format!("{} {} {}", sign(jewel), text.jewel(jewel), jewel.points()));
    let jewels = Jewel::ALL.map(|jewel| format!("{} {}", sign(jewel), parameters.jewels_of(jewel)));
    let steps = parameters.bonus.steps().iter();
    let steps: Vec<String> =
        steps.map(|step| text.said_of(&step.count.to_string(), &step.points.to_string())).collect();
    let cards = ("cards", parameters.hand().into());
    let highest = ("highest", parameters.highest_card.into());
    let sets = ("sets", parameters.copies.into());
    vec![
        text.with("tui-rules-title", &[("players", parameters.players.count().into())]),
        text.say("tui-rules-aim"),
        text.with(
            "tui-rules-pouch",
            &[("count", parameters.pouch.len().into()), ("jewels", (&jewels.join(", ")).into())],
        ),
        text.with(
            "tui-rules-hand",
            &[
                ("stages", parameters.stages.into()),
                ("rounds", parameters.rounds_per_stage.into()),
                cards,
                highest,
                sets,
            ],
        ),
        text.with("tui-rules-offer", &[("drawn", parameters.draw().into()), ("cushions", parameters.cushions.into())]),
        if two { text.say("tui-rules-bid-two") } else { text.say("tui-rules-bid") },
        text.say("tui-rules-settle"),
        if two { text.say("tui-rules-tie-two") } else { text.say("tui-rules-tie") },
        text.say("tui-rules-screen"),
        text.with("tui-rules-points", &[("points", (&points.join(", ")).into())]),
        text.with("tui-rules-bonus", &[("steps", (&steps.join(", ")).into())]),
        text.say("tui-rules-win"),
    ]
}
