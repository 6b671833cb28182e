//! The state of a table, and the only function that applies events to it.

use std::sync::Arc;

use sultan_domain::{Action, BranchOrigin, ClientSeed, Players, Seat, SeatPlan, TableId, TableInfo, TableOptions};
use sultan_rules::commitment;
use sultan_store::{Change, EventRecord, OpenedRecord, SatRecord, StoreError};

use super::occupant::{Occupant, Occupants, SeatedPlayer, StandIn};
use super::play::Play;
use crate::deal::{Deal, PlayError};
use crate::request::Caller;
use crate::token::{Visitor, equal_in_constant_time};
use crate::{Rejection, ServiceError};

/// A table. A clone is cheap: the large parts are shared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    /// The facts that every view of the game contains: id, commitment, host, rematch and others.
    info: TableInfo,
    version: u32,
    /// The time of the newest change. In a copy made for a change, the time of the change that is being decided.
    changed_ms: i64,
    opened: Arc<OpenedRecord>,
    occupants: Arc<Occupants>,
    /// The game; `None` before its start.
    play: Option<Arc<Play>>,
    /// The events of the change that is not stored yet.
    pending: Vec<EventRecord>,
}

impl Table {
    /// A new table. The event that opens the table is not stored yet.
    pub(crate) fn new(id: TableId, opened: OpenedRecord, at_ms: i64) -> Self {
        let occupant = |plan: &SeatPlan| match plan {
            SeatPlan::Human => Occupant::Free,
            SeatPlan::Bot(bot) => Occupant::Bot(bot.clone()),
        };
        let occupants: Vec<Occupant> = opened.seats.iter().map(occupant).collect();
        let is_free = |seat: &Seat| matches!(occupants.get(seat.index()), Some(Occupant::Free));
        let info = TableInfo {
            table: id,
            commitment: commitment(&opened.server_seed),
            // The host will take the first seat for a person.
            host: opened.players.seats().find(is_free).unwrap_or_default(),
            ended: false,
            paused: false,
            rematch: None,
            guided: opened.options.guided,
            coach: opened.options.coach,
            branch: opened.branch.as_ref().map(|branch| BranchOrigin {
                table: branch.original,
                at: branch.actions.len(),
                imagined: branch.imagined,
            }),
        };
        Self {
            info,
            version: 0,
            changed_ms: at_ms,
            occupants: Arc::new(Occupants::new(occupants)),
            play: None,
            pending: vec![EventRecord::Opened(Box::new(opened.clone()))],
            opened: Arc::new(opened),
        }
    }

    /// The table that results from these stored changes; `None` if there are none.
    pub(crate) fn load(id: TableId, changes: Vec<Change>) -> Result<Option<Self>, StoreError> {
        let mut changes = changes.into_iter();
        let Some(Change { version, at_ms, events }) = changes.next() else { return Ok(None) };
        let mut events = events.into_iter();
        let Some(EventRecord::Opened(opened)) = events.next() else {
            let reason = "the first event does not open the table".to_owned();
            return Err(StoreError::Unreadable { table: id, reason });
        };
        let mut table = Self::new(id, *opened, at_ms);
        // Accept any version of the first change. The versions of all later changes must follow without a gap.
        table.version = version.saturating_sub(1);
        table.apply_change(Change { version, at_ms, events: events.collect() })?;
        changes.try_for_each(|change| table.apply_change(change))?;
        Ok(Some(table))
    }

    /// Applies a stored change.
    pub(crate) fn apply_change(&mut self, change: Change) -> Result<(), StoreError> {
        let Change { version, at_ms, events } = change;
        if version != self.version + 1 {
            let reason = format!("version {version} follows {}", self.version);
            return Err(StoreError::Unreadable { table: self.id(), reason });
        }
        (self.version, self.changed_ms) = (version, at_ms);
        for event in events {
            self.apply(event, at_ms).map_err(|error| self.unreadable(error))?;
        }
        // `apply` has added these events to the pending ones, but they are already stored.
        self.pending.clear();
        Ok(())
    }

    /// A copy for a change at this time.
    pub(crate) fn copy_for_change(&self, now_ms: i64) -> Self {
        Self { changed_ms: now_ms, ..self.clone() }
    }

