//! The parameters of the published game, and the limits of variants.

use super::*;

fn parameters(players: u8) -> Parameters {
    Parameters::of(Players::new(players).unwrap())
}

#[test]
fn rule_1_1_fifty_jewels_in_five_colours() {
    for players in Players::ALL {
        let pouch = Parameters::of(players).pouch;
        assert_eq!(pouch.counts().0, [12, 11, 10, 9, 8]);
        assert_eq!(pouch.len(), 50);
    }
}

#[test]
fn rule_1_3_two_cushions_with_three_players_else_three() {
    assert_eq!([2, 3, 4, 5].map(|n| parameters(n).cushions), [3, 2, 3, 3]);
    assert_eq!([2, 3, 4, 5].map(|n| parameters(n).draw_size()), [4, 3, 4, 4]);
}

#[test]
fn rule_2_2_and_2_3_card_sets() {
    for players in [3, 4, 5] {
        assert_eq!(parameters(players).full_set(), Cards::full(15, 1));
    }
    assert_eq!(parameters(2).full_set(), Cards::full(12, 2));
    assert_eq!(parameters(2).full_set().len(), 24);
}

#[test]
fn rule_3_1_and_3_2_stages_rounds_and_hands() {
    assert_eq!([2, 3, 4, 5].map(|n| parameters(n).stages), [3; 4]);
    assert_eq!([2, 3, 4, 5].map(|n| parameters(n).rounds_per_stage), [4, 5, 5, 5]);
    assert_eq!([2, 3, 4, 5].map(|n| parameters(n).hand_size()), [8, 5, 5, 5]);
    for players in Players::ALL {
        let parameters = Parameters::of(players);
        assert_eq!(u32::from(parameters.stages * parameters.hand_size()), parameters.full_set().len());
    }
}

#[test]
fn rule_5_1_and_6_4_rounds_and_decisions() {
    assert_eq!([2, 3, 4, 5].map(|n| parameters(n).rounds()), [12, 15, 15, 15]);
    assert_eq!([2, 3, 4, 5].map(|n| parameters(n).actions()), [12 * 5, 15 * 4, 15 * 5, 15 * 6]);
}

#[test]
fn rule_6_1_pouch_has_enough_jewels_for_the_last_draw() {
    for players in Players::ALL {
        let parameters = Parameters::of(players);
        let most_won_before_last_draw = (parameters.rounds() - 1) * parameters.cushions;
        assert!(parameters.pouch.len() >= u32::from(most_won_before_last_draw + parameters.draw_size()));
    }
}

#[test]
fn published_parameters_are_valid() {
    for players in Players::ALL {
        assert_eq!(Parameters::of(players).check(), Ok(()));
    }
}

#[test]
fn check_rejects_each_invalid_parameter() {
    for players in Players::ALL {
        let published = Parameters::of(players);
        assert_eq!(Parameters { highest_card: 0, ..published }.check(), Err(BadParameters::Cards));
        assert_eq!(Parameters { copies: 3, ..published }.check(), Err(BadParameters::Cards));
        assert_eq!(Parameters { cushions: 0, ..published }.check(), Err(BadParameters::Cushions));
        assert_eq!(Parameters { stages: 0, ..published }.check(), Err(BadParameters::Rounds));
        // The number of rounds must not overflow; and 25 rounds are one too many.
        assert_eq!(Parameters { stages: 200, rounds_per_stage: 200, ..published }.check(), Err(BadParameters::Rounds));
        assert_eq!(Parameters { stages: 5, rounds_per_stage: 5, ..published }.check(), Err(BadParameters::Rounds));
        assert_eq!(Parameters { bids_per_player: 3, ..published }.check(), Err(BadParameters::NotAsPublished));
        let other_ties = if published.ties == Ties::EarliestBid { Ties::FirstPlayer } else { Ties::EarliestBid };
        assert_eq!(Parameters { ties: other_ties, ..published }.check(), Err(BadParameters::NotAsPublished));
        let too_few_cards = Parameters { highest_card: 3, copies: 1, ..published };
        // The published game needs all cards.
        let needed = published.full_set().len();
        assert_eq!(too_few_cards.check(), Err(BadParameters::TooFewCards { needed, available: 3 }));
        let too_few_jewels = Parameters { pouch: Jewels::new([5, 0, 0, 0, 0]).unwrap(), ..published };
        assert!(matches!(too_few_jewels.check(), Err(BadParameters::TooFewJewels { available: 5, .. })));
        // Five jewels and three cards are enough for one round.
        let one_round = Parameters { stages: 1, rounds_per_stage: 1, highest_card: 3, ..too_few_jewels };
        assert_eq!(one_round.check(), Ok(()));
    }
}

