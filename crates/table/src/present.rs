//! Who is there: whoever looked at a table from a seat, by a line that stays open, and has none any more after a moment, is
//! shown as gone, until there is a line again or something is done from that seat. It passes by: nothing of it is kept, and nothing
//! at the table depends on it.
//!
//! A node knows whose lines it holds. Before it takes anybody for gone it asks the others, of which one may hold a line.

use std::fmt;
use std::sync::{Arc, Mutex, Weak};

use sultan_domain::{BySeat, Players, Seat, TableId};
use tokio::runtime::Handle;

use crate::publish::{LiveTable, locked};
use crate::react::Sign;
use crate::service::{Inner, Service};
use crate::settings::Sleep;
use crate::table::Table;

/// So long somebody may be without a line: a page that is loaded anew, or a network that is changed, takes a few seconds.
const PATIENCE_MS: i64 = 10_000;
/// So long other nodes have to say that somebody is there.
const ANSWERS_MS: i64 = 1000;

/// The seats whose people have gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AbsentSeats(BySeat<bool>);

impl AbsentSeats {
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
pub(crate) struct Presence(Mutex<BySeat<Lines>>);

/// The lines of a seat on this node.
#[derive(Clone, Copy, Debug, Default)]
struct Lines {
    open: u32,
    /// Whose they are: another number for everybody who takes the seat.
    owner: u32,
    /// Counts up with everything that was heard of the player.
    heard: u32,
    gone: bool,
}

impl Presence {
    fn gone(&self) -> AbsentSeats {
        AbsentSeats(BySeat(locked(&self.0).0.map(|lines| lines.gone)))
    }

    fn of<T>(&self, seat: Seat, look: impl FnOnce(&mut Lines) -> T) -> T {
        look(&mut locked(&self.0)[seat])
    }

    /// A line more. Says whether it is the only one, and whose it is.
    fn open(&self, seat: Seat) -> (bool, u32) {
        self.of(seat, |lines| {
            lines.open += 1;
            (lines.open == 1, lines.owner)
        })
    }

    /// A line less. If it was the last, says what was heard so far.
    fn close(&self, seat: Seat, owner: u32) -> Option<u32> {
        self.of(seat, |lines| {
            if lines.owner != owner {
                return None;
            }
            lines.open -= 1;
            lines.heard = lines.heard.wrapping_add(1);
            (lines.open == 0).then_some(lines.heard)
        })
    }

    /// Whether there is no line, and nothing was heard since.
    fn is_missing(&self, seat: Seat, heard: u32) -> bool {
        self.of(seat, |lines| lines.open == 0 && lines.heard == heard)
    }

    fn has_line(&self, seat: Seat) -> bool {
        self.of(seat, |lines| lines.open > 0)
    }

    /// Somebody else has the seat: whoever had it before is neither there nor gone. Says whether that is news.
    fn forget(&self, seat: Seat) -> bool {
        self.of(seat, |lines| {
            let (owner, heard) = (lines.owner.wrapping_add(1), lines.heard.wrapping_add(1));
            std::mem::replace(lines, Lines { owner, heard, ..Lines::default() }).gone
        })
    }

    /// Marks somebody as gone, who then has no line here, or not. Says whether that is news.
    fn mark(&self, seat: Seat, gone: bool) -> bool {
        self.of(seat, |lines| {
            let gone = gone && lines.open == 0;
            if !gone {
                lines.heard = lines.heard.wrapping_add(1);
            }
            std::mem::replace(&mut lines.gone, gone) != gone
        })
    }
}

/// What nodes tell each other of somebody's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// There is one here.
    Here,
    /// There is none here any more: does anybody have one?
    Missing,
    /// Nobody has.
    Gone,
}

impl Word {
    const ALL: [Self; 3] = [Self::Here, Self::Missing, Self::Gone];

    const fn code(self) -> &'static str {
        match self {
            Self::Here => "here",
            Self::Missing => "missing",
            Self::Gone => "gone",
        }
    }
}

/// What a node has told of somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Noticed(Seat, Word);

impl Noticed {
    fn written(self) -> String {
        format!("{}:{}", self.0, self.1.code())
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        let (seat, code) = text.split_once(':')?;
        let word = Word::ALL.into_iter().find(|word| word.code() == code)?;
        Some(Self(Seat::new(seat.parse().ok()?)?, word))
    }
}

/// A line of those who have these seats. They are there as long as this is.
pub struct PresenceGuard {
    inner: Arc<Inner>,
    table: TableId,
    slot: Arc<LiveTable>,
    /// With whose seats they were.
    seats: Vec<(Seat, u32)>,
}

impl Service {
    /// Says that the people of these seats are there: several may share a device.
    #[must_use]
    pub fn mark_present(&self, table: TableId, seats: &[Seat]) -> PresenceGuard {
        let (inner, slot) = (Arc::clone(&self.0), self.0.slot(table));
        let open = |&seat: &Seat| {
            let (first, owner) = slot.presence.open(seat);
            slot.notice(seat, false);
            if first {
                inner.tell_of(table, seat, Word::Here);
            }
            (seat, owner)
        };
        let seats = seats.iter().map(open).collect();
        PresenceGuard { inner, table, slot, seats }
    }

