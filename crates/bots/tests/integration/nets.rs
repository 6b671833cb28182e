//! The shipped nets: their size, their file format, and the decisions of the bots that use them.

use std::fmt::Write;

use sultan_bots::{BadNets, Bot, Nets, WeighedAction, by_name};
use sultan_domain::{Observer, Players, Screens};
use sultan_rules::{FastRng, Pending};
use sultan_testkit::{Script, recall};

#[test]
fn shipped_nets_are_small_and_round_trip_through_bytes() {
    let mut size = 0;
    for players in Players::ALL {
        let nets = Nets::shipped(players);
        assert_eq!(nets.players(), players);
        let bytes = nets.to_bytes();
        size += bytes.len();
        assert_eq!(Nets::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    }
    assert!(size < 2_000_000, "{size} bytes");
}

#[test]
fn invalid_net_file_is_rejected() {
    // The nets for two players.
    let bytes = Nets::shipped(Players::TWO).to_bytes();
    let error = |bytes: &[u8]| Nets::from_bytes(bytes).map(|_| ()).unwrap_err();
    assert_eq!(error(b""), BadNets::NoNets);
    assert_eq!(error(b"{}"), BadNets::NoNets);
    assert_eq!(error(&bytes[..12]), BadNets::Damaged);
    assert_eq!(error(&bytes[..bytes.len() - 1]), BadNets::Damaged);
    assert_eq!(error(&[&bytes[..], &[0]].concat()), BadNets::Damaged);
    // The header has 12 bytes, then the version, the number of players and the first scale.
    let mut other_version = bytes.clone();
    other_version[12] += 1;
    assert_eq!(error(&other_version), BadNets::OtherVersion);
    let mut six_players = bytes.clone();
    six_players[13] = 6;
    assert_eq!(error(&six_players), BadNets::Damaged);
    let mut infinite_scale = bytes;
    infinite_scale[14..18].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_eq!(error(&infinite_scale), BadNets::Damaged);
}

/// The most likely action of a bot in some states of a game, as text.
fn decisions(bot: &dyn Bot, players: Players) -> String {
    let moments = Script::random(players, Screens::Closed, 11).moments();
    let mut text = String::new();
    for (index, moment) in moments.iter().enumerate().step_by(7) {
        let Pending::Seat(seat) = moment.game.pending() else { continue };
        let observer = Observer::Seat(seat);
        let (view, recall) = (moment.game.view(observer), recall(&moments[..=index], observer));
        let weighed = bot.weigh(&view, &recall, &mut FastRng::new(3), &|| false);
        let WeighedAction { action, share, win } =
            weighed.into_iter().max_by(|a, b| a.share.total_cmp(&b.share)).unwrap();
        writeln!(text, "{index:2} {:5} share {share:.4} win {win:.4}", action.to_string()).unwrap();
    }
    text
}

/// Compares decisions with the decisions stored in `tests/nets/`. If they change on purpose, write the files again with
/// `SULTAN_WRITE_GOLDENS=1 cargo test -p sultan-bots nets`.
#[test]
fn decisions_of_bots_with_nets_equal_the_stored_ones() {
    for name in ["vizier", "sultan"] {
        let bot = by_name(name).unwrap();
        let mut text = String::new();
        for players in Players::ALL {
            write!(text, "{} players\n{}", players.count(), decisions(bot.as_ref(), players)).unwrap();
        }
        let path = format!("{}/tests/nets/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("SULTAN_WRITE_GOLDENS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(text, std::fs::read_to_string(&path).unwrap(), "{name}");
    }
}
