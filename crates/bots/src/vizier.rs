//! `vizier`: plays what its nets say at first sight, of the table and of who sits at it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use sultan_domain::{Action, Numbers, Recall, RoundTold, View};
use sultan_rules::Quick;

use crate::belief::Story;
use crate::bot::{even, in_order};
use crate::character::Character;
use crate::known::{Known, Public};
use crate::net::brain::{Brain, offer_without};
use crate::net::weights::Nets;
use crate::outlook::Outlook;
use crate::{Bot, Weighed};

/// Has seen a million auctions and needs no second look: strong, and steady enough to be read.
///
/// It judges the table, not what each action leads to: its chance to win is the same for all of them.
#[derive(Clone, Debug)]
pub struct Vizier {
    nets: Option<Nets>,
    name: &'static str,
    faces: Faces,
}

impl Default for Vizier {
    fn default() -> Self {
        Self { nets: None, name: "vizier", faces: Faces::default() }
    }
}

impl Vizier {
    /// Plays with these nets instead of the shipped ones, at tables of as many players as they are for, under this
    /// name.
    #[must_use]
    pub fn with(nets: Nets, name: &'static str) -> Self {
        Self { nets: Some(nets), name, faces: Faces::default() }
    }
}

/// Whom it has made of everybody at the tables where it sits, unless there is only one other: against that one it needs
/// no help, and would come too close to `sultan`. It follows from the stages before, which all have seen: it is worked out once
/// for each stage of a game, not for each decision.
#[derive(Clone, Debug, Default)]
struct Faces(Arc<Mutex<VecDeque<Remembered>>>);

#[derive(Debug)]
struct Remembered {
    stages: Vec<RoundTold>,
    characters: [Option<Character>; 5],
}

impl Faces {
    /// Of how many tables at once it keeps in mind who sits there.
    const TABLES: usize = 16;

    /// Whom each seat is taken for.
    fn read(&self, brain: &Brain, public: &Public, recall: &Recall) -> [Option<Character>; 5] {
        let (rounds, per_stage) = (recall.rounds(), usize::from(public.numbers.rounds_per_stage));
        // Where memory has gaps, nothing is read from it.
        let stages = &rounds[..rounds.len() / per_stage * per_stage];
        let whole = recall.is_whole(&public.numbers, public.round_index);
        if public.players() == 2 || !whole || stages.is_empty() {
            return [None; 5];
        }
        let tables = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(one) = tables().iter().find(|one| one.stages == stages) {
            return one.characters;
        }
        let story = Story::new(brain, public, recall);
        let mut characters = [None; 5];
        for seat in public.numbers.players.seats() {
            characters[seat.index()] = story.character(seat);
        }
        let mut tables = tables();
        tables.truncate(Self::TABLES - 1);
        tables.push_front(Remembered { stages: stages.to_vec(), characters });
        characters
    }
}

impl Bot for Vizier {
    fn name(&self) -> &'static str {
        self.name
    }

    fn weigh(&self, view: &View, recall: &Recall, chance: &mut Quick, _: &dyn Fn() -> bool) -> Vec<Weighed> {
        let legal = view.legal();
        // The nets know the published game only.
        let fits = !legal.is_empty() && view.numbers == Numbers::of(view.numbers.players);
        let known = Known::new(view, recall, chance).filter(|_| fits);
        let Some(mut known) = known else { return even(view) };
        let brain = &Nets::of(self.nets.as_ref(), view.numbers.players).brain;
        known.public.characters = self.faces.read(brain, &known.public, recall);
        let win = brain.worth(&known.public, known.seat, known.round_hand(), &mut brain.appraisal()).win.into();
        let weighed = |action, share: f32| Weighed { action, share: share.into(), win };
        let mut all: Vec<Weighed> = if known.public.offer.is_empty() {
            let mix = brain.think_offers(&known).mix;
            let options = mix.jewels.iter().zip(mix.shares).take(mix.len);
            let offers = options.filter_map(|(&jewel, share)| Some((offer_without(&known.public, jewel)?, share)));
            offers.map(|(offer, share)| weighed(Action::Offer(offer), share)).collect()
        } else {
            let trunk = brain.trunk(&known.public, known.seat, known.round_hand());
            let mix = brain.bids(&known, &trunk, &Outlook::new(&known.public));
            mix.iter().map(|(card, cushion, share)| weighed(Action::Bid { card, cushion }, share)).collect()
        };
        // The likeliest, always: whoever watches long enough knows it by heart.
        let best = all.iter().map(|one| one.share).fold(0.0, f64::max);
        let likeliest = all.iter().position(|one| one.share >= best);
        for (place, one) in all.iter_mut().enumerate() {
            one.share = if Some(place) == likeliest { 1.0 } else { 0.0 };
        }
        in_order(legal, &all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::brain::tests::moments;
    use sultan_domain::Players;

    fn weigh(bot: &Vizier, view: &View, recall: &Recall) -> Vec<Weighed> {
        bot.weigh(view, recall, &mut Quick::new(3), &|| false)
    }

    #[test]
    fn what_it_was_asked_before_changes_nothing() {
        for players in Players::ALL {
            let old = Vizier::default();
            // More tables than it keeps in mind, and memories with gaps between whole ones.
            for seed in 0..20 {
                for (view, recall) in moments(players, seed).iter().step_by(6) {
                    let gaps = Recall::of(recall.rounds().iter().skip(1).copied().collect()).unwrap();
                    for recall in [&gaps, recall, &gaps] {
                        assert_eq!(weigh(&old, view, recall), weigh(&Vizier::default(), view, recall));
                    }
                }
            }
            let tables = if players.count() == 2 { 0 } else { Faces::TABLES };
            assert_eq!(old.faces.0.lock().unwrap().len(), tables);
        }
    }

    #[test]
    fn who_sits_there_is_read_once_for_each_stage() {
        let bot = Vizier::default();
        let mut tables = Vec::new();
        for (view, recall) in moments(Players::ALL[2], 5) {
            weigh(&bot, &view, &recall);
            tables.push(bot.faces.0.lock().unwrap().len());
        }
        tables.dedup();
        assert_eq!(tables, [0, 1, 2]);
    }
}
