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
  const crossings = Array.from({ length: height }, (): number[] => []);
  polygon.forEach(([x, y], i) => {
    const [nextX, nextY] = polygon[(i + 1) % polygon.length] as readonly [number, number];
    for (let py = Math.min(y, nextY); py <= Math.max(y, nextY); py++)
      for (let px = Math.min(x, nextX); px <= Math.max(x, nextX); px++) paint(py * width + px);
    if (x === nextX) for (let py = Math.min(y, nextY); py < Math.max(y, nextY); py++) crossings[py]?.push(x);
  });
  crossings.forEach((xs, y) => {
    xs.sort((a, b) => a - b);
    for (let i = 0; i + 1 < xs.length; i += 2)
      for (let x = xs[i] as number; x <= (xs[i + 1] as number); x++) paint(y * width + x);
  });
}
