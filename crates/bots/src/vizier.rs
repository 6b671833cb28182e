//! `vizier`: plays what its nets say at first sight.

use std::borrow::Cow;

use sultan_domain::{Action, Recall, View};
use sultan_rules::Quick;

use crate::known::Known;
use crate::net::brain::{Worth, offer_without};
use crate::net::weights::Nets;
use crate::outlook::Outlook;
use crate::{Bot, Weighed};

/// Has seen a million auctions and needs no second look: strong, and steady enough to be read.
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
    /// Plays with these nets instead of the shipped ones, at tables of as many players as they are for, under this name.
    #[must_use]
    pub const fn with(nets: Nets, name: &'static str) -> Self {
        Self { nets: Some(nets), name }
    }
}

/// The nets for a view: the bot's own where they are for so many players.
pub(crate) fn nets_for<'a>(own: Option<&'a Nets>, view: &View) -> Cow<'a, Nets> {
    let players = view.numbers.players;
    match own {
        Some(nets) if nets.players() == players => Cow::Borrowed(nets),
        _ => Cow::Borrowed(Nets::shipped(players)),
    }
}

impl Bot for Vizier {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        let nets = nets_for(self.nets.as_ref(), view);
        let Some(known) = Known::new(view, recall, chance) else { return crate::bot::even(view) };
        let Worth { win, .. } = nets.brain.worth(&known.public, known.seat, known.round_hand(), &mut nets.brain.appraisal());
        let win = f64::from(win);
        let weighed: Vec<Weighed> = if known.public.offer.is_empty() {
            let mix = nets.brain.think_offers(&known).mix;
            let options = mix.jewels.iter().zip(mix.shares).take(mix.len);
            let offers = options.filter_map(|(&jewel, share)| Some((offer_without(&known.public, jewel)?, share)));
            offers.map(|(offer, share)| Weighed { action: Action::Offer(offer), share: share.into(), win }).collect()
        } else {
            let mix = nets.brain.bids(&known, &nets.brain.trunk(&known.public, known.seat, known.round_hand()), &Outlook::new(&known.public));
            let bids = mix.iter();
            bids.map(|(card, cushion, share)| Weighed {
                action: Action::Bid { card, cushion },
                share: share.into(),
                win,
            })
            .collect()
        };
        let mut weighed = crate::bot::in_order(view, weighed);
        if std::env::var("GREEDY").is_ok() {
            let best = weighed.iter().enumerate().max_by(|a, b| a.1.share.total_cmp(&b.1.share)).map_or(0, |b| b.0);
            for (at, one) in weighed.iter_mut().enumerate() { one.share = if at == best { 1.0 } else { 0.0 }; }
        }
        weighed
    }
}
