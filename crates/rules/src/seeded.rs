//! A game together with the source of its draws: the only loop over whole games.
//!
//! Records, the arena, analyses and training all play games through [`SeededGame`]. [`SeededGame::play`] and
//! [`SeededGame::draw`] are separate steps, because some of them look at the position between a finished round and the
//! next draw. A table has only one action to play at a time, and no use for the finished rounds: it plays a [`Game`] and
//! takes the draws from a [`DrawSource`].

use std::cell::OnceCell;

use sultan_domain::{Action, Chance, Drawn, FullGame, Illegal, Parameters, Recall, Record, RoundRecord, Screens, Seat};

use crate::{BadDraw, BadSetup, Game, GameSeed, Progress, Quick, Setup};

/// The source of a game's draws.
pub trait DrawSource {
    /// Draws the jewels of a round if a draw is due. Returns whether it was.
    ///
    /// # Errors
    /// [`BadDraw`] if its jewels are not in the pouch.
    fn draw_for(&mut self, game: &mut Game) -> Result<bool, BadDraw>;
}

impl DrawSource for GameSeed {
    fn draw_for(&mut self, game: &mut Game) -> Result<bool, BadDraw> {
        Ok(game.draw_with(&mut self.draw_stream(game.round_index())))
    }
}

/// A borrowed generator. Its owner may use it between two draws, see [`SeededGame::game_recall_and_source`].
impl<C: Chance> DrawSource for &mut C {
    #[inline]
    fn draw_for(&mut self, game: &mut Game) -> Result<bool, BadDraw> {
        Ok(game.draw_with(*self))
    }
}

/// An owned generator.
impl DrawSource for Quick {
    #[inline]
    fn draw_for(&mut self, game: &mut Game) -> Result<bool, BadDraw> {
        Ok(game.draw_with(self))
    }
}

/// Fixed draws for the first rounds, then a seed.
///
/// A branch repeats the draws of the original game up to its start.
#[derive(Clone)]
pub struct FixedDraws {
    /// The draws of the first rounds, in order.
    pub first: Vec<Drawn>,
    /// The seed of all later draws.
    pub later: GameSeed,
}

/// Shows no draws.
impl std::fmt::Debug for FixedDraws {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FixedDraws").finish_non_exhaustive()
    }
}

impl DrawSource for &FixedDraws {
    fn draw_for(&mut self, game: &mut Game) -> Result<bool, BadDraw> {
        let Some(due) = game.due_draw() else { return Ok(false) };
        let fixed = self.first.get(usize::from(due.round_index)).copied();
        game.draw(fixed.unwrap_or_else(|| self.later.draw(&due)))?;
        Ok(true)
    }
}

/// A game, its finished rounds, and the source of its draws.
#[derive(Clone, Debug)]
pub struct SeededGame<S = GameSeed> {
    game: Game,
    /// The finished rounds, unpacked on first use. The game keeps them packed, which is cheaper.
    rounds: OnceCell<Recall>,
    source: S,
}

impl SeededGame {
    /// Starts the game that a seed gives: decks and draws.
    ///
    /// # Errors
    /// [`BadSetup`] if no game can start like this.
    pub fn from_seed(
        parameters: Parameters,
        first_seat: Seat,
        screens: Screens,
        seed: GameSeed,
    ) -> Result<Self, BadSetup> {
        Self::new(&Setup::seeded(parameters, first_seat, screens, &seed), seed)
    }

    /// Starts the game of a record, before its first draw. Its actions are still to be played.
    ///
    /// # Errors
    /// [`BadSetup`] if no game can start like this.
    pub fn from_record(record: &Record) -> Result<Self, BadSetup> {
        let seed = GameSeed::new(&record.server_seed, &record.client_seeds);
        Self::from_seed(record.parameters(), record.first_seat, record.screens, seed)
    }
}

