//! Every reason and every part of an analysis has its text in every language.

use sultan_domain::{
    Analysis, ChanceMoment, ChanceStep, Estimate, MoneyCard, OptionValue, PlayerColour, Players, Reason, Round, Seat,
    Stage,
};

use super::*;

/// Every kind of reason, with the key of its message.
fn reasons_with_message_keys() -> Vec<(Reason, &'static str)> {
    let (jewel, better) = (Jewel::White, Jewel::Blue);
    let [card, other_card] = [12, 3].map(|value| MoneyCard::new(value).unwrap());
    let (take, better_take, leader) = (0.62, 0.05, Seat::new(1).unwrap());
    vec![
        (Reason::WastedHighCard { jewel, card, take, better: other_card, better_take }, "reason-wasted-high-card"),
        (Reason::CardTooLow { jewel, card, take, better: other_card, better_take }, "reason-card-too-low"),
        (Reason::CostlyDiscard { card, better: other_card, take }, "reason-costly-discard"),
        (Reason::HopelessBid { jewel, take, better, card, better_take }, "reason-hopeless-bid"),
        (Reason::MissedSet { jewel, count: 4, bonus: 5, take }, "reason-missed-set"),
        (Reason::LeftToLeader { leader, jewel, take, better_take }, "reason-fed-the-leader"),
        (Reason::BetterCushion { jewel, take, better, card, better_take }, "reason-better-cushion-worth"),
        (Reason::BetterCard { card, better: other_card }, "reason-better-card"),
        (Reason::PutBackOwnSet { jewel, count: 3, better }, "reason-put-back-own-set"),
        (Reason::OfferedToLeader { leader, jewel, count: 5 }, "reason-offered-to-leader"),
        (Reason::BetterOffer { jewel, better }, "reason-better-offer"),
        (
            Reason::CheaperElsewhere { jewel, card, take, better, better_card: other_card, better_take },
            "reason-cheaper-elsewhere",
        ),
        (Reason::WastedHighCard { jewel, card, take, better: other_card, better_take: take }, "reason-wasted-as-often"),
        (Reason::HopelessBid { jewel, take: 0.0, better, card, better_take }, "reason-hopeless-never"),
        (Reason::BetterCushion { jewel, take: better_take, better, card, better_take: take }, "reason-better-cushion"),
        // For two jewels of the same colour the message speaks of another cushion.
        (Reason::HopelessBid { jewel, take, better: jewel, card, better_take }, "reason-same-colour"),
        (Reason::BetterCushion { jewel, take, better: jewel, card, better_take }, "reason-same-colour"),
        (
            Reason::CheaperElsewhere { jewel, card, take, better: jewel, better_card: other_card, better_take },
            "reason-cheaper-same-colour",
        ),
    ]
}

fn offer_of(jewels: &str) -> Option<Offer> {
    Offer::new(&jewels.chars().filter_map(Jewel::from_letter).collect::<Vec<_>>())
}

/// A bid on the first cushion and a better one on the second, for these jewels on the cushions.
fn compared(offer: &str) -> Compared {
    let [worse, better] = ["12@1", "3@2"].map(|bid| bid.parse().unwrap());
    Compared { offer: offer_of(offer), worse, better }
}

fn all_reasons() -> Vec<Reason> {
    reasons_with_message_keys().into_iter().map(|(reason, _)| reason).collect()
}

#[test]
fn every_reason_has_its_message_key() {
    for (reason, key) in reasons_with_message_keys() {
        assert_eq!(Text::default().reason_key(&reason), key, "{reason:?}");
    }
}

#[test]
fn every_reason_has_a_sentence() {
    let names = ["Ana".to_owned(), "Ben".to_owned()];
    for lang in Lang::ALL {
        let text = Text::of(lang);
        let sentence = |reason: &Reason| text.reason(reason, compared("WBR"), &names);
        let sentences: Vec<String> = all_reasons().iter().map(sentence).collect();
        assert!(
            sentences.iter().all(|sentence| sentence.ends_with('.') && !sentence.contains("reason-")),
            "{sentences:#?}"
        );
        // These reasons name the leader. It is the player of seat 1.
        assert!(sentences[5].contains("Ben") && sentences[9].contains("Ben"));
        // From index 15 on, both jewels have the same colour, so the sentence names the other cushion and no colour.
        let white_jewel = text.jewel_as_object(Jewel::White);
        let names_cushion = |sentence: &String| sentence.contains('2') && !sentence.contains(&white_jewel);
        assert!(sentences[15..].iter().all(names_cushion), "{sentences:#?}");
    }
    let sentence = Text::of(Lang::En).reason(&all_reasons()[1], compared("WBR"), &names);
    assert_eq!(sentence, "The 12 takes the white jewel only 62% of the time; the 3 takes it 5% of the time.");
}

