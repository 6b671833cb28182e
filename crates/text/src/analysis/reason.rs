//! Sentences about the reasons why one option of a decision is better than another.

use sultan_domain::{Action, Cushion, Decision, Jewel, MoneyCard, Offer, Reason, Seat};

use super::NEGLIGIBLE_SHARE;
use crate::{Text, Value};

/// The two options that a reason compares.
#[derive(Clone, Copy)]
pub(super) struct Compared {
    /// The jewels on the cushions; `None` if the options are offers.
    pub(super) offer: Option<Offer>,
    pub(super) worse: Action,
    pub(super) better: Action,
}

impl Compared {
    /// The cushion of the better bid; `None` if the options are offers.
    fn better_cushion(self) -> Option<Cushion> {
        cushion_of(self.better)
    }
}

/// The cushion of a bid; `None` for an offer.
fn cushion_of(action: Action) -> Option<Cushion> {
    match action {
        Action::Bid { cushion, .. } => Some(cushion),
        Action::Offer(_) => None,
    }
}

impl Text {
    /// The jewel that one of the compared bids is for; for an offer, the jewel without a cushion.
    fn jewel_of_bid(self, jewel: Jewel, action: Action, compared: Compared) -> String {
        match (compared.offer, cushion_of(action)) {
            (Some(offer), Some(cushion)) => self.jewel_on_cushion(jewel, cushion, offer),
            _ => self.jewel_as_object(jewel),
        }
    }

    /// The key of the message for a reason.
    pub(super) fn reason_key(self, reason: &Reason) -> &'static str {
        // Messages that compare two shares must not show the same percentage twice.
        let are_shown_equal = |share: f64, other: f64| self.percent(share, 0) == self.percent(other, 0);
        match *reason {
            Reason::WastedHighCard { take, better_take, .. } if are_shown_equal(take, better_take) => {
                "reason-wasted-as-often"
            }
            Reason::WastedHighCard { .. } => "reason-wasted-high-card",
            Reason::CardTooLow { .. } => "reason-card-too-low",
            Reason::CostlyDiscard { .. } => "reason-costly-discard",
            Reason::BetterCard { .. } => "reason-better-card",
            // For two jewels of the same colour the message speaks of another cushion.
            Reason::HopelessBid { jewel, better, .. } | Reason::BetterCushion { jewel, better, .. }
                if jewel == better =>
            {
                "reason-same-colour"
            }
            Reason::HopelessBid { take, .. } if take < NEGLIGIBLE_SHARE => "reason-hopeless-never",
            Reason::HopelessBid { .. } => "reason-hopeless-bid",
            // The better cushion may be won less often, but its jewel is worth more.
            Reason::BetterCushion { take, better_take, .. }
                if better_take < take || are_shown_equal(take, better_take) =>
            {
                "reason-better-cushion-worth"
            }
            Reason::BetterCushion { .. } => "reason-better-cushion",
            Reason::CheaperElsewhere { jewel, better, .. } if jewel == better => "reason-cheaper-same-colour",
            Reason::CheaperElsewhere { .. } => "reason-cheaper-elsewhere",
            Reason::MissedSet { .. } => "reason-missed-set",
            Reason::LeftToLeader { .. } => "reason-fed-the-leader",
            Reason::PutBackOwnSet { .. } => "reason-put-back-own-set",
            Reason::OfferedToLeader { .. } => "reason-offered-to-leader",
            Reason::BetterOffer { .. } => "reason-better-offer",
        }
    }

    /// The sentence with the reason for the loss of a decision, if one is known.
    #[must_use]
    pub fn decision_reason(self, decision: &Decision, names: &[String]) -> Option<String> {
        let better = decision.options.get(decision.best)?.action;
        let compared = Compared { offer: decision.offer, worse: decision.action, better };
        decision.reason.as_ref().map(|reason| self.reason(reason, compared, names))
    }

    /// A sentence with the reason for a better option.
    pub(super) fn reason(self, reason: &Reason, compared: Compared, names: &[String]) -> String {
        // Each closure makes one variable of the message, or a pair of them: the name of the variable and its value.
        let jewel_variable =
            |name, jewel, action: Action| (name, Value::from(self.jewel_of_bid(jewel, action, compared)));
        let worse_jewel = |jewel| jewel_variable("jewel", jewel, compared.worse);
        let better_jewel = |name, jewel| jewel_variable(name, jewel, compared.better);
        let share_variable = |name, share| (name, Value::from(self.percent(share, 0)));
        let card_variable = |name, card: MoneyCard| (name, Value::from(card.value()));
        let leader_variable = |seat: Seat| {
            let player_name = names.get(seat.index()).map_or_else(|| seat.to_string(), Clone::clone);
            ("leader", Value::from(player_name))
        };
        let both_shares =
            |take, better_take| [share_variable("take", take), share_variable("better-take", better_take)];
        let both_jewels = |jewel, better| [worse_jewel(jewel), better_jewel("better", better)];
        // The messages for two jewels of the same colour name the other cushion instead of the jewels.
        let better_cushion = ("cushion", compared.better_cushion().map_or(0, Cushion::number).into());
        let both_cards = |better_name, card, better| [card_variable("card", card), card_variable(better_name, better)];
        let variables = match *reason {
            Reason::WastedHighCard { jewel, card, take, better, better_take }
            | Reason::CardTooLow { jewel, card, take, better, better_take } => {
                let cards = both_cards("better", card, better);
                [&cards[..], &both_shares(take, better_take), &[worse_jewel(jewel)]].concat()
            }
            Reason::CostlyDiscard { card, better, take } => {
                [&both_cards("better", card, better)[..], &[share_variable("take", take)]].concat()
            }
            Reason::BetterCard { card, better } => both_cards("better", card, better).to_vec(),
            Reason::HopelessBid { jewel, take, better, card, better_take }
            | Reason::BetterCushion { jewel, take, better, card, better_take } => {
                // Both reasons have only one card, that of the better bid.
                let cards = both_cards("better-card", card, card);
                [&both_jewels(jewel, better)[..], &both_shares(take, better_take), &cards, &[better_cushion]].concat()
            }
            Reason::CheaperElsewhere { jewel, card, take, better, better_card, better_take } => {
                let cards = both_cards("better-card", card, better_card);
                [&both_jewels(jewel, better)[..], &both_shares(take, better_take), &cards, &[better_cushion]].concat()
            }
            Reason::MissedSet { jewel, count, bonus, take } => {
                let numbers = [("count", count.into()), ("bonus", bonus.into())];
                [[better_jewel("jewel", jewel), share_variable("take", take)], numbers].concat()
            }
            Reason::LeftToLeader { leader, jewel, take, better_take } => {
                [[leader_variable(leader), better_jewel("jewel", jewel)], both_shares(take, better_take)].concat()
            }
            Reason::PutBackOwnSet { jewel, count, better } => {
                [&both_jewels(jewel, better)[..], &[("count", count.into())]].concat()
            }
            Reason::OfferedToLeader { leader, jewel, count } => {
                vec![leader_variable(leader), worse_jewel(jewel), ("count", count.into())]
            }
            Reason::BetterOffer { jewel, better } => both_jewels(jewel, better).to_vec(),
        };
        self.with(self.reason_key(reason), &variables)
    }
}
