//! What `sultan-domain` and `sultan-table` write, described for the API's document. Nothing here is ever made: a test holds
//! what is really sent against it.

use std::collections::BTreeMap;

use utoipa::ToSchema;

use crate::error::Problem;

/// What one observer may know of a table. A table that has not started (`phase` is `waiting`) tells only `phase`, `table`,
/// `players`, `seat`, `commitment`, `host`, `seats` with fewer facts, `options` and `ended`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct View {
    /// `sultan-view`.
    format: Option<String>,
    /// The version of the format: 1.
    version: Option<u32>,
    /// How many play.
    players: u8,
    /// The observer's seat; null for a spectator.
    #[schema(required)]
    seat: Option<u8>,
    /// Whether won jewels are hidden.
    screens: Option<Screens>,
    phase: Phase,
    /// How many actions there have been.
    at: Option<u16>,
    /// The stage, from 1.
    stage: Option<u8>,
    /// The round within the stage, from 1.
    round: Option<u8>,
    /// Who makes the offer of this round.
    first_seat: Option<u8>,
    /// Whose turn it is.
    to_act: Option<u8>,
    /// The jewels drawn this round.
    drawn: Option<Vec<Jewel>>,
    /// The cushions with their jewels, once the offer is made.
    cushions: Option<Vec<Cushion>>,
    /// The observer's cards, ascending.
    hand: Option<Vec<u8>>,
    seats: Vec<Seat>,
    /// The last finished round.
    last_round: Option<Round>,
    /// What the observer may do now.
    #[schema(example = json!(["5@1", "5@2"]))]
    legal: Option<Vec<String>>,
    /// The result, once the game is over.
    #[schema(rename = "final")]
    outcome: Option<Vec<Place>>,
    /// Which table.
    table: String,
    /// The promise of the server's seed.
    commitment: String,
    /// Whose word counts at the table.
    host: u8,
    /// Whether everybody left before the end.
    ended: bool,
    /// Where the same people play once more.
    rematch: Option<String>,
    /// Only at a guided first game, whose deal is fixed: true.
    guided: Option<bool>,
    /// Only at a table whose players may ask a coach: true.
    coach: Option<bool>,
    /// Only at a table where a game is played on from a moment of another one: which moment.
    branch: Option<Branch>,
    /// How the table was opened; only while it waits for players.
    options: Option<Options>,
}

/// The moment of another game that this one goes on from.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct Branch {
    /// The other game's table.
    table: String,
    /// How many actions there had been.
    at: u32,
    /// Whether what the player could not know was thought up anew.
    imagined: bool,
}

/// What happens at a table.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "a description")]
pub(crate) enum Phase {
    Waiting,
    Offer,
    Bid,
    Over,
}

/// Whether won jewels are hidden.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "a description")]
pub(crate) enum Screens {
    Closed,
    Open,
}

/// A player's colour.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "a description")]
pub(crate) enum Colour {
    Violet,
    Gold,
    Green,
    Red,
    Blue,
}

/// A colour of jewel: white, red, yellow, green or blue.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) enum Jewel {
    W,
    R,
    Y,
    G,
    B,
}

/// A cushion, with the bids on it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct Cushion {
    jewel: Jewel,
    bids: Vec<PlacedBid>,
}

/// A bid that lies face down.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct PlacedBid {
    seat: u8,
    /// Its place among all bids of the round.
    order: u8,
    /// Only on the observer's own bids.
    card: Option<u8>,
}

/// A seat, as the observer sees it.
#[derive(ToSchema)]
#[expect(dead_code, clippy::struct_field_names, reason = "a description")]
pub(crate) struct Seat {
    seat: u8,
    name: String,
    colour: Colour,
    /// `human`, `bot:NAME`, `stand-in:NAME` or `open`.
    #[schema(example = "bot:merchant")]
    kind: String,
    /// How many cards in hand.
    hand: Option<u8>,
    /// How many cards in the deck.
    deck: Option<u8>,
    /// Jewels won; null where they are hidden.
    #[schema(example = json!({"W":1,"R":0,"Y":0,"G":1,"B":0}))]
    collection: Option<BTreeMap<String, u8>>,
    /// Cards of finished rounds; null where they are hidden.
    played: Option<Vec<u8>>,
    /// When time runs out for this seat (RFC 3339).
    deadline: Option<String>,
    /// Whether nobody waits for this seat; only while the table waits for players.
    ready: Option<bool>,
}

/// A round as it was played.
#[derive(ToSchema)]
#[expect(dead_code, clippy::struct_field_names, reason = "a description")]
pub(crate) struct Round {
    stage: u8,
    round: u8,
    first_seat: u8,
    drawn: Vec<Jewel>,
    #[schema(required)]
    offer: Option<Vec<Jewel>>,
    #[schema(required)]
    put_back: Option<Jewel>,
    bids: Vec<Bid>,
    /// Who took each cushion's jewel.
    #[schema(required)]
    winners: Option<Vec<Option<u8>>>,
}

/// A bid that was turned up.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct Bid {
    seat: u8,
    card: u8,
    cushion: u8,
}

/// How a player did.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct Place {
    seat: u8,
    jewels: BTreeMap<String, u8>,
    jewel_points: u16,
    bonus: u16,
    points: u16,
    /// How many jewels.
    count: u8,
    /// Equal places share a rank.
    rank: u8,
}

/// How a table was opened.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub(crate) struct Options {
    screens: Screens,
    #[schema(required)]
    first_seat: Option<u8>,
    #[schema(required)]
    seconds_per_action: Option<u32>,
    public: bool,
    even_pace: bool,
    stand_in: String,
    #[schema(required)]
    rematch_of: Option<String>,
    /// Whether it is a guided first game, with a fixed deal.
    guided: bool,
    /// Whether players may ask a coach.
    coach: bool,
}

/// The public tables.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct Tables {
    tables: Vec<OpenTable>,
}

/// A public table.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct OpenTable {
    table: String,
    /// Whether the game is on: then it can be watched.
    playing: bool,
    players: u8,
    seats: Vec<Seat>,
    options: Options,
    /// Since when (RFC 3339).
    since: String,
}

/// A browser's games.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct Games {
    games: Vec<Game>,
}

/// A game in which a browser has a seat.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct Game {
    table: String,
    seat: u8,
    /// `waiting`, `playing` or `over`.
    state: String,
    your_turn: bool,
    names: Vec<String>,
}

/// The shortest complete account of a game.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct Record {
    /// `sultan-record`.
    format: String,
    /// The version of the format: 1.
    version: u32,
    players: u8,
    first_seat: u8,
    /// `host`, `chance` or `rematch`.
    first_seat_by: Option<String>,
    screens: Screens,
    names: Vec<String>,
    commitment: Option<String>,
    server_seed: String,
    client_seeds: Vec<String>,
    #[schema(example = json!(["RYB", "12@1", "7@3"]))]
    actions: Vec<String>,
}

/// What comes over the socket: a view with the table's version, or a problem.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description")]
pub(crate) struct Told<'a> {
    /// The table's version.
    #[schema(example = 17)]
    version: Option<u32>,
    /// What the caller sees.
    view: Option<View>,
    /// Why an action is not done.
    problem: Option<Problem<'a>>,
}
