//! A table, as its stored changes make it. Nothing but a change changes it; what may become a change is decided in
//! `seating` and `acting`.

use std::fmt;
use std::sync::Arc;

use sultan_domain::{
    Action, ClientSeed, Commitment, Kind, Observer, Person, PlayerColour, Recall, Record, RoundTold, Seat, TableId,
};
use sultan_rules::{Game, commitment};
use sultan_store::{
    Change, EventRecord, Listing, OpenedRecord, SatRecord, SeatPlan, TableState, TokenHash, VisitorHash,
};

use crate::course::Course;
use crate::pace::Held;
use crate::request::Caller;
use crate::token::{Visitor, same};
use crate::{Rejection, pace};

/// A person who has a seat.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) name: String,
    pub(crate) colour: PlayerColour,
    /// What the player adds to chance; nothing while the seat is only kept for somebody.
    pub(crate) seed: Option<ClientSeed>,
    pub(crate) token: TokenHash,
    pub(crate) visitors: Vec<VisitorHash>,
    pub(crate) away: Option<Away>,
}

/// A bot that stands in for somebody.
#[derive(Clone, Debug)]
pub(crate) struct Away {
    pub(crate) bot: String,
    /// Whether the player left, and was not only replaced by the host.
    pub(crate) left: bool,
}

/// Who has a seat.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Open,
    Guest(Box<Guest>),
    Bot(String),
}

impl Place {
    pub(crate) fn guest(&self) -> Option<&Guest> {
        match self {
            Self::Guest(guest) => Some(guest),
            Self::Open | Self::Bot(_) => None,
        }
    }

    fn guest_mut(&mut self) -> Option<&mut Guest> {
        match self {
            Self::Guest(guest) => Some(guest),
            Self::Open | Self::Bot(_) => None,
        }
    }

    /// The bot that acts here.
    pub(crate) fn bot(&self) -> Option<&str> {
        match self {
            Self::Bot(bot) => Some(bot),
            Self::Guest(guest) => guest.away.as_ref().map(|away| away.bot.as_str()),
            Self::Open => None,
        }
    }

    /// Whether nobody waits for this seat: in a rematch, seats are kept for those who have not agreed yet.
    pub(crate) fn is_ready(&self) -> bool {
        match self {
            Self::Open => false,
            Self::Bot(_) => true,
            Self::Guest(guest) => guest.seed.is_some(),
        }
    }
}

/// A game at a table.
#[derive(Clone)]
pub(crate) struct Play {
    /// What its cards and draws come from.
    pub(crate) course: Arc<Course>,
    /// The truth.
    pub(crate) game: Game,
    pub(crate) actions: Vec<(Seat, Action)>,
    pub(crate) rounds: Vec<RoundTold>,
    pub(crate) started_ms: i64,
    /// Since when everybody knows whose turn it is, or will know it.
    pub(crate) turn_since_ms: i64,
    /// What is not shown to all yet, where the pace is even.
    pub(crate) held: Vec<Held>,
}

/// Says nothing about cards.
impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { course: _, game, actions, rounds: _, started_ms: _, turn_since_ms: _, held: _ } = self;
        f.debug_struct("Play").field("game", game).field("actions", &actions.len()).finish_non_exhaustive()
    }
}

impl Play {
    /// What is held back from an observer. Whoever acted has seen that, and all that came before: nobody acts before seeing whose
    /// turn it is, though perhaps by another node's clock.
    pub(crate) fn hidden_from(&self, observer: Observer) -> &[Held] {
        let own = self.held.iter().rposition(|held| observer == Observer::Seat(held.by));
        &self.held[own.map_or(0, |own| own + 1)..]
    }

    /// The game as an observer may see it now.
    pub(crate) fn seen_by(&self, observer: Observer) -> &Game {
        self.hidden_from(observer).first().map_or(&self.game, |held| &held.before)
    }

