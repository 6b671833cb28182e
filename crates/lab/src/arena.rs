//! Games between bots. The same seed gives the same games on any number of threads.
//!
//! [`Arena`] describes the games and plays any one of them; [`run`] plays all of them on several threads; [`Tally`]
//! adds them up: results, who beats whom, ratings, decision times.

mod cross;
mod mean;
mod pool;
mod rating;
mod run;
mod tally;
mod times;

use sha2::{Digest, Sha256};
use sultan_bots::Bot;
use sultan_domain::{
    Action, ClientSeed, FirstSeatBy, Observer, Outcome, Parameters, Players, Record, Screens, Seat, ServerSeed,
};
use sultan_rules::{GameSeed, Quick, SeededGame, commitment};
use thiserror::Error;

pub use cross::Pairing;
pub use rating::{RATING_METHOD, Rating};
pub use run::run;
pub use tally::{Row, Tally};
pub use times::Times;

/// What is to be played.
#[derive(Default)]
pub struct Arena {
    /// The bots. Without a pool they are the entrants, in the order of the seats; as many as there are players.
    pub bots: Vec<Box<dyn Bot>>,
    /// Makes a pool of the bots, from which so many are drawn for every deal.
    pub pool: Option<Players>,
    /// How many deals.
    pub deals: u64,
    /// Plays each deal once per rotation of the bots over the seats: decks, draws and first seat stay, the bots move.
    pub rotate: bool,
    /// What all chance comes from.
    pub seed: u64,
    /// Limits the time of every decision; without it, bots do a fixed amount of work.
    pub clock: Option<StartClock>,
    /// Measures the time of every decision. What it says changes no game.
    pub stopwatch: Option<Stopwatch>,
}

/// Starts the time of one decision; what it gives says whether that time is up. Clocks are the caller's: here is none.
pub type StartClock = Box<dyn Fn() -> Box<dyn Fn() -> bool> + Send + Sync>;

/// Nanoseconds since some moment in the past; only differences count. The caller's, as clocks are.
pub type Stopwatch = Box<dyn Fn() -> u64 + Send + Sync>;

/// Why there is no arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ArenaError {
    /// Too few or too many bots.
    #[error("Sultan is for 2 to 5 players, not {0}")]
    Players(usize),
    /// Nobody to draw from.
    #[error("a pool needs at least one bot")]
    EmptyPool,
    /// The system gives no thread to play on.
    #[error("no thread could be started")]
    NoThread,
    /// A bot did what no bot may do. Without the view, so that it can be told.
    #[error("the bot {bot} answered with an action that is not legal")]
    Illegal {
        /// Its name.
        bot: &'static str,
    },
}

/// One game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Which game, counted from 0.
    pub game: u64,
    /// How many seats the bots moved on: entrant `e` has seat `e + rotation`.
    pub rotation: u8,
    /// The whole game.
    pub record: Record,
    /// How it ended.
    pub outcome: Outcome,
    /// Which of the arena's bots had each seat.
    pub bots: Vec<usize>,
    /// How long each decision between at least two actions took, in nanoseconds; none without a stopwatch.
    pub times: Vec<(Seat, u64)>,
}

impl Arena {
    /// How many play.
    ///
    /// # Errors
    /// [`ArenaError::Players`] where the entrants are not 2 to 5, [`ArenaError::EmptyPool`] where there are none to
    /// draw.
    pub fn players(&self) -> Result<Players, ArenaError> {
        match self.pool {
            Some(_) if self.bots.is_empty() => Err(ArenaError::EmptyPool),
            Some(players) => Ok(players),
            None => {
                let count = u8::try_from(self.bots.len()).ok().and_then(Players::new);
                count.ok_or(ArenaError::Players(self.bots.len()))
            }
        }
    }

    /// How many games each deal is played.
    #[must_use]
    pub fn games_per_deal(&self) -> u64 {
        let players = self.pool.map_or(self.bots.len(), |players| players.count().into());
        if self.rotate { players as u64 } else { 1 }
    }

