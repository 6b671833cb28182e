//! Who sits down, gets up, comes back, and who may decide about it.

use sultan_bots::DEFAULT_STAND_IN;
use sultan_domain::{FirstSeatBy, Observer, PlayerColour, Seat, ServerSeed, TableId};
use sultan_store::{EventRecord, OpenedRecord, SatRecord, SeatPlan};

use crate::Rejection;
use crate::request::{self, NewTable, SeatChange, SeatWish, Sitting};
use crate::table::{Guest, Place, Table};
use crate::token::SeatToken;

/// So long the table waits for a player before the host may let a bot take over.
pub(crate) const PATIENCE_S: u32 = 60;
/// The longest time a player may be given.
pub(crate) const MOST_SECONDS: u32 = 7 * 24 * 3600;

/// What happens when a table is opened.
pub(crate) fn open(new: &NewTable, server_seed: ServerSeed) -> Result<OpenedRecord, Rejection> {
    if new.seats.len() > usize::from(new.players.count()) {
        return Err(Rejection::BadTable("there are more seats than players"));
    }
    if new.first_seat.is_some_and(|seat| !new.players.has(seat)) {
        return Err(Rejection::NoSuchSeat);
    }
    if new.seconds_per_action.is_some_and(|seconds| !(1..=MOST_SECONDS).contains(&seconds)) {
        return Err(Rejection::BadTable("the time for each action is 1 second to 7 days"));
    }
    let wishes = new.seats.iter().cloned().chain(std::iter::repeat(SeatWish::Human));
    let plan = |wish| match wish {
        SeatWish::Human => Ok(SeatPlan::Human),
        SeatWish::Bot(bot) => request::bot(&bot).map(SeatPlan::Bot),
    };
    let seats: Vec<SeatPlan> = wishes.take(new.players.count().into()).map(plan).collect::<Result<_, _>>()?;
    if !seats.contains(&SeatPlan::Human) {
        return Err(Rejection::BadTable("whoever opens a table plays at it: one seat must be a person's"));
    }
    Ok(OpenedRecord {
        players: new.players,
        seats,
        screens: new.screens,
        first_seat: new.first_seat,
        first_by: if new.first_seat.is_some() { FirstSeatBy::Host } else { FirstSeatBy::Chance },
        seconds: new.seconds_per_action,
        public: new.public,
        even_pace: new.even_pace,
        stand_in: new.stand_in.as_deref().map_or(Ok(DEFAULT_STAND_IN.to_owned()), request::bot)?,
        server_seed,
        rematch_of: None,
        guided: new.guided,
        coach: new.coach,
        branch: None,
    })
}

impl Table {
    fn waiting(&self) -> Result<(), Rejection> {
        if self.abandoned {
            return Err(Rejection::Over);
        }
        if self.play.is_some() { Err(Rejection::Started) } else { Ok(()) }
    }

    fn playing(&self, by: Seat) -> Result<(), Rejection> {
        if self.seems_over(Observer::Seat(by)) {
            return Err(Rejection::Over);
        }
        if self.play.is_none() { Err(Rejection::NotStarted) } else { Ok(()) }
    }

    fn has(&self, seat: Seat) -> Result<(), Rejection> {
        if self.opened.players.has(seat) { Ok(()) } else { Err(Rejection::NoSuchSeat) }
    }

    pub(crate) fn only_host(&self, seat: Seat) -> Result<(), Rejection> {
        if seat == self.host { Ok(()) } else { Err(Rejection::NotHost) }
    }

    /// A colour for somebody: the one asked for, or the first that no other person has.
    fn colour(&self, wanted: Option<PlayerColour>, own: Option<Seat>) -> Result<PlayerColour, Rejection> {
        let others = self.seats().filter(|&seat| Some(seat) != own).filter_map(|seat| self.guest(seat));
        let taken: Vec<PlayerColour> = others.map(|guest| guest.colour).collect();
        match wanted {
            Some(colour) if taken.contains(&colour) => Err(Rejection::ColourTaken),
            Some(colour) => Ok(colour),
            None => PlayerColour::ALL.into_iter().find(|colour| !taken.contains(colour)).ok_or(Rejection::ColourTaken),
        }
    }

