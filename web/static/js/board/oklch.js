// Converts the perceptually uniform OKLCH colours (lightness, chroma, hue) to sRGB.
//
// Björn Ottosson, "A perceptual color space for image processing", 2020.

const BISECTIONS = 7;
const TOLERANCE = 1e-4;

function toLinear(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function isDisplayable(channels) {
  return channels.every((value) => value >= -TOLERANCE && value <= 1 + TOLERANCE);
}

function encode(value) {
  const clamped = Math.max(0, Math.min(1, value));
  return Math.round(255 * (clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055));
}

/**
 * Convert a colour to red, green and blue from 0 to 255. Colours outside sRGB get less chroma at the same
 * lightness and hue, because clipping a channel would leave a visible edge in a gradient.
 */
export function toRgb([lightness, chroma, hue]) {
  const target = toLinear(lightness, chroma, hue);
  if (isDisplayable(target)) return target.map(encode);
  let [displayable, excessive] = [0, chroma];
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = (displayable + excessive) / 2;
    if (isDisplayable(toLinear(lightness, middle, hue))) displayable = middle;
    else excessive = middle;
  }
  return toLinear(lightness, displayable, hue).map(encode);
}
