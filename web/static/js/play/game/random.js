// Uniform random integers.

/** Return an integer from 0 to `below` - 1; `below` is at most 2³². */
export function drawInteger(below) {
  const limit = 2 ** 32 - (2 ** 32 % below);
  const word = new Uint32Array(1);
  do {
    crypto.getRandomValues(word);
  } while (word[0] >= limit);
  return word[0] % below;
}