#[test]
fn check_accepts_limits_and_rejects_values_beyond_them() {
    let four = parameters(4);
    assert_eq!(Parameters { highest_card: 16, ..four }.check(), Err(BadParameters::Cards));
    assert_eq!(Parameters { copies: 0, ..four }.check(), Err(BadParameters::Cards));
    assert_eq!(Parameters { copies: 2, ..four }.check(), Ok(()));
    assert_eq!(Parameters { cushions: 4, ..four }.check(), Err(BadParameters::Cushions));
    assert_eq!(Parameters { cushions: 2, ..four }.check(), Ok(()));
    let fourteen_cards = Parameters { highest_card: 14, ..four };
    assert_eq!(fourteen_cards.check(), Err(BadParameters::TooFewCards { needed: 15, available: 14 }));
    // At most three jewels are won in each of the fourteen rounds before the last, and the last draw needs four: 46.
    let with_white_jewels = |count: u8| Parameters { pouch: Jewels::new([count, 0, 0, 0, 0]).unwrap(), ..four };
    assert_eq!(with_white_jewels(46).check(), Ok(()));
    assert_eq!(with_white_jewels(45).check(), Err(BadParameters::TooFewJewels { needed: 46, available: 45 }));
}

#[test]
fn every_parameter_error_has_a_message() {
    for (error, message) in [
        (BadParameters::Unreadable, "an unknown key, or a value of another shape"),
        (BadParameters::Cards, "cards must be 1 to at most 15, in one or two sets"),
        (BadParameters::Cushions, "a board has 1 to 3 cushions, with two players at least 2"),
        (BadParameters::Rounds, "a game has 1 to 24 rounds"),
        (BadParameters::NotAsPublished, "bids per round and tie-breaking must be those of the published game"),
        (BadParameters::TooFewCards { needed: 2, available: 1 }, "the rounds need 2 cards per player, but each has 1"),
        (BadParameters::TooManyJewels { available: 61 }, "a pouch has at most 60 jewels, not 61"),
        (BadParameters::TooFewJewels { needed: 2, available: 1 }, "the rounds need 2 jewels, but the pouch has 1"),
    ] {
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn rule_4_2_and_4_3_bidding_proceeds_to_the_left() {
    // The seat numbers of the bidders of a round, in order.
    let bidders = |players: u8, first_seat: u8| -> Vec<u8> {
        let (parameters, first_seat) = (parameters(players), Seat::new(first_seat).unwrap());
        (0..parameters.bids_per_round()).map(|index| parameters.bidder(first_seat, index).number()).collect()
    };
    assert_eq!(bidders(2, 1), [1, 0, 1, 0]);
    assert_eq!(bidders(3, 2), [2, 0, 1]);
    assert_eq!(bidders(4, 0), [0, 1, 2, 3]);
    assert_eq!(bidders(5, 3), [3, 4, 0, 1, 2]);
}

#[test]
fn rule_4_9_first_seats_of_earlier_rounds_are_to_the_right() {
    let seat_before = |players: u8, first_seat: u8, rounds_ago: u8| {
        parameters(players).first_seat_before(Seat::new(first_seat).unwrap(), rounds_ago).number()
    };
    assert_eq!([0, 1, 2, 3].map(|rounds_ago| seat_before(2, 0, rounds_ago)), [0, 1, 0, 1]);
    assert_eq!([0, 1, 2, 3, 14].map(|rounds_ago| seat_before(3, 1, rounds_ago)), [1, 0, 2, 1, 2]);
    assert_eq!([0, 1, 4, 5, 6, 14].map(|rounds_ago| seat_before(5, 2, rounds_ago)), [2, 1, 3, 2, 1, 3]);
}

#[test]
fn rule_5_3_and_5_4_bonus_by_the_number_of_jewels() {
    // 255 is beyond the stored table of bonuses.
    let bonuses = |players: u8| [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 255].map(|count| parameters(players).bonus(count));
    assert_eq!(bonuses(2), [0, 0, 0, 0, 2, 5, 10, 20, 20, 20, 20]);
    for players in [3, 4, 5] {
        assert_eq!(bonuses(players), [0, 0, 0, 2, 5, 10, 20, 20, 20, 20, 20]);
    }
}

#[test]
fn stage_and_round_follow_from_the_round_index() {
    for players in Players::ALL {
        let parameters = Parameters::of(players);
        for index in 0..parameters.rounds() {
            let (stage, round) = parameters.stage_and_round(index);
            assert_eq!(parameters.round_index(stage, round), Some(index));
        }
        assert_eq!(parameters.stage_and_round(0), (Stage(1), Round(1)));
        assert_eq!(parameters.stage_and_round(parameters.rounds() - 1), (Stage(3), Round(parameters.rounds_per_stage)));
    }
}

#[test]
fn round_index_rejects_rounds_that_the_game_does_not_have() {
    for players in Players::ALL {
        let parameters = Parameters::of(players);
        let fifth_or_sixth = parameters.rounds_per_stage + 1;
        for (stage, round) in [(0, 1), (4, 1), (1, 0), (1, fifth_or_sixth)] {
            assert_eq!(parameters.round_index(Stage(stage), Round(round)), None);
        }
    }
}
