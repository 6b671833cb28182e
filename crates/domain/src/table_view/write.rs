//! Views as JSON, written by hand: a server does it for every seat and every move, and this is several times as fast as
//! serde. `wire` reads the same form.

use serde::Serialize;

use super::{PlayingTable, TableView};
use crate::{
    Action, CardsInOrder, Collection, CushionView, Jewel, Kind, MoneyCard, Person, PlacedBid, PlayerColour, Screens,
    Seat, SeatView, View, ViewPhase,
};

impl TableView {
    /// The JSON that other programs read.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        match self {
            Self::Waiting(waiting) => serialized(waiting),
            Self::Playing(playing) => playing.to_json(&SharedJson::of(playing)),
        }
    }
}

/// The parts of the JSON that are the same for all observers of one state, so that they are written once.
#[derive(Debug)]
pub struct SharedJson {
    last_round: Vec<u8>,
    info: Vec<u8>,
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
    pub fn to_json(&self, shared: &SharedJson) -> Vec<u8> {
        let mut json = Vec::with_capacity(2048);
        Json(&mut json).game(&self.view, &self.people, self.deadline.as_deref(), &shared.last_round);
        json.pop();
        json.push(b',');
        json.extend_from_slice(&shared.info[1..]);
        json
    }
}

impl View {
    /// The JSON of a game without a table. Seats without a person are nameless; `deadline` is that of the seat to act.
    ///
    /// # Panics
    /// Never: the JSON is text.
    #[must_use]
    pub fn to_json(&self, people: &[Person], deadline: Option<&str>) -> String {
        let mut json = Vec::with_capacity(2048);
        Json(&mut json).game(self, people, deadline, &last_round(self));
        String::from_utf8(json).expect("names are UTF-8, and everything else is ASCII")
    }
}

fn last_round(view: &View) -> Vec<u8> {
    let mut json = Vec::with_capacity(512);
    Json(&mut json).value(&view.last_round);
    json
}

fn serialized(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("the parts of a view can be written as JSON")
}

/// A growing text.
struct Json<'a>(&'a mut Vec<u8>);

