//! Who is there: whoever looked at a table from a seat, by a line that stays open, and has none any more after a moment, is
//! shown as gone. It passes by: nothing of it is kept, and nothing at the table depends on it.
//!
//! A node knows whose lines it holds. It tells the others who has gone and who has come; one that still holds a line of
//! somebody who has gone elsewhere objects.

use std::fmt;
use std::sync::{Arc, Mutex};

use sultan_domain::{BySeat, Seat, TableId};
use tokio::runtime::Handle;

use crate::publish::{Slot, locked};
use crate::react::Sign;
use crate::service::{Inner, Service};
use crate::table::Table;

/// So long somebody may be without a line: a page that is loaded anew, or a network that is changed, takes a few seconds.
const PATIENCE_MS: i64 = 10_000;

/// The seats whose people have gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gone(BySeat<bool>);

impl Gone {
    /// Whether this seat's player has gone.
    #[must_use]
    pub fn has(self, seat: Seat) -> bool {
        self.0[seat]
    }

    /// The numbers of the seats, one after the other.
    #[must_use]
    pub fn digits(self) -> String {
        (0..).zip(self.0.0).filter(|(_, gone)| *gone).map(|(seat, _): (u8, _)| char::from(b'0' + seat)).collect()
    }

    /// The seats with these numbers; what is none is left out.
    #[must_use]
    pub fn of_digits(digits: &str) -> Self {
        let mut gone = Self::default();
        for seat in digits.bytes().filter_map(|digit| Seat::new(digit.wrapping_sub(b'0'))) {
            gone.0[seat] = true;
        }
        gone
    }
}

/// Who is there, of one table.
#[derive(Debug, Default)]
pub(crate) struct Presence(Mutex<Lines>);

#[derive(Debug, Default)]
struct Lines {
    /// How many lines each seat has on this node.
    open: BySeat<u32>,
    /// How often each seat's last line was closed.
    closed: BySeat<u32>,
    gone: Gone,
}

impl Presence {
    pub(crate) fn gone(&self) -> Gone {
        locked(&self.0).gone
    }

    /// A line more. Says whether it is the only one.
    fn open(&self, seat: Seat) -> bool {
        let open = &mut locked(&self.0).open[seat];
        *open += 1;
        *open == 1
    }

    /// A line less. If it was the last, says how often that has been so.
    fn close(&self, seat: Seat) -> Option<u32> {
        let mut lines = locked(&self.0);
        lines.open[seat] -= 1;
        if lines.open[seat] > 0 {
            return None;
        }
        lines.closed[seat] = lines.closed[seat].wrapping_add(1);
        Some(lines.closed[seat])
    }

    /// Whether somebody has had no line since the last one was closed for the so manieth time.
    fn is_missing(&self, seat: Seat, closed: u32) -> bool {
        let lines = locked(&self.0);
        lines.open[seat] == 0 && lines.closed[seat] == closed
    }

    fn has_line(&self, seat: Seat) -> bool {
        locked(&self.0).open[seat] > 0
    }

    /// Somebody else has the seat: whoever had it before is neither there nor gone.
    fn forget(&self, seat: Seat) -> bool {
        let mut lines = locked(&self.0);
        lines.closed[seat] = lines.closed[seat].wrapping_add(1);
        std::mem::take(&mut lines.gone.0[seat])
    }

    /// Marks somebody as gone or not. Says whether that is news. Who has a line here has not gone.
    fn mark(&self, seat: Seat, gone: bool) -> bool {
        let mut lines = locked(&self.0);
        let gone = gone && lines.open[seat] == 0;
        std::mem::replace(&mut lines.gone.0[seat], gone) != gone
    }
}

/// Somebody who has or has not a line, as nodes tell each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Noticed {
    seat: Seat,
    here: bool,
}

impl Noticed {
    pub(crate) fn written(self) -> String {
        format!("{}:{}", self.seat, if self.here { "here" } else { "gone" })
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        let (seat, here) = text.split_once(':')?;
        let here = match here {
            "here" => true,
            "gone" => false,
            _ => return None,
        };
        Some(Self { seat: Seat::new(seat.parse().ok()?)?, here })
    }
}

/// A line of those who have these seats. They are there as long as this is.
pub struct Here {
    inner: Arc<Inner>,
    table: TableId,
    slot: Arc<Slot>,
    seats: Vec<Seat>,
}

