//! Writes views as JSON by hand, which is several times as fast as serde: a server writes a view for every observer
//! after every action. `wire` reads the same form.

use serde::Serialize;

use super::{PlayingTable, TableView, TurnClock};
use crate::{
    Action, Collection, Cushion, Jewel, Kind, MoneyCard, Person, PlacedBid, Screens, Seat, SeatView, View, ViewPhase,
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

/// The parts of a view's JSON that are the same for all observers of one state of a table. They are written only once.
#[derive(Debug)]
pub struct SharedJson {
    last_round: String,
    info: String,
}

impl SharedJson {
    /// Writes the shared parts for all observers of the same round.
    #[must_use]
    pub fn of(playing: &PlayingTable) -> Self {
        Self { last_round: serialized(&playing.view.last_round), info: serialized(&playing.info) }
    }
}

impl PlayingTable {
    /// The JSON of the API: the fields of the game, then the fields of the table, in one object.
    #[must_use]
    pub fn to_json(&self, shared: &SharedJson) -> String {
        let mut json = Json::new();
        json.game(&self.view, &self.people, &self.clock, &shared.last_round);
        // Replaces the closing brace of the game by a comma, and appends the table data without their opening brace.
        json.0.pop();
        json.push(",");
        json.push(&shared.info[1..]);
        json.0
    }
}

impl View {
    /// The JSON of a game without a table. Seats without an entry in `people` are nameless. `deadline` is the deadline
    /// of the seat to act.
    #[must_use]
    pub fn to_json(&self, people: &[Person], deadline: Option<&str>) -> String {
        let mut json = Json::new();
        let clock = TurnClock { deadline: deadline.map(str::to_owned), ..TurnClock::default() };
        json.game(self, people, &clock, &serialized(&self.last_round));
        json.0
    }
}

fn serialized(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the parts of a view can be written as JSON")
}

/// A JSON text under construction.
///
/// Methods that write a value take a `prefix`, which is written before the value: a comma and the name of a field, only
/// a comma, or nothing.
struct Json(String);

impl Json {
    /// An empty text with room for a view of usual length.
    fn new() -> Self {
        Self(String::with_capacity(2048))
    }

    /// Writes a game. `last_round` is the JSON of the view's last round.
    fn game(&mut self, view: &View, people: &[Person], clock: &TurnClock, last_round: &str) {
        let variant = view.parameters.variant();
        self.push("{\"format\":\"sultan-view\"");
        self.number(",\"version\":", if variant.is_published() { 1 } else { 2 });
        self.number(",\"players\":", view.parameters.players.count().into());
        if !variant.is_published() {
            self.value(",\"parameters\":", &variant);
        }
        self.optional(",\"seat\":", view.observer.seat(), Self::seat);
        self.push(match view.screens {
            Screens::Closed => ",\"screens\":\"closed\"",
            Screens::Open => ",\"screens\":\"open\"",
        });
        self.push(match view.phase {
            ViewPhase::Offer => ",\"phase\":\"offer\"",
            ViewPhase::Bid => ",\"phase\":\"bid\"",
            ViewPhase::Over => ",\"phase\":\"over\"",
        });
        self.number(",\"at\":", view.action_count);
        self.number(",\"stage\":", view.stage.0.into());
        self.number(",\"round\":", view.round.0.into());
        self.seat(",\"first_seat\":", view.first_seat);
        self.optional(",\"to_act\":", view.to_act, Self::seat);
        self.list(",\"drawn\":", view.drawn.iter(), Self::jewel);
        self.list(",\"cushions\":", view.offer.on_cushions(), |json, prefix, (cushion, jewel)| {
            json.cushion(prefix, view, cushion, jewel);
        });
        self.list(",\"hand\":", view.hand.iter(), Self::card);
        self.list(",\"seats\":", view.seats.iter(), |json, prefix, seat| {
            json.push(prefix);
            match people.get(seat.seat.index()) {
                Some(person) => json.seat_view(seat, person),
                None => json.seat_view(seat, &Person::nameless(seat.seat)),
            }
            let deadline = clock.deadline.as_deref().filter(|_| view.to_act == Some(seat.seat));
            json.optional(",\"deadline\":", deadline, Self::string);
            if let Some(at) = clock.timed_out[seat.seat] {
                json.number(",\"timed_out\":{\"at\":", at);
                json.string(",\"bot\":", &clock.stand_in);
                json.push("}");
            }
            json.push("}");
        });
        self.push(",\"last_round\":");
        self.push(last_round);
        self.list(",\"legal\":", view.legal().iter(), Self::action);
        self.optional(",\"final\":", view.outcome.as_ref(), Self::value);
        self.push("}");
    }

    fn push(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// Writes a number digit by digit; the prefix comes before the first digit.
    fn number(&mut self, prefix: &str, number: u16) {
        if number > 9 {
            self.number(prefix, number / 10);
        } else {
            self.push(prefix);
        }
        self.0.push(char::from(b"0123456789"[usize::from(number % 10)]));
    }

    /// Writes a value with serde: for fields that few views have.
    fn value(&mut self, prefix: &str, value: &impl Serialize) {
        self.push(prefix);
        self.push(&serialized(value));
    }

    /// Writes a string. Few strings have a character that must be escaped; they are written with serde.
    fn string(&mut self, prefix: &str, string: &str) {
        if string.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            return self.value(prefix, &string);
        }
        self.push(prefix);
        self.push("\"");
        self.push(string);
        self.push("\"");
    }

    /// Writes an array. `write` gets each item with its prefix.
    fn list<T>(&mut self, prefix: &str, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, &str, T)) {
        self.push(prefix);
        self.push("[");
        for (index, item) in items.enumerate() {
            write(self, if index == 0 { "" } else { "," }, item);
        }
        self.push("]");
    }

    /// Writes a value with `write`, or `null` if it is absent.
    fn optional<T>(&mut self, prefix: &str, value: Option<T>, write: impl FnOnce(&mut Self, &str, T)) {
        if let Some(value) = value {
            return write(self, prefix, value);
        }
        self.push(prefix);
        self.push("null");
    }

    fn seat(&mut self, prefix: &str, seat: Seat) {
        self.number(prefix, seat.number().into());
    }

    fn card(&mut self, prefix: &str, card: MoneyCard) {
        self.number(prefix, card.value().into());
    }

    fn jewel(&mut self, prefix: &str, jewel: Jewel) {
        self.push(prefix);
        self.push("\"");
        self.0.push(jewel.letter());
        self.push("\"");
    }

    /// Writes a cushion with its jewel and the bids on it.
    fn cushion(&mut self, prefix: &str, view: &View, cushion: Cushion, jewel: Jewel) {
        self.push(prefix);
        self.jewel("{\"jewel\":", jewel);
        // `order` is the place of a bid among all bids of the round, from 1.
        let bids = view.bids.iter().zip(1..).filter(|(bid, _)| bid.cushion() == cushion);
        self.list(",\"bids\":", bids, |json, prefix, (bid, order)| {
            json.push(prefix);
            json.seat("{\"seat\":", bid.seat());
            json.number(",\"order\":", order);
            if let PlacedBid::Own(own) = bid {
                json.card(",\"card\":", own.card);
            }
            json.push("}");
        });
        self.push("}");
    }

    /// Writes the first fields of a seat. The caller writes the times and the closing brace.
    fn seat_view(&mut self, view: &SeatView, person: &Person) {
        let SeatView { seat, hand, deck, collection, played } = view;
        self.seat("{\"seat\":", *seat);
        self.string(",\"name\":", &person.name);
        self.push(",\"colour\":\"");
        self.push(person.colour.name());
        // Both prefixes first close the string of the colour. The usual kind is written without serde.
        match &person.kind {
            Kind::Human => self.push("\",\"kind\":\"human\""),
            kind => self.value("\",\"kind\":", kind),
        }
        self.number(",\"hand\":", (*hand).into());
        self.number(",\"deck\":", (*deck).into());
        self.optional(",\"collection\":", *collection, Self::collection);
        self.optional(",\"played\":", *played, |json, prefix, played| {
            json.list(prefix, played.into_iter(), Self::card);
        });
    }

    fn collection(&mut self, prefix: &str, collection: Collection) {
        self.push(prefix);
        for (jewel, prefix) in Jewel::ALL.into_iter().zip(["{", ",", ",", ",", ","]) {
            self.jewel(prefix, jewel);
            self.number(":", collection.count(jewel).into());
        }
        self.push("}");
    }

    fn action(&mut self, prefix: &str, action: Action) {
        self.push(prefix);
        self.push("\"");
        match action {
            Action::Bid { card, cushion } => {
                self.card("", card);
                self.number("@", cushion.number().into());
            }
            Action::Offer(offer) => self.0.extend(offer.iter().map(Jewel::letter)),
        }
        self.push("\"");
    }
}
