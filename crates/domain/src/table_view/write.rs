//! Views as JSON, written by hand: a server does it for every seat and every move, and this is several times as fast as
//! serde. `wire` reads the same form.

use serde::Serialize;

use super::{PlayingTable, TableView};
use crate::{
    Action, CardsInOrder, Collection, CushionView, Jewel, Kind, MoneyCard, Person, PlacedBid, PlayerColour,
    RoundRecord, Screens, Seat, SeatView, View, ViewPhase,
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
    /// Writes the shared parts. They fit all observers who see the same round.
    #[must_use]
    pub fn of(playing: &PlayingTable) -> Self {
        Self { last_round: last_round(&playing.view), info: serialized(&playing.info) }
    }
}

impl PlayingTable {
    /// The JSON that other programs read: the fields of the game, then those of the table, in one object.
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
    match &view.last_round {
        Some(round) => json.round(round),
        None => json.text("null"),
    }
    json.0
}

fn serialized(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the parts of a view can be written as JSON")
}

/// A growing text.
struct Json(String);

impl Json {
    /// An empty text with room for a usual view.
    fn new() -> Self {
        Self(String::with_capacity(2048))
    }

    /// Writes a game, with a last round that is JSON already.
    fn game(&mut self, view: &View, people: &[Person], deadline: Option<&str>, last_round: &str) {
        let variant = view.parameters.variant();
        self.text(if variant.is_published() {
            "{\"format\":\"sultan-view\",\"version\":1,\"players\":"
        } else {
            "{\"format\":\"sultan-view\",\"version\":2,\"players\":"
        });
        self.number(view.parameters.players.count().into());
        if !variant.is_published() {
            self.text(",\"parameters\":");
            self.value(&variant);
        }
        self.text(",\"seat\":");
        self.seat(view.observer.seat());
        self.text(match view.screens {
            Screens::Closed => ",\"screens\":\"closed\",\"phase\":\"",
            Screens::Open => ",\"screens\":\"open\",\"phase\":\"",
        });
        self.text(match view.phase {
            ViewPhase::Offer => "offer\",\"at\":",
            ViewPhase::Bid => "bid\",\"at\":",
            ViewPhase::Over => "over\",\"at\":",
        });
        self.number(view.at);
        self.text(",\"stage\":");
        self.number(view.stage.0.into());
        self.text(",\"round\":");
        self.number(view.round.0.into());
        self.text(",\"first_seat\":");
        self.seat(Some(view.first_seat));
        self.text(",\"to_act\":");
        self.seat(view.to_act);
        self.text(",\"drawn\":");
        self.list(view.drawn.iter(), Json::jewel);
        self.text(",\"cushions\":");
        self.list(view.cushions.iter(), |out, &cushion| out.cushion(view, cushion));
        self.text(",\"hand\":");
        self.list(view.hand.iter(), Json::card);
        self.text(",\"seats\":");
        self.list(view.seats.iter(), |out, seat| {
            let deadline = deadline.filter(|_| view.to_act == Some(seat.seat));
            match people.get(seat.seat.index()) {
                Some(person) => out.seat_view(seat, person, deadline),
                None => out.seat_view(seat, &Person::nameless(seat.seat), deadline),
            }
        });
        self.text(",\"last_round\":");
        self.text(last_round);
        self.text(",\"legal\":");
        self.list(view.legal().iter(), Json::action);
        self.text(",\"final\":");
        self.optional(view.outcome.as_ref(), Self::value);
        self.text("}");
    }

    fn text(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn number(&mut self, number: u16) {
        if number > 9 {
            self.number(number / 10);
        }
        self.0.extend(char::from_digit(u32::from(number % 10), 10));
    }

    /// Writes what is rare.
    fn value(&mut self, value: &impl Serialize) {
        self.text(&serialized(value));
    }

    /// Writes a name. Few have anything that must be escaped.
    fn name(&mut self, name: &str) {
        if name.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            return self.value(&name);
        }
        self.text("\"");
        self.text(name);
        self.text("\"");
    }

    fn list<T>(&mut self, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.text("[");
        for (place, item) in items.enumerate() {
            if place > 0 {
                self.text(",");
            }
            write(self, item);
        }
        self.text("]");
    }

