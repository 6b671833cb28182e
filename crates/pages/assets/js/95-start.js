document.documentElement.classList.add("js");
startMenus();
startSharing();
startSeeds();
startSound();
startCountdowns();
if (table?.dataset.live || table?.dataset.phase === "waiting") {
  startChoosing();
  startDragging();
  startRevealing();
  startSending();
  startLive();
}
