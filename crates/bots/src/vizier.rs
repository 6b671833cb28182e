//! `vizier`: plays what its nets say at first sight.

use sultan_domain::{Action, Numbers, Recall, View};
use sultan_rules::Quick;

use crate::bot::{even, in_order};
use crate::known::Known;
use crate::net::brain::offer_without;
use crate::net::weights::Nets;
use crate::outlook::Outlook;
use crate::{Bot, Weighed};

/// Has seen a million auctions and needs no second look: strong, and steady enough to be read.
///
/// It judges the table, not what each action leads to: its chance to win is the same for all of them.
#[derive(Clone, Debug)]
pub struct Vizier {
    nets: Option<Nets>,
    name: &'static str,
}

impl Default for Vizier {
    fn default() -> Self {
        Self { nets: None, name: "vizier" }
    }
}

impl Vizier {
    /// Plays with these nets instead of the shipped ones, at tables of as many players as they are for, under this
    /// name.
    #[must_use]
    pub const fn with(nets: Nets, name: &'static str) -> Self {
        Self { nets: Some(nets), name }
    }
}

impl Bot for Vizier {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        let legal = view.legal();
        // The nets know the published game only.
        let fits = !legal.is_empty() && view.numbers == Numbers::of(view.numbers.players);
        let known = Known::new(view, recall, chance).filter(|_| fits);
        let Some(known) = known else { return even(view) };
        let brain = &Nets::of(self.nets.as_ref(), view.numbers.players).brain;
        let win = brain.worth(&known.public, known.seat, known.round_hand(), &mut brain.appraisal()).win.into();
        let weighed = |action, share: f32| Weighed { action, share: share.into(), win };
        let mut all: Vec<Weighed> = if known.public.offer.is_empty() {
            let mix = brain.think_offers(&known).mix;
            let options = mix.jewels.iter().zip(mix.shares).take(mix.len);
            let offers = options.filter_map(|(&jewel, share)| Some((offer_without(&known.public, jewel)?, share)));
            offers.map(|(offer, share)| weighed(Action::Offer(offer), share)).collect()
        } else {
            let trunk = brain.trunk(&known.public, known.seat, known.round_hand());
            let mix = brain.bids(&known, &trunk, &Outlook::new(&known.public));
            mix.iter().map(|(card, cushion, share)| weighed(Action::Bid { card, cushion }, share)).collect()
        };
        // The likeliest, always: whoever watches long enough knows it by heart.
        let best = all.iter().map(|one| one.share).fold(0.0, f64::max);
        let likeliest = all.iter().position(|one| one.share >= best);
        for (place, one) in all.iter_mut().enumerate() {
            one.share = if Some(place) == likeliest { 1.0 } else { 0.0 };
        }
        in_order(legal, &all)
    }
}