    /// Since when an observer knows whose turn it is.
    pub(crate) fn turn_since_ms(&self, observer: Observer) -> i64 {
        self.hidden_from(observer).first().map_or(self.turn_since_ms, |held| held.turn_since_ms)
    }

    /// What everybody may remember.
    pub(crate) fn recall(&self) -> Recall {
        Recall::of(self.rounds.clone()).unwrap_or_default()
    }
}

/// A table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) id: TableId,
    pub(crate) version: u32,
    /// When it changed last.
    pub(crate) changed_ms: i64,
    pub(crate) opened: Arc<OpenedRecord>,
    /// The promise of the server's seed.
    pub(crate) commitment: Commitment,
    pub(crate) places: Arc<Vec<Place>>,
    pub(crate) host: Seat,
    pub(crate) play: Option<Play>,
    /// Whether everybody left before the end.
    pub(crate) abandoned: bool,
    pub(crate) rematch: Option<TableId>,
}

/// What is stored is no table.
#[derive(Debug)]
pub(crate) struct Unreadable(pub(crate) String);

impl Table {
    /// The table that these changes make; none if there are none.
    pub(crate) fn load(id: TableId, changes: &[Change]) -> Result<Option<Self>, Unreadable> {
        let Some((first, rest)) = changes.split_first() else { return Ok(None) };
        let Some((EventRecord::Opened(opened), events)) = first.events.split_first() else {
            return Err(Unreadable("it does not begin with its opening".to_owned()));
        };
        let place = |plan: &SeatPlan| match plan {
            SeatPlan::Human => Place::Open,
            SeatPlan::Bot(bot) => Place::Bot(bot.clone()),
        };
        let mut table = Self {
            id,
            version: first.version,
            changed_ms: first.at_ms,
            opened: Arc::new((**opened).clone()),
            commitment: commitment(&opened.server_seed),
            places: Arc::new(opened.seats.iter().map(place).collect()),
            host: Seat::default(),
            play: None,
            abandoned: false,
            rematch: None,
        };
        table.host = table.seats().find(|&seat| matches!(table.place(seat), Place::Open)).unwrap_or_default();
        events.iter().try_for_each(|event| table.take(event, first.at_ms))?;
        rest.iter().try_for_each(|change| table.change(change))?;
        Ok(Some(table))
    }

    /// Takes in a change.
    pub(crate) fn change(&mut self, change: &Change) -> Result<(), Unreadable> {
        if change.version != self.version + 1 {
            return Err(Unreadable(format!("version {} follows {}", change.version, self.version)));
        }
        (self.version, self.changed_ms) = (change.version, change.at_ms);
        change.events.iter().try_for_each(|event| self.take(event, change.at_ms))
    }

    fn take(&mut self, event: &EventRecord, at_ms: i64) -> Result<(), Unreadable> {
        match event {
            EventRecord::Opened(_) => return Err(Unreadable("it was opened twice".to_owned())),
            EventRecord::Sat(sat) => self.sit(sat)?,
            EventRecord::Changed { seat, name, colour, seed } => {
                let guest = self.guest_mut(*seat)?;
                (guest.name, guest.colour, guest.seed) = (name.clone(), *colour, Some(seed.clone()));
            }
            EventRecord::Linked { seat, visitor } => self.guest_mut(*seat)?.visitors.push(*visitor),
            EventRecord::Freed { seat } => *self.place_mut(*seat)? = Place::Open,
            EventRecord::Filled { seat, bot } => *self.place_mut(*seat)? = Place::Bot(bot.clone()),
            EventRecord::StoodIn { seat, bot, left } => {
                self.guest_mut(*seat)?.away = Some(Away { bot: bot.clone(), left: *left });
            }
            EventRecord::Returned { seat } => self.guest_mut(*seat)?.away = None,
            EventRecord::Host { seat } => self.host = *seat,
            EventRecord::Started => self.start(at_ms)?,
            EventRecord::Acted(action) | EventRecord::ActedByClock(action) => self.act(*action, at_ms)?,
            // Where the last action is not shown yet, everybody may leave a game that is over.
            EventRecord::Ended => self.abandoned = !self.is_over(),
            EventRecord::Rematched { table } => self.rematch = Some(*table),
        }
        Ok(())
    }

