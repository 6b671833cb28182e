//! `vizier`: plays the action its nets consider most likely, mostly without lookahead.
//!
//! One input of the nets is the estimated character of each seat: the level that would most likely have made the bids
//! of the seat. Near the end of the game, when only the face-down cards are unknown, `vizier` evaluates each bid by
//! lookahead.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use sultan_domain::{Recall, RoundRecord, Seat, View};
use sultan_rules::FastRng;

use crate::levels::weigh_with_nets;
use crate::search::belief::PublicHistory;
use crate::search::character::Character;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::lookahead::{Evaluation, Search};
use crate::search::net::net_set::NetSet;
use crate::search::net::weights::Nets;
use crate::{Bot, WeighedAction};

/// Plays the action that the nets consider most likely, and evaluates the last bids by lookahead: strong, but
/// predictable.
///
/// Without lookahead it estimates only the value of the current table, so `win` is the same for all actions.
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

/// The number of tables imagined for a lookahead.
const IMAGINED_TABLES: usize = 4;

/// The estimated characters of all seats at recent tables, most recent first. They depend only on the finished stages,
/// which are public, so they are estimated once per stage of a game and not for each decision.
///
/// With two players the characters are not estimated: they would make `vizier` almost as strong as `sultan`.
#[derive(Debug, Default)]
struct OpponentCache(Mutex<VecDeque<CachedTable>>);

#[derive(Debug)]
struct CachedTable {
    /// All rounds of the finished stages.
    finished_stages: Vec<RoundRecord>,
    characters: [Option<Character>; 5],
}

impl OpponentCache {
    /// The maximum number of cached tables.
    const CAPACITY: usize = 16;

    /// The estimated character of each seat, from the cache if these stages are in it. `None` for every seat in the
    /// first stage, with two players, and if the recall lacks rounds.
    fn get_or_estimate(&self, net_set: &NetSet, public: &PublicState, recall: &Recall) -> [Option<Character>; 5] {
        let (rounds, per_stage) = (recall.rounds(), usize::from(public.parameters.rounds_per_stage));
        // Rounded down to whole stages.
        let finished_stages = &rounds[..rounds.len() / per_stage * per_stage];
        let is_complete = recall.is_complete_before(&public.parameters, public.round_index);
        if public.players() == 2 || !is_complete || finished_stages.is_empty() {
            return [None; 5];
        }
        // A panic of another thread cannot leave a wrong entry, so a poisoned lock is used all the same.
        let lock_tables = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = lock_tables().iter().find(|cached| cached.finished_stages == finished_stages) {
            return cached.characters;
        }
        // The lock is not held here, so games at other tables do not wait for this slow estimate.
        let history = PublicHistory::new(net_set, public, recall);
        let mut characters = [None; 5];
        for seat in public.parameters.players.seats() {
            characters[seat.index()] = history.character(seat);
        }
        let mut tables = lock_tables();
        tables.truncate(Self::CAPACITY - 1);
        tables.push_front(CachedTable { finished_stages: finished_stages.to_vec(), characters });
        characters
    }
}

impl Bot for Vizier {
    fn name(&self) -> &'static str {
        "vizier"
    }

    fn weigh(&self, view: &View, recall: &Recall, rng: &mut FastRng, stop: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        weigh_with_nets(self.nets.as_ref(), view, recall, rng, |mut knowledge, net_set, rng| {
            knowledge.public.characters = self.opponents.get_or_estimate(net_set, &knowledge.public, recall);
            let mut evaluation = Evaluation::new(net_set, &knowledge);
            if !stop() && is_lookahead_useful(&knowledge) {
                Search::of_last_stage(net_set, &knowledge, stop).evaluate(IMAGINED_TABLES, rng, &mut evaluation);
            }
            let mut options = evaluation.weighed(net_set, &knowledge);
            // Plays the most likely action with certainty, so opponents can predict this level.
            let best = options.iter().map(|option| option.share).fold(0.0, f64::max);
            let likeliest = options.iter().position(|option| option.share >= best);
            for (index, option) in options.iter_mut().enumerate() {
                option.share = if Some(index) == likeliest { 1.0 } else { 0.0 };
            }
            options
        })
    }
}