    fn optional<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        match value {
            Some(value) => write(self, value),
            None => self.text("null"),
        }
    }

    fn seat(&mut self, seat: Option<Seat>) {
        self.optional(seat, |out, seat| out.number(seat.number().into()));
    }

    fn card(&mut self, card: MoneyCard) {
        self.number(card.value().into());
    }

    fn jewel(&mut self, jewel: Jewel) {
        self.text("\"");
        self.0.push(jewel.letter());
        self.text("\"");
    }

    fn round(&mut self, round: &RoundRecord) {
        let RoundRecord { stage, round, first_seat, drawn, offer, put_back, bids, winners } = round;
        self.text("{\"stage\":");
        self.number(stage.0.into());
        self.text(",\"round\":");
        self.number(round.0.into());
        self.text(",\"first_seat\":");
        self.seat(Some(*first_seat));
        self.text(",\"drawn\":");
        self.list(drawn.iter(), Self::jewel);
        self.text(",\"offer\":");
        self.optional(*offer, |out, offer| out.list(offer.iter(), Self::jewel));
        self.text(",\"put_back\":");
        self.optional(*put_back, Self::jewel);
        self.text(",\"bids\":");
        self.list(bids.iter(), |out, bid| {
            out.text("{\"seat\":");
            out.seat(Some(bid.seat));
            out.text(",\"card\":");
            out.card(bid.card);
            out.text(",\"cushion\":");
            out.number(bid.cushion.number().into());
            out.text("}");
        });
        self.text(",\"winners\":");
        self.optional(winners.as_ref(), |out, winners| out.list(winners.iter(), |out, &winner| out.seat(winner)));
        self.text("}");
    }

    fn cushion(&mut self, view: &View, CushionView { cushion, jewel }: CushionView) {
        self.text("{\"jewel\":");
        self.jewel(jewel);
        self.text(",\"bids\":");
        let placed = view.bids.iter().zip(1..).filter(|(bid, _)| bid.cushion() == cushion);
        self.list(placed, |out, (bid, order)| {
            out.text("{\"seat\":");
            out.seat(Some(bid.seat()));
            out.text(",\"order\":");
            out.number(order);
            if let PlacedBid::Own(own) = bid {
                out.text(",\"card\":");
                out.card(own.card);
            }
            out.text("}");
        });
        self.text("}");
    }

    fn seat_view(&mut self, view: &SeatView, person: &Person, deadline: Option<&str>) {
        let SeatView { seat, hand, deck, collection, played } = view;
        self.text("{\"seat\":");
        self.seat(Some(*seat));
        self.text(",\"name\":");
        self.name(&person.name);
        self.text(match person.colour {
            PlayerColour::Violet => ",\"colour\":\"violet\",\"kind\":",
            PlayerColour::Gold => ",\"colour\":\"gold\",\"kind\":",
            PlayerColour::Green => ",\"colour\":\"green\",\"kind\":",
            PlayerColour::Red => ",\"colour\":\"red\",\"kind\":",
            PlayerColour::Blue => ",\"colour\":\"blue\",\"kind\":",
        });
        match &person.kind {
            Kind::Human => self.text("\"human\""),
            kind => self.value(kind),
        }
        self.text(",\"hand\":");
        self.number((*hand).into());
        self.text(",\"deck\":");
        self.number((*deck).into());
        self.text(",\"collection\":");
        self.collection(*collection);
        self.text(",\"played\":");
        self.played(played.as_ref());
        self.text(",\"deadline\":");
        self.optional(deadline, Self::name);
        self.text("}");
    }

    fn collection(&mut self, collection: Option<Collection>) {
        let Some(collection) = collection else { return self.text("null") };
        for (jewel, before) in Jewel::ALL.into_iter().zip(["{", ",", ",", ",", ","]) {
            self.text(before);
            self.jewel(jewel);
            self.text(":");
            self.number(collection.count(jewel).into());
        }
        self.text("}");
    }

    fn played(&mut self, played: Option<&CardsInOrder>) {
        self.optional(played, |out, played| out.list(played.iter(), |out, &card| out.card(card)));
    }

    fn action(&mut self, action: Action) {
        match action {
            Action::Bid { card, cushion } => {
                self.text("\"");
                self.card(card);
                self.text("@");
                self.number(cushion.number().into());
                self.text("\"");
            }
            Action::Offer(offer) => {
                self.text("\"");
                self.0.extend(offer.iter().map(Jewel::letter));
                self.text("\"");
            }
        }
    }
}
