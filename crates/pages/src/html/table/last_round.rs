//! The last finished round, as cards and as text.

use maud::{Markup, html};
use sultan_domain::{Bid, Cushion, Jewel, RoundRecord, Seat};

use super::board::{face_up, worth};
use super::{PageContext, dialog};
use crate::html::art::{draw, emblem, jewel, ornament};

pub(super) fn last_round(context: PageContext<'_>) -> Markup {
    let body = match &context.view().last_round {
        None => html! { p.soft { (context.say("table-no-round-yet")) } },
        Some(round) => {
            let values = [("stage", round.stage.0.into()), ("round", round.round.0.into())];
            html! {
                p.soft { (context.with("table-round", &values)) }
                (turned_up_cards(context, round))
                ul.told { @for sentence in settled_in_words(context, round) { li { (sentence) } } }
            }
        }
    };
    dialog(context, "last-round", &context.last_round_title(), &body)
}

/// The carpet of a finished round, with all cards turned up.
pub(crate) fn turned_up_cards(context: PageContext<'_>, round: &RoundRecord) -> Markup {
    html! { div.carpet.revealed data-round=(context.round_key()) { (ornament("weave")) div.lay { (settled(context, round)) } } }
}

/// A cushion of a finished round.
struct Settled {
    cushion: Cushion,
    jewel: Jewel,
    bids: Vec<Bid>,
    winner: Option<Seat>,
    /// The bid that won the jewel.
    winning: Option<Bid>,
}

fn cushions(round: &RoundRecord) -> Vec<Settled> {
    let (Some(offer), Some(winners)) = (round.offer, round.winners) else { return Vec::new() };
    let places = Cushion::first(Cushion::MOST).zip(offer.iter()).zip(winners);
    let settled = places.map(|((cushion, jewel), winner)| {
        let bids = round.bids.into_iter().filter(|bid| bid.cushion == cushion).collect();
        Settled { cushion, jewel, bids, winner, winning: round.winning_bid(cushion) }
    });
    settled.collect()
}

/// The cushions with all cards turned up.
fn settled(context: PageContext<'_>, round: &RoundRecord) -> Markup {
    html! {
        div.cushions {
            @for one in cushions(round) {
                div.cushion.is-settled.to-pouch[one.winner.is_none()] data-cushion=(one.cushion)
                    data-jewel=(one.jewel) data-winner=[one.winner] {
                    (draw("cushion", "velvet"))
                    (jewel(one.jewel))
                    (worth(context, one.jewel))
                    ol.bids { @for bid in &one.bids { (turned_up(context, round, *bid, one.winning == Some(*bid))) } }
                    (taker(context, &one))
                }
            }
        }
    }
}

fn turned_up(context: PageContext<'_>, round: &RoundRecord, bid: Bid, won: bool) -> Markup {
    let of = context.person(bid.seat).colour;
    let order = round.bids.iter().position(|one| *one == bid).unwrap_or_default() + 1;
    html! {
        li.bid.won[won].lost[!won] data-colour=(of.name()) {
            span.flip aria-hidden="true" {
                span.back { (draw("card-back", "ornament")) (emblem(of)) }
                span.face { b { (bid.card) } (emblem(of)) }
            }
            // Losing cards too: their values are useful information for users of screen readers as well.
            span.visually-hidden { (face_up(context, bid, order)) }
        }
    }
}

fn taker(context: PageContext<'_>, one: &Settled) -> Markup {
    html! {
        @match one.winner {
            Some(seat) => {
                @let of = context.person(seat).colour;
                p.taker data-colour=(of.name()) {
                    (emblem(of))
                    span { (context.name_or_you(seat)) }
                }
            }
            None => p.taker { (draw("pouch", "")) span { (context.say("table-to-pouch")) } },
        }
    }
}

/// The winner of each cushion, in sentences.
pub(crate) fn settled_in_words(context: PageContext<'_>, round: &RoundRecord) -> Vec<String> {
    context.narrator().settled(round, context.view().parameters.ties)
}
