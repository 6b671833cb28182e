//! Reads the JSON form of a view, in which other programs send and receive views.
//!
//! [`ViewJson`] has the fields of the JSON before validation, and describes them in the API's schema. `write` writes
//! the same form. Tests with random games assert that a written view is read as the same view
//! (`tests/integration/view.rs` of `sultan-rules`, and the golden files of `sultan-table`).

use serde::de::{self, IgnoredAny};
use serde::{Deserialize, Deserializer};
use tinyvec::ArrayVec;

use super::{BranchOrigin, PlayingTable, TableInfo, TableOptions, TableView, TurnClock, WaitingSeat, WaitingTable};
use crate::view::{FORMAT, VARIANT_VERSION, VERSION};
use crate::{
    Attendance, Bid, BySeat, Cards, CardsInOrder, Collection, Commitment, Cushion, Drawn, FaceDownBid, Jewel, Kind,
    MoneyCard, Observer, Offer, Outcome, Parameters, Person, PlacedBid, PlayerColour, Players, Round, RoundRecord,
    Screens, Seat, SeatView, Stage, TableId, Variant, View, ViewError, ViewPhase,
};

/// What one observer may know of a table. If the table has not started (`phase` is `waiting`), only `phase`, `table`,
/// `players`, `seat`, `commitment`, `host`, `seats` with fewer fields, `options` and `ended` are there.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = View))]
#[expect(missing_docs, reason = "the format is documented in docs/formats.md")]
pub struct ViewJson {
    /// `sultan-view`.
    pub format: Option<String>,
    /// The version of the format: 1, or 2 with `parameters`.
    pub version: Option<u32>,
    /// The number of players.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub players: Players,
    /// Parameters that differ from the published game; absent if none do.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Object>, example = json!({"stages":1})))]
    pub parameters: Option<Variant>,
    /// The observer's seat; null for a spectator.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>, required))]
    pub seat: Option<Seat>,
    /// Whether won jewels are hidden.
    pub screens: Option<Screens>,
    pub phase: TablePhase,
    /// The number of actions so far.
    pub at: Option<u16>,
    /// The stage, from 1.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>))]
    pub stage: Option<Stage>,
    /// The round within the stage, from 1.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>))]
    pub round: Option<Round>,
    /// The seat that makes the offer of this round.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>))]
    pub first_seat: Option<Seat>,
    /// The seat to act.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>))]
    pub to_act: Option<Seat>,
    /// The jewels drawn this round.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<Jewel>>))]
    pub drawn: Option<Drawn>,
    /// The cushions with their jewels, once the offer is made.
    pub cushions: Option<Vec<CushionJson>>,
    /// The observer's cards, ascending.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<u8>>))]
    pub hand: Option<Cards>,
    pub seats: Vec<SeatJson>,
    /// The last finished round.
    pub last_round: Option<RoundRecord>,
    /// The observer's legal actions.
    // They are ignored when a view is read, because they follow from the other fields.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>, example = json!(["5@1", "5@2"])))]
    pub legal: Option<IgnoredAny>,
    /// The result, once the game is over.
    #[serde(rename = "final")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<crate::Place>>))]
    pub outcome: Option<Outcome>,
    /// The table's id.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub table: Option<TableId>,
    /// The commitment to the server's seed.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub commitment: Option<Commitment>,
    /// The host's seat.
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub host: Option<Seat>,
    /// Whether all players left before the end.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required))]
    pub ended: bool,
    /// Only while the only person at the table has paused the game: true.
    #[serde(default)]
    pub paused: bool,
    /// The table of the rematch.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub rematch: Option<TableId>,
    /// Only in a guided first game, whose deal is fixed: true.
    pub guided: Option<bool>,
    /// True at a table with a coach, otherwise absent.
    pub coach: Option<bool>,
    /// The position of another game that this game continues; only for a branch.
    pub branch: Option<BranchOrigin>,
    /// The host's options; only while the table waits for players.
    pub options: Option<TableOptions>,
}

/// The phase of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Phase))]
pub enum TablePhase {
    Waiting,
    Offer,
    Bid,
    Over,
}

/// A cushion with the bids on it.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Cushion))]
pub struct CushionJson {
    pub jewel: Jewel,
    pub bids: Vec<BidJson>,
}

