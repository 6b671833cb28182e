//! The presence of the players and spectators at one table, as far as this node knows.
//!
//! A player with a live connection to any node is present; a player who has been disconnected for some time is absent.
//! All spectators of a table count as one observer, who is absent until the first of them connects.
//! Presence is never stored, and no rule of the table depends on it. The protocol between the nodes is in `cluster`.

use std::sync::Mutex;

use sultan_domain::{Attendance, BySeat, Observer, Seat};

use crate::sync::locked;

/// The status of a player's connections, as nodes report it to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PresenceStatus {
    /// The player is connected to the node that sends this status.
    Connected,
    /// The last connection to this node was closed. If the player is connected to another node, that node should
    /// answer.
    Missing,
    /// No node has answered that the player is connected to it.
    Absent,
}

impl PresenceStatus {
    pub(crate) const ALL: [Self; 3] = [Self::Connected, Self::Missing, Self::Absent];

    /// The code in messages between nodes. It never changes.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Connected => "here",
            Self::Missing => "missing",
            Self::Absent => "gone",
        }
    }

    pub(crate) fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }
}

/// The connections of all seats of one table on this node.
#[derive(Debug, Default)]
pub(crate) struct Presence(Mutex<ByObserver>);

/// The connections to this node: of each seat, and of all spectators.
#[derive(Debug)]
struct ByObserver {
    seats: BySeat<Connections>,
    spectators: Connections,
}

impl Default for ByObserver {
    /// Players have just sat down, but nobody watches yet.
    fn default() -> Self {
        let spectators = Connections { is_absent: true, ..Connections::default() };
        Self { seats: BySeat::default(), spectators }
    }
}

impl ByObserver {
    fn of(&mut self, observer: Observer) -> &mut Connections {
        match observer {
            Observer::Seat(seat) => &mut self.seats[seat],
            Observer::Public => &mut self.spectators,
        }
    }
}

/// The connections of one seat, or of all spectators, on this node.
#[derive(Clone, Copy, Debug, Default)]
struct Connections {
    /// The number of open connections.
    open: u32,
    /// The number of earlier players of the seat: identifies the current player, the owner of the seat. The
    /// connections of former owners are ignored.
    owner: u32,
    /// A counter that increases with each request and each closed connection of the player. If it has not changed, the
    /// player has been inactive in between.
    activity: u32,
    is_absent: bool,
}

impl Presence {
    pub(crate) fn attendance(&self) -> Attendance {
        let ByObserver { seats, spectators } = &*locked(&self.0);
        Attendance { absent: BySeat(seats.0.map(|connections| connections.is_absent)), watched: !spectators.is_absent }
    }

    /// Counts a new connection. Returns whether it is the only connection, and the owner number of the current player.
    pub(crate) fn connect(&self, observer: Observer) -> (bool, u32) {
        let mut by_observer = locked(&self.0);
        let connections = by_observer.of(observer);
        connections.open += 1;
        (connections.open == 1, connections.owner)
    }

    /// Removes a connection of this owner. If no connection of the current player is left, returns the activity
    /// counter.
    pub(crate) fn disconnect(&self, observer: Observer, owner: u32) -> Option<u32> {
        let mut by_observer = locked(&self.0);
        let connections = by_observer.of(observer);
        if connections.owner != owner {
            return None;
        }
        connections.open -= 1;
        connections.activity = connections.activity.wrapping_add(1);
        (connections.open == 0).then_some(connections.activity)
    }

    /// Returns whether the player has no connection, and has been inactive since the counter had this value.
    pub(crate) fn is_missing(&self, observer: Observer, activity: u32) -> bool {
        let connections = *locked(&self.0).of(observer);
        connections.open == 0 && connections.activity == activity
    }

    /// Returns whether the player is connected to this node.
    pub(crate) fn is_connected(&self, observer: Observer) -> bool {
        locked(&self.0).of(observer).open > 0
    }

    /// Resets the seat for a new player. Returns whether the former player was absent.
    pub(crate) fn reset(&self, seat: Seat) -> bool {
        let connections = &mut locked(&self.0).seats[seat];
        let (owner, activity) = (connections.owner.wrapping_add(1), connections.activity.wrapping_add(1));
        std::mem::replace(connections, Connections { owner, activity, ..Connections::default() }).is_absent
    }

    /// Marks a player as present or absent; a player with a connection stays present. Returns whether that changed the
    /// player's presence.
    pub(crate) fn set_absent(&self, observer: Observer, is_absent: bool) -> bool {
        let mut by_observer = locked(&self.0);
        let connections = by_observer.of(observer);
        let is_absent = is_absent && connections.open == 0;
        if !is_absent {
            connections.activity = connections.activity.wrapping_add(1);
        }
        std::mem::replace(&mut connections.is_absent, is_absent) != is_absent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_player_is_not_absent() {
        let (presence, seat) = (Presence::default(), Observer::Seat(Seat::default()));
        assert!(presence.set_absent(seat, true), "the player becomes absent");
        assert!(!presence.set_absent(seat, true), "the player was already absent");
        assert_eq!(presence.connect(seat), (true, 0), "the first connection of the first owner");
        assert_eq!(presence.connect(seat), (false, 0), "the second connection of the first owner");
        assert!(presence.set_absent(seat, false), "the player becomes present");
        assert!(!presence.set_absent(seat, true), "a connected player cannot become absent");
        assert_eq!(presence.disconnect(seat, 0), None, "the other connection is still open");
        let activity = presence.disconnect(seat, 0).unwrap();
        assert!(presence.is_missing(seat, activity) && !presence.is_connected(seat));
        presence.connect(seat);
        assert!(!presence.is_missing(seat, activity), "the player is connected again");
        let later_activity = presence.disconnect(seat, 0).unwrap();
        assert!(!presence.is_missing(seat, activity), "the player was connected in between");
        assert!(presence.is_missing(seat, later_activity), "the player has been inactive since the last connection");
        presence.set_absent(seat, false);
        assert!(!presence.is_missing(seat, later_activity), "the player was marked as present in between");
    }

    #[test]
    fn connections_of_a_former_player_do_not_count() {
        let (presence, own_seat) = (Presence::default(), Seat::default());
        let seat = Observer::Seat(own_seat);
        let (_, former_owner) = presence.connect(seat);
        assert!(!presence.reset(own_seat), "the former player was not absent");
        let (is_first_connection, owner) = presence.connect(seat);
        assert!(is_first_connection && owner != former_owner);
        assert_eq!(presence.disconnect(seat, former_owner), None);
        assert!(presence.is_connected(seat) && presence.disconnect(seat, owner).is_some());
        assert!(!presence.is_connected(seat));
        assert!(presence.set_absent(seat, true) && presence.reset(own_seat));
        assert_eq!(presence.attendance(), Attendance::default());
    }

    #[test]
    fn table_is_watched_from_the_first_spectator_on() {
        let presence = Presence::default();
        assert!(!presence.attendance().watched);
        presence.connect(Observer::Public);
        assert!(presence.set_absent(Observer::Public, false), "the table becomes watched");
        assert_eq!(presence.attendance(), Attendance { watched: true, ..Attendance::default() });
        assert!(!presence.set_absent(Observer::Public, true), "a spectator is still connected");
        assert!(presence.disconnect(Observer::Public, 0).is_some());
        assert!(presence.set_absent(Observer::Public, true), "the last spectator has gone");
        assert_eq!(presence.attendance(), Attendance::default());
    }
}
