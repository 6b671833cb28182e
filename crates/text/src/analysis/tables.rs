//! The parts of an analysis that have the same text in the terminal and on pages.

use sultan_domain::{Analysis, ChanceMoment, Decision, Estimate, SeatAnalysis};

use crate::Text;

impl Text {
    /// An estimate with its standard error, as in “34.0 % ± 0.4 %”.
    #[must_use]
    pub fn estimate(self, estimate: Estimate) -> String {
        self.with_error(&self.percent(estimate.value, 1), estimate.error, 1)
    }

    /// A percentage followed by its standard error with `digits` decimal places.
    fn with_error(self, percentage: &str, error: f64, digits: usize) -> String {
        format!("{percentage} ±\u{a0}{}", self.percent(error, digits))
    }

    /// A stage and round, as in “Stage 1, round 2”.
    #[must_use]
    pub fn round_label(self, stage: u8, round: u8) -> String {
        self.with("table-round", &[("stage", stage.into()), ("round", round.into())])
    }

    /// A decision with its round, as in “Stage 1, round 2: 12 for the white jewel”.
    #[must_use]
    pub fn decision(self, decision: &Decision) -> String {
        self.labelled(&self.round_label(decision.stage.0, decision.round.0), &self.chosen_action(decision))
    }

    /// The note below the table of players: a player's result is the sum of an equal share of the wins and three parts
    /// (deal, decisions of other players, own decisions).
    #[must_use]
    pub fn sum_note(self, analysis: &Analysis) -> String {
        let equal_share = self.percent(1.0 / f64::from(analysis.players.count()), 1);
        self.with("analysis-adds-up", &[("even", equal_share.into())])
    }

    /// The table of all players: a heading, then one row per player.
    #[must_use]
    pub fn player_table(self, analysis: &Analysis, names: &[String]) -> Vec<Vec<String>> {
        let headings = [
            "verify-player",
            "analysis-result",
            "analysis-deal",
            "analysis-others",
            "analysis-own",
            "analysis-accuracy",
            "analysis-mean-loss",
        ];
        let signed = |part: Estimate| self.with_error(&self.signed_percent(part.value, 1), part.error, 1);
        let row = |(seat, name): (&SeatAnalysis, &String)| {
            vec![
                name.clone(),
                self.percent(seat.result, 1),
                signed(seat.deal),
                signed(seat.others),
                signed(seat.own),
                format!("{:.0}", seat.accuracy),
                self.with_error(&self.percent(seat.mean_loss.value, 2), seat.mean_loss.error, 2),
            ]
        };
        let headings = headings.map(|key| self.say(key)).to_vec();
        std::iter::once(headings).chain(analysis.seats.iter().zip(names).map(row)).collect()
    }

    /// All players' chances after each round, as an alternative to the chart: a heading, then one row per round.
    #[must_use]
    pub fn chance_table(self, analysis: &Analysis, names: &[String]) -> Vec<Vec<String>> {
        let headings = std::iter::once(self.say("verify-round")).chain(names.iter().cloned()).collect();
        let row = |(before, after): (&ChanceMoment, &ChanceMoment)| {
            let round = self.round_label(before.stage.0, before.round.0);
            std::iter::once(round).chain(after.chances.iter().map(|chance| self.estimate(*chance))).collect()
        };
        std::iter::once(headings).chain(analysis.round_ends().map(row)).collect()
    }

    /// The column headings of the table of decisions: the round; the action chosen, how often the strong bot plays it,
    /// its winning chance and its loss; the best action and its winning chance.
    #[must_use]
    pub fn decision_headings(self) -> [String; 7] {
        [
            "verify-round",
            "analysis-done",
            "analysis-share",
            "analysis-chance",
            "analysis-loss",
            "analysis-best",
            "analysis-chance",
        ]
        .map(|key| self.say(key))
    }

    /// A row of the table of decisions.
    #[must_use]
    pub fn decision_row(self, decision: &Decision) -> [String; 7] {
        let (chosen, best) = (decision.options.get(decision.taken), decision.options.get(decision.best));
        [
            self.round_label(decision.stage.0, decision.round.0),
            self.chosen_action(decision),
            chosen.map(|option| self.percent(option.share, 0)).unwrap_or_default(),
            chosen.map(|option| self.estimate(option.win)).unwrap_or_default(),
            self.with_error(&self.percent(decision.loss, 1), decision.gap.error, 1),
            self.action(best.map_or(decision.action, |option| option.action), decision.drawn, decision.offer),
            best.map(|option| self.estimate(option.win)).unwrap_or_default(),
        ]
    }
}
