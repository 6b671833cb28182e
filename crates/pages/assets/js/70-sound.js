// Synthesized sounds, soft and short; silent while the page is hidden.

let audio = null;
const soundIsOn = () => kept("localStorage", "sound") !== "off";

/** A tone that decays like a struck bell. */
function playTone(frequency, { delay = 0, seconds = 0.5, gain = 0.08, type = "sine", to } = {}) {
  const start = audio.currentTime + delay;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = type;
  source.frequency.setValueAtTime(frequency, start);
  if (to) source.frequency.exponentialRampToValueAtTime(to, start + seconds);
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(gain, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + seconds + 0.05);
}

/** A short burst of noise, like cloth or paper. */
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

const JEWEL_FREQUENCIES = { W: 784, R: 880, Y: 988, G: 1175, B: 1319 };
const SOUNDS = {
  card() {
    playNoise(900);
    playTone(150, { seconds: 0.14, gain: 0.1, to: 80 });
  },
  flip: () => playNoise(3200, { seconds: 0.07, gain: 0.07 }),
  tick: () => playTone(660, { seconds: 0.12, gain: 0.03 }),
  jewel(colour) {
    const note = JEWEL_FREQUENCIES[colour] ?? 880;
    playTone(note, { seconds: 0.9, gain: 0.05 });
    playTone(note * 2.01, { seconds: 0.6, gain: 0.025 });
    playTone(note * 3.02, { delay: 0.03, seconds: 0.35, gain: 0.012 });
  },
  drop() {
    playTone(420, { seconds: 0.3, gain: 0.05, to: 140 });
    playNoise(500, { seconds: 0.2, gain: 0.08 });
  },
  turn: () => [523, 784].forEach((note, i) => playTone(note, { delay: i * 0.14, seconds: 0.6, gain: 0.06, type: "triangle" })),
  fanfare: () =>
    [523, 523, 659, 784, 659, 784, 1047].forEach((note, i) => {
      playTone(note, { delay: i * 0.16, seconds: i === 6 ? 1.6 : 0.35, gain: 0.05, type: "triangle" });
      playTone(note / 2, { delay: i * 0.16, seconds: i === 6 ? 1.6 : 0.35, gain: 0.03 });
    }),
};

function play(name, colour) {
  if (audio?.state === "running" && soundIsOn() && !document.hidden) SOUNDS[name](colour);
}

function startSounding() {
  const begin = () => {
    const Context = window.AudioContext ?? window.webkitAudioContext;
    if (!Context || !soundIsOn()) return;
    audio ??= new Context();
    if (audio.state !== "running") audio.resume().catch(() => {});
  };
  // Browsers allow sound only after the first touch, and suspend it while the page is hidden.
  for (const type of ["pointerup", "keydown"]) addEventListener(type, begin, { capture: true, passive: true });
  const button = $("#sound");
  const paintButton = () => {
    const text = soundIsOn() ? button.dataset.on : button.dataset.off;
    if ($("span", button)) $("span", button).textContent = text;
    $("use", button)?.setAttribute("href", soundIsOn() ? "#icon-sound" : "#icon-mute");
  };
  if (!button) return;
  button.addEventListener("click", () => {
    keep("localStorage", "sound", soundIsOn() ? "off" : null);
    begin();
    paintButton();
    play("jewel", "Y");
  });
  paintButton();
}
