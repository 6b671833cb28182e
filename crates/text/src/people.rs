//! The names of players, the same on pages and in the terminal.

use sultan_domain::{Kind, Person, PlayingTable, Seat};

use crate::Text;

impl Text {
    /// The name of a player: for a bot the name of its level, for a person the name or else the number of the seat. A
    /// free seat counts as a person without a name; the caller marks free seats if needed.
    #[must_use]
    pub fn player(self, seat: Seat, person: &Person) -> String {
        match &person.kind {
            Kind::Bot(bot) => self.bot(bot),
            Kind::Human | Kind::StandIn(_) | Kind::Open if person.name.is_empty() => self.nameless(seat.number() + 1),
            Kind::Human | Kind::StandIn(_) | Kind::Open => person.name.clone(),
        }
    }

    /// The name of a player in a game. Several bots of one level get Roman numerals.
    #[must_use]
    pub fn player_at(self, table: &PlayingTable, seat: Seat) -> String {
        let person = table.person(seat);
        let name = self.player(seat, person);
        let count_same_kind = |people: &[Person]| people.iter().filter(|other| other.kind == person.kind).count();
        if !matches!(person.kind, Kind::Bot(_)) || count_same_kind(&table.people) < 2 {
            return name;
        }
        let earlier_bots = count_same_kind(&table.people[..seat.index()]);
        format!("{name} {}", ["I", "II", "III", "IV", "V"][earlier_bots.min(4)])
    }

    /// The names of all players in a game, in the order of the seats.
    #[must_use]
    pub fn players(self, table: &PlayingTable) -> Vec<String> {
        table.view.parameters.players.seats().map(|seat| self.player_at(table, seat)).collect()
    }

    /// What a player without a name is called, as in “Player 3”. `number` counts from 1.
    #[must_use]
    pub fn nameless(self, number: u8) -> String {
        self.with("table-player", &[("number", number.into())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;

    #[test]
    fn bots_are_named_by_level_and_people_by_name_or_seat() {
        let seat = Seat::new(2).unwrap();
        let name = |name: &str, kind| {
            let person = Person { name: name.to_owned(), kind, ..Person::nameless(seat) };
            Text::of(Lang::En).player(seat, &person)
        };
        assert_eq!(name("merchant", Kind::Bot("merchant".to_owned())), "Merchant");
        assert_eq!(name("Ana", Kind::StandIn("page".to_owned())), "Ana");
        assert_eq!([name("", Kind::Human), name("", Kind::StandIn("page".to_owned()))], ["Player 3", "Player 3"]);
    }
}