impl Service {
    /// Says that the people of these seats are there: several may share a device.
    #[must_use]
    pub fn here(&self, table: TableId, seats: Vec<Seat>) -> Here {
        let (inner, slot) = (Arc::clone(&self.0), self.0.slot(table));
        for &seat in &seats {
            if slot.presence.open(seat) {
                inner.tell_nodes(table, &Noticed { seat, here: true }.written());
            }
            slot.notice(seat, false);
        }
        Here { inner, table, slot, seats }
    }

    /// Who has gone from a table, as far as it is known here.
    #[must_use]
    pub fn gone(&self, table: TableId) -> Gone {
        self.0.slot(table).gone()
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        for &seat in &self.seats {
            let (Some(closed), Ok(runtime)) = (self.slot.presence.close(seat), Handle::try_current()) else { continue };
            let missed = (self.inner.settings.sleep_until)(self.inner.now_ms() + PATIENCE_MS);
            // Neither the service nor a table is kept for this.
            let (inner, slot, table) = (Arc::downgrade(&self.inner), Arc::downgrade(&self.slot), self.table);
            runtime.spawn(async move {
                missed.await;
                if let (Some(inner), Some(slot)) = (inner.upgrade(), slot.upgrade())
                    && slot.presence.is_missing(seat, closed)
                    && slot.notice(seat, true)
                {
                    inner.tell_nodes(table, &Noticed { seat, here: false }.written());
                }
            });
        }
    }
}

impl fmt::Debug for Here {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Here").field("table", &self.table).field("seats", &self.seats).finish_non_exhaustive()
    }
}

impl Slot {
    /// Who has gone. Where the pace is even nobody is told: that somebody comes back tells when they act.
    pub(crate) fn gone(&self) -> Gone {
        let told = self.now().is_some_and(|now| !now.table.opened.even_pace);
        if told { self.presence.gone() } else { Gone::default() }
    }

    /// Some seats may have changed hands.
    pub(crate) fn seats_changed(&self, before: &Table, now: &Table) {
        let owner = |table: &Table, seat| table.guest(seat).map(|guest| guest.token);
        let changed = now.seats().filter(|&seat| owner(before, seat) != owner(now, seat));
        if changed.filter(|&seat| self.presence.forget(seat)).count() > 0 {
            self.signs.tell(Sign::Presence);
        }
    }

    /// Marks somebody as gone or not, and tells those who watch here. Says whether that is news.
    fn notice(&self, seat: Seat, gone: bool) -> bool {
        let news = self.presence.mark(seat, gone);
        if news {
            self.signs.tell(Sign::Presence);
        }
        news
    }
}

impl Inner {
    /// Another node has told of somebody's line.
    pub(crate) fn noticed_elsewhere(&self, table: TableId, slot: &Slot, Noticed { seat, here }: Noticed) {
        if !here && slot.presence.has_line(seat) {
            self.tell_nodes(table, &Noticed { seat, here: true }.written());
        } else {
            slot.notice(seat, !here);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_gone_is_written_and_read() {
        let seats: Vec<Seat> = (0..5).filter_map(Seat::new).collect();
        for bits in 0..32_u8 {
            let mut gone = Gone::default();
            seats.iter().for_each(|&seat| gone.0[seat] = bits >> seat.number() & 1 == 1);
            assert_eq!(Gone::of_digits(&gone.digits()), gone);
        }
        let gone = Gone::of_digits("3,1x9 1\u{661}");
        assert_eq!(gone.digits(), "13");
        assert!(gone.has(seats[1]) && !gone.has(seats[0]));
    }

    #[test]
    fn nodes_understand_each_other() {
        for here in [true, false] {
            let noticed = Noticed { seat: Seat::new(4).unwrap(), here };
            assert_eq!(Noticed::read(&noticed.written()), Some(noticed));
        }
        for wrong in ["", "1", "1:", "9:here", "1:thanks", ":gone"] {
            assert_eq!(Noticed::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn who_has_a_line_has_not_gone() {
        let (presence, seat) = (Presence::default(), Seat::default());
        assert!(presence.mark(seat, true) && !presence.mark(seat, true), "told once");
        assert!(presence.open(seat) && !presence.open(seat), "the second is not the first");
        assert!(presence.mark(seat, false) && !presence.mark(seat, true), "there is a line");
        assert_eq!((presence.close(seat), presence.close(seat)), (None, Some(1)), "one of two, then the last");
        assert!(presence.is_missing(seat, 1) && !presence.has_line(seat));
        presence.open(seat);
        assert!(!presence.is_missing(seat, 1), "there is a line again");
        assert_eq!(presence.close(seat), Some(2));
        assert!(!presence.is_missing(seat, 1) && presence.is_missing(seat, 2), "it was there meanwhile");
    }
}
