//! Views as JSON, written by hand: a server does it for every seat and every move, and this is several times as fast as
//! serde. `wire` reads the same form.

use serde::Serialize;

use super::{PlayingTable, TableView};
use crate::{
    Action, Collection, Cushion, Jewel, Kind, MoneyCard, Person, PlacedBid, RoundRecord, Screens, Seat, SeatView, View,
    ViewPhase,
};

impl TableView {
    /// The JSON that other programs read.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            Self::Waiting(waiting) => serialized(waiting),
            Self::Playing(playing) => playing.to_json(&SharedJson::of(playing)),
        }
    }
}

/// The parts of the JSON that are the same for all observers of one state, so that they are written once.
#[derive(Debug)]
pub struct SharedJson {
    last_round: String,
    info: String,
}

impl SharedJson {
    /// Writes the shared parts. They are the same for all observers of the same round.
    #[must_use]
    pub fn of(playing: &PlayingTable) -> Self {
        Self { last_round: last_round(&playing.view), info: serialized(&playing.info) }
    }
}

impl PlayingTable {
    /// The JSON of the API: the fields of the game, then the fields of the table, in one object.
    #[must_use]
    pub fn to_json(&self, shared: &SharedJson) -> String {
        let mut json = Json::new();
        json.game(&self.view, &self.people, self.deadline.as_deref(), &shared.last_round);
        json.0.pop();
        json.text(",");
        json.text(&shared.info[1..]);
        json.0
    }
}

impl View {
    /// The JSON of a game without a table. Seats without a person are nameless; `deadline` is that of the seat to act.
    #[must_use]
    pub fn to_json(&self, people: &[Person], deadline: Option<&str>) -> String {
        let mut json = Json::new();
        json.game(self, people, deadline, &last_round(self));
        json.0
    }
}

fn last_round(view: &View) -> String {
    let mut json = Json(String::with_capacity(512));
    json.optional("", view.last_round.as_ref(), Json::round);
    json.0
}

fn serialized(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the parts of a view can be written as JSON")
}

/// A JSON text under construction. Methods that write a value take the text before it: the name of a field, or a comma.
struct Json(String);

impl Json {
    /// An empty text with room for a usual view.
    fn new() -> Self {
        Self(String::with_capacity(2048))
    }

    /// Writes a game, with a last round that is JSON already.
    fn game(&mut self, view: &View, people: &[Person], deadline: Option<&str>, last_round: &str) {
        let variant = view.parameters.variant();
        self.text("{\"format\":\"sultan-view\"");
        self.number(",\"version\":", if variant.is_published() { 1 } else { 2 });
        self.number(",\"players\":", view.parameters.players.count().into());
        if !variant.is_published() {
            self.value(",\"parameters\":", &variant);
        }
        self.optional(",\"seat\":", view.observer.seat(), Self::seat);
        self.text(match view.screens {
            Screens::Closed => ",\"screens\":\"closed\"",
            Screens::Open => ",\"screens\":\"open\"",
        });
        self.text(match view.phase {
            ViewPhase::Offer => ",\"phase\":\"offer\"",
            ViewPhase::Bid => ",\"phase\":\"bid\"",
            ViewPhase::Over => ",\"phase\":\"over\"",
        });
        self.number(",\"at\":", view.at);
        self.number(",\"stage\":", view.stage.0.into());
        self.number(",\"round\":", view.round.0.into());
        self.seat(",\"first_seat\":", view.first_seat);
        self.optional(",\"to_act\":", view.to_act, Self::seat);
        self.list(",\"drawn\":", view.drawn.iter(), Self::jewel);
        self.list(",\"cushions\":", view.offer.on_cushions(), |out, before, on| out.cushion(before, view, on));
        self.list(",\"hand\":", view.hand.iter(), Self::card);
        self.list(",\"seats\":", view.seats.iter(), |out, before, seat| {
            out.text(before);
            let deadline = deadline.filter(|_| view.to_act == Some(seat.seat));
            match people.get(seat.seat.index()) {
                Some(person) => out.seat_view(seat, person, deadline),
                None => out.seat_view(seat, &Person::nameless(seat.seat), deadline),
            }
        });
        self.text(",\"last_round\":");
        self.text(last_round);
        self.list(",\"legal\":", view.legal().iter(), Self::action);
        self.optional(",\"final\":", view.outcome.as_ref(), Self::value);
        self.text("}");
    }