    /// Somebody takes the lowest free seat.
    pub(crate) fn take_seat(
        &self,
        sitting: &Sitting,
        token: &SeatToken,
    ) -> Result<(Seat, Vec<EventRecord>), Rejection> {
        self.waiting()?;
        let free = |seat: &Seat| matches!(self.place(*seat), Place::Open);
        let seat = self.seats().find(free).ok_or(Rejection::NoSeatFree)?;
        let sat = SatRecord {
            seat,
            name: request::name(&sitting.name)?,
            colour: self.colour(sitting.colour, None)?,
            seed: Some(sitting.client_seed.clone()),
            token: token.hash(),
            visitor: sitting.visitor.map(|visitor| visitor.hash()),
        };
        Ok((seat, self.and_start(vec![EventRecord::Sat(Box::new(sat))], seat)))
    }

    /// Adds the start of the game, if nobody but this seat is waited for.
    fn and_start(&self, mut events: Vec<EventRecord>, seat: Seat) -> Vec<EventRecord> {
        if self.seats().filter(|&other| other != seat).all(|other| self.place(other).is_ready()) {
            events.push(EventRecord::Started);
        }
        events
    }

    /// Somebody thinks of another name, colour or seed, or agrees to play once more.
    pub(crate) fn change_seat(&self, seat: Seat, wish: &SeatChange) -> Result<Vec<EventRecord>, Rejection> {
        self.waiting()?;
        let Guest { name, colour, seed, .. } = self.guest(seat).ok_or(Rejection::NobodyThere)?;
        let change = EventRecord::Changed {
            seat,
            name: wish.name.as_deref().map_or(Ok(name.clone()), request::name)?,
            colour: wish.colour.map_or(Ok(*colour), |colour| self.colour(Some(colour), Some(seat)))?,
            seed: wish.client_seed.clone().or_else(|| seed.clone()).unwrap_or_default(),
        };
        Ok(self.and_start(vec![change], seat))
    }

    /// Somebody gets up: before the start the seat is free again, later a bot stands in.
    pub(crate) fn leave(&self, seat: Seat) -> Result<Vec<EventRecord>, Rejection> {
        if self.seems_over(Observer::Seat(seat)) {
            return Ok(Vec::new());
        }
        let guest = self.guest(seat).ok_or(Rejection::NobodyThere)?;
        if guest.away.as_ref().is_some_and(|away| away.left) {
            return Ok(Vec::new());
        }
        let mut events = vec![if self.play.is_none() {
            EventRecord::Freed { seat }
        } else {
            EventRecord::StoodIn { seat, bot: self.opened.stand_in.clone(), left: true }
        }];
        match self.next_present(seat) {
            None => events.push(EventRecord::Ended),
            Some(next) if seat == self.host => events.push(EventRecord::Host { seat: next }),
            Some(_) => {}
        }
        Ok(events)
    }

    /// The next person to the left who has not left the table; somebody who is there, if anybody is.
    fn next_present(&self, seat: Seat) -> Option<Seat> {
        let players = self.opened.players;
        let left = |seat: &Seat| Some(seat.left(players));
        let others = || std::iter::successors(left(&seat), left).take(usize::from(players.count()) - 1);
        let first = |present: fn(&Guest) -> bool| others().find(|&seat| self.guest(seat).is_some_and(present));
        let there = first(|guest| guest.away.is_none());
        there.or_else(|| first(|guest| !guest.away.as_ref().is_some_and(|away| away.left)))
    }

    /// An absent player takes the seat again.
    fn come_back(&self, by: Seat, seat: Seat) -> Result<Vec<EventRecord>, Rejection> {
        self.playing(by)?;
        let guest = self.guest(seat).ok_or(Rejection::NobodyThere)?;
        Ok(if guest.away.is_some() { vec![EventRecord::Returned { seat }] } else { Vec::new() })
    }

    /// The host lets a bot take a free seat, or act for somebody who is absent.
    pub(crate) fn fill(&self, by: Seat, seat: Seat, bot: &str, now_ms: i64) -> Result<Vec<EventRecord>, Rejection> {
        self.only_host(by)?;
        if self.seems_over(Observer::Seat(by)) {
            return Err(Rejection::Over);
        }
        let bot = request::bot(bot)?;
        self.has(seat)?;
        match self.place(seat) {
            Place::Open => Ok(self.and_start(vec![EventRecord::Filled { seat, bot }], seat)),
            Place::Bot(_) if self.play.is_none() => Ok(self.and_start(vec![EventRecord::Filled { seat, bot }], seat)),
            Place::Bot(_) => Err(Rejection::Started),
            // A seat that is kept for somebody who has not agreed to play again.
            Place::Guest(guest) if self.play.is_none() && guest.seed.is_none() => {
                Ok(self.and_start(vec![EventRecord::Filled { seat, bot }], seat))
            }
            Place::Guest(_) if self.play.is_none() => Err(Rejection::NotStarted),
            Place::Guest(guest) if guest.away.is_some() || self.is_absent(seat, by, now_ms) => {
                let left = guest.away.as_ref().is_some_and(|away| away.left);
                Ok(vec![EventRecord::StoodIn { seat, bot, left }])
            }
            Place::Guest(_) => Err(Rejection::NotAbsent(PATIENCE_S)),
        }
    }