#[test]
fn cushion_is_named_if_several_have_jewels_of_one_colour() {
    let action = |lang, action: &str, offer: &str| {
        Text::of(lang).action(action.parse().unwrap(), Drawn::default(), offer_of(offer))
    };
    assert_eq!(action(Lang::En, "12@2", "RWG"), "12 for the white jewel");
    assert_eq!(action(Lang::En, "12@2", "WWG"), "12 for the white jewel on cushion 2");
    assert_eq!(action(Lang::En, "12@3", "WWG"), "12 for the green jewel");
    assert_eq!(action(Lang::De, "12@1", "WGW"), "12 für das weiße Juwel auf Kissen 1");
    assert_eq!(action(Lang::Hu, "12@1", "WGW"), "12 értékű kártyával a fehér drágakövet az 1. párnáról");
    // The first reason names the jewel of the worse bid, on cushion 1; the fifth that of the better one, on cushion 2.
    let reason = |index: usize, offer| Text::of(Lang::En).reason(&all_reasons()[index], compared(offer), &[]);
    assert!(reason(0, "WBW").starts_with("The 3 takes the white jewel on cushion 1 about as often as the 12"));
    assert!(reason(4, "BWW").starts_with("This passes over the white jewel on cushion 2, which"));
    assert!(reason(15, "WWB").starts_with("Cushion 2 has the same colour: there the 12 wins"));
}

#[test]
fn percentages_are_written_as_the_language_does() {
    let (en, de, hu) = (Text::of(Lang::En), Text::of(Lang::De), Text::of(Lang::Hu));
    assert_eq!(en.percent(0.1234, 1), "12.3%");
    assert_eq!((de.percent(0.1234, 1), hu.percent(0.5, 0)), ("12,3\u{a0}%".to_owned(), "50%".to_owned()));
    assert_eq!((en.signed_percent(-0.05, 1), en.signed_percent(0.05, 0)), ("−5.0%".to_owned(), "+5%".to_owned()));
    assert_eq!((en.percent(-0.0001, 1), en.signed_percent(-0.0001, 1)), ("0.0%".to_owned(), "0.0%".to_owned()));
}

#[test]
fn hint_has_sentences_with_and_without_an_alternative() {
    let option = |action: &str, share: f64, win: f64| OptionValue {
        action: action.parse().unwrap(),
        share,
        win: Estimate { value: win, error: 0.004 },
        take: Some(0.5),
    };
    let options = vec![option("12@1", 0.6, 0.4), option("3@2", 0.3, 0.37), option("1@3", 0.1, 0.398)];
    let (drawn, offer) = (Drawn::default(), Offer::new(&[Jewel::White, Jewel::Red, Jewel::Blue]));
    for lang in Lang::ALL {
        for alternative in [Some(1), Some(2), None] {
            // A reason compares the best action with the alternative.
            let reason = alternative.map(|_| all_reasons()[7]);
            let expected_sentences = if alternative.is_some() { 3 } else { 2 };
            let hint = Hint { options: options.clone(), best: 0, instead: alternative, reason };
            assert_eq!(Text::of(lang).hint(&hint, drawn, offer, &[]).len(), expected_sentences);
        }
    }
    let comparison = |options: &[OptionValue], lang| {
        let hint = Hint { options: options.to_vec(), best: 0, instead: Some(1), reason: None };
        let sentences = Text::of(lang).hint(&hint, drawn, offer, &[]);
        assert_eq!(sentences.len(), 2, "best action and alternative, without a reason");
        sentences[1].clone()
    };
    assert_eq!(
        comparison(&options, Lang::En),
        "Also played, 30% of the time: 3 for the red jewel. It lowers the chance to win by 3 percentage points."
    );
    let mut options_with_rare_alternative = options.clone();
    options_with_rare_alternative[1].share = 0.003;
    assert_eq!(
        comparison(&options_with_rare_alternative, Lang::En),
        "Next best: 3 for the red jewel. The strong bot hardly ever plays it; it lowers the chance to win by 3 \
         percentage points."
    );
    let mut options_with_close_alternative = options;
    options_with_close_alternative[1].win.value = 0.386;
    for (lang, loss) in [(Lang::En, "1 percentage point."), (Lang::Fr, "1 point de pourcentage.")] {
        let sentence = comparison(&options_with_close_alternative, lang);
        assert!(sentence.ends_with(loss), "{sentence}");
    }
}