    /// How many games in all.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.deals.saturating_mul(self.games_per_deal())
    }

    /// Plays one of the games, counted from 0. It does not depend on the others.
    ///
    /// # Errors
    /// [`ArenaError`] where the table or a bot is not right.
    pub fn play(&self, game: u64) -> Result<Played, ArenaError> {
        let players = self.players()?;
        let deal = game / self.games_per_deal();
        let rotation = u8::try_from(game % self.games_per_deal()).unwrap_or(0);
        let server_seed = ServerSeed(self.hash("deal", &[deal]));
        let client_seeds = vec![ClientSeed::default(); players.count().into()];
        let seed = GameSeed::new(&server_seed, &client_seeds);
        let first_seat = seed.first_seat(players);
        let mut table = Playing::new(self, players, rotation, deal);
        let outcome = table.play(seed, first_seat)?;
        let names = players.seats().map(|seat| format!("bot:{}", table.bot(seat).name())).collect();
        let record = Record {
            variant: sultan_domain::Variant::default(),
            players,
            first_seat,
            first_seat_by: Some(FirstSeatBy::Chance),
            screens: Screens::Closed,
            names,
            commitment: Some(commitment(&server_seed)),
            server_seed,
            client_seeds,
            actions: table.actions,
        };
        Ok(Played { game, rotation, record, outcome, bots: table.bots, times: table.times })
    }

    /// 32 bytes for a purpose, from the seed and what else is told apart.
    fn hash(&self, purpose: &str, parts: &[u64]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"sultan-arena/1/");
        hash.update(purpose);
        hash.update(self.seed.to_le_bytes());
        parts.iter().for_each(|part| hash.update(part.to_le_bytes()));
        hash.finalize().into()
    }

    /// A source of chance for a purpose.
    fn chance(&self, purpose: &str, parts: &[u64]) -> Quick {
        let bytes = self.hash(purpose, parts);
        Quick::new(u64::from_le_bytes(bytes[..8].try_into().expect("32 bytes have 8 first ones")))
    }
}

/// One game while it is played.
struct Playing<'a> {
    arena: &'a Arena,
    players: Players,
    /// Who has which seat.
    bots: Vec<usize>,
    chances: Vec<Quick>,
    actions: Vec<Action>,
    times: Vec<(Seat, u64)>,
}

impl<'a> Playing<'a> {
    fn new(arena: &'a Arena, players: Players, rotation: u8, deal: u64) -> Self {
        let mut bots = arena.field(deal, players);
        bots.rotate_right(rotation.into());
        let chance = |seat: Seat| arena.chance("bot", &[deal, rotation.into(), seat.number().into()]);
        let chances = players.seats().map(chance).collect();
        Self { arena, players, bots, chances, actions: Vec::new(), times: Vec::new() }
    }

    /// The bot in a seat.
    fn bot(&self, seat: Seat) -> &dyn Bot {
        self.arena.bots[self.bots[seat.index()]].as_ref()
    }

    fn play(&mut self, seed: GameSeed, first_seat: Seat) -> Result<Outcome, ArenaError> {
        let game = SeededGame::from_seed(Parameters::of(self.players), first_seat, Screens::Closed, seed);
        let mut game = game.expect("seeds give full decks and a seat at the table");
        loop {
            game.draw().expect("a seed draws from the pouch");
            let Some(seat) = game.game().to_act() else { break };
            let action = self.choose(&game, seat);
            let played = action.and_then(|action| game.play(action).ok().map(|_| action));
            self.actions.push(played.ok_or(ArenaError::Illegal { bot: self.bot(seat).name() })?);
        }
        Ok(game.game().outcome().expect("without turn and draw the game is over"))
    }

    /// Asks the bot in a seat, and measures how long it takes.
    fn choose(&mut self, game: &SeededGame, seat: Seat) -> Option<Action> {
        let view = game.game().view(Observer::Seat(seat));
        let clock = self.arena.clock.as_ref().map(|start| start());
        let stop = || clock.as_ref().is_some_and(|is_up| is_up());
        // Where there is nothing to decide, there is nothing to measure.
        let stopwatch = self.arena.stopwatch.as_ref().filter(|_| view.legal().len() > 1);
        let start = stopwatch.map(|now| now());
        let bot = self.arena.bots[self.bots[seat.index()]].as_ref();
        let action = bot.choose(&view, game.recall(), &mut self.chances[seat.index()], &stop);
        let time = stopwatch.zip(start).map(|(now, start)| now().saturating_sub(start));
        self.times.extend(time.map(|nanos| (seat, nanos)));
        action
    }
}
