//! A finished game, position by position: as an observer saw it, or with all cards and jewels visible (RULES 7.10).

use std::sync::Arc;

use sultan_domain::{
    Action, Attendance, Cards, Chance, Drawn, MoneyCard, Observer, Person, PlacedBid, PlayingTable, Seat, TableId,
    TableInfo, TurnClock,
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

/// A position of a finished game with all cards and jewels visible. During the game no observer could see this.
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
    /// Replays these actions. If an action is impossible, returns the reason.
    pub(crate) fn new(
        deal: Arc<Deal>,
        actions: &[Action],
        people: Arc<[Person]>,
        info: TableInfo,
    ) -> Result<Self, String> {
        let mut game = deal.start()?;
        let mut games = vec![game];
        for &action in actions {
            deal.advance(&mut game, action).map_err(|error| error.reason(game.action_count()))?;
            games.push(game);
        }
        Ok(Self { deal, games, people, info })
    }

    /// The last moment. Equals the number of actions in the game.
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

    /// The view of an observer at a moment. For a moment after the last, the view at the last moment.
    #[must_use]
    pub fn view_at(&self, moment: usize, observer: Observer) -> PlayingTable {
        PlayingTable {
            view: self.game(moment).view(observer),
            people: Arc::clone(&self.people),
            clock: TurnClock::default(),
            info: self.info.clone(),
            replayed: true,
            attendance: Attendance::default(),
        }
    }

    /// The position at a moment with all cards and jewels visible.
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

    /// The record for a branch: a new game that starts at this moment of `table`'s game. With a random generator `rng`,
    /// everything hidden from the seat (other hands, decks, draws to come) is replaced by random values. These depend
    /// on the seat's view and memory only, so the branch reveals nothing about the true game.
    pub(crate) fn branch(
        &self,
        table: TableId,
        moment: usize,
        seat: Seat,
        rng: Option<&mut impl Chance>,
    ) -> Result<BranchRecord, Rejection> {
        if !self.has(seat) {
            return Err(Rejection::NoSuchSeat);
        }
        let game = *self.game(moment);
        if game.to_act().is_none() {
            return Err(Rejection::Over);
        }
        let imagined = rng.is_some();
        let game = match rng {
            None => game,
            Some(rng) => {
                let view = game.view(Observer::Seat(seat));
                imagine(&view, &game.recall(), rng).expect("the view of a real game is possible")
            }
        };
        // The draws of the finished rounds, and of the round in play.
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
    use sultan_rules::{FastRng, GameSeed};

    use super::*;
    use crate::files::records_in;

    /// A finished game with this number of players, who chose random legal actions.
    fn played(players: Players) -> Replay {
        let names = vec![""; usize::from(players.count())];
        let record = serde_json::json!({"format": "sultan-record", "version": 1, "players": players, "first_seat": 0,
            "screens": "closed", "names": names, "server_seed": "07".repeat(32), "client_seeds": names, "actions": []});
        let mut record = records_in(&record.to_string()).unwrap().remove(0);
        let deal = Deal::recorded(&record);
        let mut game = deal.start().unwrap();
        while let Some(action) = game.legal().pick(&mut FastRng::new(u64::from(game.action_count()))) {
            deal.advance(&mut game, action).unwrap();
            record.actions.push(action);
        }
        Replay::of_record(&record).unwrap().0
    }

    /// Another game with the same view and memory of a seat, but other hidden cards, leads to the same imagined branch.
    #[test]
    fn imagined_branch_is_independent_of_hidden_cards() {
        for players in Players::ALL {
            let true_game = played(players);
            let mut different_hands = 0;
            for moment in 0..true_game.last() {
                for seat in players.seats() {
                    let other_game = imagined_game(&true_game, moment, seat);
                    assert_eq!(other_game.last(), moment);
                    let view = |game: &Replay| game.view_at(moment, Observer::Seat(seat)).view;
                    assert_eq!(view(&other_game), view(&true_game));
                    different_hands += usize::from(other_game.open(moment).hands != true_game.open(moment).hands);
                    let imagined_branch = |game: &Replay| {
                        game.branch(TableId::new(1), moment, seat, Some(&mut FastRng::new(99))).unwrap()
                    };
                    assert!(
                        imagined_branch(&true_game) == imagined_branch(&other_game),
                        "the branch depends on hidden cards: {players} players, seat {seat}, moment {moment}"
                    );
                }
            }
            // Equal games would prove nothing. On average, more than one seat at each moment must lead to different
            // hands.
            assert!(different_hands > true_game.last(), "most imagined hands equal the true hands");
        }
    }

    /// A game up to this moment with other cards, in which the seat sees the same as in `true_game`.
    fn imagined_game(true_game: &Replay, moment: usize, seat: Seat) -> Replay {
        let mut rng = FastRng::new(moment as u64);
        let branch = true_game.branch(TableId::new(1), moment, seat, Some(&mut rng)).unwrap();
        let deal = &true_game.deal;
        let mut decks = BySeat::default();
        for (seat, deck) in deal.setup.parameters.players.seats().zip(&branch.decks) {
            decks[seat] = deck.iter().copied().collect();
        }
        let deal = deal.with_cards(decks, branch.draws, GameSeed::new(&deal.server_seed, &[]));
        Replay::new(Arc::new(deal), &branch.actions, true_game.people.clone(), true_game.info.clone()).unwrap()
    }
}
