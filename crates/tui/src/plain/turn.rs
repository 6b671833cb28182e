//! One turn in plain text: writes the prompt and parses the player's line.

use std::io::{self, Write};

use sultan_domain::{Legal, PlayingTable, View};
use sultan_text::Text;

use crate::glyph;
use crate::narration::narrator;

/// A parsed input line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// An action in text form. The table checks whether it is legal.
    Act(String),
    /// Repeat the prompt.
    Repeat,
    Help,
    Rules,
    Quit,
}

/// Writes the player's jewels, hand and legal actions.
pub(super) fn write_prompt(text: Text, playing: &PlayingTable, out: &mut dyn Write) -> io::Result<()> {
    let view = &playing.view;
    if let Some(collection) = view.observer.seat().and_then(|seat| view.seats[seat.index()].collection) {
        let jewels = ("jewels", glyph::collection(collection).into());
        let points = ("points", view.parameters.points(collection).into());
        writeln!(out, "{}", text.with("tui-plain-own", &[jewels, points]))?;
    }
    let hand: Vec<String> = view.hand.iter().map(|card| card.to_string()).collect();
    writeln!(out, "{}.", text.labelled(&text.say("tui-your-hand"), &hand.join(" ")))?;
    let legal = view.legal();
    // A line lists one offer, or the bids with one card.
    let actions_per_line = match legal {
        Legal::Nothing => return Ok(()),
        Legal::Offers { .. } => {
            let drawn: Vec<String> = view.drawn.iter().map(|jewel| jewel.to_string()).collect();
            writeln!(out, "{}", text.with("tui-plain-offer", &[("jewels", drawn.join(" ").into())]))?;
            1
        }
        Legal::Bids { cushions, .. } => {
            let narrator = narrator(text, playing);
            for (cushion, jewel) in view.offer.on_cushions() {
                let bids = view.bids.iter().filter(|bid| bid.cushion() == cushion);
                let names: Vec<&str> = bids.map(|bid| narrator.name(bid.seat())).collect();
                let title = text.with("tui-cushion", &[("cushion", cushion.number().into())]);
                let names = if names.is_empty() { text.say("tui-plain-no-card") } else { names.join(", ") };
                let jewel = format!("{jewel} {}", text.jewel(jewel));
                writeln!(out, "{}. {names}.", text.labelled(&title, &jewel))?;
            }
            writeln!(out, "{}", text.say("tui-plain-bid"))?;
            cushions.len() as usize
        }
    };
    let numbered_actions: Vec<String> =
        legal.iter().zip(1..).map(|(action, number): (_, u32)| format!("{number}) {action}")).collect();
    for line in numbered_actions.chunks(actions_per_line.max(1)) {
        writeln!(out, "{}", line.join("  "))?;
    }
    Ok(())
}

/// Parses a command that is valid at any time. `None` for any other line.
pub(super) fn parse_command(line: &str) -> Option<Command> {
    match &line.to_lowercase()[..] {
        "" => Some(Command::Repeat),
        "?" | "help" => Some(Command::Help),
        "rules" => Some(Command::Rules),
        "q" | "quit" => Some(Command::Quit),
        _ => None,
    }
}

/// Parses a line of the player's turn: a command, the number of a listed action, or an action.
pub(super) fn parse(line: &str, view: &View) -> Command {
    if let Some(command) = parse_command(line) {
        return command;
    }
    let listed_action = line.parse::<u32>().ok().and_then(|number| view.legal().nth(number.checked_sub(1)?));
    if let Some(action) = listed_action {
        return Command::Act(action.to_string());
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &&str| word.parse::<u8>().is_ok();
    match &words[..] {
        // A card and a cushion, as in `12 2`.
        [card, cushion] if is_number(card) && is_number(cushion) => Command::Act(format!("{card}@{cushion}")),
        // Other words are joined: `r y b` is the offer RYB.
        words => Command::Act(words.concat().to_uppercase()),
    }
}
