//! The play of seats at an imagined table: with nets, or like jewellers in a variant without nets.

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

/// The play of all seats, and the value of tables.
pub trait Policy {
    /// The first-layer sums shared by all bids of a seat in this round. `hand` is the hand at the start of the round.
    fn trunk(&self, public: &PublicState, seat: Seat, hand: Cards) -> Sums;

    /// The probabilities of a seat's bids.
    fn bids(&self, knowledge: &Knowledge, trunk: &Sums, outlook: &Outlook) -> BidMix;

    /// The probabilities of a seat's offers.
    fn offers(&self, knowledge: &Knowledge) -> OfferMix;

    /// The options of the seat to act with their probabilities.
    fn options(&self, knowledge: &Knowledge) -> Vec<(Action, f32)> {
        if knowledge.public.offer.is_empty() {
            let OfferMix { offers, shares } = self.offers(knowledge);
            return offers.into_iter().map(Action::Offer).zip(shares).collect();
        }
        let trunk = self.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand());
        let mix = self.bids(knowledge, &trunk, &Outlook::new(&knowledge.public));
        mix.iter().map(|(card, cushion, share)| (Action::Bid { card, cushion }, share)).collect()
    }

    /// The value of a table for a seat with this hand, at the start of a round or the end of the game. The appraisal
    /// may be that of any earlier table; the more similar, the faster.
    fn seat_value(&self, public: &PublicState, seat: Seat, hand: Cards, appraisal: &mut Appraisal) -> SeatValue;

    /// An empty appraisal.
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
            *share = jeweller::offer(knowledge, offer) / jeweller::TEMPERATURE;
        }
        softmax(&mut mix.shares[..mix.offers.len()]);
        mix
    }

    fn seat_value(&self, public: &PublicState, seat: Seat, _: Cards, _: &mut Appraisal) -> SeatValue {
        if public.is_over() {
            return SeatValue::at_the_end(public, seat);
        }
        SeatValue { win: Outlook::new(public).chance_with(seat, 0.0), margin: 0.0 }
    }

    fn appraisal(&self) -> Appraisal {
        Appraisal { features: FeatureSet::NONE, sums: [0.0; WIDE] }
    }
}
