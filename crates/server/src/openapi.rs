//! The `OpenAPI` description of the API, generated from the annotations of the routes and of the types that they use.

use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::cookies::VISITOR_COOKIE;
use crate::routes::{actions, commitments, events, health, my, record, rematch, seats, socket, tables};
use crate::state::AppState;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Sultan",
        description = "Tables where people and bots play Sultan. Seats are counted from 0, stages, rounds and cushions from 1; jewels are \
                       the letters W R Y G B. A seat's token is sent as `Authorization: Bearer TOKEN`. Errors are \
                       `application/problem+json` with a `code` that never changes; with 429 and 503 `Retry-After` is the time to wait."
    ),
    tags(
        (name = "tables", description = "Opening and finding tables"),
        (name = "seats", description = "Taking, changing and leaving seats"),
        (name = "playing", description = "Acting, viewing and watching"),
        (name = "operating", description = "For operators of the server")
    ),
    modifiers(&Authentication)
)]
struct Description;

/// The ways to authenticate.
struct Authentication;

impl Modify for Authentication {
    fn modify(&self, description: &mut utoipa::openapi::OpenApi) {
        let components = description.components.get_or_insert_default();
        let token = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("A seat's token"));
        components.add_security_scheme("token", SecurityScheme::Http(token.build()));
        let cookie = ApiKeyValue::with_description(
            VISITOR_COOKIE,
            "A browser that has opened a seat's own link, from pages of this site",
        );
        components.add_security_scheme("browser", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    }
}

/// All routes of the API.
pub(crate) fn api_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(commitments::new_commitment))
        .routes(routes!(tables::open, tables::list))
        .routes(routes!(tables::look))
        .routes(routes!(events::watch))
        .routes(routes!(actions::act))
        .routes(routes!(socket::connect))
        .routes(routes!(record::record))
        .routes(routes!(rematch::rematch))
        .routes(routes!(seats::sit))
        .routes(routes!(seats::change, seats::free))
        .routes(routes!(seats::fill))
        .routes(routes!(seats::come_back))
        .routes(routes!(seats::leave))
        .routes(routes!(my::games))
        .routes(routes!(health::health))
        .routes(routes!(health::ready))
}
