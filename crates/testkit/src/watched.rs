//! A game whose actions come from elsewhere, with what every seat may remember of it.

use sultan_domain::{Action, Kind, Observer, Parameters, Person, PlayerColour, Players, Recall, Screens, Seat, View};
use sultan_rules::{Chance, Game, Quick, SeededGame};

/// A game under way. Chance is drawn here; actions come from whoever is tested.
#[derive(Clone, Debug)]
pub struct Watched {
    game: SeededGame<Quick>,
}

impl Watched {
    /// A new game, with any first player.
    #[must_use]
    pub fn new(players: Players, screens: Screens, seed: u64) -> Self {
        let mut chance = Quick::new(seed);
        let first = u8::try_from(chance.below(u32::from(players.count()))).ok().and_then(Seat::new);
        let game = Game::shuffled(Parameters::of(players), first.unwrap_or_default(), screens, &mut chance);
        Self { game: SeededGame::resume(&game, chance) }
    }

    /// Draws what is to be drawn, and gives what the seat to act sees and remembers; nothing once the game is over.
    pub fn ask(&mut self) -> Option<(View, &Recall)> {
        self.game.draw().expect("a generator draws from the pouch");
        let seat = self.game().to_act()?;
        Some((self.game().view(Observer::Seat(seat)), self.game.recall()))
    }

    /// The seat to act does so.
    ///
    /// # Panics
    /// Where it may not.
    pub fn act(&mut self, action: Action) {
        self.game.play(action).expect("the action is legal");
    }

    /// The seat to act does anything.
    ///
    /// # Panics
    /// Where none is.
    pub fn act_at_random(&mut self) {
        let (now, chance) = self.game.game_and_source();
        let action = now.legal().pick(chance).expect("a seat is to act");
        self.act(action);
    }

    /// Plays to the end, `choose` deciding for all seats, and gives what the seat to act saw and remembered each time.
    pub fn moments(mut self, mut choose: impl FnMut(&View, &Recall) -> Action) -> Vec<(View, Recall)> {
        let mut moments = Vec::new();
        while let Some((view, recall)) = self.ask() {
            let recall = recall.clone();
            self.act(choose(&view, &recall));
            moments.push((view, recall));
        }
        moments
    }

    /// The game now.
    #[must_use]
    pub const fn game(&self) -> &Game {
        self.game.game()
    }
}

/// Somebody in every seat, of every kind, with names that are hard to write down.
#[must_use]
pub fn people(players: Players) -> Vec<Person> {
    let names = ["Ána “Ő”", "bo\\\"", "", "字\n", "x\u{7f}"];
    let kinds =
        [Kind::Human, Kind::Bot("random".to_owned()), Kind::StandIn("page".to_owned()), Kind::Open, Kind::Human];
    let people = names.into_iter().zip(kinds).zip(PlayerColour::ALL.into_iter().rev());
    let people = people.map(|((name, kind), colour)| Person { name: name.to_owned(), colour, kind });
    people.take(usize::from(players.count())).collect()
}