    /// Who has gone from a table, as far as it is known here; nothing while the table itself is not.
    #[must_use]
    pub fn absent_seats(&self, table: TableId) -> Option<AbsentSeats> {
        let slot = self.0.slot(table);
        Some(slot.gone(&slot.now()?.table))
    }
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        for &(seat, owner) in &self.seats {
            if let (Some(heard), Ok(runtime)) = (self.slot.presence.close(seat, owner), Handle::try_current()) {
                // Neither the service nor a table is kept for this.
                let (inner, slot) = (Arc::downgrade(&self.inner), Arc::downgrade(&self.slot));
                let patience = (self.inner.settings.sleep_until)(self.inner.now_ms() + PATIENCE_MS);
                runtime.spawn(miss(inner, slot, self.table, (seat, heard), patience));
            }
        }
    }
}

/// Marks somebody as gone of whom nothing more is heard.
async fn miss(inner: Weak<Inner>, slot: Weak<LiveTable>, table: TableId, (seat, heard): (Seat, u32), patience: Sleep) {
    let missing = || {
        let (inner, slot) = (inner.upgrade()?, slot.upgrade()?);
        slot.presence.is_missing(seat, heard).then_some((inner, slot))
    };
    patience.await;
    let answers = match missing() {
        Some((inner, _)) if inner.store.nodes().is_some() => {
            inner.tell_of(table, seat, Word::Missing);
            (inner.settings.sleep_until)(inner.now_ms() + ANSWERS_MS)
        }
        Some(_) => Box::pin(std::future::ready(())),
        None => return,
    };
    answers.await;
    if let Some((inner, slot)) = missing()
        && slot.notice(seat, true)
    {
        inner.tell_of(table, seat, Word::Gone);
    }
}

impl fmt::Debug for PresenceGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seats: Vec<Seat> = self.seats.iter().map(|(seat, _)| *seat).collect();
        f.debug_struct("PresenceGuard").field("table", &self.table).field("seats", &seats).finish_non_exhaustive()
    }
}

impl LiveTable {
    /// Who has gone. Where the pace is even nobody is told: that somebody comes back tells when they act.
    pub(crate) fn gone(&self, table: &Table) -> AbsentSeats {
        if table.opened.even_pace { AbsentSeats::default() } else { self.presence.gone() }
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
    fn tell_of(&self, table: TableId, seat: Seat, word: Word) {
        self.tell_nodes(table, &Noticed(seat, word).written());
    }

    /// Something was done from a seat: whoever has it is there, with or without a line.
    pub(crate) fn heard_from(&self, table: TableId, seat: Seat) {
        if self.slot(table).notice(seat, false) {
            self.tell_of(table, seat, Word::Here);
        }
    }

    /// Another node has told of somebody's lines.
    pub(crate) fn noticed_elsewhere(&self, table: TableId, slot: &LiveTable, Noticed(seat, word): Noticed) {
        match word {
            Word::Here => {
                slot.notice(seat, false);
            }
            Word::Missing | Word::Gone if slot.presence.has_line(seat) => self.tell_of(table, seat, Word::Here),
            Word::Missing => {}
            Word::Gone => {
                slot.notice(seat, true);
            }
        }
    }

    /// What other nodes told may have been missed: whoever was gone may be back, and others may not know who is here.
    pub(crate) fn look_around(&self) {
        for (table, slot) in self.slots() {
            for seat in (0..Players::MOST).filter_map(Seat::new) {
                slot.notice(seat, false);
                if slot.presence.has_line(seat) {
                    self.tell_of(table, seat, Word::Here);
                }
            }
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
            let mut gone = AbsentSeats::default();
            seats.iter().for_each(|&seat| gone.0[seat] = bits >> seat.number() & 1 == 1);
            assert_eq!(AbsentSeats::of_digits(&gone.digits()), gone);
        }
        let gone = AbsentSeats::of_digits("3,1x9 1\u{661}");
        assert_eq!(gone.digits(), "13");
        assert!(gone.has(seats[1]) && !gone.has(seats[0]));
    }

    #[test]
    fn nodes_understand_each_other() {
        for word in Word::ALL {
            let noticed = Noticed(Seat::new(4).unwrap(), word);
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
        assert_eq!([presence.open(seat), presence.open(seat)], [(true, 0), (false, 0)], "the second is not the first");
        assert!(presence.mark(seat, false) && !presence.mark(seat, true), "there is a line");
        assert_eq!(presence.close(seat, 0), None, "there is another");
        let heard = presence.close(seat, 0).unwrap();
        assert!(presence.is_missing(seat, heard) && !presence.has_line(seat));
        presence.open(seat);
        assert!(!presence.is_missing(seat, heard), "there is a line again");
        let later = presence.close(seat, 0).unwrap();
        assert!(!presence.is_missing(seat, heard) && presence.is_missing(seat, later), "it was there meanwhile");
        presence.mark(seat, false);
        assert!(!presence.is_missing(seat, later), "something was heard");
    }

    #[test]
    fn the_lines_of_whoever_had_the_seat_before_do_not_count() {
        let (presence, seat) = (Presence::default(), Seat::default());
        let (_, before) = presence.open(seat);
        assert!(!presence.forget(seat), "nobody was gone");
        let (first, owner) = presence.open(seat);
        assert!(first && owner != before);
        assert_eq!(presence.close(seat, before), None);
        assert!(presence.has_line(seat) && presence.close(seat, owner).is_some() && !presence.has_line(seat));
        assert!(presence.mark(seat, true) && presence.forget(seat) && presence.gone() == AbsentSeats::default());
    }
}
