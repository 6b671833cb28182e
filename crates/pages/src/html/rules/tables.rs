//! The tables of the rules: numbers that depend on the number of players.

use maud::{Markup, html};
use sultan_domain::{Parameters, Players};
use sultan_text::Text;

use super::{FEWEST_USUAL_PLAYERS, parameters_for};

/// The table of the numbers that depend on the number of players.
pub(super) fn player_count_table(text: Text) -> Markup {
    let row = |name: String, number: fn(&Parameters) -> u32| {
        html! {
            tr { th scope="row" { (name) } @for players in Players::ALL { td.num { (number(&Parameters::of(players))) } } }
        }
    };
    html! {
        div.wide {
            table.numbers #numbers {
                caption { (text.say("rules-numbers")) }
                thead { tr {
                    th scope="col" { (text.say("table-players")) }
                    @for players in Players::ALL { th.num scope="col" { (players.count()) } }
                } }
                tbody {
                    (row(text.say("rules-row-cushions"), |parameters| parameters.cushions.into()))
                    (row(text.say("rules-row-drawn"), |parameters| parameters.draw_size().into()))
                    (row(text.say("rules-row-cards"), |parameters| parameters.full_set().len()))
                    (row(text.say("rules-row-highest"), |parameters| parameters.highest_card.into()))
                    (row(text.say("rules-row-hand"), |parameters| parameters.hand_size().into()))
                    (row(text.say("rules-row-bids"), |parameters| parameters.bids_per_player.into()))
                    (row(text.say("rules-row-stage"), |parameters| parameters.rounds_per_stage.into()))
                    (row(text.say("rules-row-rounds"), |parameters| parameters.rounds().into()))
                }
            }
        }
    }
}

/// The table of bonuses. Each row has a bonus, and the number of jewels of one colour that it needs: in the usual game,
/// and in a game of two players.
pub(super) fn bonus_table(text: Text) -> Markup {
    let (usual, two) = (parameters_for(FEWEST_USUAL_PLAYERS), parameters_for(Players::MIN));
    let required_count = |parameters: &Parameters, step: usize| {
        let steps = parameters.bonus.steps();
        let count = steps[step].count;
        // The last step also holds for greater numbers: "6 or more".
        if step + 1 == steps.len() {
            text.with("table-alike-more", &[("count", count.into())])
        } else {
            count.to_string()
        }
    };
    let range = text.with("rules-from-to", &[("from", FEWEST_USUAL_PLAYERS.into()), ("to", Players::MAX.into())]);
    html! {
        table.numbers #bonuses {
            caption { (text.say("rules-bonus-caption")) }
            thead { tr {
                th scope="col" { (text.say("rules-bonus-column")) }
                th.num scope="col" { (range) }
                th.num scope="col" { (text.with("rules-players", &[("count", Players::MIN.into())])) }
            } }
            tbody {
                @for (step, bonus) in usual.bonus.steps().iter().enumerate() {
                    tr {
                        th scope="row" { span.bonus { "+" (bonus.points) } }
                        td.num { (required_count(&usual, step)) }
                        td.num { (required_count(&two, step)) }
                    }
                }
            }
        }
    }
}
