//! All routes.

use axum::middleware::from_fn_with_state;
use axum::{Router, routing};

use crate::error::WebError;
use crate::front::front;
use crate::state::AppState;
use crate::{assets, openapi, page, routes};

/// All routes, over one state.
pub fn app(state: AppState) -> Router {
    let (api, description) = openapi::described().split_for_parts();
    let json = openapi::json(&description);
    let html = page::html(&description);
    api.route("/api/openapi.json", routing::get(async move || routes::api::document(json.clone())))
        .route("/api", routing::get(async move || routes::api::page(html.clone())))
        .route("/api/style.css", routing::get(routes::api::style))
        .route("/a/{name}", routing::get(assets::asset))
        .route("/settings", routing::post(routes::pages::settings::choose))
        .route("/t/{id}", routing::get(routes::pages::table::show))
        .route("/t/{id}/act", routing::post(routes::pages::table::act))
        .route("/t/{id}/return", routing::post(routes::pages::table::come_back))
        .route("/t/{id}/fill", routing::post(routes::pages::table::fill))
        .route("/t/{id}/leave", routing::post(routes::pages::table::leave))
        .route("/t/{id}/react", routing::post(routes::pages::table::react))
        .route("/t/{id}/live", routing::get(routes::pages::live::live))
        .route("/t/{id}/in/{token}", routing::get(routes::link::enter))
        .fallback(async || WebError::no_such_path())
        .method_not_allowed_fallback(async || WebError::no_such_method())
        .layer(from_fn_with_state(state.clone(), front))
        .with_state(state)
}
