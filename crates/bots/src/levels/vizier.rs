//! `vizier`: plays the action its nets consider most likely, mostly without lookahead.
//!
//! The nets get the estimated character of each seat as an input. Near the end of the game, when only the face-down
//! cards are unknown, `vizier` evaluates each bid by lookahead.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use sultan_domain::{Recall, RoundRecord, Seat, View};
use sultan_rules::Quick;

use crate::bot::in_legal_order;
use crate::levels::known_to_nets;
use crate::search::belief::PublicHistory;
use crate::search::character::Character;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::lookahead::{Evaluation, Search};
use crate::search::net::net_set::NetSet;
use crate::search::net::weights::Nets;
use crate::{Bot, WeighedAction};

/// Plays the nets' favourite action, and evaluates the last bids by lookahead: strong, but predictable.
///
/// Without lookahead, it judges the table and not the single actions: `win` is then the same for all of them.
#[derive(Debug, Default)]
pub struct Vizier {
    nets: Option<Nets>,
    opponents: OpponentCache,
}

impl Vizier {
    /// Uses these nets instead of the shipped ones at tables with their number of players.
    #[must_use]
    pub fn with_nets(nets: Nets) -> Self {
        Self { nets: Some(nets), opponents: OpponentCache::default() }
    }
}

/// The number of imagined tables per lookahead.
const IMAGINED: usize = 4;

/// The estimated characters at recent tables. They depend only on the finished stages, which are public, so they are
/// computed once per stage of a game and not for each decision.
///
/// Unused with two players: `vizier` needs no help there, and would be almost as strong as `sultan`.
#[derive(Debug, Default)]
struct OpponentCache(Mutex<VecDeque<CachedTable>>);

#[derive(Debug)]
struct CachedTable {
    stages: Vec<RoundRecord>,
    characters: [Option<Character>; 5],
}

impl OpponentCache {
    /// The number of cached tables.
    const TABLES: usize = 16;

    /// The estimated character of each seat.
    fn read(&self, net_set: &NetSet, public: &PublicState, recall: &Recall) -> [Option<Character>; 5] {
        let (rounds, per_stage) = (recall.rounds(), usize::from(public.parameters.rounds_per_stage));
        // An incomplete recall is not used.
        let stages = &rounds[..rounds.len() / per_stage * per_stage];
        let whole = recall.is_complete_before(&public.parameters, public.round_index);
        if public.players() == 2 || !whole || stages.is_empty() {
            return [None; 5];
        }
        let tables = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = tables().iter().find(|cached| cached.stages == stages) {
            return cached.characters;
        }
        let history = PublicHistory::new(net_set, public, recall);
        let mut characters = [None; 5];
        for seat in public.parameters.players.seats() {
            characters[seat.index()] = history.character(seat);
        }
        let mut tables = tables();
        tables.truncate(Self::TABLES - 1);
        tables.push_front(CachedTable { stages: stages.to_vec(), characters });
        characters
    }
}

impl Bot for Vizier {
    fn name(&self) -> &'static str {
        "vizier"
    }

    fn weigh(&self, view: &View, recall: &Recall, rng: &mut Quick, stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        let mut knowledge = match known_to_nets(view, recall, rng) {
            Ok(knowledge) => knowledge,
            Err(without_nets) => return without_nets,
        };
        let net_set = &Nets::own_or_shipped(self.nets.as_ref(), view.parameters.players).net_set;
        knowledge.public.characters = self.opponents.read(net_set, &knowledge.public, recall);
        let mut options = look_ahead(net_set, &knowledge, rng, stop).weighed(net_set, &knowledge);
        // Always the most likely action, so an observer can learn to predict it.
        let best = options.iter().map(|option| option.share).fold(0.0, f64::max);
        let likeliest = options.iter().position(|option| option.share >= best);
        for (index, option) in options.iter_mut().enumerate() {
            option.share = if Some(index) == likeliest { 1.0 } else { 0.0 };
        }
        in_legal_order(view.legal(), &options)
    }
}

/// Whether lookahead is used: in the last stage, when the decks are empty, so that all hands are known. At least two
/// cards must be face down, to limit the possible continuations. And at least one opponent must play like a level
/// written by hand: other opponents are too hard to predict for lookahead to help. With an incomplete recall no
/// character is known, so there is no lookahead.
fn may_look_ahead(knowledge: &Knowledge) -> bool {
    let Knowledge { public, seat, .. } = knowledge;
    let no_deck_left = public.left[*seat].len() == public.out_of_deck(*seat);
    let is_predictable =
        |seat: Seat| public.characters[seat.index()].is_some_and(|character| character != Character::Nets);
    no_deck_left && public.turn() >= 2 && knowledge.others().any(is_predictable)
}

