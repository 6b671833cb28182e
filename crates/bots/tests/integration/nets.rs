//! The shipped nets: their size, their file format, and unchanged results.

use std::fmt::Write;

use sultan_bots::{BadNets, Bot, Nets, by_name};
use sultan_domain::{Observer, Players, Screens};
use sultan_rules::{Pending, Quick};
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
    let bytes = Nets::shipped(Players::ALL[0]).to_bytes();
    let refused = |bytes: &[u8]| Nets::from_bytes(bytes).map(|_| ()).unwrap_err();
    assert_eq!(refused(b""), BadNets::NoNets);
    assert_eq!(refused(b"{}"), BadNets::NoNets);
    assert_eq!(refused(&bytes[..12]), BadNets::Damaged);
    assert_eq!(refused(&bytes[..bytes.len() - 1]), BadNets::Damaged);
    assert_eq!(refused(&[&bytes[..], &[0]].concat()), BadNets::Damaged);
    let mut other = bytes.clone();
    other[12] += 1;
    assert_eq!(refused(&other), BadNets::OtherVersion);
    let mut players = bytes.clone();
    players[13] = 6;
    assert_eq!(refused(&players), BadNets::Damaged);
    let mut endless = bytes;
    endless[14..18].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_eq!(refused(&endless), BadNets::Damaged);
}

/// A bot's favourite actions at some points of a game, as text.
fn thoughts(bot: &dyn Bot, players: Players) -> String {
    let moments = Script::random(players, Screens::Closed, 11).moments();
    let mut text = String::new();
    for (at, moment) in moments.iter().enumerate() {
        let Pending::Seat(seat) = moment.game.pending() else { continue };
        if at % 7 != 0 {
            continue;
        }
        let observer = Observer::Seat(seat);
        let (view, memory) = (moment.game.view(observer), recall(&moments[..=at], observer));
        let weighed = bot.weigh(&view, &memory, &mut Quick::new(3), &|| false);
        let best = weighed.iter().max_by(|a, b| a.share.total_cmp(&b.share)).unwrap();
        writeln!(text, "{at:2} {:5} share {:.4} win {:.4}", best.action.to_string(), best.share, best.win).unwrap();
    }
    text
}

/// Update the files with `SULTAN_WRITE_GOLDENS=1 cargo test -p sultan-bots nets`.
#[test]
fn known_answers() {
    for name in ["vizier", "sultan"] {
        let bot = by_name(name).unwrap();
        let mut text = String::new();
        for players in Players::ALL {
            write!(text, "{} players\n{}", players.count(), thoughts(bot.as_ref(), players)).unwrap();
        }
        let path = format!("{}/tests/nets/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("SULTAN_WRITE_GOLDENS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(text, std::fs::read_to_string(&path).unwrap(), "{name}");
    }
}