    /// Applies an event, and adds it to the pending events. After an error this table must not be used, since the event
    /// may have been applied in part.
    pub(crate) fn apply(&mut self, event: EventRecord, at_ms: i64) -> Result<(), PlayError> {
        match &event {
            EventRecord::Opened(_) => return Err(PlayError::Impossible("the table was opened twice".to_owned())),
            EventRecord::Sat(sat) => self.sit(sat)?,
            EventRecord::Changed { seat, name, colour, seed } => {
                let player = self.player_mut(*seat)?;
                (player.name, player.colour, player.seed) = (name.clone(), *colour, Some(seed.clone()));
            }
            EventRecord::Linked { seat, visitor } => self.player_mut(*seat)?.visitors.push(*visitor),
            EventRecord::Freed { seat } => *self.occupant_mut(*seat)? = Occupant::Free,
            EventRecord::Filled { seat, bot } => *self.occupant_mut(*seat)? = Occupant::Bot(bot.clone()),
            EventRecord::StoodIn { seat, bot, left } => {
                self.player_mut(*seat)?.stand_in = Some(StandIn { bot: bot.clone(), player_left: *left });
            }
            EventRecord::Returned { seat } => self.player_mut(*seat)?.stand_in = None,
            EventRecord::HostChanged { seat } => self.info.host = *seat,
            EventRecord::Started => self.start(at_ms)?,
            EventRecord::Acted(action) => self.play_action(*action, false, at_ms)?,
            EventRecord::ActedByClock(action) => self.play_action(*action, true, at_ms)?,
            EventRecord::Paused => self.info.paused = true,
            EventRecord::Resumed => {
                self.info.paused = false;
                self.started_play()?.restart_turn(at_ms);
            }
            // All players have left. With an even pace the stored game may already be over, although they could not see
            // its last action: then the game counts as played to its end.
            EventRecord::Ended => self.info.ended = !self.is_stored_game_over(),
            EventRecord::Rematched { table } => self.info.rematch = Some(*table),
        }
        self.pending.push(event);
        Ok(())
    }

    /// Applies an event at the time of the change that this copy was made for.
    pub(crate) fn apply_now(&mut self, event: EventRecord) -> Result<(), ServiceError> {
        self.apply(event, self.changed_ms).map_err(|error| match error {
            PlayError::Illegal(illegal) => Rejection::Illegal(illegal).into(),
            error @ PlayError::Impossible(_) => self.unreadable(error).into(),
        })
    }

    /// The error if a stored event cannot be applied.
    fn unreadable(&self, error: PlayError) -> StoreError {
        let at = self.play().map_or(0, |play| play.stored.game.action_count());
        StoreError::Unreadable { table: self.id(), reason: error.reason(at) }
    }

    /// The events that are not stored yet.
    pub(crate) fn pending_events(&self) -> &[EventRecord] {
        &self.pending
    }

    /// Removes the pending events, and returns them as the table's next change.
    pub(crate) fn take_change(&mut self) -> Change {
        self.version += 1;
        Change { version: self.version, at_ms: self.changed_ms, events: std::mem::take(&mut self.pending) }
    }

    /// Makes the due delayed actions visible to all observers (even pace).
    pub(crate) fn reveal_due_actions(&mut self, now_ms: i64) {
        if let Some(play) = self.play.as_mut().filter(|play| !play.is_all_visible()) {
            Arc::make_mut(play).reveal_due_actions(now_ms);
        }
    }

    fn sit(&mut self, sat: &SatRecord) -> Result<(), PlayError> {
        *self.occupant_mut(sat.seat)? = Occupant::Player(Box::new(SeatedPlayer {
            name: sat.name.clone(),
            colour: sat.colour,
            seed: sat.seed.clone(),
            token: sat.token,
            visitors: sat.visitor.into_iter().collect(),
            stand_in: None,
        }));
        Ok(())
    }

    /// The game of a table that has started, to be changed.
    fn started_play(&mut self) -> Result<&mut Play, PlayError> {
        let play = self.play.as_mut().ok_or_else(|| PlayError::Impossible("an action before the start".to_owned()))?;
        Ok(Arc::make_mut(play))
    }

    fn play_action(&mut self, action: Action, timed_out: bool, at_ms: i64) -> Result<(), PlayError> {
        let opened = Arc::clone(&self.opened);
        self.started_play()?.play(action, &opened.options, timed_out, at_ms)
    }

    fn start(&mut self, at_ms: i64) -> Result<(), PlayError> {
        let deal = Deal::of_table(&self.opened, self.client_seeds());
        let mut play = Play::start(deal, at_ms).map_err(PlayError::Impossible)?;
        // A branch starts in the middle of another game: it repeats that game's actions up to this position.
        for &action in self.opened.branch.iter().flat_map(|branch| &branch.actions) {
            play.play(action, &self.opened.options, false, at_ms)?;
        }
        self.play = Some(Arc::new(play));
        Ok(())
    }

