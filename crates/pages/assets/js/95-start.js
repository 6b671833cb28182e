// The style sheet shows elements that need a script only with this class.
document.documentElement.classList.add("js");
startMenus();
startPace();
startSharing();
startCount();
startSeeds();
startSound();
startCountdowns();
if (table?.dataset.live || table?.dataset.phase === "waiting") {
  startChoosing();
  startDragging();
  startRevealing();
  startSending();
  startTabIcon();
  startLive();
}
