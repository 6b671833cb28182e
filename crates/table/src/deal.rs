//! The deal of a table's game: everything that chance decides, fixed at the start. Decks and draws follow from the
//! seeds. In a branch, which continues another game, the decks and first draws are those of that game.

use sultan_domain::{Action, BySeat, CardsInOrder, ClientSeed, Drawn, Illegal, Parameters, Record, ServerSeed};
use sultan_rules::{DrawSource, FixedDraws, Game, GameSeed, Setup};
use sultan_store::OpenedRecord;

/// The setup, draws and seeds of a table's game.
#[derive(Clone, Debug)]
pub(crate) struct Deal {
    pub(crate) setup: Setup,
    draws: FixedDraws,
    pub(crate) server_seed: ServerSeed,
    pub(crate) client_seeds: Vec<ClientSeed>,
}

impl Deal {
    /// The deal of a table. For a branch, the decks, the first draws and the client seeds are stored; later draws
    /// follow from those client seeds and the table's server seed.
    pub(crate) fn of_table(opened: &OpenedRecord, client_seeds: Vec<ClientSeed>) -> Self {
        let seed = GameSeed::new(&opened.server_seed, &client_seeds);
        let first_seat = opened.options.first_seat.unwrap_or_else(|| seed.first_seat(opened.players));
        let setup = Setup::seeded(
            Parameters::of(opened.players).with(&opened.variant),
            first_seat,
            opened.options.screens,
            &seed,
        );
        let seeded = Self::new(setup, seed, opened.server_seed, client_seeds);
        let Some(branch) = &opened.branch else { return seeded };
        let mut decks: BySeat<CardsInOrder> = BySeat::default();
        for (seat, deck) in opened.players.seats().zip(&branch.decks) {
            decks[seat] = deck.iter().copied().collect();
        }
        let later_draws = GameSeed::new(&opened.server_seed, &branch.client_seeds);
        let client_seeds = branch.client_seeds.clone();
        Self { client_seeds, ..seeded.with_cards(decks, branch.draws.clone(), later_draws) }
    }

    /// The deal of a recorded game.
    pub(crate) fn recorded(record: &Record) -> Self {
        let client_seeds = record.client_seeds.clone();
        let seed = GameSeed::new(&record.server_seed, &client_seeds);
        let setup = Setup::seeded(record.parameters(), record.first_seat, record.screens, &seed);
        Self::new(setup, seed, record.server_seed, client_seeds)
    }

    /// A deal whose draws all follow from the seed.
    fn new(setup: Setup, seed: GameSeed, server_seed: ServerSeed, client_seeds: Vec<ClientSeed>) -> Self {
        Self { setup, draws: FixedDraws { first: Vec::new(), later: seed }, server_seed, client_seeds }
    }

    /// The same deal with other decks, these draws in the first rounds, and another seed for the draws after them.
    pub(crate) fn with_cards(&self, decks: BySeat<CardsInOrder>, draws: Vec<Drawn>, later_draws: GameSeed) -> Self {
        let setup = Setup { decks, ..self.setup.clone() };
        Self { setup, draws: FixedDraws { first: draws, later: later_draws }, ..self.clone() }
    }

    /// The game at its start, with the jewels of the first round drawn, or the reason why it cannot start.
    pub(crate) fn start(&self) -> Result<Game, String> {
        let mut game = Game::new(&self.setup).map_err(|error| error.to_string())?;
        (&self.draws).draw_for(&mut game).map_err(|error| error.to_string())?;
        Ok(game)
    }

    /// Plays an action, then draws the jewels of the next round if the action ended a round. After an error, `game`
    /// must not be used.
    pub(crate) fn advance(&self, game: &mut Game, action: Action) -> Result<(), PlayError> {
        game.play(action).map_err(PlayError::Illegal)?;
        (&self.draws).draw_for(game).map_err(|error| PlayError::Impossible(error.to_string()))?;
        Ok(())
    }
}

/// The reason why an event cannot be applied, or an action cannot be played.
#[derive(Debug)]
pub(crate) enum PlayError {
    /// The action breaks a rule.
    Illegal(Illegal),
    /// The event does not fit the table, or the draw after the action is impossible: the stored game is damaged.
    Impossible(String),
}

impl PlayError {
    /// The text for the log, if a stored event cannot be applied after `at` actions. Does not name the action, whose
    /// card may be face down.
    pub(crate) fn reason(self, at: u16) -> String {
        match self {
            Self::Illegal(illegal) => format!("action {at} is illegal: {}", illegal.code()),
            Self::Impossible(reason) => reason,
        }
    }
}
