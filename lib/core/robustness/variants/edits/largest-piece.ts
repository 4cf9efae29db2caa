import type { Region } from '../../region';

/** The largest part of a region whose pixels touch side by side; the first of equal ones. */
export function largestPiece(region: Region, width: number): Region {
  const pieces = new Int32Array(region.length);
  let [best, most, count] = [0, 0, 0];
  region.forEach((pixel, start) => {
    if (!pixel || pieces[start]) return;
    count += 1;
    let area = 0;
    const waiting = [start];
    pieces[start] = count;
    for (let i = waiting.pop(); i !== undefined; i = waiting.pop()) {
      area += 1;
      const x = i % width;
      const near = [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width];
      for (const next of near) {
        if (next < 0 || next >= region.length || !region[next] || pieces[next]) continue;
        pieces[next] = count;
        waiting.push(next);
      }
    }
    if (area > most) [best, most] = [count, area];
  });
  return region.map((pixel, i) => (pixel && pieces[i] === best ? 1 : 0));
}
