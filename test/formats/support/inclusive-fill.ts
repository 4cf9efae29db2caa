/**
 * Fills a polygon of whole coordinates with its border, as Cityscapes' tools do through Pillow: a pixel counts when its
 * middle is inside or on the border. Edges must be level or upright.
 */
export function inclusiveFill(
  polygon: readonly (readonly [number, number])[],
  width: number,
  height: number,
  paint: (index: number) => void,
): void {
  const edges = polygon.map(
    (point, i) => [point, polygon[(i + 1) % polygon.length] as typeof point] as const,
  );
  const between = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isBorder = edges.some(([a, b]) => between(x, a[0], b[0]) && between(y, a[1], b[1]));
      const crossings = edges.filter(
        ([a, b]) => a[0] === b[0] && a[0] > x && y >= Math.min(a[1], b[1]) && y < Math.max(a[1], b[1]),
      );
      if (isBorder || crossings.length % 2 === 1) paint(y * width + x);
    }
}
