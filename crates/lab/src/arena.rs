//! Games between bots. The same seed gives the same games on any number of threads.
//!
//! A *deal* is one set of decks, draws and first seat. With rotation, every deal is played several times, with the bots
//! in other seats.
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
    Action, ClientSeed, FirstSeatBy, Observer, Outcome, Parameters, Players, Record, Screens, Seat, ServerSeed, Variant,
};
use sultan_rules::{FastRng, GameSeed, SeededGame, commitment};
use thiserror::Error;

pub use cross::Pairing;
pub use rating::RATING_METHOD;
pub use run::run;
pub use tally::{Entrant, Row, Standing, Tally};
pub use times::DecisionTimes;

/// The bots and settings of an arena.
#[derive(Default)]
pub struct Arena {
    /// The bots. Without a pool, one per player, in the order of the seats.
    pub bots: Vec<Box<dyn Bot>>,
    /// The number of players of each deal, if they are drawn from `bots` (the pool). `None` if all bots play.
    pub pool_players: Option<Players>,
    /// The number of deals.
    pub deals: u64,
    /// Plays each deal once per rotation of the bots over the seats, with the same decks, draws and first seat.
    pub rotate: bool,
    /// The random seed.
    pub seed: u64,
    /// Measures the time of every decision. Does not affect the games.
    pub stopwatch: Option<Stopwatch>,
}

/// Returns the nanoseconds since any fixed point in time; only differences are used. The caller provides this function,
/// so that tests can control the time.
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
    /// A bot chose an illegal action, or none.
    #[error("the bot {bot} answered with an action that is not legal")]
    Illegal {
        /// The bot's name.
        bot: &'static str,
    },
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// The number of the game, from 0.
    pub game_number: u64,
    /// The number of seats by which the bots have moved to the left in this game of the deal.
    pub rotation: u8,
    /// The complete record.
    pub record: Record,
    /// The result.
    pub outcome: Outcome,
    /// The index of each seat's bot in [`Arena::bots`].
    pub bots: Vec<usize>,
    /// The seat and the nanoseconds of each decision with at least two legal actions; empty without a stopwatch.
    pub decision_nanos: Vec<(Seat, u64)>,
}

impl Arena {
    /// The number of players in each game.
    ///
    /// # Errors
    /// [`ArenaError::EmptyPool`] for a pool without bots. Without a pool, [`ArenaError::Players`] unless there are 2 to
    /// 5 bots.
    pub fn players(&self) -> Result<Players, ArenaError> {
        match self.pool_players {
            Some(_) if self.bots.is_empty() => Err(ArenaError::EmptyPool),
            Some(players) => Ok(players),
            None => {
                u8::try_from(self.bots.len()).ok().and_then(Players::new).ok_or(ArenaError::Players(self.bots.len()))
            }
        }
    }

    /// The number of games per deal.
    #[must_use]
    pub fn games_per_deal(&self) -> u64 {
        let players = self.pool_players.map_or(self.bots.len(), |players| players.count().into());
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
    pub fn play(&self, game_number: u64) -> Result<Played, ArenaError> {
        let players = self.players()?;
        let deal = game_number / self.games_per_deal();
        let rotation = u8::try_from(game_number % self.games_per_deal()).unwrap_or(0);
        let mut bots = self.bots_in_deal(deal, players);
        bots.rotate_right(rotation.into());
        let rng = |seat: Seat| self.rng("bot", &[deal, rotation.into(), seat.number().into()]);
        let mut rngs: Vec<FastRng> = players.seats().map(rng).collect();
        let server_seed = ServerSeed(self.hash("deal", &[deal]));
        // The players contribute no randomness: all client seeds are the default.
        let client_seeds = vec![ClientSeed::default(); players.count().into()];
        let seed = GameSeed::new(&server_seed, &client_seeds);
        let first_seat = seed.first_seat(players);
        let game = SeededGame::from_seed(Parameters::of(players), first_seat, Screens::Closed, seed);
        let mut game = game.expect("seeds give full decks and a seat at the table");
        let (mut actions, mut decision_nanos) = (Vec::new(), Vec::new());
        loop {
            game.draw().expect("a seed draws from the pouch");
            let Some(seat) = game.game().to_act() else { break };
            let bot = self.bots[bots[seat.index()]].as_ref();
            let (action, nanos) = self.choose(bot, &game, seat, &mut rngs[seat.index()]);
            let played = action.filter(|&action| game.play(action).is_ok());
            actions.push(played.ok_or(ArenaError::Illegal { bot: bot.name() })?);
            decision_nanos.extend(nanos.map(|nanos| (seat, nanos)));
        }
        let outcome = game.game().outcome().expect("without a turn and a draw, the game is over");
        let names = bots.iter().map(|&bot| format!("bot:{}", self.bots[bot].name())).collect();
        let record = Record {
            variant: Variant::default(),
            players,
            first_seat,
            first_seat_by: Some(FirstSeatBy::Chance),
            screens: Screens::Closed,
            names,
            commitment: Some(commitment(&server_seed)),
            server_seed,
            client_seeds,
            actions,
        };
        Ok(Played { game_number, rotation, record, outcome, bots, decision_nanos })
    }

    /// Lets a bot choose the action of a seat. Also returns the nanoseconds it took, if they are measured.
    fn choose(&self, bot: &dyn Bot, game: &SeededGame, seat: Seat, rng: &mut FastRng) -> (Option<Action>, Option<u64>) {
        let view = game.game().view(Observer::Seat(seat));
        // A single legal action needs no decision, so its time is not measured.
        let stopwatch = self.stopwatch.as_ref().filter(|_| view.legal().len() > 1);
        let start = stopwatch.map(|now| now());
        let action = bot.choose(&view, game.recall(), rng, &|| false);
        (action, stopwatch.zip(start).map(|(now, start)| now().saturating_sub(start)))
    }

    /// Derives 32 bytes from the arena's seed, a purpose and numbers. With another prefix, every seed would give other
    /// games.
    fn hash(&self, purpose: &str, numbers: &[u64]) -> [u8; 32] {
        let prefix = Sha256::new_with_prefix(b"sultan-arena/1/").chain_update(purpose);
        let numbers = [&[self.seed], numbers].concat();
        numbers.iter().fold(prefix, |hash, number| hash.chain_update(number.to_le_bytes())).finalize().into()
    }

    /// A random generator derived from the arena's seed, a purpose and numbers.
    fn rng(&self, purpose: &str, numbers: &[u64]) -> FastRng {
        let bytes = self.hash(purpose, numbers);
        FastRng::new(u64::from_le_bytes(bytes[..8].try_into().expect("8 of the 32 bytes")))
    }
}
