//! A game that is over, moment by moment: as a seat saw it then, or with everything open (RULES 7.10).

use sultan_domain::{Cards, MoneyCard, Numbers, Observer, Person, PlacedBid, Record, Seat};
use sultan_rules::{Game, GameSeed, Pending, ReplayError, Setup, replay};

use crate::sight::{Around, PlayingView};

/// A game that is over, moment by moment. A moment is how many actions there had been.
#[derive(Clone, Debug)]
pub struct Replay {
    games: Vec<Game>,
    people: Vec<Person>,
    around: Around,
}

/// A moment with everything open, which nobody could see then.
#[derive(Clone, Debug)]
pub struct OpenMoment {
    /// The table with all cards turned up and all screens taken away.
    pub playing: PlayingView,
    /// Everybody's hand.
    pub hands: Vec<Cards>,
    /// Everybody's cards still to come, the top card first.
    pub decks: Vec<Vec<MoneyCard>>,
}

impl Replay {
    /// The game of a record, with who sat where.
    pub(crate) fn new(record: &Record, people: Vec<Person>, around: &Around) -> Result<Self, ReplayError> {
        // Checked once, with messages; below, nothing can be refused any more.
        replay(record)?;
        let seed = GameSeed::new(&record.server_seed, &record.client_seeds);
        let setup = Setup::seeded(Numbers::of(record.players), record.first_seat, record.screens, &seed);
        let mut game = Game::new(&setup)?;
        draw(&mut game, &seed);
        let mut games = vec![game];
        for &action in &record.actions {
            if game.play(action).is_err() {
                break;
            }
            draw(&mut game, &seed);
            games.push(game);
        }
        Ok(Self { games, people, around: Around { replayed: true, ..around.clone() } })
    }

    /// The last moment: as many actions as there were.
    #[must_use]
    pub fn last(&self) -> usize {
        self.games.len() - 1
    }

    /// Whether the game has such a seat.
    #[must_use]
    pub fn has(&self, seat: Seat) -> bool {
        seat.index() < self.people.len()
    }

    /// What an observer was shown then; of a moment after the last one, the last.
    #[must_use]
    pub fn seen(&self, moment: usize, observer: Observer) -> PlayingView {
        let view = self.game(moment).view(observer).with_people(self.people.iter().cloned());
        PlayingView { view, around: self.around.clone() }
    }

    /// The same moment with everything open.
    #[must_use]
    pub fn open(&self, moment: usize) -> OpenMoment {
        let game = self.game(moment);
        let mut playing = self.seen(moment, Observer::Public);
        playing.view.bids = game.bids().into_iter().map(PlacedBid::Own).collect();
        for seat in &mut playing.view.seats {
            seat.collection = Some(game.collection(seat.seat));
            seat.played = Some(game.played(seat.seat));
        }
        let seats = || game.numbers().players.seats();
        OpenMoment {
            playing,
            hands: seats().map(|seat| game.hand(seat)).collect(),
            decks: seats().map(|seat| game.deck(seat).to_vec()).collect(),
        }
    }

    fn game(&self, moment: usize) -> &Game {
        &self.games[moment.min(self.games.len() - 1)]
    }
}

fn draw(game: &mut Game, seed: &GameSeed) {
    if let Pending::Chance(pending) = game.pending() {
        game.draw(seed.draw(&pending)).expect("a draw from the pouch can be drawn");
    }
}
