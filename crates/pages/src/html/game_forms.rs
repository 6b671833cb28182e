//! The forms about a player's whole game: pause, let a bot play the rest, leave. They are in the menu of the table and
//! on the home page.

use maud::{Markup, html};
use sultan_domain::Kind;

use super::art::draw;
use super::table::PageContext;

/// The page that shows the forms, and appears again after one of them was sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Table,
    Home,
}

/// A form that ends what the player does at the table, so the player must confirm it.
struct Confirmed {
    route: &'static str,
    icon: &'static str,
    /// The messages of the button that unfolds the form, of the explanation, and of the button that sends the form.
    messages: [&'static str; 3],
}

const LEAVE: Confirmed =
    Confirmed { route: "leave", icon: "icon-leave", messages: ["table-leave", "game-leave-more", "game-leave-yes"] };
const DISCARD: Confirmed = Confirmed {
    route: "leave",
    icon: "icon-leave",
    messages: ["game-discard", "game-discard-more", "game-discard-yes"],
};
const PLAY_REST: Confirmed =
    Confirmed { route: "fill", icon: "icon-bot", messages: ["game-rest", "game-rest-more", "game-rest-yes"] };

/// The forms for the observer's seat in a game in play; empty for a spectator.
pub(crate) fn game_forms(context: PageContext<'_>, origin: Origin) -> Markup {
    let is_alone = is_alone(context);
    html! {
        @if context.own_seat().is_some() {
            @if is_alone && context.playing.info.paused {
                (plain(context, origin, "resume", "icon-person", "game-resume"))
            } @else if is_alone {
                (plain(context, origin, "pause", "icon-clock", "game-pause"))
            }
            @if !context.is_away() {
                (confirmed(context, origin, &PLAY_REST))
            } @else if origin == Origin::Home {
                (plain(context, origin, "return", "icon-person", "table-take-back"))
            }
            @if is_alone { (confirmed(context, origin, &DISCARD)) }
            @else if !context.is_away() { (confirmed(context, origin, &LEAVE)) }
        }
    }
}

/// Returns whether the observer plays against bots only.
fn is_alone(context: PageContext<'_>) -> bool {
    let mut others = context.view().parameters.players.seats().filter(|&seat| Some(seat) != context.own_seat());
    others.all(|seat| matches!(context.person(seat).kind, Kind::Bot(_)))
}

/// The hidden fields of all forms.
fn fields(context: PageContext<'_>, origin: Origin) -> Markup {
    html! {
        @if let Some(seat) = context.own_seat() { input type="hidden" name="seat" value=(seat); }
        @if origin == Origin::Home { input type="hidden" name="back" value="home"; }
    }
}

/// A form that only has a button.
fn plain(context: PageContext<'_>, origin: Origin, route: &str, icon: &str, message: &str) -> Markup {
    html! {
        form method="post" action=(context.form_address(route)) data-live[origin == Origin::Table] {
            (fields(context, origin))
            button.btn { (draw(icon, "icon")) (context.say(message)) }
        }
    }
}

/// A form that unfolds first, so that one tap does not send it. It works without a script, too.
fn confirmed(context: PageContext<'_>, origin: Origin, form: &Confirmed) -> Markup {
    let [title, explanation, button] = form.messages;
    let bot = context.text.bot(&context.playing.clock.stand_in);
    // After leaving, the player is on the home page, where a new game can start.
    let stays_on_page = origin == Origin::Table && form.route != "leave";
    html! {
        details.sure {
            summary.btn.quiet { (draw(form.icon, "icon")) (context.say(title)) }
            form method="post" action=(context.form_address(form.route)) data-live[stays_on_page] {
                p.soft { (context.with(explanation, &[("bot", bot.into())])) }
                (fields(context, origin))
                button.btn.wide { (context.say(button)) }
            }
        }
    }
}
