// A click for each slide and a chord at the end; off by default.

const CHORD = [523.25, 659.25, 783.99]; // C, E and G, in hertz

export class Sound {
  constructor() {
    this.isOn = false;
  }

  playClick() {
    if (this.isOn) this.#playTone(240, 0, 0.05);
  }

  playChord() {
    if (this.isOn) CHORD.forEach((pitch, index) => this.#playTone(pitch, index * 0.12, 0.5));
  }

  #playTone(pitch, delay, length) {
    this.context ??= new AudioContext();
    this.context.resume(); // browsers suspend it until the visitor interacts with the page
    const start = this.context.currentTime + delay;
    const source = new OscillatorNode(this.context, { type: "triangle", frequency: pitch });
    const loudness = new GainNode(this.context, { gain: 0.2 });
    loudness.gain.setValueAtTime(0.2, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + length);
    source.connect(loudness).connect(this.context.destination);
    source.start(start);
    source.stop(start + length);
  }
}
