//! The API reference as a page without a script. It is rendered from the `OpenAPI` document that programs get.

use bytes::Bytes;
use maud::{DOCTYPE, Markup, html};
use serde_json::{Map, Value};

use crate::assets::API_STYLE;

/// The whole page.
pub(crate) fn api(document: &Value) -> Bytes {
    let title = format!("{}: the API", text(&document["info"]["title"]));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { (title) }
                meta name="viewport" content="width=device-width, initial-scale=1";
                link rel="stylesheet" href=(API_STYLE);
            }
            body {
                h1 { (title) }
                p {
                    "Version " (text(&document["info"]["version"])) ". The same for programs: "
                    a href="/api/openapi.json" { "openapi.json" } ". Values are described under "
                    a href="#shapes" { "Shapes" } "."
                }
                p { (prose(&document["info"]["description"])) }
                @for tag in list(&document["tags"]) { (operations_with_tag(tag, &document["paths"])) }
                h2 #shapes { "Shapes" }
                @for (name, schema) in entries(&document["components"]["schemas"]) { (schema_section(name, schema)) }
            }
        }
    };
    Bytes::from(page.into_string())
}

/// The items of a JSON array; empty for any other value.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The names and values of a JSON object; empty for any other value.
fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

/// The text of a JSON string; empty for any other value.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A text as markup. The parts between backticks, which is every second part, are code.
fn prose(value: &Value) -> Markup {
    let parts = text(value).split('`').zip([false, true].into_iter().cycle());
    html! { @for (part, is_code) in parts { @if is_code { code { (part) } } @else { (part) } } }
}

/// The items with a separator between them.
fn joined(items: impl IntoIterator<Item = Markup>, separator: &str) -> Markup {
    html! { @for (index, item) in items.into_iter().enumerate() { @if index > 0 { (separator) } (item) } }
}

/// The type that a JSON schema describes, in words; "anything" if the schema names none.
fn schema_type(schema: &Value) -> Markup {
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        return html! { a href=(format!("#{name}")) { (name) } };
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if schema[choice].is_array() {
            return joined(list(&schema[choice]).iter().map(schema_type), " or ");
        }
    }
    if schema["enum"].is_array() {
        return joined(list(&schema["enum"]).iter().map(|value| html! { code { (text(value)) } }), ", ");
    }
    let type_name = |name: &str| match name {
        "array" => html! { "list of " (schema_type(&schema["items"])) },
        "object" if schema["additionalProperties"].is_object() => {
            html! { (schema_type(&schema["additionalProperties"])) " by name" }
        }
        name => html! { (name) },
    };
    match &schema["type"] {
        Value::String(name) => type_name(name),
        Value::Array(names) => joined(names.iter().map(|name| type_name(text(name))), " or "),
        _ => html! { "anything" },
    }
}

/// A heading with the tag's name and description, and all operations (a path with a method) that have this tag.
fn operations_with_tag(tag: &Value, paths: &Value) -> Markup {
    let name = text(&tag["name"]);
    let has_tag = |operation: &Value| list(&operation["tags"]).iter().any(|tag| text(tag) == name);
    html! {
        h2 { (name) }
        p { (prose(&tag["description"])) }
        @for (path, methods) in entries(paths) {
            @for (method, operation) in entries(methods).filter(|(_, operation)| has_tag(operation)) { (operation_section(path, method, operation)) }
        }
    }
}

/// An operation: its summary, method and path, its description if any, and a table of its parameters, body and responses.
fn operation_section(path: &str, method: &str, operation: &Value) -> Markup {
    html! {
        section {
            h3 { (prose(&operation["summary"])) }
            p { code { span.method { (method.to_uppercase()) } " " (path) } }
            @if !text(&operation["description"]).is_empty() { p { (prose(&operation["description"])) } }
            table {
                @for parameter in list(&operation["parameters"]) {
                    @let location = html! { (text(&parameter["in"])) };
                    (field_row(text(&parameter["name"]), &location, &parameter["description"]))
                }
                @for (_, content) in entries(&operation["requestBody"]["content"]) {
                    tr { th { "body" } td { (schema_type(&content["schema"])) } td {} }
                }
                @for (status, response) in entries(&operation["responses"]) {
                    @let bodies = entries(&response["content"]).map(|(_, content)| schema_type(&content["schema"]));
                    tr { th { (status) } td { (joined(bodies, " or ")) } td { (prose(&response["description"])) } }
                }
            }
        }
    }
}

/// The table row of a parameter or property. `detail` is the location of a parameter or the type of a property.
fn field_row(name: &str, detail: &Markup, description: &Value) -> Markup {
    html! { tr { th { code { (name) } } td { (detail) } td { (prose(description)) } } }
}

/// A named schema: its description, and its properties or its type.
fn schema_section(name: &str, schema: &Value) -> Markup {
    html! {
        section {
            h3 id=(name) { (name) }
            p { (prose(&schema["description"])) }
            @if schema["properties"].is_object() {
                table {
                    @for (name, property) in entries(&schema["properties"]) {
                        (field_row(name, &schema_type(property), &property["description"]))
                    }
                }
            } @else {
                p { (schema_type(schema)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schema_types_are_described_in_words() {
        for (schema, described) in [
            (json!({"type": "integer"}), "integer"),
            (json!({"type": ["string", "null"]}), "string or null"),
            (json!({"type": "array", "items": {"$ref": "#/x/Seat"}}), "list of <a href=\"#Seat\">Seat</a>"),
            (json!({"type": "object"}), "object"),
            (json!({"type": "object", "additionalProperties": {"type": "integer"}}), "integer by name"),
            (json!({"oneOf": [{"type": "null"}, {"type": "string"}]}), "null or string"),
            (json!({"enum": ["open", "closed"]}), "<code>open</code>, <code>closed</code>"),
            (json!({}), "anything"),
        ] {
            assert_eq!(schema_type(&schema).into_string(), described, "{schema}");
        }
    }

    #[test]
    fn operations_are_grouped_by_tag() {
        let paths = json!({
            "/a": {"get": {"tags": ["one"], "summary": "See", "responses": {"200": {"description": "Seen"}}}},
            "/b": {"post": {"tags": ["two"], "summary": "Do"}},
        });
        let html = operations_with_tag(&json!({"name": "one", "description": "First"}), &paths).into_string();
        assert_eq!(
            html,
            "<h2>one</h2><p>First</p><section><h3>See</h3><p><code><span class=\"method\">GET</span> /a</code></p>\
             <table><tr><th>200</th><td></td><td>Seen</td></tr></table></section>"
        );
    }

    #[test]
    fn schema_lists_its_fields() {
        let schema = json!({"description": "A seat", "properties": {"n": {"type": "integer", "description": "Which"}}});
        assert_eq!(
            schema_section("Seat", &schema).into_string(),
            "<section><h3 id=\"Seat\">Seat</h3><p>A seat</p>\
             <table><tr><th><code>n</code></th><td>integer</td><td>Which</td></tr></table></section>"
        );
        let plain = schema_section("Id", &json!({"type": "string"})).into_string();
        assert!(plain.ends_with("<p>string</p></section>"), "{plain}");
    }

    #[test]
    fn text_is_escaped() {
        let html = prose(&"see `<id>` & go".into()).into_string();
        assert_eq!(html, "see <code>&lt;id&gt;</code> &amp; go");
    }
}