    /// The players' shares of the randomness, by seat; empty for bots.
    pub(super) fn client_seeds(&self) -> Vec<ClientSeed> {
        let seed = |occupant: &Occupant| occupant.player().and_then(|player| player.seed.clone()).unwrap_or_default();
        self.occupants.iter().map(seed).collect()
    }

    fn occupant_mut(&mut self, seat: Seat) -> Result<&mut Occupant, PlayError> {
        let occupants = Arc::make_mut(&mut self.occupants);
        occupants.get_mut(seat).ok_or_else(|| PlayError::Impossible(format!("there is no seat {seat}")))
    }

    fn player_mut(&mut self, seat: Seat) -> Result<&mut SeatedPlayer, PlayError> {
        match self.occupant_mut(seat)? {
            Occupant::Player(player) => Ok(player),
            Occupant::Free | Occupant::Bot(_) => Err(PlayError::Impossible(format!("seat {seat} has no player"))),
        }
    }
}

/// Accessors, and lookups of seats.
impl Table {
    pub(crate) const fn info(&self) -> &TableInfo {
        &self.info
    }

    pub(crate) const fn id(&self) -> TableId {
        self.info.table
    }

    pub(crate) const fn version(&self) -> u32 {
        self.version
    }

    /// The time of the newest change or, in a copy made for a change, the time of that change.
    pub(crate) const fn changed_ms(&self) -> i64 {
        self.changed_ms
    }

    /// The event that opened the table.
    pub(crate) fn opened(&self) -> &OpenedRecord {
        &self.opened
    }

    pub(crate) fn options(&self) -> &TableOptions {
        &self.opened.options
    }

    pub(crate) fn players(&self) -> Players {
        self.opened.players
    }

    /// Returns whether all players left before the end of the game.
    pub(crate) const fn is_abandoned(&self) -> bool {
        self.info.ended
    }

    /// The game; `None` before its start.
    pub(crate) fn play(&self) -> Option<&Play> {
        self.play.as_deref()
    }

    /// Returns whether the game is over after all stored actions, or abandoned.
    pub(super) fn is_stored_game_over(&self) -> bool {
        self.is_abandoned() || self.play().is_some_and(|play| play.stored.game.outcome().is_some())
    }

    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        self.players().seats()
    }

    pub(crate) fn occupant(&self, seat: Seat) -> &Occupant {
        self.occupants.get(seat).unwrap_or(&Occupant::Free)
    }

    pub(crate) fn player(&self, seat: Seat) -> Option<&SeatedPlayer> {
        self.occupant(seat).player()
    }

    /// All occupants. Two states of a table share this allocation if no occupant has changed in between.
    pub(crate) const fn occupants(&self) -> &Arc<Occupants> {
        &self.occupants
    }

    /// Checks the seat's token or the browser's link to the seat (authentication). Returns the caller's seat; `None`
    /// for a spectator.
    pub(crate) fn seat_of(&self, caller: &Caller) -> Result<Option<Seat>, Rejection> {
        match caller {
            Caller::Spectator => Ok(None),
            Caller::Token(token) => {
                let hash = token.hash();
                let has_token = |seat: &Seat| {
                    self.player(*seat).is_some_and(|player| equal_in_constant_time(&player.token.0, &hash.0))
                };
                self.seats().find(has_token).map(Some).ok_or(Rejection::WrongToken)
            }
            Caller::Visitor { visitor, seat: wanted } => {
                let mut own_seats = self.seats_of(visitor);
                match wanted {
                    Some(wanted) => own_seats.find(|seat| seat == wanted).map(Some).ok_or(Rejection::WrongToken),
                    None => Ok(own_seats.next()),
                }
            }
        }
    }

    /// The seats that a browser is linked to.
    pub(crate) fn seats_of(&self, visitor: &Visitor) -> impl Iterator<Item = Seat> {
        let hash = visitor.hash();
        let is_linked = move |player: &SeatedPlayer| {
            player.visitors.iter().any(|visitor| equal_in_constant_time(&visitor.0, &hash.0))
        };
        self.seats().filter(move |seat| self.player(*seat).is_some_and(is_linked))
    }

    /// The caller's seat. Rejects spectators.
    pub(crate) fn require_seat(&self, caller: &Caller) -> Result<Seat, Rejection> {
        self.seat_of(caller)?.ok_or(Rejection::NoToken)
    }
}
