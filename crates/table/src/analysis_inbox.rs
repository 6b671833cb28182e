//! Messages of other nodes about analyses. The cluster receives them and puts them into the inbox; the analysis queue
//! takes them from there.

use sultan_domain::TableId;
use tokio::sync::{Mutex, mpsc};

use crate::analysis_queue::AnalysisProgress;

/// The capacity of the inbox. Further messages are dropped, since other nodes repeat their requests.
const MAX_WAITING_MESSAGES: usize = 256;

/// A message from another node about the analysis of a table's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnalysisMessage {
    /// A client waits for the analysis: the node that runs the table should start it.
    Request,
    /// The answer of the node that runs the table.
    Progress(AnalysisProgress),
}

/// The messages that the analysis queue has not handled yet.
pub(crate) struct AnalysisInbox {
    sender: mpsc::Sender<(TableId, AnalysisMessage)>,
    receiver: Mutex<mpsc::Receiver<(TableId, AnalysisMessage)>>,
}

impl Default for AnalysisInbox {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(MAX_WAITING_MESSAGES);
        Self { sender, receiver: Mutex::new(receiver) }
    }
}

impl AnalysisInbox {
    /// Adds a message, or drops it if the inbox is full.
    pub(crate) fn put(&self, table: TableId, message: AnalysisMessage) {
        let _ = self.sender.try_send((table, message));
    }

    /// Waits for the next message.
    pub(crate) async fn next(&self) -> Option<(TableId, AnalysisMessage)> {
        self.receiver.lock().await.recv().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn full_inbox_drops_messages() {
        let inbox = AnalysisInbox::default();
        for number in 0..2 * MAX_WAITING_MESSAGES as u64 {
            inbox.put(TableId::new(number), AnalysisMessage::Request);
        }
        for number in 0..MAX_WAITING_MESSAGES as u64 {
            assert_eq!(inbox.next().await, Some((TableId::new(number), AnalysisMessage::Request)));
        }
        let further = tokio::time::timeout(std::time::Duration::from_millis(1), inbox.next()).await;
        assert!(further.is_err(), "the inbox kept too many messages: {further:?}");
    }
}