/// Evaluates every bid at a few imagined tables; at none if [`may_look_ahead`] forbids it or if there is no time.
fn look_ahead(net_set: &NetSet, knowledge: &Knowledge, rng: &mut Quick, stop: &dyn Fn() -> bool) -> Evaluation {
    let mut evaluation = Evaluation::new(net_set, knowledge);
    if !stop() && may_look_ahead(knowledge) {
        Search::counting(net_set, knowledge, stop).evaluate(IMAGINED, rng, &mut evaluation);
    }
    evaluation
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::jeweller::tests::moments;
    use crate::pick;
    use crate::search::net::net_set::SeatValue;
    use sultan_domain::{Players, Screens};
    use sultan_testkit::TestGame;

    fn weigh(bot: &Vizier, view: &View, recall: &Recall) -> Vec<WeighedAction> {
        bot.weigh(view, recall, &mut Quick::new(3), &|| false)
    }

    #[test]
    fn decision_does_not_depend_on_earlier_decisions() {
        for players in Players::ALL {
            let old = Vizier::default();
            // More tables than the cache holds, and incomplete recalls between complete ones.
            for seed in 0..20 {
                for (view, recall) in moments(players, seed).iter().step_by(6) {
                    let gaps = Recall::of(recall.rounds().iter().skip(1).copied().collect()).unwrap();
                    for recall in [&gaps, recall, &gaps] {
                        assert_eq!(weigh(&old, view, recall), weigh(&Vizier::default(), view, recall));
                    }
                }
            }
            let cached = if players.count() == 2 { 0 } else { OpponentCache::TABLES };
            assert_eq!(old.opponents.0.lock().unwrap().len(), cached);
        }
    }

    #[test]
    fn last_bid_is_evaluated_exactly() {
        for players in Players::ALL.into_iter().skip(1) {
            for seed in 0..20 {
                let mut table = TestGame::new(players, Screens::Closed, seed);
                let mut ends = 0;
                while let Some((view, recall)) = table.next_turn() {
                    let recall = recall.clone();
                    let seat = table.game().to_act().unwrap();
                    for action in view.legal().iter() {
                        let mut end = *table.game();
                        end.play(action).unwrap();
                        let Some(outcome) = end.outcome() else { break };
                        let weighed = weigh(&Vizier::default(), &view, &recall);
                        let weighed_action = weighed.iter().find(|weighed| weighed.action == action).unwrap();
                        let won = f64::from(SeatValue::of_outcome(&outcome, seat).win);
                        assert!((weighed_action.win - won).abs() < 1e-6, "{weighed_action:?}, {won}");
                        ends += 1;
                    }
                    table.play_random_action();
                }
                assert_eq!(ends, table.game().parameters().cushions, "one card, any cushion");
            }
        }
    }

    #[test]
    fn without_time_or_recall_no_table_is_evaluated() {
        let mut differ = 0;
        for (view, recall) in moments(Players::ALL[2], 5) {
            let bot = Vizier::default();
            let stopped = bot.weigh(&view, &recall, &mut Quick::new(3), &|| true);
            assert!(stopped.iter().all(|one| (one.win - stopped[0].win).abs() < 1e-9));
            differ += u32::from(stopped != weigh(&bot, &view, &recall));
            let gaps = Recall::of(recall.rounds().iter().skip(1).copied().collect()).unwrap();
            if gaps != recall {
                let forgetful = weigh(&bot, &view, &gaps);
                assert!(forgetful.iter().all(|one| (one.win - forgetful[0].win).abs() < 1e-9));
            }
        }
        // The last two bids of each round of the last stage.
        assert_eq!(differ, 2 * 5);
    }

    /// Plays a game with at most one jeweller and otherwise viziers. Returns whether `vizier` would ever use lookahead
    /// in the jeweller's seat, and in any other seat.
    fn uses_lookahead_beside(jeweller: Option<Seat>, seed: u64) -> (bool, bool) {
        let (viziers, jeweller_bot) = (Vizier::default(), crate::by_name("jeweller").unwrap());
        let mut table = TestGame::new(Players::ALL[2], Screens::Closed, seed);
        let (mut own_seat, mut other_seats) = (false, false);
        while let Some((view, recall)) = table.next_turn() {
            let weighed = weigh(&viziers, &view, recall);
            let counts = weighed.iter().any(|one| (one.win - weighed[0].win).abs() > 1e-9);
            let is_jeweller = view.to_act == jeweller;
            *(if is_jeweller { &mut own_seat } else { &mut other_seats }) |= counts;
            let chosen = jeweller_bot.weigh(&view, recall, &mut Quick::new(seed), &|| false);
            let action = pick(if is_jeweller { &chosen } else { &weighed }, &mut Quick::new(1)).unwrap();
            table.play(action);
        }
        (own_seat, other_seats)
    }

    #[test]
    fn last_cards_are_enumerated_if_an_opponent_is_predictable() {
        assert_eq!(uses_lookahead_beside(None, 2), (false, false));
        let all: Vec<_> = (0..8).map(|seed| uses_lookahead_beside(Seat::new(1), seed)).collect();
        assert!(all.iter().all(|&(own_seat, _)| !own_seat), "its own seat does not count: {all:?}");
        assert!(all.iter().filter(|&&(_, other_seats)| other_seats).count() >= 6, "{all:?}");
    }

    #[test]
    fn opponents_are_classified_once_per_stage() {
        let bot = Vizier::default();
        let mut tables = Vec::new();
        for (view, recall) in moments(Players::ALL[2], 5) {
            weigh(&bot, &view, &recall);
            tables.push(bot.opponents.0.lock().unwrap().len());
        }
        tables.dedup();
        assert_eq!(tables, [0, 1, 2]);
    }
}
