//! What an observer is told of a table: the view of the game with what is around it.

use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;
use sultan_domain::{Commitment, Kind, Observer, PlayerColour, Players, Screens, Seat, TableId, View};

use crate::presence::AbsentSeats;
use crate::table::Table;

/// A table as one observer may see it.
#[derive(Clone, Debug)]
pub enum Sight {
    /// Not everybody is there yet.
    Waiting(WaitingView),
    /// The game is on, or over.
    Playing(Box<PlayingView>),
}

/// A table that waits for players.
#[derive(Clone, Debug, Serialize)]
pub struct WaitingView {
    /// Always `waiting`.
    pub phase: &'static str,
    /// Which table.
    pub table: TableId,
    /// How many play.
    pub players: Players,
    /// The observer's seat.
    pub seat: Option<Seat>,
    /// The promise of the server's seed.
    pub commitment: Commitment,
    /// Whose word counts.
    pub host: Seat,
    /// Who sits where.
    pub seats: Vec<WaitingSeat>,
    /// How the table was opened.
    pub options: OptionsView,
    /// Whether everybody has left: nothing will be played here.
    pub ended: bool,
    /// Who has gone meanwhile. It is no part of a table's state, and JSON does not tell it.
    #[serde(skip)]
    pub gone: AbsentSeats,
}

/// A seat of a table that waits for players.
#[derive(Clone, Debug, Serialize)]
pub struct WaitingSeat {
    /// Which seat.
    pub seat: Seat,
    /// Who sits there.
    pub name: String,
    /// The colour.
    pub colour: PlayerColour,
    /// Person or bot.
    pub kind: Kind,
    /// Whether nobody waits for this seat: in a rematch, seats are kept for those who have not agreed yet.
    pub ready: bool,
}

/// How a table was opened.
#[derive(Clone, Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct OptionsView {
    /// Whether won jewels are hidden.
    pub screens: Screens,
    /// The first player of the first round; nothing if chance chooses.
    pub first_seat: Option<Seat>,
    /// How long a player may think.
    pub seconds_per_action: Option<u32>,
    /// Whether everybody may find the table.
    pub public: bool,
    /// Whether it is hidden how long somebody thought.
    pub even_pace: bool,
    /// The bot that acts for absent players.
    pub stand_in: String,
    /// The table whose game is played once more.
    pub rematch_of: Option<TableId>,
    /// Whether it is a guided first game, with a fixed deal.
    pub guided: bool,
    /// Whether players may ask a coach.
    pub coach: bool,
}

/// A game with what is around it.
#[derive(Clone, Debug)]
pub struct PlayingView {
    /// The game.
    pub view: View,
    /// What JSON tells besides.
    pub around: Around,
}

/// What is around a game.
#[derive(Clone, Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Around {
    /// Which table.
    pub table: TableId,
    /// The promise of the server's seed.
    pub commitment: Commitment,
    /// Whose word counts.
    pub host: Seat,
    /// Whether everybody left before the end.
    pub ended: bool,
    /// Where the same people play once more.
    pub rematch: Option<TableId>,
    /// Whether it is a guided first game, with a fixed deal; JSON says it only where it is.
    #[serde(skip_serializing_if = "is_false")]
    pub guided: bool,
    /// Whether players may ask a coach; JSON says it only where they may.
    #[serde(skip_serializing_if = "is_false")]
    pub coach: bool,
    /// The moment of another game that this one goes on from; JSON says it only where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchView>,
    /// Whether this is a moment of a game that is over, shown once more: nobody can act any more.
    #[serde(skip)]
    pub replayed: bool,
    /// Who has gone meanwhile. It is no part of a table's state, and JSON does not tell it.
    #[serde(skip)]
    pub gone: AbsentSeats,
}

/// What a game goes on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BranchView {
    /// The other game's table.
    pub table: TableId,
    /// How many actions there had been.
    pub at: usize,
    /// Whether what the player could not know was thought up anew.
    pub imagined: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

