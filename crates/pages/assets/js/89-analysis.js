// Polls the progress of an analysis until it is complete. Five failures in a row end the polling.

const analysisMain = $("main#analysis[data-running]");

async function pollAnalysis() {
  for (let failures = 0; failures < 5 && analysisMain.hasAttribute("data-running"); ) {
    await sleep(document.hidden ? 5000 : 1000);
    try {
      const response = await fetch(location.href, { headers: { "x-sultan": "live" } });
      if (!response.ok) throw new Error(response.statusText);
      const newMain = parseHtml(await response.text()).firstElementChild;
      // The noscript element refreshes the page, also when a script inserts it.
      for (const element of [...$$("noscript", newMain), ...$$("noscript", analysisMain)]) element.remove();
      morph(analysisMain, newMain);
      failures = 0;
    } catch {
      failures += 1;
    }
  }
}

if (analysisMain) pollAnalysis();
