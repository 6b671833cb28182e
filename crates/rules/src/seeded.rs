//! A game together with the source of its draws and its finished rounds: for code that plays whole games.
//!
//! Replays, the arena, analyses and training all use [`SeededGame`]. [`SeededGame::play`] and [`SeededGame::draw`] are
//! separate steps, because some callers look at the position between a finished round and the next draw. A table plays
//! one action per request and does not need the finished rounds, so it uses a [`Game`] and a [`DrawSource`] directly.

use std::cell::OnceCell;

use sultan_domain::{Action, Chance, Drawn, FullGame, Illegal, Parameters, Recall, Record, RoundRecord, Screens, Seat};

use crate::{BadDraw, BadSetup, FastRng, Game, GameSeed, Progress, Setup};

/// The source of a game's draws.
pub trait DrawSource {
    /// Draws the jewels of a round if a draw is due. Returns whether it was.
    ///
    /// # Errors
    /// [`BadDraw`] if the jewels of the source are not in the pouch.
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
impl DrawSource for FastRng {
    #[inline]
    fn draw_for(&mut self, game: &mut Game) -> Result<bool, BadDraw> {
        Ok(game.draw_with(self))
    }
}

/// Fixed draws for the first rounds, and draws from a seed for later rounds.
///
/// A branch, a game that continues a position of another game, repeats the draws of the other game up to that position.
#[derive(Clone)]
pub struct FixedDraws {
    /// The draws of the first rounds, in order.
    pub first: Vec<Drawn>,
    /// The seed of all later draws.
    pub later: GameSeed,
}

/// Omits the draws.
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
    /// The finished rounds, unpacked from the game on first use: most simulations never read them.
    rounds: OnceCell<Recall>,
    source: S,
}

impl SeededGame {
    /// Starts a game with decks and draws from a seed.
    ///
    /// # Errors
    /// [`BadSetup`] if no game can start with these parameters and this first seat.
    pub fn from_seed(
        parameters: Parameters,
        first_seat: Seat,
        screens: Screens,
        seed: GameSeed,
    ) -> Result<Self, BadSetup> {
        Self::new(&Setup::seeded(parameters, first_seat, screens, &seed), seed)
    }

    /// Starts the game of a record; the first draw is due. The caller plays the actions.
    ///
    /// # Errors
    /// [`BadSetup`] if no game can start with the record's parameters and first seat.
    pub fn from_record(record: &Record) -> Result<Self, BadSetup> {
        let seed = GameSeed::new(&record.server_seed, &record.client_seeds);
        Self::from_seed(record.parameters(), record.first_seat, record.screens, seed)
    }
}

impl<'a, C: Chance> SeededGame<&'a mut C> {
    /// Starts a game with decks and draws from a generator. A first seat that is not at the table becomes seat 0.
    ///
    /// # Panics
    /// If the parameters are invalid ([`Parameters::check`]).
    #[must_use]
    pub fn shuffled(parameters: Parameters, first_seat: Seat, screens: Screens, rng: &'a mut C) -> Self {
        let game = Game::shuffled(parameters, first_seat, screens, rng);
        Self { game, rounds: OnceCell::new(), source: rng }
    }
}

impl<S: DrawSource> SeededGame<S> {
    /// Starts a game with this setup; the first draw is due.
    ///
    /// # Errors
    /// [`BadSetup`] if no game can start with this setup.
    pub fn new(setup: &Setup, source: S) -> Result<Self, BadSetup> {
        Ok(Self { game: Game::new(setup)?, rounds: OnceCell::new(), source })
    }

