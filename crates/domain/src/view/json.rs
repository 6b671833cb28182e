//! A view as JSON (`"format":"sultan-view"`), written from a [`View`] and read back with its shape
//! checked. What it says is checked in `check`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeSeq};
use tinyvec::ArrayVec;

use super::{CushionView, Observer, PlacedBid, Screens, SeatView, View, ViewError, ViewPhase};
use crate::{
    Action, Bid, Cards, CardsInOrder, Collection, Cushion, Drawn, FaceDownBid, Jewel, Kind, Legal, MoneyCard, Outcome,
    Parameters, Person, PlayerColour, Players, Round, RoundRecord, Seat, Stage,
};

/// The name of the format.
pub(super) const FORMAT: &str = "sultan-view";
/// The version that this program writes, and the only one it reads.
pub(super) const VERSION: u32 = 1;

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Out<'a> {
            format: &'static str,
            version: u32,
            players: Players,
            seat: Option<Seat>,
            screens: Screens,
            phase: ViewPhase,
            at: u16,
            stage: Stage,
            round: Round,
            first_seat: Seat,
            to_act: Option<Seat>,
            drawn: Drawn,
            cushions: CushionsOut<'a>,
            hand: Cards,
            seats: &'a [SeatView],
            last_round: Option<RoundRecord>,
            legal: LegalOut,
            #[serde(rename = "final")]
            outcome: Option<Outcome>,
        }
        Out {
            format: FORMAT,
            version: VERSION,
            players: self.parameters.players,
            seat: self.observer.seat(),
            screens: self.screens,
            phase: self.phase,
            at: self.at,
            stage: self.stage,
            round: self.round,
            first_seat: self.first_seat,
            to_act: self.to_act,
            drawn: self.drawn,
            cushions: CushionsOut(self),
            hand: self.hand,
            seats: &self.seats,
            last_round: self.last_round,
            legal: LegalOut(self.legal()),
            outcome: self.outcome,
        }
        .serialize(serializer)
    }
}

/// The cushions, each with the bids that lie on it.
struct CushionsOut<'a>(&'a View);

impl Serialize for CushionsOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Out {
            jewel: Jewel,
            bids: ArrayVec<[BidJson; 5]>,
        }
        let mut list = serializer.serialize_seq(Some(self.0.cushions.len()))?;
        for CushionView { cushion, jewel } in &self.0.cushions {
            let placed = self.0.bids.iter().zip(1..).filter(|(bid, _)| bid.cushion() == *cushion);
            let bids = placed.map(|(&bid, order)| BidJson::new(bid, order)).collect();
            list.serialize_element(&Out { jewel: *jewel, bids })?;
        }
        list.end()
    }
}

struct LegalOut(Legal);

impl Serialize for LegalOut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len() as usize))?;
        self.0.iter().try_for_each(|action: Action| list.serialize_element(&action))?;
        list.end()
    }
}

/// A bid on a cushion; `card` stands only on the viewer's own.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct BidJson {
    seat: Seat,
    order: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    card: Option<MoneyCard>,
}

impl BidJson {
    const fn new(bid: PlacedBid, order: u8) -> Self {
        match bid {
            PlacedBid::FaceDown(FaceDownBid { seat, cushion: _ }) => Self { seat, order, card: None },
            PlacedBid::Own(Bid { seat, card, cushion: _ }) => Self { seat, order, card: Some(card) },
        }
    }
}

impl Serialize for SeatView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Out<'a> {
            seat: Seat,
            name: &'a str,
            colour: PlayerColour,
            kind: &'a Kind,
            hand: u8,
            deck: u8,
            collection: Option<Collection>,
            played: Option<CardsInOrder>,
            deadline: Option<&'a str>,
        }
        let Self { seat, person, hand, deck, collection, played, deadline } = self;
        Out {
            seat: *seat,
            name: &person.name,
            colour: person.colour,
            kind: &person.kind,
            hand: *hand,
            deck: *deck,
            collection: *collection,
            played: *played,
            deadline: deadline.as_deref(),
        }
        .serialize(serializer)
    }
}