    fn sit(&mut self, sat: &SatRecord) -> Result<(), Unreadable> {
        *self.place_mut(sat.seat)? = Place::Guest(Box::new(Guest {
            name: sat.name.clone(),
            colour: sat.colour,
            seed: sat.seed.clone(),
            token: sat.token,
            visitors: sat.visitor.into_iter().collect(),
            away: None,
        }));
        Ok(())
    }

    fn start(&mut self, at_ms: i64) -> Result<(), Unreadable> {
        let course = Arc::new(Course::of(&self.opened, self.client_seeds()));
        let game = course.begin().map_err(Unreadable)?;
        let (actions, rounds, held) = (Vec::new(), Vec::new(), Vec::new());
        self.play = Some(Play { course, game, actions, rounds, started_ms: at_ms, turn_since_ms: at_ms, held });
        let opened = Arc::clone(&self.opened);
        // Where it goes on from another game's moment, all is done once more that had been done there.
        let before = opened.branch.iter().flat_map(|branch| &branch.actions);
        before.copied().try_for_each(|action| self.act(action, at_ms))
    }

    fn act(&mut self, action: Action, at_ms: i64) -> Result<(), Unreadable> {
        let opened = Arc::clone(&self.opened);
        let play = self.play.as_mut().ok_or_else(|| Unreadable("somebody acted before the start".to_owned()))?;
        let seat = play.game.to_act().ok_or_else(|| Unreadable("somebody acted after the end".to_owned()))?;
        let before = play.game;
        play.rounds.extend(play.course.play(&mut play.game, action).map_err(Unreadable)?);
        play.actions.push((seat, action));
        match pace::beat_ms(&opened) {
            None => play.turn_since_ms = at_ms,
            Some(beat) => pace::hold(play, &before, seat, beat, at_ms),
        }
        Ok(())
    }