impl Sight {
    pub(crate) fn of(table: &Table, observer: Observer) -> Self {
        let Some(position) = table.position(observer) else { return Self::Waiting(waiting(table, observer)) };
        let mut view = position.game.view(observer).with_people(table.people());
        if table.is_abandoned() {
            // Nobody is there to act.
            view.to_act = None;
        }
        let deadline = table.deadline_ms(observer);
        if let (Some(to_act), Some(deadline)) = (view.to_act, deadline) {
            view.seats[to_act.index()].deadline = Some(rfc3339(deadline));
        }
        Self::Playing(Box::new(PlayingView { view, around: Around::of(table) }))
    }

    /// The same, where these have gone.
    #[must_use]
    pub fn with_gone(mut self, gone: AbsentSeats) -> Self {
        match &mut self {
            Self::Waiting(waiting) => waiting.gone = gone,
            Self::Playing(playing) => playing.around.gone = gone,
        }
        self
    }

    /// Who has gone.
    #[must_use]
    pub fn gone(&self) -> AbsentSeats {
        match self {
            Self::Waiting(waiting) => waiting.gone,
            Self::Playing(playing) => playing.around.gone,
        }
    }

    /// The JSON that other programs read.
    #[must_use]
    pub fn json(&self) -> Vec<u8> {
        match self {
            Self::Waiting(waiting) => written(waiting),
            Self::Playing(playing) => Common::of(playing).with(&playing.view),
        }
    }
}

impl Around {
    pub(crate) fn of(table: &Table) -> Self {
        Self {
            table: table.id(),
            commitment: table.commitment(),
            host: table.host(),
            ended: table.is_abandoned(),
            rematch: table.rematch(),
            guided: table.options().guided,
            coach: table.options().coach,
            branch: table.options().branch.as_ref().map(|branch| BranchView {
                table: branch.of,
                at: branch.actions.len(),
                imagined: branch.imagined,
            }),
            replayed: false,
            gone: AbsentSeats::default(),
        }
    }
}

/// What the JSON of all who see the same state has in common, so that it is written once and not for each of them.
#[derive(Debug)]
pub(crate) struct Common {
    last_round: Vec<u8>,
    around: Vec<u8>,
}

impl Common {
    pub(crate) fn of(playing: &PlayingView) -> Self {
        Self { last_round: playing.view.last_round_json(), around: written(&playing.around) }
    }

    /// One object made of two: all of the view, then what is around it.
    pub(crate) fn with(&self, view: &View) -> Vec<u8> {
        let mut json = Vec::with_capacity(2048);
        view.write_json(&self.last_round, &mut json);
        json.pop();
        json.push(b',');
        json.extend_from_slice(&self.around[1..]);
        json
    }
}

fn written(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("a view can be written as JSON")
}

/// A table with who sits where, whether or not it still waits.
pub(crate) fn waiting(table: &Table, observer: Observer) -> WaitingView {
    let seats = table.seats().zip(table.people()).map(|(seat, person)| WaitingSeat {
        seat,
        name: person.name,
        colour: person.colour,
        ready: table.occupant(seat).is_ready(),
        kind: person.kind,
    });
    let opened = table.options();
    WaitingView {
        phase: "waiting",
        table: table.id(),
        players: opened.players,
        seat: observer.seat(),
        commitment: table.commitment(),
        host: table.host(),
        seats: seats.collect(),
        options: OptionsView {
            screens: opened.screens,
            first_seat: opened.first_seat,
            seconds_per_action: opened.seconds,
            public: opened.public,
            even_pace: opened.even_pace,
            stand_in: opened.stand_in.clone(),
            rematch_of: opened.rematch_of,
            guided: opened.guided,
            coach: opened.coach,
        },
        ended: table.is_abandoned(),
        gone: AbsentSeats::default(),
    }
}

/// A time as text.
pub(crate) fn rfc3339(ms: i64) -> String {
    let since = Duration::from_millis(u64::try_from(ms).unwrap_or(0));
    humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string()
}
