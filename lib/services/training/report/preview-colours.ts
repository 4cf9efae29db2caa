/** Hues a golden angle apart never come close to each other, however many parts there are. */
const GOLDEN_ANGLE = 137.508;
/** Share of the colour over the picture: the picture must stay readable. */
const OPACITY = 0.6;

export type Rgb = [red: number, green: number, blue: number];

const [BACKGROUND, UNLABELLED] = [0, 255];

/** The colour of a mask value; background and what nobody labelled have none. */
export function previewColour(value: number): Rgb | null {
  if (value === BACKGROUND || value === UNLABELLED) return null;
  const hue = ((value - 1) * GOLDEN_ANGLE) % 360;
  // HSL with saturation 0.85; every other turn is darker, so that neighbouring hues differ twice.
  const lightness = value % 2 ? 0.55 : 0.45;
  const chroma = 0.85 * Math.min(lightness, 1 - lightness);
  const at = (n: number) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [at(0), at(8), at(4)];
}

/** A square RGB picture with mask values painted over it, each by its colour; by the nearest pixel. */
export function paintedOver(
  pixels: Uint8Array,
  side: number,
  values: Uint8Array,
  { width, height }: { width: number; height: number },
): Buffer {
  const painted = Buffer.from(pixels);
  for (let y = 0; y < side; y++) {
    const row = Math.floor(((y + 0.5) * height) / side) * width;
    for (let x = 0; x < side; x++) {
      const colour = previewColour(values[row + Math.floor(((x + 0.5) * width) / side)] ?? 0);
      if (!colour) continue;
      const at = (y * side + x) * 3;
      for (let c = 0; c < 3; c++)
        painted[at + c] = Math.round(
          (painted[at + c] as number) * (1 - OPACITY) + (colour[c] as number) * OPACITY,
        );
    }
  }
  return painted;
}
