//! Messages between the nodes on a database, each about one table. They are never stored.

use sultan_domain::{Observer, Seat};

use crate::analysis_queue::AnalysisProgress;
use crate::presence::PresenceStatus;
use crate::signals::{Reaction, SeatReaction};

/// A message from one node to all others about the analysis of a table's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnalysisMessage {
    /// A client waits for the analysis: the node that runs the table should start it.
    Request,
    /// The answer of the node that runs the table.
    Progress(AnalysisProgress),
}

/// The word for the spectators in a message; a player is named by the number of the seat.
const SPECTATORS: &str = "spectators";

/// A message from one node to all others about a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeMessage {
    /// A request for the analysis of the table's game, or its progress.
    Analysis(AnalysisMessage),
    /// A player reacted.
    Reaction(SeatReaction),
    /// The status of the connections of a player, or of all spectators.
    Presence(Observer, PresenceStatus),
}

impl NodeMessage {
    /// The message as text. Nodes of two versions may share a database, so the texts never change.
    pub(crate) fn encode(self) -> String {
        match self {
            Self::Analysis(AnalysisMessage::Request) => "analysis".to_owned(),
            Self::Analysis(AnalysisMessage::Progress(AnalysisProgress { ahead, done, total })) => {
                format!("analysis:{ahead}:{done}:{total}")
            }
            Self::Reaction(SeatReaction { seat, reaction }) => format!("{}:{}", seat.number(), reaction.code()),
            Self::Presence(Observer::Seat(seat), status) => format!("{}:{}", seat.number(), status.code()),
            Self::Presence(Observer::Public, status) => format!("{SPECTATORS}:{}", status.code()),
        }
    }

    /// The message with this text; `None` if only another version knows it.
    pub(crate) fn decode(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            ["analysis"] => Some(Self::Analysis(AnalysisMessage::Request)),
            ["analysis", ahead, done, total] => {
                let [ahead, done, total] = [ahead.parse().ok()?, done.parse().ok()?, total.parse().ok()?];
                Some(Self::Analysis(AnalysisMessage::Progress(AnalysisProgress { ahead, done, total })))
            }
            [SPECTATORS, code] => Some(Self::Presence(Observer::Public, PresenceStatus::from_code(code)?)),
            [seat, code] => {
                let seat = Seat::new(seat.parse().ok()?)?;
                Some(match Reaction::from_code(code) {
                    Some(reaction) => Self::Reaction(SeatReaction { seat, reaction }),
                    None => Self::Presence(Observer::Seat(seat), PresenceStatus::from_code(code)?),
                })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip_and_unknown_messages_are_ignored() {
        let seat = Seat::new(4).unwrap();
        let progress = AnalysisMessage::Progress(AnalysisProgress { ahead: 1, done: 2, total: 30 });
        let mut messages = [AnalysisMessage::Request, progress].map(NodeMessage::Analysis).to_vec();
        messages.extend(Reaction::ALL.map(|reaction| NodeMessage::Reaction(SeatReaction { seat, reaction })));
        messages.extend(PresenceStatus::ALL.map(|status| NodeMessage::Presence(Observer::Seat(seat), status)));
        messages.extend(PresenceStatus::ALL.map(|status| NodeMessage::Presence(Observer::Public, status)));
        for message in messages {
            assert_eq!(NodeMessage::decode(&message.encode()), Some(message));
        }
        // Missing parts, seat 9 (which no table has), an unknown reaction, and wrong numbers.
        for unknown in [
            "",
            "1",
            "1:",
            "9:here",
            "9:thanks",
            "1:dance",
            "spectators:thanks",
            ":gone",
            "analysis:",
            "analysis:1:2",
            "analysis:1:2:3:4",
            "analysis:1:2:x",
        ] {
            assert_eq!(NodeMessage::decode(unknown), None, "“{unknown}” was decoded");
        }
    }

    #[test]
    fn nodes_of_version_0_1_0_understand_the_messages() {
        let seat = Seat::new(1).unwrap();
        let encoded_status = |status| NodeMessage::Presence(Observer::Seat(seat), status).encode();
        assert_eq!(PresenceStatus::ALL.map(encoded_status), ["1:here", "1:missing", "1:gone"]);
        let thanks = NodeMessage::Reaction(SeatReaction { seat, reaction: Reaction::Thanks });
        assert_eq!(thanks.encode(), "1:thanks");
    }
}
