/**
 * Fills a polygon of whole coordinates as Pillow's ImageDraw.polygon does: the border belongs to it. On each row the
 * crossings of all edges are sorted and filled in pairs; an edge that ends on a row counts twice there, except on the
 * last row of the polygon. Level edges are drawn on their own.
 */
export function fillPolygon(
  polygon: readonly (readonly [number, number])[],
  width: number,
  height: number,
  paint: (pixel: number) => void,
): void {
  const rows = polygon.map(([, y]) => y);
  const last = Math.min(height - 1, Math.max(...rows));
  const edges = polygon.map((from, index) => {
    const to = polygon[(index + 1) % polygon.length] as readonly [number, number];
    return from[1] <= to[1] ? { from, to } : { from: to, to: from };
  });
  const span = (left: number, right: number, y: number) => {
    for (let x = Math.max(0, left); x <= Math.min(width - 1, right); x++) paint(y * width + x);
  };
  for (const { from, to } of edges)
    if (from[1] === to[1]) span(Math.min(from[0], to[0]), Math.max(from[0], to[0]), from[1]);
  for (let y = Math.max(0, Math.min(...rows)); y <= last; y++) {
    const crossings: number[] = [];
    for (const { from, to } of edges) {
      if (from[1] === to[1] || y < from[1] || y > to[1]) continue;
      const x = from[0] + ((y - from[1]) * (to[0] - from[0])) / (to[1] - from[1]);
      crossings.push(x);
      if (y === to[1] && y < Math.max(...rows)) crossings.push(x);
    }
    crossings.sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2)
      span(Math.ceil((crossings[i] as number) - 0.5), Math.floor((crossings[i + 1] as number) + 0.5), y);
  }
}
