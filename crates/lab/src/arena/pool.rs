//! Chooses the bots of each deal: all of them in order, or some of a pool.

use sultan_domain::Players;
use sultan_rules::shuffle;

use super::Arena;

impl Arena {
    /// The bot of each entrant of a deal. It does not depend on earlier deals.
    ///
    /// With a pool of `k` bots, every `k` deals are a block with a random order of the bots. Each deal of a block seats
    /// consecutive bots of that order, cyclically, starting one place later than the deal before. So in every block
    /// each bot has each place once, no bot meets itself unless the pool is smaller than the table, and over many
    /// blocks all pairs meet about equally often.
    pub(super) fn field(&self, deal: u64, players: Players) -> Vec<usize> {
        let bots = self.bots.len();
        if self.pool.is_none() {
            return (0..bots).collect();
        }
        let block = deal / bots as u64;
        let from = usize::try_from(deal % bots as u64).expect("it is less than the number of bots");
        let mut order: Vec<usize> = (0..bots).collect();
        shuffle(&mut order, &mut self.rng("pool", &[block]));
        order.into_iter().cycle().skip(from).take(players.count().into()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_bots::by_name;

    fn pool(bots: usize, players: u8) -> Arena {
        let bots = (0..bots).map(|_| by_name("random").unwrap()).collect();
        Arena { bots, pool: Players::new(players), seed: 3, ..Arena::default() }
    }

    /// The number of deals of each bot in each place, and of each pair of bots.
    fn counts(arena: &Arena, deals: u64) -> (Vec<Vec<u64>>, Vec<Vec<u64>>) {
        let (bots, players) = (arena.bots.len(), arena.pool.unwrap());
        let mut places = vec![vec![0; players.count().into()]; bots];
        let mut meetings = vec![vec![0; bots]; bots];
        for deal in 0..deals {
            let field = arena.field(deal, players);
            for (place, &bot) in field.iter().enumerate() {
                places[bot][place] += 1;
                field.iter().for_each(|&other| meetings[bot][other] += 1);
            }
        }
        (places, meetings)
    }

    #[test]
    fn every_bot_sits_equally_often_in_every_place() {
        for (bots, players) in [(1, 3), (2, 5), (3, 4), (5, 5), (6, 4), (11, 2)] {
            let (places, _) = counts(&pool(bots, players), 20 * bots as u64);
            assert!(places.iter().flatten().all(|&count| count == 20), "{bots} bots, {players} players: {places:?}");
        }
    }

    #[test]
    fn pool_pairs_all_bots_evenly_and_never_with_themselves() {
        let (_, meetings) = counts(&pool(6, 4), 6000);
        for (bot, met) in meetings.iter().enumerate() {
            // 4000 tables, each with 3 of the 5 other bots.
            let others = met.iter().enumerate().filter(|&(other, _)| other != bot);
            assert!(others.clone().all(|(_, &count)| (2250..2550).contains(&count)), "{met:?}");
            assert_eq!(met[bot], 4000);
        }
    }

    #[test]
    fn bots_of_a_small_pool_take_several_seats() {
        let field = pool(2, 5).field(7, Players::new(5).unwrap());
        let ones = field.iter().filter(|&&bot| bot == 1).count();
        assert!(field.len() == 5 && (ones == 2 || ones == 3), "{field:?}");
        assert_eq!(pool(1, 3).field(0, Players::new(3).unwrap()), [0, 0, 0]);
    }

    #[test]
    fn another_seed_draws_other_fields() {
        let fields = |seed| {
            let arena = Arena { seed, ..pool(6, 3) };
            (0..12).map(|deal| arena.field(deal, Players::new(3).unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(fields(1), fields(1));
        assert_ne!(fields(1), fields(2));
    }
}
