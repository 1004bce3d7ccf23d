// The visitor's settings, such as hidden numbers and sound. Stored in the browser; all off by default.

import { readStored, writeStored } from "../storage.js";

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

const NAME = "options";

export class Options {
  /**
   * @param {string[]} names of checkboxes, each a `data-part` of the page
   * @param {(options: object) => void} onChange called immediately and after each change
   */
  constructor(root, names, onChange) {
    const storedOptions = readStored(NAME) ?? {};
    this.boxes = names.map((name) => root.querySelector(`[data-part="${name}"]`));
    for (const box of this.boxes) {
      box.checked = storedOptions[box.dataset.part] === true;
      box.addEventListener("change", () => {
        writeStored(NAME, this.values);
        onChange(this.values);
      });
    }
    onChange(this.values);
  }

  get values() {
    return Object.fromEntries(this.boxes.map((box) => [box.dataset.part, box.checked]));
  }
}
