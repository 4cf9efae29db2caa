import { type Region, regionBox } from '../../region';

/** All pixels of the smallest box around a region. */
export function boxRegion(region: Region, width: number): Region {
  const box = regionBox(region, width);
  return region.map((_, i) => {
    if (!box) return 0;
    const x = i % width;
    const y = (i - x) / width;
    return Number(x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height);
  });
}
