//! Why something was not done, for people.

use crate::Text;

/// The message for each code that programs are told.
const MESSAGES: [(&str, &str); 39] = [
    ("table/not-found", "refused-table-not-found"),
    ("token/missing", "refused-token-missing"),
    ("token/wrong", "refused-token-wrong"),
    ("token/ill-formed", "refused-token-wrong"),
    ("table/not-host", "refused-not-host"),
    ("action/not-now", "refused-not-now"),
    ("table/not-started", "refused-not-started"),
    ("table/started", "refused-started"),
    ("table/over", "refused-over"),
    ("table/not-over", "refused-not-over"),
    ("action/not-your-turn", "refused-not-your-turn"),
    ("seat/away", "refused-away"),
    ("action/unreadable", "refused-incomplete"),
    ("seat/none-free", "refused-none-free"),
    ("seat/colour-taken", "refused-colour-taken"),
    ("seat/not-found", "refused-no-such-seat"),
    ("seat/nobody-there", "refused-nobody-there"),
    ("seat/not-absent", "refused-not-absent"),
    ("bot/not-found", "refused-no-such-bot"),
    ("table/bad", "refused-bad-table"),
    ("table/bad-parameters", "refused-bad-table"),
    ("seat/bad-name", "refused-bad-name"),
    ("commitment/not-found", "refused-commitment"),
    ("seat/too-many-links", "refused-too-many-links"),
    ("coach/none", "coach-none"),
    ("coach/busy", "coach-busy"),
    ("table/branch", "branch-note"),
    ("table/too-many", "refused-full"),
    ("game/over", "refused-over"),
    ("seat/not-at-table", "refused-no-such-seat"),
    ("turn/not-yours", "refused-not-your-turn"),
    ("offer/due", "refused-offer-due"),
    ("bid/due", "refused-bid-due"),
    ("bid/card-not-in-hand", "refused-card-not-in-hand"),
    ("bid/own-card-there", "refused-own-card-there"),
    ("path/not-found", "refused-no-such-page"),
    ("method/not-allowed", "refused-no-such-page"),
    ("request/too-many", "refused-too-many"),
    ("server/failed", "refused-failed"),
];

impl Text {
    /// Why something was not done, for the code that programs are told; nothing where the code says nothing to people.
    #[must_use]
    pub fn refused(self, code: &str) -> Option<String> {
        let (_, key) = MESSAGES.iter().find(|(known, _)| *known == code)?;
        Some(self.say(key))
    }
}