    fn client_seeds(&self) -> Vec<ClientSeed> {
        let seed = |place: &Place| place.guest().and_then(|guest| guest.seed.clone()).unwrap_or_default();
        self.places.iter().map(seed).collect()
    }

    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        self.opened.players.seats()
    }

    pub(crate) fn place(&self, seat: Seat) -> &Place {
        self.places.get(seat.index()).unwrap_or(&Place::Open)
    }

    fn place_mut(&mut self, seat: Seat) -> Result<&mut Place, Unreadable> {
        let places = Arc::make_mut(&mut self.places);
        places.get_mut(seat.index()).ok_or_else(|| Unreadable(format!("there is no seat {seat}")))
    }

    fn guest_mut(&mut self, seat: Seat) -> Result<&mut Guest, Unreadable> {
        self.place_mut(seat)?.guest_mut().ok_or_else(|| Unreadable(format!("nobody is in seat {seat}")))
    }

    pub(crate) fn guest(&self, seat: Seat) -> Option<&Guest> {
        self.place(seat).guest()
    }

    /// The colours of all seats: people have chosen theirs, the others get what is left.
    pub(crate) fn colours(&self) -> Vec<PlayerColour> {
        let taken = |colour| self.places.iter().filter_map(Place::guest).any(|guest| guest.colour == colour);
        let mut free = PlayerColour::ALL.into_iter().filter(|&colour| !taken(colour));
        let colour = |place: &Place| place.guest().map(|guest| guest.colour).or_else(|| free.next());
        self.places.iter().map(colour).map(|colour| colour.unwrap_or(PlayerColour::Violet)).collect()
    }

    /// Who sits where, as everybody sees it.
    pub(crate) fn people(&self) -> Vec<Person> {
        let person = |(place, colour): (&Place, PlayerColour)| {
            let (name, kind) = match place {
                Place::Open => (String::new(), Kind::Open),
                Place::Bot(bot) => (bot.clone(), Kind::Bot(bot.clone())),
                Place::Guest(guest) => {
                    let kind = guest.away.as_ref().map_or(Kind::Human, |away| Kind::StandIn(away.bot.clone()));
                    (guest.name.clone(), kind)
                }
            };
            Person { name, colour, kind }
        };
        self.places.iter().zip(self.colours()).map(person).collect()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.abandoned || self.play.as_ref().is_some_and(|play| play.game.outcome().is_some())
    }

    /// Whether it is over, as far as an observer knows.
    pub(crate) fn seems_over(&self, observer: Observer) -> bool {
        self.abandoned || self.play.as_ref().is_some_and(|play| play.seen_by(observer).outcome().is_some())
    }

    /// Whether it is over, as everybody knows by now.
    pub(crate) fn is_known_to_be_over(&self) -> bool {
        self.seems_over(Observer::Public)
    }

    /// A game that is over, with its last state shown to all.
    pub(crate) fn finished(&self) -> Result<&Play, Rejection> {
        self.play.as_ref().filter(|play| self.is_over() && play.held.is_empty()).ok_or(Rejection::NotOver)
    }

    /// What lists of tables should say.
    pub(crate) fn listing(&self) -> Listing {
        let state = match &self.play {
            _ if self.is_known_to_be_over() => TableState::Over,
            None => TableState::Waiting,
            Some(_) => TableState::Playing,
        };
        let bots = self.places.iter().any(|place| place.bot().is_some());
        let attended = bots || self.opened.seconds.is_some() || self.opened.even_pace;
        Listing { state, public: self.opened.public, attended }
    }

    /// Which seat somebody has.
    pub(crate) fn seat_of(&self, caller: &Caller) -> Result<Option<Seat>, Rejection> {
        let guests = || self.seats().filter_map(|seat| Some((seat, self.guest(seat)?)));
        match caller {
            Caller::Nobody => Ok(None),
            Caller::Token(token) => {
                let hash = token.hash();
                let mut found = guests().filter(|(_, guest)| same(&guest.token.0, &hash.0));
                found.next().map(|(seat, _)| Some(seat)).ok_or(Rejection::WrongToken)
            }
            Caller::Visitor { visitor, seat: wanted } => {
                let mut own = self.seats_of(visitor);
                match wanted {
                    Some(wanted) => own.find(|seat| seat == wanted).map(Some).ok_or(Rejection::WrongToken),
                    None => Ok(own.next()),
                }
            }
        }
    }

    /// The seats that a browser has.
    pub(crate) fn seats_of(&self, visitor: &Visitor) -> impl Iterator<Item = Seat> {
        let hash = visitor.hash();
        let knows = move |guest: &Guest| guest.visitors.iter().any(|known| same(&known.0, &hash.0));
        self.seats().filter(move |seat| self.guest(*seat).is_some_and(knows))
    }

    /// Which seat somebody has who must have one.
    pub(crate) fn seated(&self, caller: &Caller) -> Result<Seat, Rejection> {
        self.seat_of(caller)?.ok_or(Rejection::NoToken)
    }

    /// The shortest account of the game, once it is over.
    pub(crate) fn record(&self) -> Result<Record, Rejection> {
        let play = self.finished()?;
        if self.opened.branch.is_some() {
            return Err(Rejection::Branch);
        }
        let name = |place: &Place| match place {
            Place::Open => String::new(),
            Place::Bot(bot) => format!("bot:{bot}"),
            Place::Guest(guest) => guest.name.clone(),
        };
        Ok(Record {
            players: self.opened.players,
            first_seat: play.course.first_seat(),
            first_seat_by: Some(self.opened.first_by),
            screens: self.opened.screens,
            names: self.places.iter().map(name).collect(),
            commitment: Some(self.commitment),
            server_seed: self.opened.server_seed,
            client_seeds: self.client_seeds(),
            actions: play.actions.iter().map(|&(_, action)| action).collect(),
        })
    }
}
