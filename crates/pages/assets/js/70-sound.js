// Synthesized sounds, soft and short. While the page is hidden, only the player's turn can be heard.

let audio = null;
const isSoundOn = () => storedItem("localStorage", "sound") !== "off";

/** A tone that decays like a struck bell. With `to`, its frequency glides there. */
function playTone(frequency, { delay = 0, seconds = 0.5, gain = 0.08, type = "sine", to } = {}) {
  const start = audio.currentTime + delay;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = type;
  source.frequency.setValueAtTime(frequency, start);
  if (to) source.frequency.exponentialRampToValueAtTime(to, start + seconds);
  // An exponential ramp cannot begin or end at 0.
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(gain, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + seconds + 0.05);
}

/** A short burst of noise below this frequency, like cloth or paper. */
function playNoise(frequency, { seconds = 0.12, gain = 0.12 } = {}) {
  const source = audio.createBufferSource();
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 2;
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "lowpass";
  filter.frequency.value = frequency;
  const volume = audio.createGain();
  volume.gain.value = gain;
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start();
}

/** More valuable jewels sound higher. */
const JEWEL_FREQUENCIES = { W: 784, R: 880, Y: 988, G: 1175, B: 1319 };
const SOUNDS = {
  card() {
    playNoise(900);
    playTone(150, { seconds: 0.14, gain: 0.1, to: 80 });
  },
  flip: () => playNoise(3200, { seconds: 0.07, gain: 0.07 }),
  tick: () => playTone(660, { seconds: 0.12, gain: 0.03 }),
  jewel(letter) {
    const frequency = JEWEL_FREQUENCIES[letter] ?? 880;
    playTone(frequency, { seconds: 0.9, gain: 0.05 });
    playTone(frequency * 2.01, { seconds: 0.6, gain: 0.025 });
    playTone(frequency * 3.02, { delay: 0.03, seconds: 0.35, gain: 0.012 });
  },
  drop() {
    playTone(420, { seconds: 0.3, gain: 0.05, to: 140 });
    playNoise(500, { seconds: 0.2, gain: 0.08 });
  },
  turn: () => [523, 784].forEach((frequency, i) => playTone(frequency, { delay: i * 0.14, seconds: 0.6, gain: 0.06, type: "triangle" })),
  // Seven tones, each with its lower octave; the last is held.
  fanfare: () =>
    [523, 523, 659, 784, 659, 784, 1047].forEach((frequency, i) => {
      playTone(frequency, { delay: i * 0.16, seconds: i === 6 ? 1.6 : 0.35, gain: 0.05, type: "triangle" });
      playTone(frequency / 2, { delay: i * 0.16, seconds: i === 6 ? 1.6 : 0.35, gain: 0.03 });
    }),
};

/** Plays one of `SOUNDS`; `letter` is the colour of a jewel, which sets its pitch. */
function playSound(name, letter) {
  const isAudible = !document.hidden || name === "turn";
  if (audio?.state === "running" && isSoundOn() && isAudible) SOUNDS[name](letter);
}

/** Lets sounds play from the first touch or key press on, and starts the switch that turns them on and off. */
function startSound() {
  // Browsers allow sound only after such an input, and some suspend it while the page is hidden.
  const resumeAudio = () => {
    if (!window.AudioContext || !isSoundOn()) return;
    audio ??= new AudioContext();
    if (audio.state !== "running") audio.resume().catch(() => {});
  };
  for (const type of ["pointerup", "keydown"]) addEventListener(type, resumeAudio, { capture: true, passive: true });
  const button = $("#sound");
  if (!button) return;
  const updateButton = () => {
    const state = $(".state", button);
    button.ariaChecked = isSoundOn();
    state.textContent = isSoundOn() ? state.dataset.on : state.dataset.off;
    $("use", button).setAttribute("href", isSoundOn() ? "#icon-sound" : "#icon-mute");
  };
  button.addEventListener("click", () => {
    storeItem("localStorage", "sound", isSoundOn() ? "off" : null);
    resumeAudio();
    updateButton();
    playSound("jewel", "Y");
  });
  updateButton();
}
