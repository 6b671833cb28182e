//! The coach of a table, a bot that gives advice to players: the buttons that request advice, and the advice.

use maud::{Markup, html};
use sultan_domain::{MayHold, Screens};
use sultan_table::Advice;

use super::art::{draw, emblem};
use super::layout::{Page, page, wide_table};
use super::table::PageContext;
use crate::display::DisplaySettings;

/// The buttons that request advice. Spectators only see that the table has a coach. Empty at tables without a coach.
pub(crate) fn buttons(context: PageContext<'_>) -> Markup {
    let close = context.say("table-close");
    html! {
        @if context.playing.info.coach {
            @if context.own_seat().is_some() {
                form #ask-coach data-coach method="post" action=(context.form_address("hint")) data-close=(close) data-title=(context.say("coach-title")) {
                    button.btn title=(context.say("coach-on")) { (context.say("coach-ask")) }
                }
                @let title = context.say("coach-holds");
                @let button = html! { button.icon-btn title=(title) aria-label=(title) { (draw("icon-eye", "icon")) } };
                (possible_cards_button(context, Some("ask-holds"), &button))
            } @else {
                span.pill title=(context.say("coach-on")) { (context.say("coach-title")) }
            }
        }
    }
}

/// The form around a button that requests the cards which the other players may still hold. Empty at tables without a
/// coach, for spectators, and with closed screens.
///
/// The form is in the bar with an `id`, and again in the menu without one, because a narrow bar has no room for it.
pub(crate) fn possible_cards_button(context: PageContext<'_>, id: Option<&str>, button: &Markup) -> Markup {
    let may_ask = context.playing.info.coach && context.own_seat().is_some() && context.view().screens == Screens::Open;
    html! {
        @if may_ask {
            form id=[id] data-coach method="post" action=(context.form_address("holds")) data-close=(context.say("table-close")) data-title=(context.say("coach-holds")) {
                (button)
            }
        }
    }
}

/// A page with only the coach's answer, for browsers without a script. It links back to the table at `table_path`.
pub(crate) fn answer_page(display: &DisplaySettings, heading: &str, answer: &Markup, table_path: &str) -> Markup {
    let text = display.text;
    let body = html! {
        main #coach .page {
            h1 #main tabindex="-1" { (heading) }
            section.panel { (answer) }
            p { a.btn.key href=(table_path) { (text.say("verify-back")) } }
        }
    };
    page(display, &Page::new("coach-page", heading, text.say("table-about"), body))
}

/// The coach's hint: sentences about the best action, and a table of all options.
pub(crate) fn hint(context: PageContext<'_>, advice: &Advice) -> Markup {
    let text = context.text;
    let view = &advice.view;
    let names: Vec<String> = view.seats.iter().map(|seat| context.name(seat.seat)).collect();
    let offer = Some(view.offer).filter(|offer| !offer.is_empty());
    let mut options: Vec<_> = advice.hint.options.iter().collect();
    // The most recommended action first.
    options.sort_by(|a, b| b.share.total_cmp(&a.share));
    let headings = ["coach-options", "analysis-share", "analysis-chance"].map(|key| text.say(key));
    let rows = html! {
        @for option in options {
            tr {
                th scope="row" { (text.action(option.action, view.drawn, offer)) }
                td { (text.percent(option.share, 0)) }
                td { (text.estimate(option.win)) }
            }
        }
    };
    html! {
        div.coach-said {
            ul.told { @for sentence in text.hint(&advice.hint, view.drawn, offer, &names) { li { (sentence) } } }
            (wide_table(&headings[0], &headings, &rows))
            p.soft.small { (text.say("coach-note")) }
        }
    }
}

/// The cards that each of the other players may still hold, with the probability of each card.
pub(crate) fn possible_cards(context: PageContext<'_>, hands: &[MayHold]) -> Markup {
    let text = context.text;
    html! {
        div.coach-said {
            p.soft.small { (text.say("coach-holds-note")) }
            dl.holds {
                @for hand in hands {
                    @let colour = context.person(hand.seat).colour;
                    div data-colour=(colour.name()) {
                        dt { (emblem(colour)) (context.name(hand.seat)) }
                        dd { ul { @for card in &hand.cards {
                            @let probability = text.percent(card.chance, 0);
                            li { b { (card.card) @if card.left > 1 { " ×" (card.left) } } " " span.num { (probability) } }
                        } } }
                    }
                }
            }
        }
    }
}
