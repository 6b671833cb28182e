//! How seats play at an imagined table: with nets, or as jewellers in a game that no nets were trained for.

use sultan_domain::{Cards, Jewel, Parameters, Seat};

use crate::levels::jeweller;
use crate::search::character::Character;
use crate::search::known::{Known, Public};
use crate::search::mix::BidMix;
use crate::search::net::brain::{Appraisal, OfferMix, Worth, offer_without, softmax};
use crate::search::net::facts::FactSet;
use crate::search::net::layers::{Sums, WIDE};
use crate::search::net::weights::Nets;
use crate::search::outlook::Outlook;

/// How seats play, and what they think a table is worth.
pub trait Policy {
    /// What the bids of a seat in this round have in common. The hand is that of the round's start.
    fn trunk(&self, public: &Public, seat: Seat, hand: Cards) -> Sums;

    /// How often a seat would make each bid.
    fn bids(&self, known: &Known, trunk: &Sums, outlook: &Outlook) -> BidMix;

    /// How often a seat would make each offer.
    fn offers(&self, known: &Known) -> OfferMix;

    /// What the table is worth to a seat with this hand, at the start of a round or at the end. The appraisal is that
    /// of any table before, best one that is much alike.
    fn worth(&self, public: &Public, seat: Seat, hand: Cards, appraisal: &mut Appraisal) -> Worth;

    /// An appraisal of nothing yet.
    fn appraisal(&self) -> Appraisal;

    /// How often a seat of this character would make each bid.
    fn bids_as(&self, character: Character, known: &Known, trunk: &Sums, outlook: &Outlook) -> BidMix {
        match character {
            Character::Nets => self.bids(known, trunk, outlook),
            _ => character.bids(known, outlook),
        }
    }
}

/// The best policy for a game: the shipped nets know the published game only.
#[must_use]
pub fn policy(parameters: &Parameters) -> &'static dyn Policy {
    let is_published = *parameters == Parameters::of(parameters.players);
    if is_published { &Nets::shipped(parameters.players).brain } else { &Jewellers }
}

/// Everybody plays as a jeweller.
struct Jewellers;

impl Policy for Jewellers {
    fn trunk(&self, _: &Public, _: Seat, _: Cards) -> Sums {
        [0.0; WIDE]
    }

    fn bids(&self, known: &Known, _: &Sums, outlook: &Outlook) -> BidMix {
        Character::Jeweller.bids(known, outlook)
    }

    fn offers(&self, known: &Known) -> OfferMix {
        let mut mix = OfferMix::default();
        for jewel in Jewel::ALL {
            if let Some(offer) = offer_without(&known.public, jewel) {
                mix.jewels[mix.len] = jewel;
                mix.shares[mix.len] = jeweller::offer(known, offer) / jeweller::TEMPERATURE;
                mix.len += 1;
            }
        }
        softmax(&mut mix.shares[..mix.len]);
        mix
    }

    fn worth(&self, public: &Public, seat: Seat, _: Cards, _: &mut Appraisal) -> Worth {
        if public.is_over() {
            return Worth::at_the_end(public, seat);
        }
        Worth { win: Outlook::new(public).chance_with(seat, 0.0), margin: 0.0 }
    }

    fn appraisal(&self) -> Appraisal {
        Appraisal { facts: FactSet::NONE, sums: [0.0; WIDE] }
    }
}
