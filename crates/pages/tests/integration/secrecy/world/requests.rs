//! The observer's requests that change nothing at the table.

use serde_json::Value;
use sultan_testkit::recorded::request;
use sultan_testkit::{Chance, FastRng, action_space};

use super::{World, cookie_header, token_header};

/// The content type of forms.
const FORM: &str = "application/x-www-form-urlencoded";

impl World {
    /// Requests for actions of all kinds, which are rejected or repeated.
    pub(super) fn rejected_action_requests(&self, credentials: &str, view: &Value, rng: &mut FastRng) -> Vec<String> {
        // Offers that differ only in the order of the jewels are all legal.
        let sorted = |text: &str| {
            let mut characters: Vec<char> = text.chars().collect();
            if !text.contains('@') {
                characters.sort_unstable();
            }
            characters
        };
        let legal: Vec<_> =
            view["legal"].as_array().unwrap().iter().map(|text| sorted(text.as_str().unwrap())).collect();
        let (all_actions, at) = (action_space(), view["at"].as_u64().unwrap());
        let mut requests = Vec::new();
        for _ in 0..4 {
            let action = all_actions[rng.below(u32::try_from(all_actions.len()).unwrap()) as usize].to_string();
            // A position before or after the current one. Without a legal action, the current position is rejected too.
            let near = (at + u64::from(rng.below(3))).saturating_sub(1);
            let rejected_at = if legal.is_empty() { near } else { at + 1 };
            requests.push(self.action_request(credentials, &action, rejected_at));
            if !legal.contains(&sorted(&action)) {
                requests.push(self.action_request(credentials, &action, at));
            }
            let wrong_credentials = [String::new(), token_header(&"0".repeat(64)), token_header("x")];
            requests.push(self.action_request(&wrong_credentials[rng.below(3) as usize], &action, at));
        }
        requests.push(self.action_request(credentials, "nonsense", at));
        requests.push(request("POST", &self.path("/actions"), credentials, "{\"action\":\"1@1\",\"at\":0,\"x\":1}"));
        requests.push(request("POST", &self.path("/actions"), credentials, "{"));
        requests
    }

    /// All other requests that change no state: they read, or the server rejects them.
    pub(super) fn other_rejected_or_read_requests(&self, credentials: &str) -> Vec<String> {
        let get = |path: &str, credentials: &str| request("GET", path, credentials, "");
        let page = format!("/t/{}", self.table);
        let form = |route: &str, fields: &str| {
            request("POST", &format!("{page}/{route}"), credentials, fields).replace("application/json", FORM)
        };
        let mut requests = vec![
            get(&self.path("/record"), credentials),
            get("/api/v1/tables", credentials),
            get("/api/v1/my/games", &cookie_header()),
            get("/api/v1/my/games", credentials),
            get("/api/v1/tables/000000000000", credentials),
            get(&self.path(""), ""),
            get(&self.path("/events"), &token_header(&"0".repeat(64))),
            get("/readyz", ""),
            get(&page, credentials),
            get(&page, &format!("accept-language: hu\r\n{credentials}")),
            get(&page, ""),
            get(&format!("{page}?seat=1"), &cookie_header()),
            get(
                &format!("{page}/live?seat=1&format=2"),
                &format!("origin: http://sultan.example\r\n{}", cookie_header()),
            ),
            get(&format!("{page}/replay?at=1&eyes=1"), credentials),
            get(&format!("{page}/verify"), credentials),
            get(&format!("{page}/analysis"), credentials),
            get(&format!("{page}/result.svg"), credentials),
            get("/", credentials),
            get("/", &cookie_header()),
            form("act", "at=65000&card=1&cushion=1"),
            form("return", "seat=1"),
            form("hint", "x="),
            form("holds", "x="),
            form("branch", "at=1&seat=1&level=page"),
            request("POST", &self.path("/rematch"), credentials, ""),
            request("POST", &self.path("/seats"), credentials, ""),
        ];
        if let Some(own_seat) = self.own_seat() {
            requests.push(get(&self.path(""), &cookie_header()));
            requests.push(get(&format!("/t/{}/in/{}", self.table, self.tokens[own_seat]), &cookie_header()));
        }
        for seat in (0..self.tokens.len()).filter(|&seat| Some(seat) != self.own_seat()) {
            let path = self.path(&format!("/seats/{seat}"));
            requests.push(request("PUT", &path, credentials, "{\"name\":\"X\"}"));
            requests.push(request("DELETE", &path, credentials, ""));
            requests.push(request("POST", &format!("{path}/bot"), credentials, "{\"bot\":\"page\"}"));
            requests.push(request("POST", &format!("{path}/return"), credentials, ""));
        }
        requests
    }
}
