//! Names, sentences and rules for the screens and for plain text.

use sultan_domain::{Jewel, Kind, Parameters, Person, PlayingTable, Screens, Seat, View};
use sultan_text::{Narrator, Text, sanitized};

use crate::glyph;

/// A player's name. Names are untrusted input, so control characters are replaced.
pub(crate) fn name(text: Text, person: &Person, seat: Seat) -> String {
    if person.kind == Kind::Open { text.say("tui-seat-free") } else { sanitized(&text.player(seat, person)) }
}

/// The narrator for the observer of a game. If players have the same name, it adds their colours.
pub(crate) fn narrator(text: Text, playing: &PlayingTable) -> Narrator {
    let names: Vec<String> = text.players(playing).iter().map(|name| sanitized(name)).collect();
    let unique = |(name, person): (&String, &Person)| match names.iter().filter(|other| *other == name).count() {
        1 => name.clone(),
        _ => format!("{name} ({})", text.colour(person.colour)),
    };
    let unique_names = names.iter().zip(playing.people.iter()).map(unique).collect();
    Narrator::new(text, unique_names, playing.view.observer.seat())
}

/// The stage and the round.
pub(crate) fn clock(text: Text, view: &View) -> String {
    let parameters = view.parameters;
    let (round, rounds) = (("round", view.round.0.into()), ("rounds", parameters.rounds_per_stage.into()));
    if let Some(game) = text.variant_title(&parameters.variant()) {
        return text.with("tui-clock-variant", &[("game", (&game).into()), round, rounds]);
    }
    let stages = ("stages", parameters.stages.into());
    text.with("tui-clock", &[("stage", view.stage.0.into()), stages, round, rounds])
}

/// A description of the setting for the screens.
pub(crate) fn screens(text: Text, screens: Screens) -> String {
    match screens {
        Screens::Closed => text.say("tui-screens-closed"),
        Screens::Open => text.say("tui-screens-open"),
    }
}

/// The sentence that names the winners.
pub(crate) fn verdict(text: Text, playing: &PlayingTable) -> String {
    let outcome = playing.view.outcome.as_ref();
    outcome.map_or_else(|| text.say("table-ended"), |outcome| narrator(text, playing).winners(outcome))
}

/// A summary of the rules, with the numbers of these parameters.
pub(crate) fn rules(text: Text, parameters: &Parameters, shapes: bool) -> Vec<String> {
    let sign = |jewel: Jewel| if shapes { glyph::jewel(jewel) } else { jewel.to_string() };
    let two = parameters.bids_per_round == 2;
    let points = Jewel::ALL.map(|jewel| format!("{} {} {}", sign(jewel), text.jewel(jewel), jewel.points()));
    let jewels = Jewel::ALL.map(|jewel| format!("{} {}", sign(jewel), parameters.pouch.count(jewel)));
    let steps = parameters.bonus.steps().iter();
    let steps: Vec<String> =
        steps.map(|step| text.labelled(&step.count.to_string(), &step.points.to_string())).collect();
    let cards = ("cards", parameters.hand().into());
    let highest = ("highest", parameters.highest_card.into());
    let sets = ("sets", parameters.copies.into());
    vec![
        text.with("tui-rules-title", &[("players", parameters.players.count().into())]),
        text.say("tui-rules-aim"),
        text.with(
            "tui-rules-pouch",
            &[("count", parameters.pouch.len().into()), ("jewels", (&jewels.join(", ")).into())],
        ),
        text.with(
            "tui-rules-hand",
            &[
                ("stages", parameters.stages.into()),
                ("rounds", parameters.rounds_per_stage.into()),
                cards,
                highest,
                sets,
            ],
        ),
        text.with("tui-rules-offer", &[("drawn", parameters.draw().into()), ("cushions", parameters.cushions.into())]),
        if two { text.say("tui-rules-bid-two") } else { text.say("tui-rules-bid") },
        text.say("tui-rules-settle"),
        if two { text.say("tui-rules-tie-two") } else { text.say("tui-rules-tie") },
        text.say("tui-rules-screen"),
        text.with("tui-rules-points", &[("points", (&points.join(", ")).into())]),
        text.with("tui-rules-bonus", &[("steps", (&steps.join(", ")).into())]),
        text.say("tui-rules-win"),
    ]
}
