//! Prometheus metrics.

use std::time::Duration;

use axum::http::{Method, StatusCode, header};
use axum::{Router, routing};
use metrics::{Gauge, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use thiserror::Error;
use tokio::net::TcpListener;

use crate::serve;
use crate::state::AppState;

const REQUESTS: &str = "sultan_requests_total";
const SECONDS: &str = "sultan_request_seconds";
pub(crate) const CONNECTIONS: &str = "sultan_connections";
const REFUSED: &str = "sultan_connections_refused_total";
pub(crate) const STREAMS: &str = "sultan_streams";

/// The metrics of the whole program.
#[derive(Clone)]
pub struct Metrics(PrometheusHandle);

/// The recorder of metrics cannot be installed.
#[derive(Debug, Error)]
#[error("metrics cannot be collected: {0}")]
pub struct MetricsError(#[from] BuildError);

impl Metrics {
    /// Starts recording, for the whole program. Before this call, metrics are not recorded.
    ///
    /// # Errors
    /// [`MetricsError`] if it was started before.
    pub fn start() -> Result<Self, MetricsError> {
        let seconds = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
        let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Full(SECONDS.to_owned()), &seconds)?;
        let handle = builder.install_recorder()?;
        describe_counter!(REQUESTS, "Requests, by route, method and status");
        describe_histogram!(SECONDS, "How long requests took until the answer began, by route");
        describe_gauge!(CONNECTIONS, "Open connections");
        describe_counter!(REFUSED, "Connections that were refused because of the limit");
        describe_gauge!(STREAMS, "Open event streams and sockets");
        // A metric is missing from the output until it is first set, and an alert on a missing metric never fires.
        counter!(REFUSED).absolute(0);
        [CONNECTIONS, STREAMS].into_iter().for_each(|name| gauge!(name).set(0));
        Ok(Self(handle))
    }

    /// All metrics in the text format of Prometheus.
    #[must_use]
    pub(crate) fn render(&self) -> String {
        self.0.run_upkeep();
        self.0.render()
    }

    /// Serves `/metrics` on its own listener until shutdown.
    pub async fn serve(self, listener: TcpListener, state: &AppState, stop: impl Future<Output = ()>) {
        let content_type = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
        let respond = async move || (content_type, self.render());
        serve(listener, Router::new().route("/metrics", routing::get(respond)), state, stop).await;
    }
}

/// Counts and times a request.
pub(crate) fn count_request(method: &Method, route: &str, status: StatusCode, took: Duration) {
    // Clients can invent methods, and every value of a label stays in memory.
    let method = match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    };
    let labels = [("route", route.to_owned()), ("method", method.to_owned()), ("status", status.as_str().to_owned())];
    counter!(REQUESTS, &labels).increment(1);
    histogram!(SECONDS, "route" => route.to_owned()).record(took);
}

/// Counts a connection that was refused because of a limit.
pub(crate) fn count_refusal() {
    counter!(REFUSED).increment(1);
}

/// Adds one to a gauge while it exists.
pub(crate) struct OpenGauge(Gauge);

impl OpenGauge {
    pub(crate) fn new(name: &'static str) -> Self {
        let gauge = gauge!(name);
        gauge.increment(1);
        Self(gauge)
    }
}

impl Drop for OpenGauge {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_report_the_counters() {
        let metrics = Metrics::start().unwrap();
        assert!(Metrics::start().is_err(), "the recorder can be installed only once");
        let text = metrics.render();
        for expected in ["sultan_connections_refused_total 0", "sultan_streams 0", "sultan_connections 0"] {
            assert!(text.lines().any(|line| line == expected), "no {expected}: {text}");
        }
        let invented_method = Method::from_bytes(b"MADE-UP").unwrap();
        count_request(&invented_method, "/t/{id}", StatusCode::NOT_FOUND, Duration::from_millis(3));
        count_refusal();
        let open = [STREAMS, STREAMS, CONNECTIONS].map(OpenGauge::new);
        let text = metrics.render();
        for expected in [
            "sultan_requests_total{route=\"/t/{id}\",method=\"other\",status=\"404\"} 1",
            "sultan_request_seconds_bucket{route=\"/t/{id}\",le=\"0.005\"} 1",
            "sultan_request_seconds_bucket{route=\"/t/{id}\",le=\"0.0025\"} 0",
            "sultan_connections_refused_total 1",
            "sultan_streams 2",
            "sultan_connections 1",
        ] {
            assert!(text.lines().any(|line| line == expected), "no {expected}: {text}");
        }
        drop(open);
        assert!(metrics.render().contains("sultan_streams 0"));
    }
}
