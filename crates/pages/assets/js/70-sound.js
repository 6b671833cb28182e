// Synthesized sounds, soft and short; silent while the page is hidden.

let ear = null;
const loud = () => kept("localStorage", "sound") !== "off";

/** A tone that decays like a struck bell. */
function ring(frequency, { after = 0, long = 0.5, gain = 0.08, type = "sine", to } = {}) {
  const start = ear.currentTime + after;
  const source = ear.createOscillator();
  const volume = ear.createGain();
  source.type = type;
  source.frequency.setValueAtTime(frequency, start);
  if (to) source.frequency.exponentialRampToValueAtTime(to, start + long);
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(gain, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + long);
  source.connect(volume).connect(ear.destination);
  source.start(start);
  source.stop(start + long + 0.05);
}

/** A short burst of noise, like cloth or paper. */
function rustle(frequency, { long = 0.12, gain = 0.12 } = {}) {
  const source = ear.createBufferSource();
  const buffer = ear.createBuffer(1, Math.ceil(ear.sampleRate * long), ear.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 2;
  source.buffer = buffer;
  const filter = ear.createBiquadFilter();
  filter.type = "lowpass";
  filter.frequency.value = frequency;
  const volume = ear.createGain();
  volume.gain.value = gain;
  source.connect(filter).connect(volume).connect(ear.destination);
  source.start();
}

const NOTES = { W: 784, R: 880, Y: 988, G: 1175, B: 1319 };
const SOUNDS = {
  card() {
    rustle(900);
    ring(150, { long: 0.14, gain: 0.1, to: 80 });
  },
  flip: () => rustle(3200, { long: 0.07, gain: 0.07 }),
  tick: () => ring(660, { long: 0.12, gain: 0.03 }),
  jewel(colour) {
    const note = NOTES[colour] ?? 880;
    ring(note, { long: 0.9, gain: 0.05 });
    ring(note * 2.01, { long: 0.6, gain: 0.025 });
    ring(note * 3.02, { after: 0.03, long: 0.35, gain: 0.012 });
  },
  drop() {
    ring(420, { long: 0.3, gain: 0.05, to: 140 });
    rustle(500, { long: 0.2, gain: 0.08 });
  },
  turn: () => [523, 784].forEach((note, i) => ring(note, { after: i * 0.14, long: 0.6, gain: 0.06, type: "triangle" })),
  fanfare: () =>
    [523, 523, 659, 784, 659, 784, 1047].forEach((note, i) => {
      ring(note, { after: i * 0.16, long: i === 6 ? 1.6 : 0.35, gain: 0.05, type: "triangle" });
      ring(note / 2, { after: i * 0.16, long: i === 6 ? 1.6 : 0.35, gain: 0.03 });
    }),
};

function play(name, colour) {
  if (ear?.state === "running" && loud() && !document.hidden) SOUNDS[name](colour);
}

function startSounding() {
  const begin = () => {
    const Context = window.AudioContext ?? window.webkitAudioContext;
    if (!Context || !loud()) return;
    ear ??= new Context();
    if (ear.state !== "running") ear.resume().catch(() => {});
  };
  // Browsers allow sound only after the first touch, and suspend it while the page is hidden.
  for (const type of ["pointerup", "keydown"]) addEventListener(type, begin, { capture: true, passive: true });
  const button = $("#sound");
  const paintButton = () => {
    const text = loud() ? button.dataset.on : button.dataset.off;
    if ($("span", button)) $("span", button).textContent = text;
    $("use", button)?.setAttribute("href", loud() ? "#icon-sound" : "#icon-mute");
  };
  if (!button) return;
  button.addEventListener("click", () => {
    keep("localStorage", "sound", loud() ? "off" : null);
    begin();
    paintButton();
    play("jewel", "Y");
  });
  paintButton();
}
