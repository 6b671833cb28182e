//! The levels written by hand: a fixed amount of work per decision, regardless of `stop`.
//!
//! Each level scores actions in its own file; `search/character.rs` turns scores into probabilities.

use sultan_domain::{Recall, View};
use sultan_rules::Quick;

use crate::bot::uniform;
use crate::search::character::Character;
use crate::search::knowledge::Knowledge;
use crate::{Bot, WeighedAction};

/// A bot that plays as one of the characters written by hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandwrittenBot {
    name: &'static str,
    character: Character,
}

/// A beginner: spends high cards on jewels with many points, almost ignores the other cards, and makes many mistakes.
pub(crate) const PAGE: HandwrittenBot = HandwrittenBot { name: "page", character: Character::Page };
/// Pays the current value of a jewel, and ignores the leader.
pub(crate) const MERCHANT: HandwrittenBot = HandwrittenBot { name: "merchant", character: Character::Merchant };
/// The strongest level written by hand: counts revealed cards, collects sets, and denies the leader jewels.
pub(crate) const JEWELLER: HandwrittenBot = HandwrittenBot { name: "jeweller", character: Character::Jeweller };

impl Bot for HandwrittenBot {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, recall: &Recall, rng: &mut Quick, _: &dyn Fn() -> bool) -> Vec<WeighedAction> {
        let Some(knowledge) = Knowledge::new(view, recall, rng) else { return uniform(view) };
        self.character.weigh(&knowledge, view.legal())
    }
}

/// The knowledge of a bot with nets. `Err` with weighed actions if its nets cannot be used: those of a jeweller in a
/// variant, or uniform ones if the view or recall is unusable.
pub(crate) fn known_to_nets(view: &View, recall: &Recall, rng: &mut Quick) -> Result<Knowledge, Vec<WeighedAction>> {
    if !view.parameters.variant().is_published() {
        return Err(JEWELLER.weigh(view, recall, rng, &|| false));
    }
    let knowledge = Knowledge::new(view, recall, rng).filter(|_| !view.legal().is_empty());
    knowledge.ok_or_else(|| uniform(view))
}