    /// Continues a game. [`SeededGame::rounds`] returns only the rounds that are finished from now on.
    #[must_use]
    pub fn resume(game: &Game, source: S) -> Self {
        // With an empty list, the earlier rounds are never unpacked from the game.
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
        // A list that is not yet unpacked will include this round by itself.
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
    /// [`BadDraw`] if the jewels of the source are not in the pouch. This is possible only with [`FixedDraws`], which
    /// may come from another game.
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

    /// The game and the source of its draws, for callers that choose actions with the generator of the draws.
    #[must_use]
    #[inline]
    pub const fn game_and_source(&mut self) -> (&Game, &mut S) {
        (&self.game, &mut self.source)
    }

    /// The game, its finished rounds and the source of its draws, for callers that choose actions with the generator of
    /// the draws.
    #[must_use]
    pub fn game_recall_and_source(&mut self) -> (&Game, &Recall, &mut S) {
        (&self.game, self.rounds.get_or_init(|| self.game.recall()), &mut self.source)
    }

    /// The complete game so far, including hidden cards.
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

    /// Plays a game to its end with random actions, the same in every call. Returns the jewels drawn in each round.
    fn play_out<S: DrawSource>(game: &mut SeededGame<S>) -> Vec<Drawn> {
        let mut rng = FastRng::new(3);
        let mut draws = Vec::new();
        loop {
            if game.draw().unwrap() {
                draws.push(game.game().drawn());
            }
            let Some(action) = game.game().legal().pick(&mut rng) else { return draws };
            game.play(action).unwrap();
        }
    }

    #[test]
    fn rounds_contains_each_finished_round_once() {
        for players in Players::ALL {
            let mut game = start(players, 1);
            let (mut rng, mut finished_rounds) = (FastRng::new(1), Vec::new());
            loop {
                game.draw().unwrap();
                let Some(action) = game.game().legal().pick(&mut rng) else { break };
                let previous_round = game.game().last_round();
                let is_round_over = game.play(action).unwrap() != Progress::Continues;
                assert_eq!(is_round_over, game.game().last_round() != previous_round);
                finished_rounds.extend(game.game().last_round().filter(|_| is_round_over));
            }
            assert_eq!(finished_rounds, game.rounds());
            let parameters = game.game().parameters();
            assert_eq!(finished_rounds.len(), usize::from(parameters.rounds()));
            assert!(game.recall().is_complete_before(&parameters, parameters.rounds()));
        }
    }

    #[test]
    fn draw_happens_once_per_round() {
        for players in Players::ALL {
            let mut game = start(players, 1);
            let mut rng = FastRng::new(1);
            loop {
                let is_due = game.game().due_draw().is_some();
                assert_eq!(game.draw(), Ok(is_due));
                assert_eq!(game.draw(), Ok(false), "the jewels of this round have been drawn");
                let Some(action) = game.game().legal().pick(&mut rng) else { break };
                game.play(action).unwrap();
            }
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
        // Four players; the first draw is due.
        let mut game = start(Players::FOUR, 1);
        let before = *game.game();
        assert_eq!(game.play("1@1".parse().unwrap()), Err(Illegal::DrawDue));
        assert!(*game.game() == before && game.rounds().is_empty());
    }

    #[test]
    fn fixed_draws_are_used_before_the_seed() {
        for players in Players::ALL {
            let (mut original, mut other) = (start(players, 1), start(players, 2));
            let (original_draws, other_draws) = (play_out(&mut original), play_out(&mut other));
            // A branch of the original game after three rounds: with its decks, its first three draws and the same
            // choices, but with later draws from the seed of the other game.
            let setup = Setup::seeded(Parameters::of(players), Seat::default(), Screens::Closed, &seed(players, 1));
            let source = FixedDraws { first: original_draws[..3].to_vec(), later: seed(players, 2) };
            let mut branch = SeededGame::new(&setup, &source).unwrap();
            let branch_draws = play_out(&mut branch);
            assert_eq!(branch_draws[..3], original_draws[..3]);
            assert!(branch_draws != original_draws && branch_draws != other_draws);
            assert_eq!(branch.rounds()[..3], original.rounds()[..3]);
        }
    }

    #[test]
    fn fixed_draw_with_too_few_jewels_is_rejected() {
        let players = Players::FOUR;
        let setup = Setup::seeded(Parameters::of(players), Seat::default(), Screens::Closed, &seed(players, 1));
        let no_jewels = FixedDraws { first: vec![Drawn::default()], later: seed(players, 1) };
        let mut game = SeededGame::new(&setup, &no_jewels).unwrap();
        assert_eq!(game.draw(), Err(BadDraw::NotInPouch));
    }

    #[test]
    fn debug_of_fixed_draws_omits_the_draws() {
        let draws = FixedDraws { first: vec![Drawn::default()], later: seed(Players::TWO, 1) };
        assert_eq!(format!("{draws:?}"), "FixedDraws { .. }");
    }

    #[test]
    fn borrowed_generator_is_used_for_decks_draws_and_actions_in_turn() {
        for players in Players::ALL {
            let (mut plain_rng, mut borrowed_rng) = (FastRng::new(7), FastRng::new(7));
            let (parameters, first_seat) = (Parameters::of(players), Seat::default());
            let mut plain_game = Game::shuffled(parameters, first_seat, Screens::Closed, &mut plain_rng);
            let mut game = SeededGame::shuffled(parameters, first_seat, Screens::Closed, &mut borrowed_rng);
            loop {
                plain_game.draw_with(&mut plain_rng);
                game.draw().unwrap();
                assert!(plain_game == *game.game());
                let Some(action) = plain_game.legal().pick(&mut plain_rng) else { break };
                // The action is chosen with the generator of the draws.
                let (position, rng) = game.game_and_source();
                assert_eq!(position.legal().pick(*rng), Some(action));
                plain_game.play(action).unwrap();
                game.play(action).unwrap();
            }
            assert_eq!(game.game().outcome(), plain_game.outcome());
        }
    }
}
