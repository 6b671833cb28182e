//! The routes of the whole site.

use axum::middleware::{from_fn, map_response};
use axum::{Router, routing};
use sultan_server::AppState;

use crate::errors::{mark_error_for_people, render_errors};
use crate::routes as pages;
use crate::{assets, html};

/// The whole site: the API and the pages.
pub fn app(state: AppState) -> Router {
    let (api_routes, openapi) = sultan_server::api();
    // Rendered once, because the API reference is the same for all readers.
    let reference = html::api::api(&openapi);
    let show_reference = routing::get(async move || pages::api::show(reference.clone()));
    let routes = api_routes.route("/api", show_reference).merge(page_routes());
    sultan_server::app(routes, state).layer(from_fn(render_errors))
}

/// The routes of the pages, their forms, assets and WebSocket connections.
fn page_routes() -> Router<AppState> {
    Router::new()
        .route("/", routing::get(pages::home::show))
        .route("/play", routing::post(pages::open::against_bots))
        .route("/open", routing::post(pages::open::with_friends))
        .route("/pass", routing::post(pages::open::one_device))
        .route("/join", routing::post(pages::open::join))
        .route("/manifest.webmanifest", routing::get(pages::well_known::manifest))
        .route("/favicon.ico", routing::get(pages::well_known::favicon))
        .route("/robots.txt", routing::get(pages::well_known::robots))
        .route("/rules", routing::get(pages::rules::show))
        .route("/learn", routing::get(pages::learn::show).post(pages::learn::open))
        .route("/replay", routing::get(pages::record_file::show).post(pages::record_file::open))
        .route("/settings", routing::post(pages::settings::choose))
        .route("/t/{id}", routing::get(pages::table::show))
        .route("/t/{id}/sit", routing::post(pages::seats::sit))
        .route("/t/{id}/seat", routing::post(pages::seats::change))
        .route("/t/{id}/free", routing::post(pages::seats::free))
        .route("/t/{id}/fill", routing::post(pages::stand_in::fill))
        .route("/t/{id}/leave", routing::post(pages::stand_in::leave))
        .route("/t/{id}/return", routing::post(pages::stand_in::take_back))
        .route("/t/{id}/pause", routing::post(pages::stand_in::pause))
        .route("/t/{id}/resume", routing::post(pages::stand_in::resume))
        .route("/t/{id}/act", routing::post(pages::table::act))
        .route("/t/{id}/react", routing::post(pages::table::react))
        .route("/t/{id}/rematch", routing::post(pages::end::rematch))
        .route("/t/{id}/record.sultan.json", routing::get(pages::end::record))
        .route("/t/{id}/verify", routing::get(pages::end::verify))
        .route("/t/{id}/result.svg", routing::get(pages::end::picture))
        .route("/t/{id}/replay", routing::get(pages::replay::show))
        .route("/t/{id}/branch", routing::post(pages::branch::open))
        .route("/t/{id}/analysis", routing::get(pages::analysis::show))
        .route("/t/{id}/hint", routing::post(pages::coach::hint))
        .route("/t/{id}/holds", routing::post(pages::coach::possible_cards))
        .layer(map_response(mark_error_for_people))
        // The layer does not apply to the routes below: only scripts and browsers themselves read the errors of assets
        // and WebSockets, and programs may follow a seat's link.
        .route("/a/{name}", routing::get(assets::asset))
        .route("/t/{id}/live", routing::get(pages::live::live))
        .route("/t/{id}/in/{token}", routing::get(pages::link::enter))
}
