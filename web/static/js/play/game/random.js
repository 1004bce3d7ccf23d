// Uniform random integers.

/** Return an integer from 0 to `below` - 1; `below` is at most 2³². */
export function randomBelow(below) {
  const fair = 2 ** 32 - (2 ** 32 % below);
  const word = new Uint32Array(1);
  do {
    crypto.getRandomValues(word);
  } while (word[0] >= fair);
  return word[0] % below;
}
