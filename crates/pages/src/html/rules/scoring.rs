//! The sections about the end of the game: points, bonus, and an example.

use maud::{Markup, html};
use sultan_domain::{ColourScore, Jewel, Jewels, Parameters, Players, Seat, place};
use sultan_text::Text;

use super::tables::bonus_table;
use super::{DEFAULT_PLAYERS, FEWEST_USUAL_PLAYERS, parameters_for};
use crate::html::art::draw_jewel;

/// The end of the game, and the points of jewels and bonuses.
pub(super) fn end(text: Text) -> Markup {
    let (usual, two) = (parameters_for(DEFAULT_PLAYERS), parameters_for(Players::MIN));
    let rounds = [("rounds", usual.rounds().into()), ("fewer", two.rounds().into()), ("players", Players::MIN.into())];
    html! {
        p { (text.with("rules-end-when", &rounds)) }
        p { (text.say("rules-end-count")) }
        h3 { (text.say("rules-points")) }
        ul.points #points {
            @for jewel in Jewel::ALL {
                li { (draw_jewel(jewel)) span { (text.jewel(jewel)) } b.num { (jewel.points()) } }
            }
        }
        (bonus_table(text))
        p { (text.say("rules-end-win")) }
    }
}

/// The collection of the example (RULES 5.6): 3 white jewels, 5 red ones and 1 blue one.
fn example_collection() -> Jewels {
    Jewels::new([3, 5, 0, 0, 1]).expect("nine jewels are not too many")
}

/// The points for the jewels of a collection, and its bonus.
fn points_and_bonus(parameters: &Parameters, jewels: Jewels) -> (u16, u16) {
    let place = place(parameters, Seat::default(), jewels);
    (place.jewel_points, place.bonus)
}

/// The scoring of an example, for the usual game and for the game of two players.
pub(super) fn example(text: Text) -> Markup {
    let (usual, two, jewels) = (parameters_for(DEFAULT_PLAYERS), parameters_for(Players::MIN), example_collection());
    let intro = [("count", jewels.len().into()), ("from", FEWEST_USUAL_PLAYERS.into()), ("to", Players::MAX.into())];
    let (points, bonus) = points_and_bonus(&usual, jewels);
    let (_, two_player_bonus) = points_and_bonus(&two, jewels);
    let two_player_values = [
        ("players", Players::MIN.into()),
        ("points", points.into()),
        ("bonus", two_player_bonus.into()),
        ("total", (points + two_player_bonus).into()),
    ];
    html! {
        p { (text.with("rules-example-text", &intro)) }
        div.wide {
            table.numbers.counted #counted {
                thead { tr {
                    th scope="col" { (text.say("rules-example-collection")) }
                    th.num scope="col" { (text.say("rules-example-jewels")) }
                    th.num scope="col" { (text.say("rules-bonus-column")) }
                } }
                tbody {
                    @for colour in usual.score(jewels).into_iter().filter(|colour| colour.count > 0) { (score_row(text, colour)) }
                }
                tfoot { tr {
                    th scope="row" { (text.say("rules-example-total")) }
                    td.num { (points) }
                    td.num { "+" (bonus) }
                } }
            }
        }
        p.total { (text.with("rules-example-sum", &[("total", (points + bonus).into())])) }
        p { (text.with("rules-example-two", &two_player_values)) }
    }
}

/// The score of one colour, as a table row.
fn score_row(text: Text, ColourScore { jewel, count, points, bonus }: ColourScore) -> Markup {
    html! {
        tr {
            th scope="row" {
                span.jewels aria-hidden="true" { @for _ in 0..count { (draw_jewel(jewel)) } }
                span.visually-hidden { (count) " × " (text.jewel(jewel)) }
            }
            td.num { (count) " × " (jewel.points()) " = " (points) }
            td.num { @if bonus > 0 { span.bonus { "+" (bonus) } } @else { "–" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_5_6_example_has_18_points_and_a_bonus_of_12_or_5() {
        assert_eq!(points_and_bonus(&parameters_for(DEFAULT_PLAYERS), example_collection()), (18, 12));
        assert_eq!(points_and_bonus(&parameters_for(Players::MIN), example_collection()), (18, 5));
    }
}
