//! Sees a pretty jewel and has a high card, and that is the whole of the plan.

use sultan_domain::{Action, Recall, View};
use sultan_rules::{Quick, jewel_points};

use super::mix;
use crate::bot::even;
use crate::known::Known;
use crate::outlook::Outlook;
use crate::{Bot, Weighed};

/// A beginner: spends high cards on jewels of many points, hardly minding who else is there, and often does something else.
#[derive(Clone, Copy, Debug)]
pub struct Page;

/// So many points less make an action e times as rare: a child's mind wanders.
const TEMPERATURE: f32 = 0.5;

/// What is left of the wish for a jewel where somebody else's card lies already, whatever card that may be.
const CROWDED: f32 = 0.6;

/// For a jewel of fewer points than this it had rather play a low card.
const PLAIN: f32 = 1.5;

impl Bot for Page {
    fn name(&self) -> &'static str {
        "page"
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        let Some(known) = Known::new(view, recall, chance) else { return even(view) };
        let highest = f32::from(view.numbers.highest_card);
        let scored = |action| match action {
            Action::Bid { card, cushion } => {
                let points = f32::from(jewel_points(known.public.offer.on(cushion).unwrap_or_default()));
                let there = known.public.placed.iter().filter(|bid| bid.cushion == cushion).count();
                let crowd = if there == 0 { 1.0 } else { CROWDED };
                (action, (crowd * points - PLAIN) * f32::from(card.value()) / highest)
            }
            Action::Offer(offer) => (action, offer.iter().map(|jewel| f32::from(jewel_points(jewel))).sum()),
        };
        let scored: Vec<(Action, f32)> = view.legal().iter().map(scored).collect();
        mix(&scored, TEMPERATURE, &Outlook::new(&known.public), known.seat)
    }
}
