//! The API's description as a page to read: made of the same document that programs get, without a script.

use std::fmt::Write;

use bytes::Bytes;
use serde_json::{Map, Value};
use utoipa::openapi::OpenApi;

/// The description for people.
pub(crate) fn html(description: &OpenApi) -> Bytes {
    let document = serde_json::to_value(description).expect("the description can be written as JSON");
    let mut page = Page(String::with_capacity(64 * 1024));
    page.head(&document["info"]);
    for tag in list(&document["tags"]) {
        page.tag(tag, &document["paths"]);
    }
    page.add("<h2 id=\"shapes\">Shapes</h2>");
    for (name, schema) in entries(&document["components"]["schemas"]) {
        page.schema(name, schema);
    }
    page.add("</body></html>\n");
    Bytes::from(page.0)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A text that is safe within HTML.
fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            sign => safe.push(sign),
        }
    }
    safe
}

/// A text in which `` ` `` marks code, as a paragraph's contents.
fn prose(text: &str) -> String {
    let parts = text.split('`').zip([false, true].into_iter().cycle());
    parts.map(|(part, code)| if code { format!("<code>{}</code>", safe(part)) } else { safe(part) }).collect()
}

/// What kind of value a schema describes.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        return format!("<a href=\"#{0}\">{0}</a>", safe(name));
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if schema[choice].is_array() {
            return list(&schema[choice]).iter().map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    if schema["enum"].is_array() {
        return list(&schema["enum"])
            .iter()
            .map(|value| format!("<code>{}</code>", safe(text(value))))
            .collect::<Vec<_>>()
            .join(", ");
    }
    let one = |name: &str| match name {
        "array" => format!("list of {}", kind(&schema["items"])),
        "object" if schema["additionalProperties"].is_object() => {
            format!("{} by name", kind(&schema["additionalProperties"]))
        }
        name => safe(name),
    };
    match &schema["type"] {
        Value::String(name) => one(name),
        Value::Array(names) => names.iter().map(|name| one(text(name))).collect::<Vec<_>>().join(" or "),
        _ => "anything".to_owned(),
    }
}

struct Page(String);

impl Page {
    fn add(&mut self, html: &str) {
        self.0.push_str(html);
    }

    fn head(&mut self, info: &Value) {
        let title = safe(text(&info["title"]));
        let version = safe(text(&info["version"]));
        let about = prose(text(&info["description"]));
        let _ = write!(
            self.0,
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}: the API</title>\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><link rel=\"stylesheet\" href=\"/api/style.css\"></head>\
             <body><h1>{title}: the API</h1><p>Version {version}. The same for programs: \
             <a href=\"/api/openapi.json\">openapi.json</a>. Values are described under <a href=\"#shapes\">Shapes</a>.</p><p>{about}</p>"
        );
    }

    /// All that belongs together.
    fn tag(&mut self, tag: &Value, paths: &Value) {
        let name = text(&tag["name"]);
        let _ = write!(self.0, "<h2>{}</h2><p>{}</p>", safe(name), prose(text(&tag["description"])));
        for (path, methods) in entries(paths) {
            for (method, operation) in entries(methods) {
                if list(&operation["tags"]).iter().any(|tag| text(tag) == name) {
                    self.operation(path, method, operation);
                }
            }
        }
    }

    fn operation(&mut self, path: &str, method: &str, operation: &Value) {
        let (summary, about) = (prose(text(&operation["summary"])), prose(text(&operation["description"])));
        let (method, path) = (safe(&method.to_uppercase()), safe(path));
        let _ = write!(
            self.0,
            "<section><h3>{summary}</h3><p><code><span class=\"method\">{method}</span> {path}</code></p>"
        );
        if !about.is_empty() {
            let _ = write!(self.0, "<p>{about}</p>");
        }
        self.add("<table>");
        for parameter in list(&operation["parameters"]) {
            let (name, place) = (safe(text(&parameter["name"])), safe(text(&parameter["in"])));
            let about = prose(text(&parameter["description"]));
            let _ = write!(self.0, "<tr><th><code>{name}</code></th><td>{place}</td><td>{about}</td></tr>");
        }
        for (_, content) in entries(&operation["requestBody"]["content"]) {
            let _ = write!(self.0, "<tr><th>body</th><td>{}</td><td></td></tr>", kind(&content["schema"]));
        }
        for (status, answer) in entries(&operation["responses"]) {
            let bodies = entries(&answer["content"]).map(|(_, content)| kind(&content["schema"]));
            let body = bodies.collect::<Vec<_>>().join(" or ");
            let about = prose(text(&answer["description"]));
            let _ = write!(self.0, "<tr><th>{}</th><td>{body}</td><td>{about}</td></tr>", safe(status));
        }
        self.add("</table></section>");
    }

    fn schema(&mut self, name: &str, schema: &Value) {
        let (name, about) = (safe(name), prose(text(&schema["description"])));
        let _ = write!(self.0, "<section><h3 id=\"{name}\">{name}</h3><p>{about}</p>");
        if schema["properties"].is_object() {
            self.add("<table>");
            for (field, property) in entries(&schema["properties"]) {
                let about = prose(text(&property["description"]));
                let kind = kind(property);
                let _ = write!(self.0, "<tr><th><code>{}</code></th><td>{kind}</td><td>{about}</td></tr>", safe(field));
            }
            self.add("</table>");
        } else {
            let _ = write!(self.0, "<p>{}</p>", kind(schema));
        }
        self.add("</section>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_becomes_html() {
        assert_eq!(safe("<a href=\"x\">'&'"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;");
        assert_eq!(prose("see `<id>` & go"), "see <code>&lt;id&gt;</code> &amp; go");
    }
}
