//! Whole random games with the state after every input.

use sultan_domain::{
    Action, BySeat, Cushion, Drawn, FirstSeatBy, Illegal, Jewel, MoneyCard, Observer, Offer, Outcome, Parameters,
    Players, Recall, Record, Screens, Seat,
};
use sultan_rules::{Chance, FastRng, Game, GameSeed, SeededGame, Setup, commitment, shuffle};

use crate::bench_games::numbered_seed;

/// An input of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A draw from the pouch.
    Draw(Drawn),
    /// An action of a seat.
    Act(Seat, Action),
}

/// The setup and all inputs of a game, which determine it completely.
#[derive(Clone, Debug)]
pub struct Script {
    /// The setup.
    pub setup: Setup,
    /// The inputs in order.
    pub inputs: Vec<Input>,
}

/// The state of a game after one input.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The state.
    pub game: Game,
    /// The input that led to this state; `None` for the first state.
    pub input: Option<Input>,
}

impl Script {
    /// A whole game of random legal offers, in any order, and random legal bids.
    #[must_use]
    pub fn random(players: Players, screens: Screens, seed: u64) -> Self {
        Self::random_with(Parameters::of(players), screens, seed)
    }

    /// A whole random game with these parameters.
    #[must_use]
    pub fn random_with(parameters: Parameters, screens: Screens, seed: u64) -> Self {
        let mut rng = FastRng::new(seed);
        let players = parameters.players;
        let first_seat = u8::try_from(rng.below(u32::from(players.count()))).ok().and_then(Seat::new);
        let first_seat = first_seat.unwrap_or_default();
        let mut game = SeededGame::shuffled(parameters, first_seat, screens, &mut rng);
        let mut decks = BySeat::default();
        players.seats().for_each(|seat| decks[seat] = game.game().dealt_deck(seat));
        let mut inputs = Vec::new();
        while game.game().outcome().is_none() {
            if game.draw().expect("a generator draws from the pouch") {
                inputs.push(Input::Draw(game.game().drawn()));
            }
            let (current, rng) = game.game_and_source();
            let seat = current.to_act().expect("the jewels are drawn, so a seat is to act");
            let action = shuffle_offer(current.legal().pick(*rng).expect("the seat to act has a legal action"), *rng);
            inputs.push(Input::Act(seat, action));
            game.play(action).expect("a listed action is legal in any order");
        }
        Self { setup: Setup { parameters, first_seat, screens, decks }, inputs }
    }

    /// All states of the game, starting before the first draw.
    ///
    /// # Panics
    /// If the script is not a legal game.
    #[must_use]
    pub fn moments(&self) -> Vec<Moment> {
        let mut game = Game::new(&self.setup).expect("the setup is valid");
        let mut moments = vec![Moment { game, input: None }];
        for &input in &self.inputs {
            match input {
                Input::Draw(drawn) => game.draw(drawn).expect("the drawn jewels are in the pouch"),
                Input::Act(seat, action) => game = play_action(&game, seat, action).expect("the action is legal"),
            }
            moments.push(Moment { game, input: Some(input) });
        }
        moments
    }

    /// All actions, in order.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        self.inputs.iter().filter_map(|input| match input {
            Input::Act(_, action) => Some(*action),
            Input::Draw(_) => None,
        })
    }
}

/// The game after a seat's action.
///
/// # Errors
/// [`Illegal`] if the action is not legal for the seat.
pub fn play_action(game: &Game, seat: Seat, action: Action) -> Result<Game, Illegal> {
    let mut next = *game;
    next.check_turn(seat)?;
    next.play(action)?;
    Ok(next)
}

/// Puts the jewels of an offer in a random order (the list of legal actions has every offer in only one order). A bid
/// is returned unchanged.
fn shuffle_offer(action: Action, rng: &mut impl Chance) -> Action {
    let Action::Offer(offer) = action else { return action };
    let mut jewels = offer.iter().collect::<Vec<_>>();
    shuffle(&mut jewels, rng);
    Offer::new(&jewels).map_or(action, Action::Offer)
}