    fn text(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn number(&mut self, before: &str, number: u16) {
        if number > 9 {
            self.number(before, number / 10);
        } else {
            self.text(before);
        }
        self.0.push(char::from(b"0123456789"[usize::from(number % 10)]));
    }

    /// Writes rare fields.
    fn value(&mut self, before: &str, value: &impl Serialize) {
        self.text(before);
        self.text(&serialized(value));
    }

    /// Writes a name. Few have anything that must be escaped.
    fn name(&mut self, before: &str, name: &str) {
        if name.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            return self.value(before, &name);
        }
        self.text(before);
        self.text("\"");
        self.text(name);
        self.text("\"");
    }

    fn list<T>(&mut self, before: &str, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, &str, T)) {
        self.text(before);
        self.text("[");
        for (index, item) in items.enumerate() {
            write(self, if index == 0 { "" } else { "," }, item);
        }
        self.text("]");
    }

    fn optional<T>(&mut self, before: &str, value: Option<T>, write: impl FnOnce(&mut Self, &str, T)) {
        if let Some(value) = value {
            return write(self, before, value);
        }
        self.text(before);
        self.text("null");
    }

    fn seat(&mut self, before: &str, seat: Seat) {
        self.number(before, seat.number().into());
    }

    fn card(&mut self, before: &str, card: MoneyCard) {
        self.number(before, card.value().into());
    }

    fn jewel(&mut self, before: &str, jewel: Jewel) {
        self.text(before);
        self.text("\"");
        self.0.push(jewel.letter());
        self.text("\"");
    }

    fn round(&mut self, before: &str, round: &RoundRecord) {
        let RoundRecord { stage, round, first_seat, drawn, offer, put_back, bids, winners } = round;
        self.text(before);
        self.number("{\"stage\":", stage.0.into());
        self.number(",\"round\":", round.0.into());
        self.seat(",\"first_seat\":", *first_seat);
        self.list(",\"drawn\":", drawn.iter(), Self::jewel);
        self.optional(",\"offer\":", *offer, |out, before, offer| out.list(before, offer.iter(), Self::jewel));
        self.optional(",\"put_back\":", *put_back, Self::jewel);
        self.list(",\"bids\":", bids.iter(), |out, before, bid| {
            out.text(before);
            out.seat("{\"seat\":", bid.seat);
            out.card(",\"card\":", bid.card);
            out.number(",\"cushion\":", bid.cushion.number().into());
            out.text("}");
        });
        self.optional(",\"winners\":", winners.as_ref(), |out, before, winners| {
            out.list(before, winners.iter(), |out, before, &winner| out.optional(before, winner, Self::seat));
        });
        self.text("}");
    }

    fn cushion(&mut self, before: &str, view: &View, (cushion, jewel): (Cushion, Jewel)) {
        self.text(before);
        self.jewel("{\"jewel\":", jewel);
        let placed = view.bids.iter().zip(1..).filter(|(bid, _)| bid.cushion() == cushion);
        self.list(",\"bids\":", placed, |out, before, (bid, order)| {
            out.text(before);
            out.seat("{\"seat\":", bid.seat());
            out.number(",\"order\":", order);
            if let PlacedBid::Own(own) = bid {
                out.card(",\"card\":", own.card);
            }
            out.text("}");
        });
        self.text("}");
    }

    fn seat_view(&mut self, view: &SeatView, person: &Person, deadline: Option<&str>) {
        let SeatView { seat, hand, deck, collection, played } = view;
        self.seat("{\"seat\":", *seat);
        self.name(",\"name\":", &person.name);
        self.text(",\"colour\":\"");
        self.text(person.colour.name());
        match &person.kind {
            Kind::Human => self.text("\",\"kind\":\"human\""),
            kind => self.value("\",\"kind\":", kind),
        }
        self.number(",\"hand\":", (*hand).into());
        self.number(",\"deck\":", (*deck).into());
        self.optional(",\"collection\":", *collection, Self::collection);
        self.optional(",\"played\":", *played, |out, before, played| out.list(before, played.into_iter(), Self::card));
        self.optional(",\"deadline\":", deadline, Self::name);
        self.text("}");
    }

    fn collection(&mut self, before: &str, collection: Collection) {
        self.text(before);
        for (jewel, before) in Jewel::ALL.into_iter().zip(["{", ",", ",", ",", ","]) {
            self.jewel(before, jewel);
            self.number(":", collection.count(jewel).into());
        }
        self.text("}");
    }

    fn action(&mut self, before: &str, action: Action) {
        self.text(before);
        self.text("\"");
        match action {
            Action::Bid { card, cushion } => {
                self.card("", card);
                self.number("@", cushion.number().into());
            }
            Action::Offer(offer) => self.0.extend(offer.iter().map(Jewel::letter)),
        }
        self.text("\"");
    }
}
