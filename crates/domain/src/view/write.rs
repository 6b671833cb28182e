//! A view as JSON, written by hand: a server does it for every seat and every move, and this is several times as quick
//! as the general way. The two are held equal by a test over random games (`sultan-rules`' `tests/integration/view.rs`).

use serde::Serialize;

use super::{CushionView, PlacedBid, Screens, SeatView, View, ViewPhase};
use crate::{Action, CardsInOrder, Collection, Jewel, Kind, MoneyCard, PlayerColour, Seat};

impl View {
    /// Appends the JSON of a view to a text, with a last round that is JSON already: all at a table are told the same
    /// one.
    pub fn write_json(&self, last_round: &[u8], json: &mut Vec<u8>) {
        let mut out = Json(json);
        out.text(b"{\"format\":\"sultan-view\",\"version\":1,\"players\":");
        out.number(self.parameters.players.count().into());
        out.text(b",\"seat\":");
        out.seat(self.observer.seat());
        out.text(match self.screens {
            Screens::Closed => b",\"screens\":\"closed\",\"phase\":\"",
            Screens::Open => b",\"screens\":\"open\",\"phase\":\"",
        });
        out.text(match self.phase {
            ViewPhase::Offer => b"offer\",\"at\":",
            ViewPhase::Bid => b"bid\",\"at\":",
            ViewPhase::Over => b"over\",\"at\":",
        });
        out.number(self.at);
        out.text(b",\"stage\":");
        out.number(self.stage.0.into());
        out.text(b",\"round\":");
        out.number(self.round.0.into());
        out.text(b",\"first_seat\":");
        out.seat(Some(self.first_seat));
        out.text(b",\"to_act\":");
        out.seat(self.to_act);
        out.text(b",\"drawn\":");
        out.list(self.drawn.iter(), Json::jewel);
        out.text(b",\"cushions\":");
        out.list(self.cushions.iter(), |out, &cushion| out.cushion(self, cushion));
        out.text(b",\"hand\":");
        out.list(self.hand.iter(), Json::card);
        out.text(b",\"seats\":");
        out.list(self.seats.iter(), Json::seat_view);
        out.text(b",\"last_round\":");
        out.text(last_round);
        out.text(b",\"legal\":");
        out.list(self.legal().iter(), Json::action);
        out.text(b",\"final\":");
        out.value(&self.outcome);
        out.text(b"}");
    }

    /// The last round as JSON.
    #[must_use]
    pub fn last_round_json(&self) -> Vec<u8> {
        let mut json = Vec::with_capacity(512);
        Json(&mut json).value(&self.last_round);
        json
    }
}

/// A text that grows.
struct Json<'a>(&'a mut Vec<u8>);

impl Json<'_> {
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

    /// Whatever is seldom, or has to be escaped.
    fn value(&mut self, value: &impl Serialize) {
        serde_json::to_writer(&mut *self.0, value).expect("what a view is made of can be written as JSON");
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

    fn seat_view(&mut self, SeatView { seat, person, hand, deck, collection, played, deadline }: &SeatView) {
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
            Some(deadline) => self.value(deadline),
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
