//! The presence of the players at one table, as far as this node knows.
//!
//! A player with a live connection to any node is present; a player who has been disconnected for some time is absent.
//! Presence is never stored, and no rule of the table depends on it. The protocol between the nodes is in `cluster`.

use std::sync::Mutex;

use sultan_domain::{AbsentSeats, BySeat, Seat};

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
pub(crate) struct Presence(Mutex<BySeat<Connections>>);

/// The connections of one seat on this node.
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
    pub(crate) fn absent_seats(&self) -> AbsentSeats {
        AbsentSeats(BySeat(locked(&self.0).0.map(|connections| connections.is_absent)))
    }

    /// Counts a new connection. Returns whether it is the only connection, and the owner number of the current player.
    pub(crate) fn connect(&self, seat: Seat) -> (bool, u32) {
        let connections = &mut locked(&self.0)[seat];
        connections.open += 1;
        (connections.open == 1, connections.owner)
    }

    /// Removes a connection of this owner. If no connection of the current player is left, returns the activity
    /// counter.
    pub(crate) fn disconnect(&self, seat: Seat, owner: u32) -> Option<u32> {
        let connections = &mut locked(&self.0)[seat];
        if connections.owner != owner {
            return None;
        }
        connections.open -= 1;
        connections.activity = connections.activity.wrapping_add(1);
        (connections.open == 0).then_some(connections.activity)
    }

    /// Returns whether the player has no connection, and has been inactive since the counter had this value.
    pub(crate) fn is_missing(&self, seat: Seat, activity: u32) -> bool {
        let connections = locked(&self.0)[seat];
        connections.open == 0 && connections.activity == activity
    }

    /// Returns whether the player is connected to this node.
    pub(crate) fn is_connected(&self, seat: Seat) -> bool {
        locked(&self.0)[seat].open > 0
    }

    /// Resets the seat for a new player. Returns whether the former player was absent.
    pub(crate) fn reset(&self, seat: Seat) -> bool {
        let connections = &mut locked(&self.0)[seat];
        let (owner, activity) = (connections.owner.wrapping_add(1), connections.activity.wrapping_add(1));
        std::mem::replace(connections, Connections { owner, activity, ..Connections::default() }).is_absent
    }

    /// Marks a player as present or absent; a player with a connection stays present. Returns whether that changed the
    /// player's presence.
    pub(crate) fn set_absent(&self, seat: Seat, is_absent: bool) -> bool {
        let connections = &mut locked(&self.0)[seat];
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
        let (presence, seat) = (Presence::default(), Seat::default());
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
        let (presence, seat) = (Presence::default(), Seat::default());
        let (_, former_owner) = presence.connect(seat);
        assert!(!presence.reset(seat), "the former player was not absent");
        let (is_first_connection, owner) = presence.connect(seat);
        assert!(is_first_connection && owner != former_owner);
        assert_eq!(presence.disconnect(seat, former_owner), None);
        assert!(presence.is_connected(seat) && presence.disconnect(seat, owner).is_some());
        assert!(!presence.is_connected(seat));
        assert!(presence.set_absent(seat, true) && presence.reset(seat));
        assert_eq!(presence.absent_seats(), AbsentSeats::default());
    }
}