    /// Whether the table has waited so long for a player, as somebody sees it, that it need not wait longer.
    fn is_absent(&self, seat: Seat, by: Seat, now_ms: i64) -> bool {
        let by = Observer::Seat(by);
        let patience = i64::from(PATIENCE_S) * 1000;
        self.play
            .as_ref()
            .is_some_and(|play| play.seen_by(by).to_act() == Some(seat) && now_ms - play.turn_since_ms(by) >= patience)
    }

    /// The host gives a seat back to its player.
    pub(crate) fn give_back(&self, by: Seat, seat: Seat) -> Result<Vec<EventRecord>, Rejection> {
        self.has(seat)?;
        if by != seat {
            self.only_host(by)?;
        }
        self.come_back(by, seat)
    }

    /// The host frees a seat before the start.
    pub(crate) fn send_away(&self, by: Seat, seat: Seat) -> Result<Vec<EventRecord>, Rejection> {
        self.only_host(by)?;
        self.waiting()?;
        self.has(seat)?;
        match self.place(seat) {
            Place::Open => Err(Rejection::NobodyThere),
            Place::Guest(_) if seat == self.host => Err(Rejection::BadTable("the host leaves, and is not sent away")),
            Place::Guest(_) | Place::Bot(_) => Ok(vec![EventRecord::Freed { seat }]),
        }
    }

    /// The same people and bots at a new table; only whoever asks has agreed to play so far.
    pub(crate) fn once_more(
        &self,
        by: Seat,
        wish: &SeatChange,
        server_seed: ServerSeed,
        rematch: TableId,
    ) -> Result<(Vec<EventRecord>, EventRecord), Rejection> {
        let play = self.finished()?;
        let left = |guest: &Guest| guest.away.as_ref().is_some_and(|away| away.left);
        let plan = |place: &Place| match place {
            Place::Bot(bot) => SeatPlan::Bot(bot.clone()),
            Place::Open | Place::Guest(_) => SeatPlan::Human,
        };
        let opened = OpenedRecord {
            seats: self.places.iter().map(plan).collect(),
            // RULES 2.5: in a rematch the first seat moves on.
            first_seat: Some(play.course.first_seat().left(self.opened.players)),
            first_by: FirstSeatBy::Rematch,
            server_seed,
            rematch_of: Some(self.id),
            // A deal that everybody knows is played once; the next game has a chance of its own.
            guided: false,
            branch: None,
            ..(*self.opened).clone()
        };
        let mut events = vec![EventRecord::Opened(Box::new(opened))];
        let mut ready = true;
        for seat in self.seats() {
            let Some(guest) = self.guest(seat).filter(|guest| seat == by || !left(guest)) else {
                ready &= self.guest(seat).is_none();
                continue;
            };
            ready &= seat == by;
            let own = |wish: Option<String>| wish.filter(|_| seat == by);
            let visitors = guest.visitors_of_rematch();
            events.push(EventRecord::Sat(Box::new(SatRecord {
                seat,
                name: own(wish.name.clone()).map_or(Ok(guest.name.clone()), |name| request::name(&name))?,
                colour: self.colour(wish.colour.filter(|_| seat == by).or(Some(guest.colour)), Some(seat))?,
                seed: (seat == by).then(|| wish.client_seed.clone().unwrap_or_default()),
                token: guest.token,
                visitor: visitors.first().copied(),
            })));
            for &visitor in visitors.iter().skip(1) {
                events.push(EventRecord::Linked { seat, visitor });
            }
        }
        events.push(EventRecord::Host { seat: by });
        if ready {
            events.push(EventRecord::Started);
        }
        Ok((events, EventRecord::Rematched { table: rematch }))
    }
}
