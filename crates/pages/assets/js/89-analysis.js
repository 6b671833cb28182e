// Polls the progress of an analysis until it is complete.

const analysisMain = $("main#analysis[data-running]");

async function followAnalysis() {
  for (let failed = 0; failed < 5 && analysisMain.hasAttribute("data-running"); ) {
    await sleep(document.hidden ? 5000 : 1000);
    try {
      const answer = await fetch(location.href, { headers: { "x-sultan": "live" } });
      if (!answer.ok) throw new Error(answer.statusText);
      const now = parse(await answer.text()).firstElementChild;
      // The noscript refresh would reload this page again.
      for (const node of [...$$("noscript", now), ...$$("noscript", analysisMain)]) node.remove();
      morph(analysisMain, now);
      failed = 0;
    } catch {
      failed += 1;
    }
  }
}

if (analysisMain) followAnalysis();