impl Json<'_> {
    /// Writes a game, with a last round that is JSON already.
    fn game(&mut self, view: &View, people: &[Person], deadline: Option<&str>, last_round: &[u8]) {
        let variant = view.parameters.variant();
        self.text(if variant.is_published() {
            b"{\"format\":\"sultan-view\",\"version\":1,\"players\":"
        } else {
            b"{\"format\":\"sultan-view\",\"version\":2,\"players\":"
        });
        self.number(view.parameters.players.count().into());
        if !variant.is_published() {
            self.text(b",\"parameters\":");
            self.value(&variant);
        }
        self.text(b",\"seat\":");
        self.seat(view.observer.seat());
        self.text(match view.screens {
            Screens::Closed => b",\"screens\":\"closed\",\"phase\":\"",
            Screens::Open => b",\"screens\":\"open\",\"phase\":\"",
        });
        self.text(match view.phase {
            ViewPhase::Offer => b"offer\",\"at\":",
            ViewPhase::Bid => b"bid\",\"at\":",
            ViewPhase::Over => b"over\",\"at\":",
        });
        self.number(view.at);
        self.text(b",\"stage\":");
        self.number(view.stage.0.into());
        self.text(b",\"round\":");
        self.number(view.round.0.into());
        self.text(b",\"first_seat\":");
        self.seat(Some(view.first_seat));
        self.text(b",\"to_act\":");
        self.seat(view.to_act);
        self.text(b",\"drawn\":");
        self.list(view.drawn.iter(), Json::jewel);
        self.text(b",\"cushions\":");
        self.list(view.cushions.iter(), |out, &cushion| out.cushion(view, cushion));
        self.text(b",\"hand\":");
        self.list(view.hand.iter(), Json::card);
        self.text(b",\"seats\":");
        self.list(view.seats.iter(), |out, seat| {
            let deadline = deadline.filter(|_| view.to_act == Some(seat.seat));
            match people.get(seat.seat.index()) {
                Some(person) => out.seat_view(seat, person, deadline),
                None => out.seat_view(seat, &Person::nameless(seat.seat), deadline),
            }
        });
        self.text(b",\"last_round\":");
        self.text(last_round);
        self.text(b",\"legal\":");
        self.list(view.legal().iter(), Json::action);
        self.text(b",\"final\":");
        self.value(&view.outcome);
        self.text(b"}");
    }

    fn text(&mut self, text: &[u8]) {
        self.0.extend_from_slice(text);
    }

    fn number(&mut self, number: u16) {
        let mut digits = [0; 5];
        let mut at = digits.len();
        let mut left = number;
        loop {
            at -= 1;
            digits[at] = b'0' + u8::try_from(left % 10).unwrap_or(0);
            left /= 10;
            if left == 0 {
                break;
            }
        }
        self.text(&digits[at..]);
    }

    /// Writes what is rare, or has to be escaped.
    fn value(&mut self, value: &impl Serialize) {
        serde_json::to_writer(&mut *self.0, value).expect("the parts of a view can be written as JSON");
    }

    fn list<T>(&mut self, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.text(b"[");
        for (place, item) in items.enumerate() {
            if place > 0 {
                self.text(b",");
            }
            write(self, item);
        }
        self.text(b"]");
    }

    fn seat(&mut self, seat: Option<Seat>) {
        match seat {
            Some(seat) => self.number(seat.number().into()),
            None => self.text(b"null"),
        }
    }

    fn card(&mut self, card: MoneyCard) {
        self.number(card.value().into());
    }

    fn jewel(&mut self, jewel: Jewel) {
        self.text(&[b'"', letter(jewel), b'"']);
    }

    fn cushion(&mut self, view: &View, CushionView { cushion, jewel }: CushionView) {
        self.text(b"{\"jewel\":");
        self.jewel(jewel);
        self.text(b",\"bids\":");
        let placed = view.bids.iter().zip(1..).filter(|(bid, _)| bid.cushion() == cushion);
        self.list(placed, |out, (bid, order)| {
            out.text(b"{\"seat\":");
            out.seat(Some(bid.seat()));
            out.text(b",\"order\":");
            out.number(order);
            if let PlacedBid::Own(own) = bid {
                out.text(b",\"card\":");
                out.card(own.card);
            }
            out.text(b"}");
        });
        self.text(b"}");
    }

    fn seat_view(&mut self, view: &SeatView, person: &Person, deadline: Option<&str>) {
        let SeatView { seat, hand, deck, collection, played } = view;
        self.text(b"{\"seat\":");
        self.seat(Some(*seat));
        self.text(b",\"name\":");
        self.value(&person.name);
        self.text(match person.colour {
            PlayerColour::Violet => b",\"colour\":\"violet\",\"kind\":",
            PlayerColour::Gold => b",\"colour\":\"gold\",\"kind\":",
            PlayerColour::Green => b",\"colour\":\"green\",\"kind\":",
            PlayerColour::Red => b",\"colour\":\"red\",\"kind\":",
            PlayerColour::Blue => b",\"colour\":\"blue\",\"kind\":",
        });
        match &person.kind {
            Kind::Human => self.text(b"\"human\""),
            kind => self.value(kind),
        }
        self.text(b",\"hand\":");
        self.number((*hand).into());
        self.text(b",\"deck\":");
        self.number((*deck).into());
        self.text(b",\"collection\":");
        self.collection(*collection);
        self.text(b",\"played\":");
        self.played(played.as_ref());
        self.text(b",\"deadline\":");
        match deadline {
            Some(deadline) => self.value(&deadline),
            None => self.text(b"null"),
        }
        self.text(b"}");
    }

    fn collection(&mut self, collection: Option<Collection>) {
        let Some(collection) = collection else { return self.text(b"null") };
        for (jewel, before) in Jewel::ALL.into_iter().zip([b'{', b',', b',', b',', b',']) {
            self.text(&[before, b'"', letter(jewel), b'"', b':']);
            self.number(collection.count(jewel).into());
        }
        self.text(b"}");
    }

    fn played(&mut self, played: Option<&CardsInOrder>) {
        match played {
            Some(played) => self.list(played.iter(), |out, &card| out.card(card)),
            None => self.text(b"null"),
        }
    }

    fn action(&mut self, action: Action) {
        match action {
            Action::Bid { card, cushion } => {
                self.text(b"\"");
                self.card(card);
                self.text(b"@");
                self.number(cushion.number().into());
                self.text(b"\"");
            }
            Action::Offer(_) => self.value(&action),
        }
    }
}

const fn letter(jewel: Jewel) -> u8 {
    match jewel {
        Jewel::White => b'W',
        Jewel::Red => b'R',
        Jewel::Yellow => b'Y',
        Jewel::Green => b'G',
        Jewel::Blue => b'B',
    }
}