impl<'a, C: Chance> SeededGame<&'a mut C> {
    /// Starts a game with decks and draws from a generator. A first seat that is not at the table becomes seat 0.
    ///
    /// # Panics
    /// If no game can be played with these parameters ([`Parameters::check`]).
    #[must_use]
    pub fn shuffled(parameters: Parameters, first_seat: Seat, screens: Screens, chance: &'a mut C) -> Self {
        let game = Game::shuffled(parameters, first_seat, screens, chance);
        Self { game, rounds: OnceCell::new(), source: chance }
    }
}

impl<S: DrawSource> SeededGame<S> {
    /// Starts a game with these decks; the first draw is due.
    ///
    /// # Errors
    /// [`BadSetup`] if no game can start like this.
    pub fn new(setup: &Setup, source: S) -> Result<Self, BadSetup> {
        Ok(Self { game: Game::new(setup)?, rounds: OnceCell::new(), source })
    }

    /// Continues a game that was started elsewhere. Rounds finished before are not in `rounds()`.
    #[must_use]
    pub fn resume(game: &Game, source: S) -> Self {
        Self { game: *game, rounds: Recall::default().into(), source }
    }

    /// Plays an action of the seat to act, as [`Game::play`].
    ///
    /// # Errors
    /// [`Illegal`] names the broken rule; the game is unchanged.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "see Game::play")]
    pub fn play(&mut self, action: Action) -> Result<Progress, Illegal> {
        let progress = self.game.play(action)?;
        if progress != Progress::Continues
            && let Some(rounds) = self.rounds.get_mut()
        {
            self.game.last_round().into_iter().for_each(|round| rounds.push(round));
        }
        Ok(progress)
    }

    /// Draws the round's jewels if a draw is due. Returns whether it was.
    ///
    /// # Errors
    /// [`BadDraw`] if the source gives jewels that are not in the pouch. A seed or a generator never does, but
    /// [`FixedDraws`] may belong to another game.
    #[inline]
    pub fn draw(&mut self) -> Result<bool, BadDraw> {
        self.source.draw_for(&mut self.game)
    }
}

impl<S> SeededGame<S> {
    /// The current state of the game.
    #[must_use]
    #[inline]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The finished rounds, which are public.
    #[must_use]
    pub fn recall(&self) -> &Recall {
        self.rounds.get_or_init(|| self.game.recall())
    }

    /// The finished rounds in order.
    #[must_use]
    pub fn rounds(&self) -> &[RoundRecord] {
        self.recall().rounds()
    }

    /// The game and the source of its draws, for callers that use the same generator for players and draws.
    #[must_use]
    #[inline]
    pub const fn game_and_source(&mut self) -> (&Game, &mut S) {
        (&self.game, &mut self.source)
    }

    /// The game, its finished rounds, and the source of its draws.
    #[must_use]
    pub fn game_recall_and_source(&mut self) -> (&Game, &Recall, &mut S) {
        (&self.game, self.rounds.get_or_init(|| self.game.recall()), &mut self.source)
    }