fn chart_svg(analysis: &Analysis, names: &[String], colours: &[PlayerColour], size: ChartSize) -> String {
    ChanceChart { text: Text::default(), analysis, names, colours }.draw(size)
}

#[test]
fn chart_of_zero_to_two_points_is_valid_svg() {
    let mut analysis = Analysis::of(Players::new(2).unwrap(), Vec::new(), 1);
    for moments in 0..3 {
        let names = ["<A>".to_owned(), "B & C".to_owned()];
        let svg = chart_svg(&analysis, &names, &PlayerColour::ALL, ChartSize::Wide);
        assert!(svg.contains("&lt;A&gt;") && svg.contains("B &amp; C") && !svg.contains("NaN"), "{moments}: {svg}");
        let chances = vec![Estimate { value: 0.5, error: 0.1 }; 2];
        analysis.moments.push(ChanceMoment {
            at: 0,
            stage: Stage(1),
            round: Round(1),
            step: ChanceStep::Start,
            chances,
        });
    }
}

#[test]
fn chart_lines_have_the_colours_of_the_players() {
    let analysis = Analysis::of(Players::new(2).unwrap(), Vec::new(), 1);
    let names = ["Ana".to_owned(), "Ben".to_owned()];
    let player_colours = [PlayerColour::Blue, PlayerColour::Violet];
    let svg = chart_svg(&analysis, &names, &player_colours, ChartSize::Wide);
    let attributes_of_ana = svg.split(">Ana<").next().unwrap().rsplit("<text").next().unwrap();
    assert!(attributes_of_ana.contains(chart_colour(PlayerColour::Blue)), "{svg}");
    assert!(svg.contains(chart_colour(PlayerColour::Violet)), "{svg}");
    assert!(!svg.contains(chart_colour(PlayerColour::Gold)), "no player has the colour gold: {svg}");
}

#[test]
fn chart_note_fits_under_the_wide_chart() {
    // From the note's start to the right edge of the chart it is 842 units, and a letter is about 7 units wide. Two
    // letters more are tolerated.
    let max_letters = 842 / 7 + 2;
    for lang in Lang::ALL {
        let letters = Text::of(lang).say("analysis-chart-note").chars().count();
        assert!(letters <= max_letters, "the note has {letters} letters in {}", lang.code());
    }
}

#[test]
fn narrow_chart_shows_every_name_without_overlap() {
    let attribute = |element: &str, name: &str| -> f64 {
        element.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    for players in Players::ALL {
        let analysis = Analysis::of(players, Vec::new(), 1);
        let names = vec!["M".repeat(16); 5];
        let svg = chart_svg(&analysis, &names, &PlayerColour::ALL, ChartSize::Narrow);
        assert!(svg.contains("viewBox=\"0 0 360 400\"") && !svg.contains(&Text::default().say("analysis-chart-note")));
        let labels: Vec<&str> = svg.split("<text").skip(1).filter(|element| element.contains(">MMMM")).collect();
        assert_eq!(labels.len(), usize::from(players.count()), "{svg}");
        let mut positions: Vec<(f64, f64)> =
            labels.iter().map(|label| (attribute(label, "x"), attribute(label, "y"))).collect();
        // The chart is 360 units wide and 400 high. Names have at most 16 letters of about 8 units each.
        assert!(positions.iter().all(|(x, y)| *x <= 360.0 - 16.0 * 8.0 && *y <= 396.0), "{positions:?}");
        positions.dedup();
        assert_eq!(positions.len(), labels.len(), "labels overlap: {positions:?}");
    }
}
