//! The pictures of the rules: small scenes from a game, drawn like the parts of a table's page. They are hidden from
//! screen readers, because the text beside them has the same information.

use maud::{Markup, html};
use sultan_domain::{Jewel, PlayerColour};

use crate::html::art::{draw, draw_jewel, emblem};

/// A card that a player has placed on a cushion, in a picture.
#[derive(Clone, Copy)]
pub(super) struct PlacedCard {
    pub(super) colour: PlayerColour,
    pub(super) card: u8,
    /// The number of the bid in the round; the first bid has number 1.
    pub(super) order: usize,
}

/// The bids of the pictures in the order they were placed: the index of the cushion, the player's colour, the card.
const BIDS: [(usize, PlayerColour, u8); 4] =
    [(0, PlayerColour::Violet, 9), (1, PlayerColour::Gold, 4), (0, PlayerColour::Red, 12), (0, PlayerColour::Blue, 3)];

/// The drawn jewels of the pictures. The last jewel is put back into the pouch.
const DRAWN: [Jewel; 4] = [Jewel::Blue, Jewel::Red, Jewel::Yellow, Jewel::White];

/// Two equal cards, and a lower card that was placed between them.
pub(super) const TIE: [PlacedCard; 3] = [
    PlacedCard { colour: PlayerColour::Gold, card: 11, order: 1 },
    PlacedCard { colour: PlayerColour::Red, card: 7, order: 2 },
    PlacedCard { colour: PlayerColour::Blue, card: 11, order: 3 },
];

/// The winning card: the highest card, and of equal cards the card that was placed first (RULES 4.5, 4.6).
fn winner(cards: &[PlacedCard]) -> Option<&PlacedCard> {
    cards.iter().min_by_key(|placed| (u8::MAX - placed.card, placed.order))
}

/// The bids on the cushion with this index.
fn bids_on(cushion_index: usize) -> Vec<PlacedCard> {
    let bids = BIDS.into_iter().zip(1..).filter(|((cushion, ..), _)| *cushion == cushion_index);
    bids.map(|((_, colour, card), order)| PlacedCard { colour, card, order }).collect()
}

/// The cards on a cushion. If they are face up, the winning card is marked.
fn bids(cards: &[PlacedCard], face_up: bool) -> Markup {
    let winner = winner(cards).map(|placed| placed.order);
    html! {
        ol.bids {
            @for placed in cards {
                li.bid.won[face_up && Some(placed.order) == winner] data-colour=(placed.colour.name()) {
                    @if face_up { span.face { b { (placed.card) } (emblem(placed.colour)) } }
                    @else { span.back { (draw("card-back", "ornament")) (emblem(placed.colour)) } }
                    span.order { (placed.order) }
                }
            }
        }
    }
}

/// A cushion with a jewel and the cards of the bids.
fn cushion(jewel: Jewel, cards: &Markup) -> Markup {
    html! { div.cushion { (draw("cushion", "velvet")) (draw_jewel(jewel)) (cards) } }
}

/// The frame of a picture.
fn scene(parts: &Markup) -> Markup {
    html! { div.scene aria-hidden="true" { (parts) } }
}

/// The pouch and `count` drawn jewels (the last ones of [`DRAWN`]), of which the last one will be put back.
pub(super) fn drawn(count: u8) -> Markup {
    scene(&html! {
        (draw("pouch", "pouch-drawn"))
        div.row { @for &jewel in &DRAWN[DRAWN.len() - usize::from(count)..] { (draw_jewel(jewel)) } }
    })
}

/// Jewels on all cushions, and the jewel that is put back into the pouch.
pub(super) fn offered(cushions: u8) -> Markup {
    scene(&html! {
        div.cushions { @for &jewel in DRAWN.iter().take(cushions.into()) { (cushion(jewel, &html! {})) } }
        div.back-in { (draw_jewel(DRAWN[DRAWN.len() - 1])) (draw("pouch", "pouch-drawn")) }
    })
}

/// The bids on the cushions.
pub(super) fn bids_on_cushions(cushions: u8, face_up: bool) -> Markup {
    scene(&html! {
        div.cushions {
            @for (index, &jewel) in DRAWN.iter().take(cushions.into()).enumerate() { (cushion(jewel, &bids(&bids_on(index), face_up))) }
        }
    })
}

/// A cushion with a tie, turned up.
pub(super) fn tie() -> Markup {
    scene(&html! { div.cushions { (cushion(Jewel::Green, &bids(&TIE, true))) } })
}

/// A money card, turned up or face down.
pub(super) fn card(colour: PlayerColour, value: Option<u8>) -> Markup {
    html! {
        span.one-card data-colour=(colour.name()) {
            @match value {
                Some(value) => span.face { (draw("card-frame", "ornament")) i { (value) } b { (value) } (emblem(colour)) },
                None => span.back { (draw("card-back", "ornament")) (emblem(colour)) },
            }
        }
    }
}

/// A folding screen.
pub(super) fn screen(colour: PlayerColour) -> Markup {
    html! { span.one-screen data-colour=(colour.name()) { (draw("screen", "")) (emblem(colour)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_4_6_tie_picture_shows_the_earlier_card_winning() {
        let winner = winner(&TIE).unwrap();
        assert_eq!((winner.order, winner.card), (TIE[0].order, TIE[2].card));
        assert!(TIE.iter().all(|placed| placed.card <= winner.card));
    }

    #[test]
    fn pictures_have_an_empty_cushion_and_one_with_a_single_card() {
        assert_eq!([0, 1, 2].map(|cushion| bids_on(cushion).len()), [3, 1, 0]);
    }

    #[test]
    fn rule_4_4_cards_stay_face_down_until_the_reveal() {
        let (down, up) = (bids_on_cushions(3, false).into_string(), bids_on_cushions(3, true).into_string());
        let (back, face) = ("class=\"back\"", "class=\"face\"");
        assert_eq!([&down, &up].map(|html| html.matches(back).count()), [BIDS.len(), 0]);
        assert_eq!([&down, &up].map(|html| html.matches(face).count()), [0, BIDS.len()]);
        for (_, _, card) in BIDS {
            let value = format!("<b>{card}</b>");
            assert!(up.contains(&value) && !down.contains(&value), "{value}");
        }
        // Two cards win: the highest of three cards on one cushion, and the only card on another.
        assert_eq!([&down, &up].map(|html| html.matches("class=\"bid won\"").count()), [0, 2]);
    }
}
