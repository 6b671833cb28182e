//! Names, sentences and rules for the screens and for plain text.

use sultan_domain::{BonusStep, Jewel, Kind, Parameters, Person, PlayingTable, Seat, View};
use sultan_text::{Narrator, Text, sanitized};

use crate::glyph;

/// A player's name. Names are untrusted input, so control characters are replaced.
pub(crate) fn player_name(text: Text, person: &Person, seat: Seat) -> String {
    if person.kind == Kind::Open { text.say("tui-seat-free") } else { sanitized(&text.player(seat, person)) }
}

/// The narrator for the observer of a game. If several players have the same name, it adds their colours.
pub(crate) fn narrator(text: Text, playing: &PlayingTable) -> Narrator {
    let names: Vec<String> = text.players(playing).iter().map(|name| sanitized(name)).collect();
    let unique_name = |(name, person): (&String, &Person)| match names.iter().filter(|other| *other == name).count() {
        1 => name.clone(),
        _ => format!("{name} ({})", text.colour(person.colour)),
    };
    let unique_names = names.iter().zip(playing.people.iter()).map(unique_name).collect();
    Narrator::new(text, unique_names, playing.view.observer.seat())
}

/// The current stage and round, as in “Stage 1 of 3, round 2 of 5”. A variant with its own title has a single stage, so
/// the title replaces the stage.
pub(crate) fn stage_and_round(text: Text, view: &View) -> String {
    let parameters = view.parameters;
    let (round, rounds) = (("round", view.round.0.into()), ("rounds", parameters.rounds_per_stage.into()));
    if let Some(title) = text.variant_title(&parameters.variant()) {
        return text.with("tui-clock-variant", &[("game", title.into()), round, rounds]);
    }
    let (stage, stages) = (("stage", view.stage.0.into()), ("stages", parameters.stages.into()));
    text.with("tui-clock", &[stage, stages, round, rounds])
}

/// The sentence that names the winners, or that reports an abandoned game.
pub(crate) fn result_sentence(text: Text, playing: &PlayingTable) -> String {
    let outcome = playing.view.outcome.as_ref();
    outcome.map_or_else(|| text.say("table-ended"), |outcome| narrator(text, playing).winners(outcome))
}

/// A summary of the rules, with the numbers of these parameters. Jewels are written as letters, on the screen
/// (`with_shapes`) also as shapes; screen readers cannot read these.
pub(crate) fn rules(text: Text, parameters: &Parameters, with_shapes: bool) -> Vec<String> {
    let symbol = |jewel: Jewel| if with_shapes { glyph::jewel(jewel).to_owned() } else { jewel.to_string() };
    let points_of = |jewel: Jewel| format!("{} {} {}", symbol(jewel), text.jewel(jewel), jewel.points());
    let points = Jewel::ALL.map(points_of).join(", ");
    let jewels = Jewel::ALL.map(|jewel| format!("{} {}", symbol(jewel), parameters.pouch.count(jewel))).join(", ");
    let bonus_step = |step: &BonusStep| text.labelled(&step.count.to_string(), &step.points.to_string());
    let bonus_steps = parameters.bonus.steps().iter().map(bonus_step).collect::<Vec<_>>().join(", ");
    let (bid, tie) = match parameters.bids_per_player {
        2 => ("tui-rules-bid-two", "tui-rules-tie-two"),
        _ => ("tui-rules-bid", "tui-rules-tie"),
    };
    let values = [
        ("players", parameters.players.count().into()),
        ("count", parameters.pouch.len().into()),
        ("jewels", jewels.into()),
        ("stages", parameters.stages.into()),
        ("rounds", parameters.rounds_per_stage.into()),
        ("cards", parameters.hand_size().into()),
        ("highest", parameters.highest_card.into()),
        ("sets", parameters.copies.into()),
        ("drawn", parameters.draw_size().into()),
        ("cushions", parameters.cushions.into()),
        ("points", points.into()),
        ("steps", bonus_steps.into()),
    ];
    let sentences = [
        "tui-rules-title",
        "tui-rules-aim",
        "tui-rules-pouch",
        "tui-rules-hand",
        "tui-rules-offer",
        bid,
        "tui-rules-settle",
        tie,
        "tui-rules-screen",
        "tui-rules-points",
        "tui-rules-bonus",
        "tui-rules-win",
    ];
    sentences.map(|key| text.with(key, &values)).into()
}
