//! A view as text, in a few lines that name every field: for golden files and for authors of bots.

use std::fmt;

use super::{Observer, PlacedBid, Screens, SeatView, View, ViewPhase};
use crate::MoneyCard;

fn joined(cards: impl IntoIterator<Item = MoneyCard>) -> String {
    cards.into_iter().map(|card| card.to_string()).collect::<Vec<_>>().join(",")
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.observer {
            Observer::Seat(seat) => write!(f, "seat {seat}")?,
            Observer::Public => write!(f, "public")?,
        }
        let screens = if self.screens == Screens::Open { "open" } else { "closed" };
        let phase = match self.phase {
            ViewPhase::Offer => "offer",
            ViewPhase::Bid => "bid",
            ViewPhase::Over => "over",
        };
        write!(f, " of {}, {screens}, at {}, {phase}", self.parameters.players, self.at)?;
        write!(f, ", {}.{} first {}", self.stage, self.round, self.first_seat)?;
        self.to_act.map_or(Ok(()), |seat| write!(f, " to act {seat}"))?;
        write!(f, "\n  drawn {} |", self.drawn)?;
        for (cushion, jewel) in self.offer.on_cushions() {
            write!(f, " {jewel}")?;
            for (bid, order) in self.bids.iter().zip(1..).filter(|(bid, _)| bid.cushion() == cushion) {
                match bid {
                    PlacedBid::FaceDown(bid) => write!(f, " ({order} seat {})", bid.seat)?,
                    PlacedBid::Own(bid) => write!(f, " ({order} seat {} card {})", bid.seat, bid.card)?,
                }
            }
            write!(f, " |")?;
        }
        write!(f, " hand {}", joined(self.hand.iter()))?;
        for seat in &self.seats {
            write!(f, "\n  {seat}")?;
        }
        self.last_round.map_or(Ok(()), |round| write!(f, "\n  last {round}"))?;
        if !self.legal().is_empty() {
            write!(f, "\n  legal")?;
            self.legal().iter().try_for_each(|action| write!(f, " {action}"))?;
        }
        for place in self.outcome.iter().flat_map(|outcome| outcome.places) {
            write!(f, "\n  final {}: rank {}, ", place.seat, place.rank)?;
            write!(f, "{} + {} = {} points, ", place.jewel_points, place.bonus, place.points)?;
            write!(f, "{} jewels {:?}", place.count, place.jewels.counts().0)?;
        }
        Ok(())
    }
}

impl fmt::Display for SeatView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seat, hand, deck, collection, played } = self;
        write!(f, "{seat}: hand {hand}, deck {deck}")?;
        if let Some(collection) = collection {
            write!(f, ", jewels {:?}", collection.counts().0)?;
        }
        if let Some(played) = played {
            write!(f, ", played {}", joined(*played))?;
        }
        Ok(())
    }
}
