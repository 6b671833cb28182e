//! The parts of an analysis that have the same text in the terminal and on pages.

use sultan_domain::{Analysis, ChanceMoment, Decision, Estimate, SeatAnalysis};

use crate::Text;

impl Text {
    /// An estimate with its standard error, as in “34.0 % ± 0.4 %”.
    #[must_use]
    pub fn estimate(self, estimate: Estimate) -> String {
        format!("{} ±\u{a0}{}", self.percent(estimate.value, 1), self.percent(estimate.error, 1))
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

    /// The note that the parts add up to the result.
    #[must_use]
    pub fn sum_note(self, analysis: &Analysis) -> String {
        let even = self.percent(1.0 / f64::from(analysis.players.count()), 1);
        self.with("analysis-adds-up", &[("even", even.into())])
    }

    /// The table of all players: a heading, then one row per player.
    #[must_use]
    pub fn player_table(self, analysis: &Analysis, names: &[String]) -> Vec<Vec<String>> {
        let text = self;
        let heading = [
            text.say("verify-player"),
            text.say("analysis-result"),
            text.say("analysis-deal"),
            text.say("analysis-others"),
            text.say("analysis-own"),
            text.say("analysis-accuracy"),
            text.say("analysis-mean-loss"),
        ];
        let part =
            |part: Estimate| format!("{} ±\u{a0}{}", text.signed_percent(part.value, 1), text.percent(part.error, 1));
        let row = |(seat, name): (&SeatAnalysis, &String)| {
            vec![
                name.clone(),
                text.percent(seat.result, 1),
                part(seat.deal),
                part(seat.others),
                part(seat.own),
                format!("{:.0}", seat.accuracy),
                format!("{} ±\u{a0}{}", text.percent(seat.mean_loss.value, 2), text.percent(seat.mean_loss.error, 2)),
            ]
        };
        std::iter::once(heading.to_vec()).chain(analysis.seats.iter().zip(names).map(row)).collect()
    }

    /// All players' chances after each round, as an alternative to the chart: a heading, then one row per round.
    #[must_use]
    pub fn chance_table(self, analysis: &Analysis, names: &[String]) -> Vec<Vec<String>> {
        let text = self;
        let heading = std::iter::once(text.say("verify-round")).chain(names.iter().cloned()).collect();
        let row = |(before, after): (&ChanceMoment, &ChanceMoment)| {
            let when = text.round_label(before.stage.0, before.round.0);
            std::iter::once(when).chain(after.chances.iter().map(|chance| text.estimate(*chance))).collect()
        };
        std::iter::once(heading).chain(analysis.round_ends().map(row)).collect()
    }

    /// The column headings of the table of decisions.
    #[must_use]
    pub fn decision_headings(self) -> [String; 7] {
        let text = self;
        [
            text.say("verify-round"),
            text.say("analysis-done"),
            text.say("analysis-share"),
            text.say("analysis-chance"),
            text.say("analysis-loss"),
            text.say("analysis-best"),
            text.say("analysis-chance"),
        ]
    }

    /// A row of the table of decisions.
    #[must_use]
    pub fn decision_row(self, decision: &Decision) -> [String; 7] {
        let (taken, best) = (decision.options.get(decision.taken), decision.options.get(decision.best));
        [
            self.round_label(decision.stage.0, decision.round.0),
            self.chosen_action(decision),
            taken.map(|option| self.percent(option.share, 0)).unwrap_or_default(),
            taken.map(|option| self.estimate(option.win)).unwrap_or_default(),
            format!("{} ±\u{a0}{}", self.percent(decision.loss, 1), self.percent(decision.gap.error, 1)),
            self.best_action(decision),
            best.map(|option| self.estimate(option.win)).unwrap_or_default(),
        ]
    }
}