    /// The complete game so far, hidden cards included.
    #[must_use]
    pub fn full_game(&self) -> FullGame {
        let players = self.game.parameters().players;
        let outcome = self.game.outcome();
        FullGame {
            players,
            first_seat: self.game.opening_seat(),
            complete: outcome.is_some(),
            decks: players.seats().map(|seat| self.game.dealt_deck(seat)).collect(),
            rounds: self.rounds().iter().copied().chain(self.game.current_round()).collect(),
            outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::Players;
    use sultan_testkit::bench_games::numbered_seed;

    fn seed(players: Players, number: u64) -> GameSeed {
        let (server, clients) = numbered_seed(players, number);
        GameSeed::new(&server, &clients)
    }

    fn start(players: Players, number: u64) -> SeededGame {
        SeededGame::from_seed(Parameters::of(players), Seat::default(), Screens::Closed, seed(players, number)).unwrap()
    }

    /// Plays a game to its end, and returns the jewels drawn in each round.
    fn play_out<S: DrawSource>(game: &mut SeededGame<S>) -> Vec<Drawn> {
        let mut chance = Quick::new(3);
        let mut draws = Vec::new();
        loop {
            if game.draw().unwrap() {
                draws.push(game.game().drawn());
            }
            let Some(action) = game.game().legal().pick(&mut chance) else { return draws };
            game.play(action).unwrap();
        }
    }

    #[test]
    fn rounds_contains_each_finished_round_once() {
        for players in Players::ALL {
            let mut game = start(players, 1);
            let (mut chance, mut finished) = (Quick::new(1), Vec::new());
            loop {
                assert_eq!(game.draw(), Ok(!game.game().drawn().is_empty() && game.game().offer().is_empty()));
                assert_eq!(game.draw(), Ok(false), "a draw is due once a round");
                let Some(action) = game.game().legal().pick(&mut chance) else { break };
                let last = game.game().last_round();
                let over = game.play(action).unwrap() != Progress::Continues;
                assert_eq!(over, game.game().last_round() != last);
                finished.extend(game.game().last_round().filter(|_| over));
            }
            assert_eq!(finished, game.rounds());
            assert_eq!(finished.len(), usize::from(game.game().parameters().rounds()));
            assert!(game.recall().is_complete_before(&game.game().parameters(), game.game().parameters().rounds()));
        }
    }

    #[test]
    fn recall_is_the_same_whether_first_read_before_or_after_the_game() {
        for players in Players::ALL {
            let (mut read_early, mut read_late) = (start(players, 1), start(players, 1));
            assert_eq!(read_early.recall(), &Recall::default());
            play_out(&mut read_early);
            play_out(&mut read_late);
            assert_eq!(read_early.recall(), read_late.recall());
        }
    }

    #[test]
    fn rejected_action_leaves_the_game_unchanged() {
        let mut game = start(Players::ALL[2], 1);
        let before = *game.game();
        assert_eq!(game.play("1@1".parse().unwrap()), Err(Illegal::DrawDue));
        assert!(*game.game() == before && game.rounds().is_empty());
    }

    #[test]
    fn fixed_draws_are_used_before_the_seed() {
        for players in Players::ALL {
            let (mut original, mut other) = (start(players, 1), start(players, 2));
            let (drawn, seeded) = (play_out(&mut original), play_out(&mut other));
            let decks = Setup::seeded(Parameters::of(players), Seat::default(), Screens::Closed, &seed(players, 1));
            let source = FixedDraws { first: drawn[..3].to_vec(), later: seed(players, 2) };
            let mut branch = SeededGame::new(&decks, &source).unwrap();
            let branched = play_out(&mut branch);
            assert_eq!(branched[..3], drawn[..3]);
            assert!(branched != drawn && branched != seeded);
            assert_eq!(branch.rounds()[..3], original.rounds()[..3]);
        }
    }

    #[test]
    fn fixed_draws_that_are_not_in_the_pouch_are_rejected() {
        let players = Players::ALL[2];
        let setup = Setup::seeded(Parameters::of(players), Seat::default(), Screens::Closed, &seed(players, 1));
        let too_few = FixedDraws { first: vec![Drawn::default()], later: seed(players, 1) };
        let mut game = SeededGame::new(&setup, &too_few).unwrap();
        assert_eq!(game.draw(), Err(BadDraw::NotInPouch));
        assert_eq!(format!("{:?}", game.game_and_source().1), "FixedDraws { .. }");
    }

    #[test]
    fn borrowed_generator_gives_decks_and_draws_in_turn() {
        for players in Players::ALL {
            let (mut owned, mut borrowed) = (Quick::new(7), Quick::new(7));
            let mut plain_game = Game::shuffled(Parameters::of(players), Seat::default(), Screens::Closed, &mut owned);
            let mut game =
                SeededGame::shuffled(Parameters::of(players), Seat::default(), Screens::Closed, &mut borrowed);
            loop {
                plain_game.draw_with(&mut owned);
                game.draw().unwrap();
                assert!(plain_game == *game.game());
                let Some(action) = plain_game.legal().pick(&mut owned) else { break };
                let (position, chance) = game.game_and_source();
                assert_eq!(position.legal().pick(*chance), Some(action));
                plain_game.play(action).unwrap();
                game.play(action).unwrap();
            }
            assert_eq!(game.game().outcome(), plain_game.outcome());
        }
    }
}
