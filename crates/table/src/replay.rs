//! A finished game, position by position: as a seat saw it, or with everything open (RULES 7.10).

use std::sync::Arc;

use sultan_domain::{
    AbsentSeats, Action, Cards, Chance, Drawn, MoneyCard, Observer, Person, PlacedBid, PlayingTable, Seat, TableId,
    TableInfo,
};
use sultan_rules::{Game, imagine};
use sultan_store::BranchRecord;

use crate::Rejection;
use crate::deal::Deal;

/// A finished game, position by position. A `moment` is the number of actions before a position.
#[derive(Clone, Debug)]
pub struct Replay {
    pub(crate) deal: Arc<Deal>,
    pub(crate) games: Vec<Game>,
    pub(crate) people: Arc<[Person]>,
    pub(crate) info: TableInfo,
}

/// A position with everything open, as no observer could see it during the game.
#[derive(Clone, Debug)]
pub struct OpenMoment {
    /// The table with all cards face up and all screens removed.
    pub playing: PlayingTable,
    /// The hands of all players, by seat.
    pub hands: Vec<Cards>,
    /// The decks of all players, by seat, the top card first.
    pub decks: Vec<Vec<MoneyCard>>,
}

impl Replay {
    /// Replays these actions. Returns the reason if they are impossible.
    pub(crate) fn new(
        deal: Arc<Deal>,
        actions: &[Action],
        people: Arc<[Person]>,
        info: TableInfo,
    ) -> Result<Self, String> {
        let mut game = deal.start()?;
        let mut games = vec![game];
        for &action in actions {
            deal.advance(&mut game, action).map_err(|error| error.reason(game.at()))?;
            games.push(game);
        }
        Ok(Self { deal, games, people, info })
    }

    /// The last moment: the number of all actions.
    #[must_use]
    pub fn last(&self) -> usize {
        self.games.len() - 1
    }

    /// Returns whether the game was played to its end, not abandoned.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.game(self.last()).outcome().is_some()
    }

    /// Returns whether the game has this seat.
    #[must_use]
    pub fn has(&self, seat: Seat) -> bool {
        seat.index() < self.people.len()
    }

    /// The view of an observer at a moment. After the last moment, the view at the last moment.
    #[must_use]
    pub fn view_at(&self, moment: usize, observer: Observer) -> PlayingTable {
        PlayingTable {
            view: self.game(moment).view(observer),
            people: Arc::clone(&self.people),
            deadline: None,
            info: self.info.clone(),
            replayed: true,
            absent: AbsentSeats::default(),
        }
    }

    /// The position at a moment with everything open.
    #[must_use]
    pub fn open(&self, moment: usize) -> OpenMoment {
        let game = self.game(moment);
        let mut playing = self.view_at(moment, Observer::Public);
        playing.view.bids = game.bids().into_iter().map(PlacedBid::Own).collect();
        for seat in &mut playing.view.seats {
            seat.collection = Some(game.collection(seat.seat));
            seat.played = Some(game.played(seat.seat));
        }
        let seats = || game.parameters().players.seats();
        OpenMoment {
            playing,
            hands: seats().map(|seat| game.hand(seat)).collect(),
            decks: seats().map(|seat| game.deck(seat).to_vec()).collect(),
        }
    }

    /// The record for a branch at a moment. With `resample`, all facts that the seat could not know are replaced by random
    /// ones; they are derived only from the seat's view and memory, not from the true game.
    pub(crate) fn branch(
        &self,
        table: TableId,
        moment: usize,
        seat: Seat,
        resample: Option<&mut impl Chance>,
    ) -> Result<BranchRecord, Rejection> {
        if !self.has(seat) {
            return Err(Rejection::NoSuchSeat);
        }
        let game = *self.game(moment);
        if game.to_act().is_none() {
            return Err(Rejection::Over);
        }
        let imagined = resample.is_some();
        let game = match resample {
            None => game,
            Some(chance) => {
                let view = game.view(Observer::Seat(seat));
                imagine(&view, &game.recall(), chance).expect("a game that was played can be imagined")
            }
        };
        let mut draws: Vec<Drawn> = game.recall().rounds().iter().map(|round| round.drawn).collect();
        draws.push(game.drawn());
        Ok(BranchRecord {
            original: table,
            imagined,
            decks: self.deal.setup.parameters.players.seats().map(|seat| game.dealt_deck(seat).to_vec()).collect(),
            draws,
            actions: game.actions().into_iter().map(|(_, action)| action).collect(),
            client_seeds: if imagined { Vec::new() } else { self.deal.client_seeds.clone() },
        })
    }

    fn game(&self, moment: usize) -> &Game {
        &self.games[moment.min(self.games.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use sultan_domain::{BySeat, Players};
    use sultan_rules::{GameSeed, Quick};

    use super::*;
    use crate::files::records_in;

    /// A finished game with this number of players.
    fn played(players: Players) -> Replay {
        let names = vec![""; usize::from(players.count())];
        let record = serde_json::json!({"format": "sultan-record", "version": 1, "players": players, "first_seat": 0,
            "screens": "closed", "names": names, "server_seed": "07".repeat(32), "client_seeds": names, "actions": []});
        let mut record = records_in(&record.to_string()).unwrap().remove(0);
        let deal = Deal::recorded(&record);
        let mut game = deal.start().unwrap();
        while let Some(action) = game.legal().pick(&mut Quick::new(u64::from(game.at()))) {
            deal.advance(&mut game, action).unwrap();
            record.actions.push(action);
        }
        Replay::of_record(&record).unwrap().0
    }

    /// An imagined branch depends on nothing that is hidden from the seat: another game with the same view leads to the
    /// same branch.
    #[test]
    fn imagined_branch_is_independent_of_hidden_cards() {
        for players in Players::ALL {
            let truth = played(players);
            let mut different_hands = 0;
            for at in 0..truth.last() {
                for seat in players.seats() {
                    let (table, mut random) = (TableId::new(1), Quick::new(at as u64));
                    let branch = truth.branch(table, at, seat, Some(&mut random)).unwrap();
                    let mut decks = BySeat::default();
                    for (seat, deck) in players.seats().zip(&branch.decks) {
                        decks[seat] = deck.iter().copied().collect();
                    }
                    let deal = truth.deal.with_cards(decks, branch.draws, GameSeed::new(&truth.deal.server_seed, &[]));
                    let other =
                        Replay::new(Arc::new(deal), &branch.actions, truth.people.clone(), truth.info.clone()).unwrap();
                    assert_eq!(other.last(), at);
                    assert_eq!(
                        other.view_at(at, Observer::Seat(seat)).view,
                        truth.view_at(at, Observer::Seat(seat)).view
                    );
                    different_hands += usize::from(other.open(at).hands != truth.open(at).hands);
                    let imagined_branch =
                        |replay: &Replay| replay.branch(table, at, seat, Some(&mut Quick::new(99))).unwrap();
                    assert!(
                        imagined_branch(&truth) == imagined_branch(&other),
                        "{players} players, seat {seat}, moment {at}"
                    );
                }
            }
            assert!(different_hands > truth.last(), "most imagined hands differ from the true hands");
        }
    }
}
