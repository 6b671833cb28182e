//! Games between bots. The same seed gives the same games on any number of threads.
//!
//! [`Arena`] describes the games and plays any one of them; [`run`] plays all of them on several threads; [`Tally`]
//! adds them up: results, the cross table, ratings, decision times.

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
pub use rating::RATING_METHOD;
pub use run::run;
pub use tally::{Entrant, Row, Standing, Tally};
pub use times::DecisionTimes;

/// The bots and settings of an arena.
#[derive(Default)]
pub struct Arena {
    /// The bots. Without a pool they are the entrants, in the order of the seats; one per player.
    pub bots: Vec<Box<dyn Bot>>,
    /// Makes a pool of the bots, from which the players of each deal are drawn.
    pub pool: Option<Players>,
    /// The number of deals.
    pub deals: u64,
    /// Plays each deal once per rotation of the bots over the seats, with the same decks, draws and first seat.
    pub rotate: bool,
    /// The random seed.
    pub seed: u64,
    /// A time limit for every decision; without it, bots do a fixed amount of work.
    pub clock: Option<StartClock>,
    /// Measures the time of every decision. Does not affect the games.
    pub stopwatch: Option<Stopwatch>,
}

/// Starts the clock of one decision, and returns a function that tells whether time is up. Provided by the caller, so
/// that this crate reads no clock.
pub type StartClock = Box<dyn Fn() -> Box<dyn Fn() -> bool> + Send + Sync>;

/// Nanoseconds since any fixed point in time; only differences are used. Provided by the caller.
pub type Stopwatch = Box<dyn Fn() -> u64 + Send + Sync>;

/// The reason why an arena cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ArenaError {
    /// Too few or too many bots.
    #[error("Sultan is for 2 to 5 players, not {0}")]
    Players(usize),
    /// An empty pool.
    #[error("a pool needs at least one bot")]
    EmptyPool,
    /// No thread could be started.
    #[error("no thread could be started")]
    NoThread,
    /// A bot chose an illegal action. Contains no view, so that the error can be shown.
    #[error("the bot {bot} answered with an action that is not legal")]
    Illegal {
        /// Its name.
        bot: &'static str,
    },
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// The number of the game, from 0.
    pub game: u64,
    /// The rotation: entrant `e` has seat `e + rotation`.
    pub rotation: u8,
    /// The complete record.
    pub record: Record,
    /// The result.
    pub outcome: Outcome,
    /// The index of each seat's bot in [`Arena::bots`].
    pub bots: Vec<usize>,
    /// The duration of each decision with at least two legal actions, in nanoseconds; empty without a stopwatch.
    pub times: Vec<(Seat, u64)>,
}

impl Arena {
    /// The number of players.
    ///
    /// # Errors
    /// [`ArenaError::Players`] unless there are 2 to 5 entrants, [`ArenaError::EmptyPool`] for an empty pool.
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

    /// The number of games per deal.
    #[must_use]
    pub fn games_per_deal(&self) -> u64 {
        let players = self.pool.map_or(self.bots.len(), |players| players.count().into());
        if self.rotate { players as u64 } else { 1 }
    }

    /// The total number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.deals.saturating_mul(self.games_per_deal())
    }

    /// Plays the game with this number, from 0. It does not depend on other games.
    ///
    /// # Errors
    /// [`ArenaError`] if the arena is invalid, or if a bot chooses an illegal action.
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

    /// 32 bytes derived from the seed, a purpose and numbers.
    fn hash(&self, purpose: &str, parts: &[u64]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"sultan-arena/1/");
        hash.update(purpose);
        hash.update(self.seed.to_le_bytes());
        parts.iter().for_each(|part| hash.update(part.to_le_bytes()));
        hash.finalize().into()
    }

    /// A generator derived from the seed, a purpose and numbers.
    fn rng(&self, purpose: &str, parts: &[u64]) -> Quick {
        let bytes = self.hash(purpose, parts);
        Quick::new(u64::from_le_bytes(bytes[..8].try_into().expect("32 bytes have 8 first ones")))
    }
}

/// A game in progress.
struct Playing<'a> {
    arena: &'a Arena,
    players: Players,
    /// The index of each seat's bot.
    bots: Vec<usize>,
    rngs: Vec<Quick>,
    actions: Vec<Action>,
    times: Vec<(Seat, u64)>,
}

impl<'a> Playing<'a> {
    fn new(arena: &'a Arena, players: Players, rotation: u8, deal: u64) -> Self {
        let mut bots = arena.field(deal, players);
        bots.rotate_right(rotation.into());
        let rng = |seat: Seat| arena.rng("bot", &[deal, rotation.into(), seat.number().into()]);
        let rngs = players.seats().map(rng).collect();
        Self { arena, players, bots, rngs, actions: Vec::new(), times: Vec::new() }
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

    /// Lets the bot of a seat choose, and measures its time.
    fn choose(&mut self, game: &SeededGame, seat: Seat) -> Option<Action> {
        let view = game.game().view(Observer::Seat(seat));
        let clock = self.arena.clock.as_ref().map(|start| start());
        let stop = || clock.as_ref().is_some_and(|is_up| is_up());
        // Forced actions are not measured.
        let stopwatch = self.arena.stopwatch.as_ref().filter(|_| view.legal().len() > 1);
        let start = stopwatch.map(|now| now());
        let bot = self.arena.bots[self.bots[seat.index()]].as_ref();
        let action = bot.choose(&view, game.recall(), &mut self.rngs[seat.index()], &stop);
        let time = stopwatch.zip(start).map(|(now, start)| now().saturating_sub(start));
        self.times.extend(time.map(|nanos| (seat, nanos)));
        action
    }
}
