//! Sentences about the events of a game, the same on pages, in the terminal and on the command line.
//!
//! A [`Narrator`] addresses one observer: a player, or a spectator. It cannot reveal a secret: it gets only views and
//! finished rounds, and these contain only facts that the observer may see.

use sultan_domain::{
    Cushion, Drawn, Jewel, Kind, Offer, Outcome, PlacedBid, PlayingTable, RoundRecord, Seat, Ties, View, ViewPhase,
};

use crate::{Text, Value, short_names};

/// Makes sentences for one observer.
#[derive(Clone, Debug)]
pub struct Narrator {
    text: Text,
    /// The names of the players, in the order of the seats.
    names: Vec<String>,
    /// The seat of the player addressed as “you”; `None` for a spectator.
    you: Option<Seat>,
}

impl Narrator {
    /// A narrator with the names of the players in the order of the seats. It addresses the player of the seat `you` as
    /// “you”.
    #[must_use]
    pub const fn new(text: Text, names: Vec<String>, you: Option<Seat>) -> Self {
        Self { text, names, you }
    }

    /// A narrator for the observer of a table.
    #[must_use]
    pub fn of(text: Text, table: &PlayingTable) -> Self {
        Self::new(text, text.players(table), table.view.observer.seat())
    }

    /// The name of a player; empty if the table has no such seat.
    #[must_use]
    pub fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }

    /// The name of a player with at most `max_chars` characters, see [`short_names`].
    #[must_use]
    pub fn short_name(&self, seat: Seat, max_chars: usize) -> String {
        short_names(&self.names, max_chars).get(seat.index()).cloned().unwrap_or_default()
    }

    /// All names, in the order of the seats.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Sentences about all that happened between two views of a table: first about absent and returning players, then
    /// about players whose time ran out and the game, and last that the game was paused or the table ended.
    #[must_use]
    pub fn changes(&self, before: &PlayingTable, now: &PlayingTable) -> Vec<String> {
        let mut sentences = self.presence_changes(before, now);
        let is_new = |&seat: &Seat| now.clock.timed_out[seat].is_some_and(|at| at >= before.view.action_count);
        let timed_out = now.view.parameters.players.seats().filter(is_new);
        sentences.extend(timed_out.map(|seat| self.time_up(seat, &now.clock.stand_in)));
        if before.view.action_count != now.view.action_count {
            sentences.extend(self.game_changes(&before.view, &now.view));
        }
        if now.info.paused && !before.info.paused {
            sentences.push(self.text.say("game-paused"));
        }
        if now.info.ended && !before.info.ended {
            sentences.push(self.text.say("table-ended"));
        }
        sentences
    }

    /// The sentence that a player's time ran out, and this bot played instead.
    #[must_use]
    pub fn time_up(&self, seat: Seat, bot: &str) -> String {
        let bot = [("bot", self.text.bot(bot).into())];
        self.sentence_about(seat, ["event-time-up-you", "event-time-up"], &bot)
    }

    /// Sentences about players other than the observer who left, returned, or were replaced by a bot (a stand-in), and
    /// for a player about spectators who came.
    fn presence_changes(&self, before: &PlayingTable, now: &PlayingTable) -> Vec<String> {
        let sentence = |seat: Seat| {
            let (was_absent, is_absent) = (before.attendance.is_absent(seat), now.attendance.is_absent(seat));
            let is_same_kind = before.person(seat).kind == now.person(seat).kind;
            let is_unchanged = is_same_kind && was_absent == is_absent;
            if is_unchanged || self.you == Some(seat) {
                return None;
            }
            let key = match now.person(seat).kind {
                Kind::StandIn(_) if !is_same_kind => "event-stands-in",
                Kind::Human if is_absent => "event-is-gone",
                Kind::Human => "event-is-back",
                Kind::StandIn(_) | Kind::Bot(_) | Kind::Open => return None,
            };
            Some(self.text.with(key, &[("name", self.name(seat).into())]))
        };
        let mut sentences: Vec<String> = now.view.parameters.players.seats().filter_map(sentence).collect();
        if self.you.is_some() && now.attendance.watched && !before.attendance.watched {
            sentences.push(self.text.say("table-watched"));
        }
        sentences
    }

    /// Sentences about the actions and finished rounds between two views of a game.
    fn game_changes(&self, before: &View, now: &View) -> Vec<String> {
        let mut sentences = Vec::new();
        // Both views show the same round: only its offer and its bids can be new.
        if (before.stage, before.round) == (now.stage, now.round) && now.phase != ViewPhase::Over {
            if before.phase == ViewPhase::Offer {
                sentences.extend(self.offer_sentences(now));
            }
            sentences.extend(now.bids.iter().skip(before.bids.len()).map(|&bid| self.bid(bid)));
            return sentences;
        }
        if let Some(finished) = &now.last_round {
            // If `before` shows the finished round, add the bids that it lacks. If `before` shows an even earlier
            // round, leave out all bids: only the result of the finished round still matters.
            let is_round_of_before = (finished.stage, finished.round) == (before.stage, before.round);
            let skipped_bids = if is_round_of_before { before.bids.len() } else { finished.bids.len() };
            sentences.extend(finished.bids.into_iter().skip(skipped_bids).map(|bid| self.bid(PlacedBid::Own(bid))));
            sentences.push(self.text.say("event-turned-up"));
            sentences.extend(self.settled(finished, now.parameters.ties));
        }
        if let Some(outcome) = &now.outcome {
            sentences.extend([self.text.say("table-title-over"), self.winners(outcome)]);
            return sentences;
        }
        let stage_and_round = [("stage", now.stage.0.into()), ("round", now.round.0.into())];
        let key = if now.round.0 == 1 { "event-new-stage" } else { "event-new-round" };
        sentences.push(self.text.with(key, &stage_and_round));
        sentences.extend(self.round(now));
        sentences
    }

    /// Sentences about the current round so far: the drawn jewels, the offer and the bids.
    #[must_use]
    pub fn round(&self, view: &View) -> Vec<String> {
        if view.drawn.is_empty() {
            return Vec::new();
        }
        let mut sentences = vec![self.drew(view.first_seat, view.drawn)];
        sentences.extend(self.offer_sentences(view));
        sentences.extend(view.bids.iter().map(|&bid| self.bid(bid)));
        sentences
    }

    /// The sentence that a player drew jewels.
    #[must_use]
    pub fn drew(&self, seat: Seat, drawn: Drawn) -> String {
        let jewels: Vec<String> = drawn.iter().map(|jewel| self.text.jewel(jewel)).collect();
        self.sentence_about(seat, ["event-you-draw", "event-draws"], &[("jewels", jewels.join(", ").into())])
    }

    /// The jewel of each cushion, and the jewel put back; empty before the offer.
    fn offer_sentences(&self, view: &View) -> Vec<String> {
        let cushions = view.offer.on_cushions().map(|(cushion, jewel)| {
            let jewel = self.text.the_jewel(jewel).into();
            self.text.with("table-cushion", &[("number", cushion.number().into()), ("jewel", jewel)])
        });
        cushions.chain(view.put_back().map(|jewel| self.put_back(jewel))).collect()
    }

    /// The sentence that a jewel was put back into the pouch before the bids.
    #[must_use]
    pub fn put_back(&self, jewel: Jewel) -> String {
        self.text.with("event-back", &[("jewel", self.text.the_jewel(jewel).into())])
    }

    /// A bid as it was placed. Only the observer's own card is named.
    #[must_use]
    pub fn bid(&self, bid: PlacedBid) -> String {
        let cushion = ("cushion", bid.cushion().number().into());
        match bid {
            PlacedBid::Own(own) if self.you == Some(own.seat) => {
                self.text.with("event-own-bid", &[cushion, ("card", own.card.value().into())])
            }
            bid => self.text.with("event-bid", &[cushion, ("name", self.name(bid.seat()).into())]),
        }
    }

    /// The results of a finished round, cushion by cushion; empty for an unfinished round.
    #[must_use]
    pub fn settled(&self, round: &RoundRecord, ties: Ties) -> Vec<String> {
        let offer = round.offer.filter(|_| round.winners.is_some());
        let cushions = offer.into_iter().flat_map(Offer::on_cushions);
        cushions.map(|(cushion, jewel)| self.cushion_result(round, cushion, jewel, ties)).collect()
    }

    /// The result of a cushion: the winner, the jewel and the card. Cites the rule for ties if another player bid the
    /// same card.
    fn cushion_result(&self, round: &RoundRecord, cushion: Cushion, jewel: Jewel, ties: Ties) -> String {
        let jewel = ("jewel", self.text.the_jewel(jewel).into());
        let Some(winning) = round.winning_bid(cushion) else { return self.text.with("table-nobody", &[jewel]) };
        let card = ("card", winning.card.value().into());
        let sentence = self.sentence_about(winning.seat, ["table-you-take", "table-takes"], &[jewel, card.clone()]);
        let mut losing = round.bids.into_iter().filter(|bid| bid.cushion == cushion && bid.seat != winning.seat);
        if !losing.any(|bid| bid.card == winning.card) {
            return sentence;
        }
        let rule_for_ties = match ties {
            Ties::EarliestBid => "table-tie-earliest",
            Ties::FirstPlayer => "table-tie-first-player",
        };
        format!("{sentence} {}", self.text.with(rule_for_ties, &[card]))
    }

    /// The sentence that names the winners and their points.
    #[must_use]
    pub fn winners(&self, outcome: &Outcome) -> String {
        let points = outcome.places.iter().find(|place| place.rank == 1).map_or(0, |place| place.points);
        let points = ("points", points.into());
        let winners: Vec<Seat> = outcome.winners().collect();
        if let [winner] = winners[..] {
            return self.sentence_about(winner, ["table-you-win", "table-wins"], &[points]);
        }
        let names: Vec<&str> = winners.iter().map(|&seat| self.name(seat)).collect();
        let Some((last, others)) = names.split_last() else { return String::new() };
        let names = self.text.with("table-and", &[("most", others.join(", ").into()), ("last", (*last).into())]);
        self.text.with("table-share", &[("names", names.into()), points])
    }

    /// A sentence about a player, from one of two messages: the first addresses the observer as “you”, the second has
    /// the variable `name` for any other player.
    fn sentence_about(&self, seat: Seat, [you_key, name_key]: [&str; 2], values: &[(&str, Value<'_>)]) -> String {
        let key = if self.you == Some(seat) { you_key } else { name_key };
        let name = [("name", self.name(seat).into())];
        self.text.with(key, &[values, &name].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;

    /// A finished round with two players: both bid 7 on cushion 1, Bo bids 5 on cushion 2, nobody bids on cushion 3.
    const ROUND: &str = r#"{"stage":1,"round":1,"first_seat":0,"drawn":["W","R","Y","G"],"offer":["R","Y","G"],
        "put_back":"W","bids":[{"seat":0,"card":7,"cushion":1},{"seat":1,"card":7,"cushion":1},
        {"seat":1,"card":5,"cushion":2}],"winners":[0,1,null]}"#;

    #[test]
    fn result_of_a_round_names_winners_ties_and_jewels_without_a_bid() {
        let round: RoundRecord = serde_json::from_str(ROUND).unwrap();
        let narrator = Narrator::new(Text::of(Lang::En), vec!["Ana".to_owned(), "Bo".to_owned()], Seat::new(1));
        let results = narrator.settled(&round, Ties::FirstPlayer);
        let tie = "Ana takes the red jewel with 7. Both played 7: the first player wins.";
        let unwanted = "Nobody wanted the green jewel: back into the pouch.";
        assert_eq!(results, [tie, "You take the yellow jewel with 5.", unwanted]);
        let unfinished = RoundRecord { winners: None, ..round };
        assert!(narrator.settled(&unfinished, Ties::FirstPlayer).is_empty());
    }
}
