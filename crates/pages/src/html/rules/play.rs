//! The sections about the course of the game: its aim, its components, the setup, a round, and games of two players.

use maud::{Markup, html};
use sultan_domain::{Jewel, Parameters, PlayerColour, Players};
use sultan_text::{Text, Value};

use super::pictures::{self, TIE};
use super::tables::player_count_table;
use super::{DEFAULT_PLAYERS, FEWER_CUSHIONS_PLAYERS, parameters_for};
use crate::html::art::{draw, draw_jewel};
use crate::html::layout::items;

/// The rules in five lines.
pub(super) fn summary(text: Text) -> Markup {
    let bonus = parameters_for(DEFAULT_PLAYERS).bonus.last().points;
    let points = |jewel: Jewel| jewel.points().into();
    let values = [("least", points(Jewel::White)), ("most", points(Jewel::Blue)), ("bonus", bonus.into())];
    html! {
        ol.plain {
            li { (text.with("rules-short-offer", &count_and_fewer(|parameters| parameters.cushions))) }
            (items(text, &["rules-short-bid", "rules-short-win", "rules-short-screens"]))
            li { (text.with("rules-short-points", &values)) }
        }
    }
}

/// The aim of the game.
pub(super) fn aim(text: Text) -> Markup {
    html! {
        p { (text.say("rules-aim-treasurer")) }
        p { (text.say("rules-aim-bids")) }
        p { (text.say("rules-aim-points")) }
    }
}

/// Values for a text about a number that is lower in a game of `FEWER_CUSHIONS_PLAYERS` players.
fn count_and_fewer(number: fn(&Parameters) -> u8) -> [(&'static str, Value<'static>); 3] {
    let [usual, fewer] = [DEFAULT_PLAYERS, FEWER_CUSHIONS_PLAYERS].map(|players| number(&parameters_for(players)));
    [("count", usual.into()), ("fewer", fewer.into()), ("players", FEWER_CUSHIONS_PLAYERS.into())]
}

/// The components of the game.
pub(super) fn material(text: Text) -> Markup {
    let usual = parameters_for(DEFAULT_PLAYERS);
    let [small, medium, large, huge] = [0, 1, 2, 3].map(|step| usual.bonus.steps()[step].points);
    let jewels = [("count", usual.pouch.len().into()), ("colours", Jewel::ALL.len().into())];
    let cards = [("highest", usual.highest_card.into()), ("colours", PlayerColour::ALL.len().into())];
    let cushions = count_and_fewer(|parameters| parameters.cushions);
    let bonus = [("a", small.into()), ("b", medium.into()), ("c", large.into()), ("d", huge.into())];
    html! {
        ul.material {
            li { div.pic aria-hidden="true" { (draw("pouch", "pouch-drawn")) } p { (text.with("rules-material-jewels", &jewels)) } }
            li {
                div.pic aria-hidden="true" { (pictures::card(PlayerColour::Gold, Some(usual.highest_card))) (pictures::card(PlayerColour::Violet, None)) }
                p { (text.with("rules-material-cards", &cards)) }
            }
            li { div.pic aria-hidden="true" { (draw("cushion", "velvet")) } p { (text.with("rules-material-cushions", &cushions)) } }
            li { div.pic aria-hidden="true" { (pictures::screen(PlayerColour::Blue)) } p { (text.say("rules-material-screens")) } }
            li {
                div.pic aria-hidden="true" { span.bonus { (medium) } span.bonus { (huge) } }
                p { (text.with("rules-material-bonus", &bonus)) }
            }
        }
        h3 { (text.say("rules-material-each")) }
        ul.points #jewels {
            @for jewel in Jewel::ALL {
                li { (draw_jewel(jewel)) span { (text.jewel(jewel)) } b.num { (usual.pouch.count(jewel)) } }
            }
        }
    }
}

/// The setup of the game, with a table of the numbers that depend on the number of players.
pub(super) fn setup(text: Text) -> Markup {
    let usual = parameters_for(DEFAULT_PLAYERS);
    let players = [("fewest", Players::MIN.into()), ("most", Players::MAX.into())];
    let stages = [("stages", usual.stages.into()), ("hand", usual.hand_size().into())];
    html! {
        p { (text.with("rules-setup-colours", &players)) }
        p { (text.say("rules-setup-first")) }
        p { (text.with("rules-setup-stages", &stages)) }
        (player_count_table(text))
    }
}

/// The four steps of a round with pictures, notes about the round, and ties.
pub(super) fn round(text: Text) -> Markup {
    let usual = parameters_for(DEFAULT_PLAYERS);
    let drawn = count_and_fewer(Parameters::draw_size);
    let offer = count_and_fewer(|parameters| parameters.cushions);
    let bid = [("count", usual.bids_per_player.into())];
    let notes = ["rules-round-seen", "rules-round-one", "rules-round-none", "rules-round-gone", "rules-round-next"];
    let step = |picture: Markup, title: String, description: String| {
        html! { li { (picture) div { h3 { (title) } p { (description) } } } }
    };
    html! {
        p { (text.say("rules-round-intro")) }
        ol.pictures {
            (step(pictures::drawn(usual.draw_size()), text.say("rules-draw"), text.with("rules-draw-text", &drawn)))
            (step(pictures::offered(usual.cushions), text.say("rules-offer"), text.with("rules-offer-text", &offer)))
            (step(pictures::bids_on_cushions(usual.cushions, false), text.say("rules-bid"), text.with("rules-bid-text", &bid)))
            (step(pictures::bids_on_cushions(usual.cushions, true), text.say("rules-reveal"), text.say("rules-reveal-text")))
        }
        ul.plain { (items(text, &notes)) }
        (ties(text))
    }
}

/// The rule for equal cards, with a picture.
fn ties(text: Text) -> Markup {
    let [winner, _, equal_card] = TIE;
    let values = [("card", winner.card.into()), ("first", winner.order.into()), ("second", equal_card.order.into())];
    html! {
        div.tie #ties {
            (pictures::tie())
            div { h3 { (text.say("rules-ties")) } p { (text.say("rules-ties-text")) } p.soft { (text.with("rules-tie-caption", &values)) } }
        }
    }
}

/// The special rules of games of two players.
pub(super) fn two_players(text: Text) -> Markup {
    let (two, usual) = (parameters_for(Players::MIN), parameters_for(DEFAULT_PLAYERS));
    let cards =
        [("copies", two.copies.into()), ("highest", two.highest_card.into()), ("cards", two.full_set().len().into())];
    let hand = [("rounds", two.rounds_per_stage.into()), ("hand", two.hand_size().into())];
    let bonus = [("count", two.bonus.first().count.into()), ("usual", usual.bonus.first().count.into())];
    html! {
        p { (text.say("rules-two-intro")) }
        ul.plain {
            li { (text.with("rules-two-cards", &cards)) }
            li { (text.with("rules-two-hand", &hand)) }
            li { (text.with("rules-two-bids", &[("count", two.bids_per_player.into())])) }
            li { (text.say("rules-two-ties")) }
            li { (text.say("rules-two-next")) }
            li { (text.with("rules-two-bonus", &bonus)) " " a href="#bonuses" { (text.say("rules-two-see")) } }
        }
    }
}