/// Plays a game at random to its end.
#[must_use]
pub fn play_to_end(game: &Game, rng: &mut impl Chance) -> Outcome {
    let mut game = SeededGame::resume(game, rng);
    loop {
        let (current, rng) = game.game_and_source();
        // Without legal actions, either a draw is due, or the game is over.
        match current.legal().pick(*rng) {
            Some(action) => _ = game.play(action).expect("a listed action is legal"),
            None if game.draw().expect("a generator draws from the pouch") => {}
            None => return game.game().outcome().expect("a game without legal actions and draws is over"),
        }
    }
}

/// All states of a random game with closed screens.
#[must_use]
pub fn random_moments(players: Players, seed: u64) -> Vec<Moment> {
    Script::random(players, Screens::Closed, seed).moments()
}

/// An observer's recall after these states: every finished round, taken from the first view after the round.
#[must_use]
pub fn recall(moments: &[Moment], observer: Observer) -> Recall {
    let mut recall = Recall::default();
    for Moment { game, .. } in moments {
        if usize::from(game.finished_rounds()) > recall.rounds().len() {
            recall.push(game.view(observer).last_round.expect("a finished round is shown"));
        }
    }
    recall
}

/// Every action that has a notation: the offers of one to three jewels in any order, and the bids of every card on
/// every cushion.
#[must_use]
pub fn action_space() -> Vec<Action> {
    // Extends each list by each jewel.
    let append_jewel = |lists: &[Vec<Jewel>]| -> Vec<Vec<Jewel>> {
        let longer = |list: &Vec<Jewel>| Jewel::ALL.map(|jewel| list.iter().copied().chain([jewel]).collect());
        lists.iter().flat_map(longer).collect()
    };
    let one_jewel = append_jewel(&[Vec::new()]);
    let two_jewels = append_jewel(&one_jewel);
    let three_jewels = append_jewel(&two_jewels);
    let lists = [one_jewel, two_jewels, three_jewels].into_iter().flatten();
    let offers = lists.filter_map(|list| Offer::new(&list)).map(Action::Offer);
    let cards = (1..=MoneyCard::HIGHEST).filter_map(MoneyCard::new);
    let bids =
        cards.flat_map(|card| Cushion::first(Cushion::MAX_COUNT).map(move |cushion| Action::Bid { card, cushion }));
    offers.chain(bids).collect()
}

/// The record of a whole random game of the published rules with decks and draws from seeds, and the states of the game
/// before the first action and after every action. After an action, the next jewels are already drawn.
#[must_use]
pub fn random_record(players: Players, number: u64) -> (Record, Vec<Game>) {
    random_record_of(Parameters::of(players), number)
}

/// Like [`random_record`], with these parameters.
#[must_use]
pub fn random_record_of(parameters: Parameters, number: u64) -> (Record, Vec<Game>) {
    let players = parameters.players;
    let (server_seed, client_seeds) = numbered_seed(players, number);
    let seed = GameSeed::new(&server_seed, &client_seeds);
    let first_seat = seed.first_seat(players);
    let game = SeededGame::from_seed(parameters, first_seat, Screens::Closed, seed);
    let mut game = game.expect("seeds give full decks");
    let mut rng = FastRng::new(number);
    let (mut actions, mut games) = (Vec::new(), Vec::new());
    loop {
        game.draw().expect("a seed draws from the pouch");
        games.push(*game.game());
        let Some(action) = game.game().legal().pick(&mut rng) else { break };
        let action = shuffle_offer(action, &mut rng);
        game.play(action).expect("a listed action is legal in any order");
        actions.push(action);
    }
    let record = Record {
        variant: parameters.variant(),
        players,
        first_seat,
        first_seat_by: Some(FirstSeatBy::Chance),
        screens: Screens::Closed,
        names: players.seats().map(|seat| format!("Player {seat}")).collect(),
        commitment: Some(commitment(&server_seed)),
        server_seed,
        client_seeds,
        actions,
    };
    (record, games)
}