/// Whether to evaluate the bids by lookahead. Three conditions must hold:
/// - It is the last stage: the decks are empty, so the unrevealed cards of each seat are in its hand or face down.
/// - At least two cards are face down, which limits the number of possible continuations.
/// - At least one opponent is estimated to play like a level written by hand. Other opponents are too hard to predict
///   for lookahead to help.
fn is_lookahead_useful(knowledge: &Knowledge) -> bool {
    let Knowledge { public, seat, .. } = knowledge;
    let is_deck_empty = public.left[*seat].len() == public.out_of_deck(*seat);
    let is_predictable =
        |seat: Seat| public.characters[seat.index()].is_some_and(|character| character != Character::Nets);
    is_deck_empty && public.turn() >= 2 && knowledge.others().any(is_predictable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::jeweller::tests::moments;
    use crate::pick;
    use sultan_domain::{Players, Screens};
    use sultan_testkit::TestGame;

    fn weigh(bot: &Vizier, view: &View, recall: &Recall) -> Vec<WeighedAction> {
        bot.weigh(view, recall, &mut FastRng::new(3), &|| false)
    }

    #[test]
    fn decision_does_not_depend_on_earlier_decisions() {
        for players in Players::ALL {
            let used_bot = Vizier::default();
            // Except with two players, the 20 games have more stages than the cache holds. Incomplete recalls must not
            // be cached.
            for seed in 0..20 {
                for (view, recall) in moments(players, seed).iter().step_by(6) {
                    let incomplete = without_first_round(recall);
                    for recall in [&incomplete, recall, &incomplete] {
                        assert_eq!(weigh(&used_bot, view, recall), weigh(&Vizier::default(), view, recall));
                    }
                }
            }
            let cached_tables = if players.count() == 2 { 0 } else { OpponentCache::CAPACITY };
            assert_eq!(used_bot.opponents.0.lock().unwrap().len(), cached_tables);
        }
    }

    fn without_first_round(recall: &Recall) -> Recall {
        Recall::of(recall.rounds().iter().skip(1).copied().collect()).unwrap()
    }

    #[test]
    fn winning_chance_of_the_last_bid_equals_the_result_of_the_game() {
        // Not with two players: then no character is estimated, so lookahead is not used.
        for players in Players::ALL.into_iter().skip(1) {
            for seed in 0..20 {
                let mut table = TestGame::new(players, Screens::Closed, seed);
                let mut last_bids = 0;
                while let Some((view, recall)) = table.next_turn() {
                    let recall = recall.clone();
                    let seat = table.game().to_act().unwrap();
                    for action in view.legal().iter() {
                        let mut after = *table.game();
                        after.play(action).unwrap();
                        let Some(outcome) = after.outcome() else { break };
                        let weighed = weigh(&Vizier::default(), &view, &recall);
                        let weighed_action = weighed.iter().find(|weighed| weighed.action == action).unwrap();
                        let share_of_win = outcome.share(seat);
                        assert!((weighed_action.win - share_of_win).abs() < 1e-6, "{weighed_action:?}, {share_of_win}");
                        last_bids += 1;
                    }
                    table.play_random_action();
                }
                assert_eq!(last_bids, table.game().parameters().cushions, "the last card fits on any cushion");
            }
        }
    }

    /// Whether the actions differ in their winning chances, which only lookahead can tell apart.
    fn used_lookahead(weighed: &[WeighedAction]) -> bool {
        weighed.iter().any(|option| (option.win - weighed[0].win).abs() > 1e-9)
    }

    #[test]
    fn vizier_does_not_look_ahead_if_stopped_or_without_a_complete_recall() {
        let mut different_decisions = 0;
        // A game of four jewellers.
        for (view, recall) in moments(Players::FOUR, 5) {
            let bot = Vizier::default();
            let stopped = bot.weigh(&view, &recall, &mut FastRng::new(3), &|| true);
            assert!(!used_lookahead(&stopped));
            different_decisions += u32::from(stopped != weigh(&bot, &view, &recall));
            let incomplete = without_first_round(&recall);
            // In the first round, the recall is empty and lacks no round.
            assert!(incomplete == recall || !used_lookahead(&weigh(&bot, &view, &incomplete)));
        }
        // Lookahead is used for the last two bids of each of the five rounds of the last stage.
        assert_eq!(different_decisions, 2 * 5);
    }

    /// Plays a game of four: a jeweller in this seat (`None`: no jeweller), and viziers in the other seats. Returns
    /// whether `vizier` would ever use lookahead in the jeweller's seat, and whether in any other seat.
    fn lookahead_in_jeweller_seat_and_others(jeweller: Option<Seat>, seed: u64) -> (bool, bool) {
        let (vizier_bot, jeweller_bot) = (Vizier::default(), crate::by_name("jeweller").unwrap());
        let mut table = TestGame::new(Players::FOUR, Screens::Closed, seed);
        let (mut in_jeweller_seat, mut in_other_seats) = (false, false);
        while let Some((view, recall)) = table.next_turn() {
            let by_vizier = weigh(&vizier_bot, &view, recall);
            let by_jeweller = jeweller_bot.weigh(&view, recall, &mut FastRng::new(seed), &|| false);
            let is_jeweller = view.to_act == jeweller;
            *(if is_jeweller { &mut in_jeweller_seat } else { &mut in_other_seats }) |= used_lookahead(&by_vizier);
            let action = pick(if is_jeweller { &by_jeweller } else { &by_vizier }, &mut FastRng::new(1)).unwrap();
            table.play(action);
        }
        (in_jeweller_seat, in_other_seats)
    }

    #[test]
    fn vizier_looks_ahead_only_if_an_opponent_is_predictable() {
        assert_eq!(lookahead_in_jeweller_seat_and_others(None, 2), (false, false));
        let games: Vec<_> = (0..8).map(|seed| lookahead_in_jeweller_seat_and_others(Seat::new(1), seed)).collect();
        let in_jeweller_seat = games.iter().filter(|&&(in_jeweller_seat, _)| in_jeweller_seat).count();
        assert_eq!(in_jeweller_seat, 0, "the character of a bot's own seat makes no opponent predictable");
        let in_other_seats = games.iter().filter(|&&(_, in_other_seats)| in_other_seats).count();
        assert!(in_other_seats >= 6, "the jeweller was recognised in only {in_other_seats} of 8 games");
    }

    #[test]
    fn characters_are_estimated_once_per_stage() {
        let bot = Vizier::default();
        let mut cache_sizes = Vec::new();
        // A game of four jewellers.
        for (view, recall) in moments(Players::FOUR, 5) {
            weigh(&bot, &view, &recall);
            cache_sizes.push(bot.opponents.0.lock().unwrap().len());
        }
        cache_sizes.dedup();
        // The first stage has no estimate; the second and the third stage each add one to the cache.
        assert_eq!(cache_sizes, [0, 1, 2]);
    }
}
