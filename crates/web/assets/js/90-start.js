document.documentElement.classList.add("js");
startMenus();
startSharing();
startSeeds();
startSounding();
startTelling();
if (table) {
  startChoosing();
  startDragging();
  startRevealing();
  startSending();
  startLive();
}
