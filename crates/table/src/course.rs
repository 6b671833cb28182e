//! What a game's cards and draws come from: seeds; or, where it goes on from a moment of another game, what was dealt
//! there, and seeds for all that is still to come.

use sultan_domain::{
    Action, BySeat, CardsInOrder, ClientSeed, Drawn, Numbers, Players, Record, RoundTold, Screens, Seat, ServerSeed,
};
use sultan_rules::{Game, GameSeed, Pending, Setup};
use sultan_store::OpenedRecord;

/// What a game's cards and draws come from.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    setup: Setup,
    /// The draws that are settled, by their rounds.
    draws: Vec<Drawn>,
    pub(crate) server_seed: ServerSeed,
    pub(crate) client_seeds: Vec<ClientSeed>,
    seed: GameSeed,
}

impl Course {
    /// What a table's game comes from.
    pub(crate) fn of(opened: &OpenedRecord, client_seeds: Vec<ClientSeed>) -> Self {
        let fair = Self::seeded(opened, client_seeds);
        let Some(branch) = &opened.branch else { return fair };
        let mut decks: BySeat<CardsInOrder> = BySeat::default();
        for (seat, deck) in opened.players.seats().zip(&branch.decks) {
            decks[seat] = deck.iter().copied().collect();
        }
        let seed = GameSeed::new(&opened.server_seed, &branch.client_seeds);
        let client_seeds = branch.client_seeds.clone();
        Self { client_seeds, ..fair.dealt(decks, branch.draws.clone(), seed) }
    }

    /// The same with other cards and draws, and other chance for all that is still to come.
    pub(crate) fn dealt(&self, decks: BySeat<CardsInOrder>, draws: Vec<Drawn>, seed: GameSeed) -> Self {
        Self { setup: Setup { decks, ..self.setup.clone() }, draws, seed, ..self.clone() }
    }

    fn seeded(opened: &OpenedRecord, client_seeds: Vec<ClientSeed>) -> Self {
        let seed = GameSeed::new(&opened.server_seed, &client_seeds);
        let first_seat = opened.first_seat.unwrap_or_else(|| seed.first_seat(opened.players));
        let setup = Setup::seeded(Numbers::of(opened.players), first_seat, opened.screens, &seed);
        Self { setup, draws: Vec::new(), server_seed: opened.server_seed, client_seeds, seed }
    }

    /// What a recorded game comes from.
    pub(crate) fn recorded(record: &Record) -> Self {
        let client_seeds = record.client_seeds.clone();
        let seed = GameSeed::new(&record.server_seed, &client_seeds);
        let setup = Setup::seeded(Numbers::of(record.players), record.first_seat, record.screens, &seed);
        Self { setup, draws: Vec::new(), server_seed: record.server_seed, client_seeds, seed }
    }

    pub(crate) fn players(&self) -> Players {
        self.setup.numbers.players
    }

    pub(crate) fn first_seat(&self) -> Seat {
        self.setup.first_seat
    }

    pub(crate) fn screens(&self) -> Screens {
        self.setup.screens
    }

    /// The game at its beginning, with its first jewels drawn; or why there is none.
    pub(crate) fn begin(&self) -> Result<Game, String> {
        let mut game = Game::new(&self.setup).map_err(|bad| bad.to_string())?;
        self.draw(&mut game)?;
        Ok(game)
    }

    /// Plays an action and draws what comes next. Tells the round that is over with it, if one is.
    pub(crate) fn play(&self, game: &mut Game, action: Action) -> Result<Option<RoundTold>, String> {
        let before = game.last_round();
        // Which action it was is for nobody to read: its card may lie face down.
        game.play(action).map_err(|illegal| format!("action {} is illegal: {}", game.at(), illegal.code()))?;
        let round = game.last_round().filter(|_| game.last_round() != before);
        self.draw(game)?;
        Ok(round)
    }

    /// Draws the round's jewels, if that is what the game waits for.
    pub(crate) fn draw(&self, game: &mut Game) -> Result<(), String> {
        let Pending::Chance(draw) = game.pending() else { return Ok(()) };
        let settled = self.draws.get(usize::from(draw.round_index)).copied();
        game.draw(settled.unwrap_or_else(|| self.seed.draw(&draw))).map_err(|bad| bad.to_string())
    }
}