#[derive(Deserialize)]
struct Raw {
    format: String,
    version: u32,
    players: Players,
    seat: Option<Seat>,
    screens: Screens,
    phase: ViewPhase,
    at: u16,
    stage: Stage,
    round: Round,
    first_seat: Seat,
    to_act: Option<Seat>,
    drawn: Drawn,
    cushions: Vec<RawCushion>,
    hand: Cards,
    seats: Vec<RawSeat>,
    last_round: Option<RoundRecord>,
    #[serde(rename = "final")]
    outcome: Option<Outcome>,
}

#[derive(Deserialize)]
struct RawCushion {
    jewel: Jewel,
    bids: Vec<BidJson>,
}

#[derive(Deserialize)]
struct RawSeat {
    seat: Seat,
    #[serde(default)]
    name: String,
    colour: Option<PlayerColour>,
    #[serde(default)]
    kind: Kind,
    hand: u8,
    deck: u8,
    collection: Option<Collection>,
    played: Option<CardsInOrder>,
    deadline: Option<String>,
}

impl From<RawSeat> for SeatView {
    fn from(raw: RawSeat) -> Self {
        let colour = raw.colour.unwrap_or(Person::nameless(raw.seat).colour);
        Self {
            seat: raw.seat,
            person: Person { name: raw.name, colour, kind: raw.kind },
            hand: raw.hand,
            deck: raw.deck,
            collection: raw.collection,
            played: raw.played,
            deadline: raw.deadline,
        }
    }
}

impl<'de> Deserialize<'de> for View {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        View::try_from(Raw::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl TryFrom<Raw> for View {
    type Error = ViewError;

    fn try_from(raw: Raw) -> Result<Self, ViewError> {
        if raw.format != FORMAT || raw.version != VERSION {
            return Err(ViewError::Format);
        }
        let (cushions, bids) = placed(&raw)?;
        let view = Self {
            parameters: Parameters::of(raw.players),
            observer: raw.seat.map_or(Observer::Public, Observer::Seat),
            screens: raw.screens,
            phase: raw.phase,
            at: raw.at,
            stage: raw.stage,
            round: raw.round,
            first_seat: raw.first_seat,
            to_act: raw.to_act,
            drawn: raw.drawn,
            cushions,
            bids,
            hand: raw.hand,
            seats: raw.seats.into_iter().map(SeatView::from).collect(),
            last_round: raw.last_round,
            outcome: raw.outcome,
        };
        view.check()?;
        Ok(view)
    }
}

type Placed = (ArrayVec<[CushionView; Cushion::MOST as usize]>, ArrayVec<[PlacedBid; 5]>);

/// Puts the bids, listed by cushion, into the order in which they were placed.
fn placed(raw: &Raw) -> Result<Placed, ViewError> {
    let mut cushions = ArrayVec::new();
    let mut bids = Vec::new();
    for (place, on) in raw.cushions.iter().enumerate() {
        let number = u8::try_from(place + 1).ok();
        let cushion = number.and_then(Cushion::new).ok_or(ViewError::Jewels)?;
        cushions.push(CushionView { cushion, jewel: on.jewel });
        for &BidJson { seat, order, card } in &on.bids {
            let bid = match card {
                Some(card) if raw.seat == Some(seat) => PlacedBid::Own(Bid { seat, card, cushion }),
                None if raw.seat != Some(seat) => PlacedBid::FaceDown(FaceDownBid { seat, cushion }),
                _ => return Err(ViewError::Bids),
            };
            bids.push((order, bid));
        }
    }
    if bids.len() > usize::from(Parameters::of(raw.players).bids()) {
        return Err(ViewError::Bids);
    }
    bids.sort_by_key(|&(order, _)| order);
    let in_order = bids.iter().zip(1..).all(|(&(order, _), place)| order == place);
    if !in_order {
        return Err(ViewError::Bids);
    }
    Ok((cushions, bids.into_iter().map(|(_, bid)| bid).collect()))
}
