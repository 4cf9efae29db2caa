/** Sizes in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The largest size of the same proportions within a square of this side. */
export function fitWithin({ width, height }: Size, side: number): Size {
  const scale = side / Math.max(width, height);
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
