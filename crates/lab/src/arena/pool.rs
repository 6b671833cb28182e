//! Chooses the bots that play a deal: all bots in order, or some bots of a pool.

use sultan_domain::Players;
use sultan_rules::shuffle;

use super::Arena;

impl Arena {
    /// The indices of the bots that play a deal, in the order of the seats before any rotation. They do not depend on
    /// earlier deals.
    ///
    /// With a pool of `k` bots, every `k` deals are a block with a random order of the bots. Each deal of a block seats
    /// consecutive bots of that order, cyclically, starting one bot later than the deal before. So in every block each
    /// bot has each seat once, no bot meets itself unless the pool is smaller than the table, and over many blocks all
    /// pairs meet about equally often.
    pub(super) fn bots_in_deal(&self, deal: u64, players: Players) -> Vec<usize> {
        let count = self.bots.len();
        let mut bots: Vec<usize> = (0..count).collect();
        if self.pool_players.is_none() {
            return bots;
        }
        let block = deal / count as u64;
        let deal_in_block = usize::try_from(deal % count as u64).expect("less than the number of bots");
        shuffle(&mut bots, &mut self.rng("pool", &[block]));
        bots.into_iter().cycle().skip(deal_in_block).take(players.count().into()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_bots::by_name;

    fn arena_with_pool(bots: usize, players: u8) -> Arena {
        let bots = (0..bots).map(|_| by_name("random").unwrap()).collect();
        Arena { bots, pool_players: Players::new(players), seed: 3, ..Arena::default() }
    }

    /// Counts the deals of each bot in each seat, and of each pair of bots. A bot makes a pair with itself in every
    /// deal that it plays.
    fn deals_per_seat_and_pair(arena: &Arena, deals: u64) -> (Vec<Vec<u64>>, Vec<Vec<u64>>) {
        let (bot_count, players) = (arena.bots.len(), arena.pool_players.unwrap());
        let mut by_seat = vec![vec![0; players.count().into()]; bot_count];
        let mut by_pair = vec![vec![0; bot_count]; bot_count];
        for deal in 0..deals {
            let bots = arena.bots_in_deal(deal, players);
            for (seat, &bot) in bots.iter().enumerate() {
                by_seat[bot][seat] += 1;
                bots.iter().for_each(|&other| by_pair[bot][other] += 1);
            }
        }
        (by_seat, by_pair)
    }

    #[test]
    fn every_bot_sits_equally_often_in_every_seat() {
        for (bots, players) in [(1, 3), (2, 5), (3, 4), (5, 5), (6, 4), (11, 2)] {
            // 20 blocks. Each block has as many deals as there are bots, and seats each bot once in every seat.
            let (by_seat, _) = deals_per_seat_and_pair(&arena_with_pool(bots, players), 20 * bots as u64);
            assert!(by_seat.iter().flatten().all(|&deals| deals == 20), "{bots} bots, {players} players: {by_seat:?}");
        }
    }

    #[test]
    fn pool_pairs_all_bots_evenly_and_never_with_themselves() {
        let (_, by_pair) = deals_per_seat_and_pair(&arena_with_pool(6, 4), 6000);
        for (bot, by_opponent) in by_pair.iter().enumerate() {
            // Each bot plays 4000 deals, each with 3 of the 5 other bots: 2400 with each of them on average.
            let mut opponents = by_opponent.iter().enumerate().filter(|&(opponent, _)| opponent != bot);
            assert!(opponents.all(|(_, &deals)| (2250..2550).contains(&deals)), "{by_opponent:?}");
            assert_eq!(by_opponent[bot], 4000);
        }
    }

    #[test]
    fn bots_of_a_pool_smaller_than_the_table_take_several_seats() {
        let bots = arena_with_pool(2, 5).bots_in_deal(7, Players::new(5).unwrap());
        let seats_of_bot_1 = bots.iter().filter(|&&bot| bot == 1).count();
        assert!(bots.len() == 5 && (seats_of_bot_1 == 2 || seats_of_bot_1 == 3), "{bots:?}");
        assert_eq!(arena_with_pool(1, 3).bots_in_deal(0, Players::new(3).unwrap()), [0, 0, 0]);
    }

    #[test]
    fn bots_in_deals_depend_on_the_seed() {
        let bots_in_deals = |seed| {
            let arena = Arena { seed, ..arena_with_pool(6, 3) };
            (0..12).map(|deal| arena.bots_in_deal(deal, Players::new(3).unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(bots_in_deals(1), bots_in_deals(1));
        assert_ne!(bots_in_deals(1), bots_in_deals(2));
    }
}
