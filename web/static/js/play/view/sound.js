// A short click for each slide and a chord at the end, made by the browser; off until asked for.

const CHORD = [523.25, 659.25, 783.99]; // C, E and G, in hertz

export class Sound {
  constructor() {
    this.on = false;
  }

  click() {
    if (this.on) this.#tone(240, 0, 0.05);
  }

  chord() {
    if (this.on) CHORD.forEach((pitch, place) => this.#tone(pitch, place * 0.12, 0.5));
  }

  #tone(pitch, delay, length) {
    this.context ??= new AudioContext();
    this.context.resume(); // browsers hold it until the visitor has done something
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
