//! A page of a table as a browser without a script reads it, and the forms that it sends.

use std::collections::BTreeSet;

use crate::site::{Answer, SeatedPlayer, Site};

/// The HTML of a page.
pub(crate) struct Page(pub(crate) String);

impl Page {
    /// The page of a table for a player, or for a spectator without `player`.
    pub(crate) async fn of(site: &Site, player: Option<&SeatedPlayer>, table: &str, lang: &str) -> Self {
        let request = site.get(&format!("/t/{table}")).header("accept-language", lang);
        let answer = match player {
            Some(player) => request.token(&player.token).send().await,
            None => request.send().await,
        };
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert!(answer.header("content-security-policy").contains("script-src 'self'"));
        Self(answer.text)
    }

    /// The values of an attribute in all elements that start with `start` and are not disabled.
    fn attributes<'a>(&'a self, start: &str, attribute: &str) -> Vec<&'a str> {
        let attribute = format!(" {attribute}=\"");
        let elements = self.0.split(start).skip(1).map(|element| element.split('>').next().unwrap());
        let enabled = elements.filter(|element| !element.contains(" disabled"));
        enabled.filter_map(|element| element.split(&*attribute).nth(1)?.split('"').next()).collect()
    }

    /// The values of the radio buttons with this name that can be chosen.
    pub(crate) fn choices(&self, name: &str) -> Vec<&str> {
        self.attributes(&format!("<input type=\"radio\" name=\"{name}\""), "value")
    }

    /// The phase of the table.
    pub(crate) fn phase(&self) -> &str {
        let table = self.attributes("<main id=\"table\"", "data-phase");
        table.first().or(self.attributes("<main id=\"end\"", "data-phase").first()).expect("a table, or its end")
    }

    /// Returns whether the reader of the page is to act.
    pub(crate) fn is_turn(&self) -> bool {
        self.attributes("<main id=\"table\"", "data-turn") == ["true"]
    }

    /// The number of actions so far.
    pub(crate) fn at(&self) -> &str {
        self.attributes("<main id=\"table\"", "data-at")[0]
    }

    /// Asserts that the page is valid: ids are unique, all sections are there, dialogs can be opened, and there is no
    /// inline code, which the content security policy forbids, and no unformatted message.
    pub(crate) fn assert_valid(&self) {
        let body = self.0.split("<a class=\"skip\"").nth(1).expect("the page follows the sprite");
        let ids: Vec<&str> = body.split(" id=\"").skip(1).map(|id| id.split('"').next().unwrap()).collect();
        let unique_ids: BTreeSet<&&str> = ids.iter().collect();
        assert_eq!(unique_ids.len(), ids.len(), "{ids:?}");
        // The last five are variables and keys of messages that were not formatted.
        for forbidden in [" style=", " onclick=", "<script>", "{ $", "{$", ">table-", ">tell-", ">end-"] {
            assert!(!body.contains(forbidden), "{forbidden} in {body}");
        }
        if self.phase() == "over" {
            return;
        }
        for id in ["clock", "seats", "board", "status", "own", "last-round", "screen-back", "menu"] {
            assert!(ids.contains(&id), "no element has the id {id}");
        }
        for dialog in ["last-round", "screen-back", "menu"] {
            assert!(body.contains(&format!("popovertarget=\"{dialog}\">")), "no button opens {dialog}");
        }
    }
}

/// Sends a form to a route of the player's table, as a page with or without a script.
pub(crate) async fn post(site: &Site, player: &SeatedPlayer, route: &str, form: &str, is_from_script: bool) -> Answer {
    let request = site.post(&format!("/t/{}/{route}", player.table)).token(&player.token);
    let request = if is_from_script { request.header("x-sultan", "live") } else { request };
    request.header("content-type", "application/x-www-form-urlencoded").body(form.to_owned()).send().await
}
