//! A game played by the code under test, with the recall of its finished rounds.

use sultan_domain::{Action, Kind, Observer, Parameters, Person, PlayerColour, Players, Recall, Screens, Seat, View};
use sultan_rules::{Chance, FastRng, Game, SeededGame};

/// A running game. It makes the random draws; the code under test chooses the actions.
#[derive(Clone, Debug)]
pub struct TestGame {
    game: SeededGame<FastRng>,
}

impl TestGame {
    /// A new game with a random first player.
    #[must_use]
    pub fn new(players: Players, screens: Screens, seed: u64) -> Self {
        let mut rng = FastRng::new(seed);
        let first_seat = u8::try_from(rng.below(u32::from(players.count()))).ok().and_then(Seat::new);
        let game = Game::shuffled(Parameters::of(players), first_seat.unwrap_or_default(), screens, &mut rng);
        Self { game: SeededGame::resume(&game, rng) }
    }

    /// Makes the pending draw, and returns the view and the recall of the seat to act; `None` once the game is over.
    pub fn next_turn(&mut self) -> Option<(View, &Recall)> {
        self.game.draw().expect("a generator draws from the pouch");
        let seat = self.game().to_act()?;
        Some((self.game().view(Observer::Seat(seat)), self.game.recall()))
    }

    /// Plays an action of the seat to act.
    ///
    /// # Panics
    /// If the action is illegal.
    pub fn play(&mut self, action: Action) {
        self.game.play(action).expect("the action is legal");
    }

    /// Plays a random legal action of the seat to act.
    ///
    /// # Panics
    /// If no seat is to act.
    pub fn play_random_action(&mut self) {
        let (game, rng) = self.game.game_and_source();
        let action = game.legal().pick(rng).expect("a seat is to act");
        self.play(action);
    }

    /// Plays to the end with `choose` for all seats. Returns the view and the recall of the seat to act before each
    /// action.
    pub fn moments(mut self, mut choose: impl FnMut(&View, &Recall) -> Action) -> Vec<(View, Recall)> {
        let mut moments = Vec::new();
        while let Some((view, recall)) = self.next_turn() {
            let recall = recall.clone();
            self.play(choose(&view, &recall));
            moments.push((view, recall));
        }
        moments
    }

    /// The current state.
    #[must_use]
    pub const fn game(&self) -> &Game {
        self.game.game()
    }
}

/// Occupants of different kinds for all seats, with names that need escaping.
#[must_use]
pub fn sample_people(players: Players) -> Vec<Person> {
    let names = ["Ána “Ő”", "bo\\\"", "", "字\n", "x\u{7f}"];
    let kinds =
        [Kind::Human, Kind::Bot("random".to_owned()), Kind::StandIn("page".to_owned()), Kind::Open, Kind::Human];
    let people = names.into_iter().zip(kinds).zip(PlayerColour::ALL.into_iter().rev());
    let people = people.map(|((name, kind), colour)| Person { name: name.to_owned(), colour, kind });
    people.take(usize::from(players.count())).collect()
}
