//! A policy: how all seats play at an imagined table, and how good the resulting table is for each seat. The nets are
//! the policy of the published game. Variants have no nets; there all seats play like jewellers.

use sultan_domain::{Action, Cards, Parameters, Seat};

use crate::levels::jeweller;
use crate::search::character::Character;
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::mix::BidMix;
use crate::search::net::features::FeatureSet;
use crate::search::net::layers::{Sums, WIDE};
use crate::search::net::net_set::{Appraisal, OfferMix, SeatValue, offers, softmax};
use crate::search::net::weights::Nets;
use crate::search::outlook::Outlook;

/// How all seats play, and the value of tables.
pub trait Policy {
    /// The trunk: the part of the bid net's first layer that is the same for all bids of a seat in one round, computed
    /// once to save time. `hand` is the hand at the start of the round. All zeros for a policy without nets.
    fn trunk(&self, public: &PublicState, seat: Seat, hand: Cards) -> Sums;

    /// The probabilities of a seat's bids. `trunk` is the result of [`Policy::trunk`] for this seat.
    fn bids(&self, knowledge: &Knowledge, trunk: &Sums, outlook: &Outlook) -> BidMix;

    /// The probabilities of a seat's offers.
    fn offers(&self, knowledge: &Knowledge) -> OfferMix;

    /// The options (legal actions) of the seat to act, with their probabilities.
    fn options(&self, knowledge: &Knowledge) -> Vec<(Action, f32)> {
        if knowledge.public.offer.is_empty() {
            let OfferMix { offers, shares } = self.offers(knowledge);
            return offers.into_iter().map(Action::Offer).zip(shares).collect();
        }
        let trunk = self.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand());
        let mix = self.bids(knowledge, &trunk, &Outlook::new(&knowledge.public));
        mix.iter().map(|(card, cushion, share)| (Action::Bid { card, cushion }, share)).collect()
    }

    /// The value of a table for a seat with this hand, at the start of a round or the end of the game.
    ///
    /// `appraisal` caches a part of the computation. It starts as [`Policy::appraisal`]; pass it again to evaluate the
    /// next table. The more similar the two tables are, the faster.
    fn seat_value(&self, public: &PublicState, seat: Seat, hand: Cards, appraisal: &mut Appraisal) -> SeatValue;

    /// An empty cache for [`Policy::seat_value`].
    fn appraisal(&self) -> Appraisal;

    /// The probabilities of the bids of a seat with this character.
    fn bids_as(&self, character: Character, knowledge: &Knowledge, trunk: &Sums, outlook: &Outlook) -> BidMix {
        match character {
            Character::Nets => self.bids(knowledge, trunk, outlook),
            _ => character.bids(knowledge, outlook),
        }
    }
}

/// The best policy for a game: the shipped nets for the published game, jewellers for variants.
#[must_use]
pub fn policy(parameters: &Parameters) -> &'static dyn Policy {
    let is_published = *parameters == Parameters::of(parameters.players);
    if is_published { &Nets::shipped(parameters.players).net_set } else { &Jewellers }
}

/// All seats play like jewellers.
struct Jewellers;

impl Policy for Jewellers {
    fn trunk(&self, _: &PublicState, _: Seat, _: Cards) -> Sums {
        [0.0; WIDE]
    }

    fn bids(&self, knowledge: &Knowledge, _: &Sums, outlook: &Outlook) -> BidMix {
        Character::Jeweller.bids(knowledge, outlook)
    }

    fn offers(&self, knowledge: &Knowledge) -> OfferMix {
        let mut mix = OfferMix::default();
        for ((_, offer), share) in offers(&knowledge.public).zip(&mut mix.shares) {
            mix.offers.push(offer);
            // First the scores; `softmax` turns them into probabilities.
            *share = jeweller::offer_score(knowledge, offer) / jeweller::TEMPERATURE;
        }
        softmax(&mut mix.shares[..mix.offers.len()]);
        mix
    }

    fn seat_value(&self, public: &PublicState, seat: Seat, _: Cards, _: &mut Appraisal) -> SeatValue {
        if public.is_over() {
            return SeatValue::at_the_end(public, seat);
        }
        SeatValue { win: Outlook::new(public).win_chance_with(seat, 0.0), margin: 0.0 }
    }

    fn appraisal(&self) -> Appraisal {
        Appraisal { features: FeatureSet::NONE, sums: [0.0; WIDE] }
    }
}