/// A face-down bid.
#[derive(Clone, Copy, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PlacedBid))]
pub struct BidJson {
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub seat: Seat,
    /// The place of the bid among all bids of the round, from 1.
    pub order: u8,
    /// The card; only for the observer's own bids.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>))]
    pub card: Option<MoneyCard>,
}

/// A seat, as the observer sees it.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Seat))]
#[expect(missing_docs, reason = "the names of the contract")]
pub struct SeatJson {
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub seat: Seat,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required))]
    pub name: String,
    #[cfg_attr(feature = "schema", schema(value_type = PlayerColour))]
    pub colour: Option<PlayerColour>,
    /// `human`, `bot:NAME`, `stand-in:NAME` or `open`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = String, required, example = "bot:merchant"))]
    pub kind: Kind,
    /// The number of cards in hand.
    pub hand: Option<u8>,
    /// The number of cards in the deck.
    pub deck: Option<u8>,
    /// Jewels won; null if hidden.
    #[cfg_attr(feature = "schema", schema(
        value_type = Option<std::collections::BTreeMap<String, u8>>,
        example = json!({"W":1,"R":0,"Y":0,"G":1,"B":0})
    ))]
    pub collection: Option<Collection>,
    /// Cards of finished rounds; null if hidden.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<u8>>))]
    pub played: Option<CardsInOrder>,
    /// The time at which this seat's time limit runs out (RFC 3339).
    pub deadline: Option<String>,
    /// Only if a bot played this seat's last action, because the player's time had run out.
    pub timed_out: Option<TimedOutJson>,
    /// Whether the game can start as far as this seat is concerned; only while the table waits for players.
    pub ready: Option<bool>,
}

/// The last action of a seat whose time had run out.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = TimedOut))]
pub struct TimedOutJson {
    /// The number of actions before it.
    pub at: u16,
    /// The name of the bot that played it.
    pub bot: String,
}

impl SeatJson {
    fn to_person(&self) -> Person {
        let colour = self.colour.unwrap_or(Person::nameless(self.seat).colour);
        Person { name: self.name.clone(), colour, kind: self.kind.clone() }
    }

    fn to_seat_view(&self) -> Result<SeatView, ViewError> {
        Ok(SeatView {
            seat: self.seat,
            hand: required(self.hand, "hand")?,
            deck: required(self.deck, "deck")?,
            collection: self.collection,
            played: self.played,
        })
    }

    fn to_waiting_seat(&self) -> Result<WaitingSeat, ViewError> {
        Ok(WaitingSeat { seat: self.seat, person: self.to_person(), ready: required(self.ready, "ready")? })
    }
}

/// The value of a field that this kind of view must have.
fn required<T>(field: Option<T>, name: &'static str) -> Result<T, ViewError> {
    field.ok_or(ViewError::Missing(name))
}

impl<'de> Deserialize<'de> for View {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let view = ViewJson::deserialize(deserializer)?.to_view().map_err(de::Error::custom)?;
        view.check().map_err(de::Error::custom)?;
        Ok(view)
    }
}

impl<'de> Deserialize<'de> for TableView {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = ViewJson::deserialize(deserializer)?;
        match json.phase {
            TablePhase::Waiting => json.into_waiting_table().map(Self::Waiting),
            TablePhase::Offer | TablePhase::Bid | TablePhase::Over => {
                json.into_playing_table().map(|playing| Self::Playing(Box::new(playing)))
            }
        }
        .map_err(de::Error::custom)
    }
}

impl ViewJson {
    fn into_waiting_table(self) -> Result<WaitingTable, ViewError> {
        Ok(WaitingTable {
            table: required(self.table, "table")?,
            players: self.players,
            variant: self.parameters()?.variant(),
            seat: self.seat,
            commitment: required(self.commitment, "commitment")?,
            host: required(self.host, "host")?,
            seats: self.seats.iter().map(SeatJson::to_waiting_seat).collect::<Result<_, _>>()?,
            options: required(self.options, "options")?,
            ended: self.ended,
            attendance: Attendance::default(),
        })
    }

