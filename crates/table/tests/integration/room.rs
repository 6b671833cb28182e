//! Limits and lifetimes: open tables, browsers of a seat, commitments.

use sultan_table::{Caller, NewTable, Rejection, SeatChange, Service, Settings, Visitor};
use sultan_testkit::{Backend, FakeTime, House, in_time};

use crate::{house, players, quick, rejection, with_bots};

/// A house with this limit of open tables.
async fn small_house(max_open_tables: u32) -> (Backend, House) {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let settings = Settings { max_open_tables, ..time.settings(1) };
    let house = House::with(Service::new(backend.open().await, settings), &time);
    (backend, house)
}

#[tokio::test]
async fn number_of_open_tables_is_limited() {
    let (backend, house) = small_house(3).await;
    let open = || house.service.open(NewTable::plain(players(2)));
    let waiting = open().await.unwrap();
    let (playing, seated) = house.people(players(2)).await;
    open().await.unwrap();
    let commitment = Some(house.service.new_commitment().await.unwrap());
    let promised = || NewTable { commitment, ..NewTable::plain(players(2)) };
    for _ in 0..3 {
        assert_eq!(rejection(house.service.open(promised()).await), Rejection::Full);
        house.time.pass(4000);
    }
    // Finished games free places at the next count.
    house.play_out(playing, &seated, &mut quick()).await;
    house.time.pass(5000);
    assert_eq!(Some(house.service.open(promised()).await.unwrap().commitment), commitment, "no promise was used up");
    assert_eq!(rejection(open().await), Rejection::Full);
    // A rematch counts as a table, too.
    let rematch = async || house.service.rematch(playing, &seated[0].caller(), SeatChange::default()).await;
    assert_eq!(rejection(rematch().await), Rejection::Full);
    house.service.leave(waiting.table, &Caller::Token(waiting.token)).await.unwrap();
    house.time.pass(5000);
    assert_eq!(rematch().await.unwrap(), rematch().await.unwrap());
    assert_eq!(backend.number("SELECT count(*) FROM tables WHERE state < 2").await, 3);
}

#[tokio::test]
async fn tables_of_other_nodes_count_towards_the_limit() {
    let (backend, house) = small_house(2).await;
    let other = House::with(
        Service::new(backend.open().await, Settings { max_open_tables: 2, ..house.time.settings(2) }),
        &house.time,
    );
    let open = |house: &House| {
        let service = house.service.clone();
        async move { service.open(NewTable::plain(players(2))).await }
    };
    open(&house).await.unwrap();
    open(&other).await.unwrap();
    assert_eq!(rejection(open(&other).await), Rejection::Full);
    house.time.pass(5000);
    assert_eq!(rejection(open(&house).await), Rejection::Full);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_opens_respect_the_table_limit() {
    let (_backend, house) = small_house(5).await;
    let opening: Vec<_> = (0..20)
        .map(|_| {
            let service = house.service.clone();
            tokio::spawn(async move { service.open(NewTable::plain(players(2))).await })
        })
        .collect();
    let mut opened = 0;
    for one in opening {
        opened += u32::from(one.await.unwrap().is_ok());
    }
    assert_eq!(opened, 5);
}

fn browser(number: u8) -> Visitor {
    Visitor::from_bytes([number; 32])
}

#[tokio::test]
async fn number_of_linked_browsers_is_limited() {
    let (_backend, house) = house().await;
    let (table, seated) = house.table(with_bots(1, 1)).await;
    let link = async |table, number| house.service.link(table, seated[0].token, &browser(number)).await;
    for number in 0..32 {
        link(table, number).await.unwrap();
    }
    let version = house.look(table, &Caller::Nobody).await.version;
    assert_eq!(rejection(link(table, 32).await), Rejection::TooManyLinks);
    assert_eq!(house.look(table, &Caller::Nobody).await.version, version);
    // Known browsers are still accepted, and so is the seat's token.
    link(table, 0).await.unwrap();
    house.play_out(table, &seated, &mut quick()).await;
    // In a rematch more browsers can be linked: only the last half is kept.
    let rematch = house.service.rematch(table, &seated[0].caller(), SeatChange::default()).await.unwrap();
    let known = async |number| {
        let caller = Caller::Visitor { visitor: browser(number), seat: None };
        house.service.look(rematch, &caller).await.unwrap().observer().seat().is_some()
    };
    assert!(!known(15).await && known(16).await && known(31).await);
    link(rematch, 32).await.unwrap();
    assert!(known(32).await);
}

#[tokio::test]
async fn expired_commitments_are_deleted() {
    let (backend, house) = house().await;
    for _ in 0..3 {
        house.service.new_commitment().await.unwrap();
    }
    let kept = async || backend.number("SELECT count(*) FROM commitments").await;
    house.time.pass(599_999);
    let young = house.service.new_commitment().await.unwrap();
    assert_eq!(kept().await, 4, "nothing is forgotten too early");
    // Expired commitments are deleted every ten minutes.
    house.time.pass(2);
    in_time(async {
        while kept().await != 1 {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    })
    .await;
    house.service.open(NewTable { commitment: Some(young), ..NewTable::plain(players(2)) }).await.unwrap();
}
