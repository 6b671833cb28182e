//! How much a test may ask of a bot.

/// How many of so many games, or answers, a test can afford of the bot with this name: quick bots get all, those that
/// search get few, at least one. A name that is not known yet counts as slow.
#[must_use]
pub fn affordable(bot: &str, games: u64) -> u64 {
    let share = match bot {
        "random" => 1,
        "page" | "merchant" | "jeweller" => 4,
        "vizier" => 10,
        // With `sultan` and `mcts`, which think longest.
        _ => 100,
    };
    (games / share).max(1)
}
