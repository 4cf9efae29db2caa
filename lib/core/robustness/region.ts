/** Which pixels of a picture belong to something: 1 where they do, row by row. */
export type Region = Uint8Array;

export const invertedRegion = (region: Region): Region => region.map((pixel) => (pixel ? 0 : 1));

export const regionArea = (region: Region): number => region.reduce((sum, pixel) => sum + pixel, 0);

/** The smallest box around a region; null where it is empty. */
export function regionBox(
  region: Region,
  width: number,
): { x: number; y: number; width: number; height: number } | null {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -1, -1];
  region.forEach((pixel, i) => {
    if (!pixel) return;
    const x = i % width;
    const y = (i - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  });
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Cut off by the picture's edge: it cannot be moved or turned without showing where it was cut. */
export function touchesEdge(region: Region, width: number): boolean {
  const height = region.length / width;
  for (let x = 0; x < width; x++) if (region[x] || region[(height - 1) * width + x]) return true;
  for (let y = 0; y < height; y++) if (region[y * width] || region[y * width + width - 1]) return true;
  return false;
}
