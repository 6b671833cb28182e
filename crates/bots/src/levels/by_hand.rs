//! The levels written by hand: a fixed amount of work for each decision, whether time is up or not.
//!
//! What each thinks of an action is in its own file; how often it plays one follows in `search/character.rs`.

use sultan_domain::{Recall, View};
use sultan_rules::Quick;

use crate::bot::even;
use crate::search::character::Character;
use crate::search::known::Known;
use crate::{Bot, Weighed};

/// A bot that plays as one of the characters written by hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByHand {
    name: &'static str,
    character: Character,
}

/// A beginner: spends high cards on jewels of many points, hardly minding who else is there, and often does
/// something else.
pub(crate) const PAGE: ByHand = ByHand { name: "page", character: Character::Page };
/// A value-minded bidder: pays for a jewel what it is worth to it now, and never minds who leads.
pub(crate) const MERCHANT: ByHand = ByHand { name: "merchant", character: Character::Merchant };
/// The strongest level written by hand: counts everything that was shown, collects sets, and grudges the leader
/// each jewel.
pub(crate) const JEWELLER: ByHand = ByHand { name: "jeweller", character: Character::Jeweller };

impl Bot for ByHand {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        let Some(known) = Known::new(view, recall, chance) else { return even(view) };
        self.character.weigh(&known, view.legal())
    }
}

/// What a bot with nets knows. Where it cannot ask its nets, how it weighs the actions without them: as a jeweller in a
/// game that is not the published one, and all alike where nothing is known.
pub(crate) fn known_to_nets(view: &View, recall: &Recall, chance: &mut Quick) -> Result<Known, Vec<Weighed>> {
    if !view.parameters.variant().is_published() {
        return Err(JEWELLER.weigh(view, recall, chance, &|| false));
    }
    let known = Known::new(view, recall, chance).filter(|_| !view.legal().is_empty());
    known.ok_or_else(|| even(view))
}