    fn into_playing_table(self) -> Result<PlayingTable, ViewError> {
        let view = self.to_view()?;
        if self.ended {
            view.check_abandoned()?;
        } else {
            view.check()?;
        }
        let mut timed_out = BySeat::default();
        self.seats.iter().for_each(|json| timed_out[json.seat] = json.timed_out.as_ref().map(|json| json.at));
        let stand_in = self.seats.iter().find_map(|json| json.timed_out.as_ref()).map(|json| json.bot.clone());
        Ok(PlayingTable {
            people: self.seats.iter().map(SeatJson::to_person).collect(),
            clock: TurnClock {
                deadline: view.to_act.and_then(|seat| self.seats[seat.index()].deadline.clone()),
                stand_in_from: None,
                stand_in: stand_in.unwrap_or_default(),
                timed_out,
            },
            info: TableInfo {
                table: required(self.table, "table")?,
                commitment: required(self.commitment, "commitment")?,
                host: required(self.host, "host")?,
                ended: self.ended,
                paused: self.paused,
                rematch: self.rematch,
                guided: self.guided.unwrap_or(false),
                coach: self.coach.unwrap_or(false),
                branch: self.branch,
            },
            replayed: false,
            attendance: Attendance::default(),
            view,
        })
    }

    fn parameters(&self) -> Result<Parameters, ViewError> {
        Ok(self.parameters.unwrap_or_default().parameters(self.players)?)
    }

    /// The view of the game. The caller must validate it with [`View::check`] or [`View::check_abandoned`].
    fn to_view(&self) -> Result<View, ViewError> {
        let phase = match self.phase {
            TablePhase::Waiting => return Err(ViewError::Waiting),
            TablePhase::Offer => ViewPhase::Offer,
            TablePhase::Bid => ViewPhase::Bid,
            TablePhase::Over => ViewPhase::Over,
        };
        let format = required(self.format.as_deref(), "format")?;
        let version = required(self.version, "version")?;
        if format != FORMAT || (version != VERSION && version != VARIANT_VERSION) {
            return Err(ViewError::Format);
        }
        if self.parameters.is_some() && version == VERSION {
            return Err(ViewError::VersionOfParameters);
        }
        let (offer, bids) = self.board()?;
        Ok(View {
            parameters: self.parameters()?,
            observer: self.seat.map_or(Observer::Public, Observer::Seat),
            screens: required(self.screens, "screens")?,
            phase,
            action_count: required(self.at, "at")?,
            stage: required(self.stage, "stage")?,
            round: required(self.round, "round")?,
            first_seat: required(self.first_seat, "first_seat")?,
            to_act: self.to_act,
            drawn: required(self.drawn, "drawn")?,
            offer,
            bids,
            hand: required(self.hand, "hand")?,
            seats: self.seats.iter().map(SeatJson::to_seat_view).collect::<Result<_, _>>()?,
            last_round: self.last_round,
            outcome: self.outcome,
        })
    }

    /// The jewels on the cushions, and the bids in the order in which they were placed.
    fn board(&self) -> Result<(Offer, ArrayVec<[PlacedBid; 5]>), ViewError> {
        let cushions = required(self.cushions.as_ref(), "cushions")?;
        let jewels: Vec<Jewel> = cushions.iter().map(|cushion| cushion.jewel).collect();
        let offer = Offer::new(&jewels).ok_or(ViewError::Jewels)?;
        let mut bids = Vec::new();
        for (cushion, json) in Cushion::first(Cushion::MAX_COUNT).zip(cushions) {
            for &BidJson { seat, order, card } in &json.bids {
                // A card is present exactly in the observer's own bids.
                let bid = match card {
                    Some(card) if self.seat == Some(seat) => PlacedBid::Own(Bid { seat, card, cushion }),
                    None if self.seat != Some(seat) => PlacedBid::FaceDown(FaceDownBid { seat, cushion }),
                    _ => return Err(ViewError::Bids),
                };
                bids.push((order, bid));
            }
        }
        // The list of bids that is collected below panics beyond five.
        if bids.len() > usize::from(Parameters::of(self.players).bids_per_round()) {
            return Err(ViewError::Bids);
        }
        bids.sort_by_key(|&(order, _)| order);
        // Each order from 1 on must occur exactly once.
        if !bids.iter().map(|&(order, _)| order).eq((1..).take(bids.len())) {
            return Err(ViewError::Bids);
        }
        Ok((offer, bids.into_iter().map(|(_, bid)| bid).collect()))
    }
}
