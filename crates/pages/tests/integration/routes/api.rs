//! The API reference page.

use crate::site;

#[tokio::test]
async fn api_page_loads_no_external_resource() {
    let site = site::new().await;
    let page = site.get("/api").send().await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let document = site.get("/api/openapi.json").send().await.json();
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 10);
    for path in paths.keys() {
        assert!(page.text.contains(path), "{path}");
    }
    assert!(!page.text.contains("<script") && !page.text.contains("http://") && !page.text.contains("https://"));
    assert!(!page.text.contains("style="));
    let style = page.text.split("rel=\"stylesheet\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(site.get(style).send().await.header("content-type"), "text/css; charset=utf-8");
}
