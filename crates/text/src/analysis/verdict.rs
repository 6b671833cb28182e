//! A finished game in one sentence, for readers who do not want numbers: why the winner won, and in which round.

use sultan_domain::{Analysis, ChanceMoment, Seat};

use crate::Text;

impl Text {
    /// The most important cause of the win, and the round in which the winner gained most. The player of the seat `you`
    /// is addressed as “you”. `None` if the game was not played to its end.
    #[must_use]
    pub fn verdict(self, analysis: &Analysis, names: &[String], you: Option<Seat>) -> Option<String> {
        let winners: Vec<Seat> = analysis.outcome.as_ref().filter(|_| analysis.complete)?.winners().collect();
        let reason = match winners[..] {
            [winner] => self.cause_of_win(analysis, winner, names, you)?,
            _ => self.say("analysis-won-shared"),
        };
        let turning_point = turning_point(analysis, &winners)?;
        let round = [("stage", turning_point.stage.0.into()), ("round", turning_point.round.0.into())];
        Some(self.with("analysis-verdict", &[&[("reason", reason.into())], &round[..]].concat()))
    }

    /// The part of the winner's result that contributed most: the deal, the choices of others, or own choices.
    fn cause_of_win(self, analysis: &Analysis, winner: Seat, names: &[String], you: Option<Seat>) -> Option<String> {
        let parts = analysis.seats.iter().find(|summary| summary.seat == winner)?;
        let causes = [
            (parts.deal, ["analysis-won-deal", "analysis-won-deal-you"]),
            (parts.others, ["analysis-won-others", "analysis-won-others-you"]),
            (parts.own, ["analysis-won-own", "analysis-won-own-you"]),
        ];
        let (_, [key, key_for_you]) = causes.into_iter().max_by(|(a, _), (b, _)| a.value.total_cmp(&b.value))?;
        if you == Some(winner) {
            return Some(self.say(key_for_you));
        }
        Some(self.with(key, &[("name", names.get(winner.index())?.into())]))
    }
}

/// A moment of the round in which the chance that one of these winners wins rose most.
fn turning_point<'a>(analysis: &'a Analysis, winners: &[Seat]) -> Option<&'a ChanceMoment> {
    let chance = |moment: &ChanceMoment| -> f64 {
        winners.iter().filter_map(|winner| moment.chances.get(winner.index())).map(|chance| chance.value).sum()
    };
    let mut chance_before = chance(analysis.moments.first()?);
    let gains = analysis.round_ends().map(|(last_moment, end)| {
        let gain = chance(end) - chance_before;
        chance_before = chance(end);
        (gain, last_moment)
    });
    gains.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, moment)| moment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;
    use sultan_domain::{
        Action, ChanceStep, Estimate, Outcome, Parameters, Place, Players, Round, SeatAnalysis, Stage,
    };

    /// A complete game of three players with these places, in which the winning chance of seat 0 has these values after
    /// each round of the first stage.
    fn analysis(ranks: [u8; 3], chances_of_seat_0: &[f64]) -> Analysis {
        let players = Players::new(3).unwrap();
        let actions_per_round = 1 + u16::from(Parameters::of(players).bids_per_round());
        let estimate = |value| Estimate { value, error: 0.01 };
        let mut analysis = Analysis::of(players, vec![String::new(); 3], 1);
        let moment = |at: u16, round: u8, step, chance: f64| ChanceMoment {
            at,
            stage: Stage(1),
            round: Round(round),
            step,
            chances: vec![estimate(chance), estimate((1.0 - chance) / 2.0), estimate((1.0 - chance) / 2.0)],
        };
        analysis.moments.push(moment(0, 1, ChanceStep::Start, 1.0 / 3.0));
        let action: Action = "1@1".parse().unwrap();
        for (round, &chance) in (1_u8..).zip(chances_of_seat_0) {
            let step = ChanceStep::Action { seat: Seat::default(), action };
            let at = actions_per_round * u16::from(round);
            // The last moment of a round, and the moment after its last action, which belongs to the next round.
            analysis.moments.push(moment(at - 1, round, step, 0.5));
            analysis.moments.push(moment(at, round + 1, step, chance));
        }
        let places = players.seats().zip(ranks).map(|(seat, rank)| Place { seat, rank, ..Place::default() }).collect();
        analysis.outcome = Some(Outcome { places });
        analysis.complete = true;
        analysis.seats = players
            .seats()
            .map(|seat| SeatAnalysis {
                seat,
                result: 0.0,
                deal: estimate(0.1),
                others: estimate(if seat.number() == 0 { 0.3 } else { 0.0 }),
                own: estimate(-0.1),
                decisions: 1,
                mean_loss: estimate(0.0),
                accuracy: 90.0,
                worst: Vec::new(),
            })
            .collect();
        analysis
    }

    fn verdict(analysis: &Analysis, lang: Lang, you: Option<u8>) -> Option<String> {
        let names = ["Ana", "Bo", "Cy"].map(str::to_owned);
        Text::of(lang).verdict(analysis, &names, you.and_then(Seat::new))
    }

    #[test]
    fn verdict_names_the_greatest_cause_and_the_round_with_the_greatest_gain() {
        let game = analysis([1, 2, 3], &[0.4, 0.3, 0.7, 0.9, 1.0]);
        let about = |you| verdict(&game, Lang::En, you).unwrap();
        let end = "the others’ choices helped; the turning point was stage 1, round 3.";
        assert_eq!(about(None), format!("Ana won above all because {end}"));
        assert_eq!(about(Some(1)), about(None), "the reader lost");
        assert_eq!(
            about(Some(0)),
            "You won above all because the others’ choices helped you; the turning point was stage 1, round 3."
        );
        let other_winner = analysis([2, 1, 3], &[0.4, 0.1, 0.2]);
        assert_eq!(
            verdict(&other_winner, Lang::En, Some(0)).unwrap(),
            "Bo won above all because the cards and jewels fell well; the turning point was stage 1, round 2."
        );
    }

    #[test]
    fn verdict_of_a_shared_win_names_no_cause_and_unfinished_games_have_none() {
        let shared = analysis([1, 1, 3], &[0.4, 0.5]);
        let sentence = verdict(&shared, Lang::En, Some(0)).unwrap();
        assert!(sentence.starts_with("The win is shared; the turning point was stage 1, round"), "{sentence}");
        let unfinished = Analysis { complete: false, ..shared };
        assert_eq!(verdict(&unfinished, Lang::En, None), None);
        assert_eq!(verdict(&analysis([1, 2, 3], &[]), Lang::En, None), None, "no round is over");
    }

    #[test]
    fn verdict_is_written_in_every_language() {
        let game = analysis([1, 2, 3], &[0.9, 1.0]);
        let mut sentences: Vec<String> =
            Lang::ALL.iter().flat_map(|&lang| [None, Some(0)].map(|you| verdict(&game, lang, you).unwrap())).collect();
        assert!(sentences.iter().all(|sentence| sentence.ends_with('.') && sentence.contains('1')), "{sentences:#?}");
        sentences.sort();
        sentences.dedup();
        assert_eq!(sentences.len(), 2 * Lang::ALL.len());
    }
}
