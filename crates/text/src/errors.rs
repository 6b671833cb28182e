//! Messages for error codes.

use crate::Text;

impl Text {
    /// The message for an error code of the API. `None` if no catalogue has one.
    #[must_use]
    pub fn error_message(self, code: &str) -> Option<String> {
        let code = match code {
            // These codes share the message of another code.
            "token/ill-formed" => "token/wrong",
            "table/bad-parameters" => "table/bad",
            "game/over" => "table/over",
            "seat/not-at-table" => "seat/not-found",
            "turn/not-yours" => "action/not-your-turn",
            "method/not-allowed" => "path/not-found",
            "table/branch" => return self.find("branch-note"),
            code => code,
        };
        self.find(&format!("refused-{}", code.replace('/', "-")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_that_concern_players_have_messages() {
        let text = Text::default();
        assert_eq!(text.error_message("seat/away").unwrap(), text.say("refused-seat-away"));
        assert_eq!(text.error_message("turn/not-yours").unwrap(), "It is not your turn.");
        assert_eq!(text.error_message("table/branch").unwrap(), text.say("branch-note"));
        for code in ["token/ill-formed", "table/bad-parameters", "game/over", "seat/not-at-table", "method/not-allowed"]
        {
            assert!(text.error_message(code).is_some(), "{code}");
        }
        // Programs cause a malformed body, not players.
        assert_eq!([text.error_message("body/malformed"), text.error_message("")], [None, None]);
    }
}
