//! The levels written by hand (`page`, `merchant`, `jeweller`), and the fallback of levels with nets to these levels.
//!
//! The files of these levels score actions; `search/character.rs` turns the scores into probabilities.

use sultan_domain::{Recall, View};
use sultan_rules::FastRng;

use crate::bot::uniform;
use crate::search::character::Character;
use crate::search::knowledge::Knowledge;
use crate::search::net::net_set::NetSet;
use crate::{Bot, Nets, WeighedAction};

/// A bot that plays like one of the hand-written characters. It ignores `stop`, because its decisions are fast.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandwrittenBot {
    name: &'static str,
    character: Character,
}

/// A beginner: spends high cards on jewels with many points, almost ignores the cards already placed by other players,
/// and makes many mistakes.
pub(crate) const PAGE: HandwrittenBot = HandwrittenBot { name: "page", character: Character::Page };
/// Compares the value of a jewel with the price of a card. Unlike the jeweller, it does not hinder the leader.
pub(crate) const MERCHANT: HandwrittenBot = HandwrittenBot { name: "merchant", character: Character::Merchant };
/// The strongest level written by hand: counts revealed cards, collects sets, and bids to keep jewels from the leader.
pub(crate) const JEWELLER: HandwrittenBot = HandwrittenBot { name: "jeweller", character: Character::Jeweller };

impl Bot for HandwrittenBot {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, recall: &Recall, rng: &mut FastRng, _: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        let Some(knowledge) = Knowledge::new(view, recall, rng) else { return uniform(view) };
        self.character.weigh(&knowledge, view.legal())
    }
}

/// Weighs the legal actions with `weigh`, and sorts the result in the order of [`View::legal`]. `weigh` gets the
/// knowledge of the seat and its nets: `nets`, or the shipped ones if `nets` are for another number of players.
///
/// Nets exist only for the published game, so in a variant the actions are weighed by [`JEWELLER`] instead. They are
/// weighed uniformly if view and recall contradict each other. Without a legal action, the result is empty.
pub(crate) fn weigh_with_nets(
    nets: Option<&Nets>,
    view: &View,
    recall: &Recall,
    rng: &mut FastRng,
    weigh: impl FnOnce(Knowledge, &NetSet, &mut FastRng) -> Vec<WeighedAction>,
) -> Vec<WeighedAction> {
    if !view.parameters.variant().is_published() {
        // The jeweller ignores `stop`.
        return JEWELLER.weigh(view, recall, rng, &|| false);
    }
    let legal = view.legal();
    let knowledge = Knowledge::new(view, recall, rng).filter(|_| !legal.is_empty());
    let Some(knowledge) = knowledge else { return uniform(view) };
    let net_set = &Nets::given_or_shipped(nets, view.parameters.players).net_set;
    let weighed = weigh(knowledge, net_set, rng);
    legal.iter().filter_map(|action| weighed.iter().find(|option| option.action == action).copied()).collect()
}
