//! The players present at one table, as far as this node knows.
//!
//! A player is present while connected to any node. Presence is never stored, and no rule of the table depends on it.
//! The protocol between the nodes is in `cluster`.

use std::sync::Mutex;

use sultan_domain::{AbsentSeats, BySeat, Seat};

use crate::sync::locked;

/// The status of a player's connections, as nodes report it to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PresenceStatus {
    /// The sender has a connection.
    Connected,
    /// The sender has no connection any longer. A node that has a connection should answer.
    Missing,
    /// No node has a connection.
    Absent,
}

impl PresenceStatus {
    pub(crate) const ALL: [Self; 3] = [Self::Connected, Self::Missing, Self::Absent];

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
    open: u32,
    /// The number of players who have had the seat. Connections of former owners are ignored.
    owner: u32,
    /// The number of signs of life, so that a sign between two checks is detected.
    activity: u32,
    absent: bool,
}

impl Presence {
    pub(crate) fn absent_seats(&self) -> AbsentSeats {
        AbsentSeats(BySeat(locked(&self.0).0.map(|connections| connections.absent)))
    }

    /// Counts a new connection. Returns whether it is the only connection, and the current owner.
    pub(crate) fn connect(&self, seat: Seat) -> (bool, u32) {
        let connections = &mut locked(&self.0)[seat];
        connections.open += 1;
        (connections.open == 1, connections.owner)
    }

    /// Removes a connection of this owner. If it was the last connection, returns the activity counter.
    pub(crate) fn disconnect(&self, seat: Seat, owner: u32) -> Option<u32> {
        let connections = &mut locked(&self.0)[seat];
        if connections.owner != owner {
            return None;
        }
        connections.open -= 1;
        connections.activity = connections.activity.wrapping_add(1);
        (connections.open == 0).then_some(connections.activity)
    }

    /// Returns whether the seat has no connection, and no sign of life since this activity count.
    pub(crate) fn is_missing(&self, seat: Seat, activity: u32) -> bool {
        let connections = locked(&self.0)[seat];
        connections.open == 0 && connections.activity == activity
    }

    pub(crate) fn is_connected(&self, seat: Seat) -> bool {
        locked(&self.0)[seat].open > 0
    }

    /// Resets the seat for a new player. Returns whether the former player was absent.
    pub(crate) fn reset(&self, seat: Seat) -> bool {
        let connections = &mut locked(&self.0)[seat];
        let (owner, activity) = (connections.owner.wrapping_add(1), connections.activity.wrapping_add(1));
        std::mem::replace(connections, Connections { owner, activity, ..Connections::default() }).absent
    }

    /// Marks a player as present, or as absent unless a connection is open here. Returns whether that changed the
    /// state.
    pub(crate) fn set_absent(&self, seat: Seat, absent: bool) -> bool {
        let connections = &mut locked(&self.0)[seat];
        let absent = absent && connections.open == 0;
        if !absent {
            connections.activity = connections.activity.wrapping_add(1);
        }
        std::mem::replace(&mut connections.absent, absent) != absent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_player_is_not_absent() {
        let (presence, seat) = (Presence::default(), Seat::default());
        assert!(
            presence.set_absent(seat, true) && !presence.set_absent(seat, true),
            "only the first call changes the state"
        );
        let opened = [presence.connect(seat), presence.connect(seat)];
        assert_eq!(opened, [(true, 0), (false, 0)], "only one of them is the first connection");
        assert!(presence.set_absent(seat, false) && !presence.set_absent(seat, true), "a connection is open");
        assert_eq!(presence.disconnect(seat, 0), None, "the other connection is still open");
        let activity = presence.disconnect(seat, 0).unwrap();
        assert!(presence.is_missing(seat, activity) && !presence.is_connected(seat));
        presence.connect(seat);
        assert!(!presence.is_missing(seat, activity), "connected again");
        let later_activity = presence.disconnect(seat, 0).unwrap();
        assert!(
            !presence.is_missing(seat, activity) && presence.is_missing(seat, later_activity),
            "there was a connection in between"
        );
        presence.set_absent(seat, false);
        assert!(!presence.is_missing(seat, later_activity), "there was a sign of life");
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
