import { BucketQueue } from '../livewire/bucket-queue';

/** A step costs this much for its length, plus the change of the chance in 1/STEEP, plus the edge in 1/EDGE. */
const LENGTH = 1;
const STEEP = 400;
const EDGE = 60;
/** A power of two above LENGTH + STEEP + EDGE. */
const SPAN = 512;
const FAR = 0x7fffffff;

/** What the way leads over: chance and edge strength per pixel, row-major, 0 … 1. */
export type Terrain = {
  readonly chance: Float32Array;
  readonly edges: Float32Array;
  readonly width: number;
};

/**
 * Distance of every pixel from the nearest seed, where it is far from likely to unlikely pixels (Bai and Sapiro, A
 * geodesic framework for fast interactive image segmentation, ICCV 2007) and across an edge, also where the
 * colours on its two sides are alike.
 */
export function geodesicDistance({ chance, edges, width }: Terrain, seeds: ArrayLike<number>): Int32Array {
  const distance = new Int32Array(chance.length).fill(FAR);
  const settled = new Uint8Array(chance.length);
  const queue = new BucketQueue(chance.length, SPAN);
  for (let i = 0; i < chance.length; i++) {
    if (!seeds[i]) continue;
    distance[i] = 0;
    queue.push(i, 0);
  }
  const reach = (from: number, to: number) => {
    if (settled[to] === 1) return;
    const change = Math.abs((chance[to] as number) - (chance[from] as number));
    const cost = LENGTH + Math.round(STEEP * change + EDGE * (edges[to] as number));
    const reached = (distance[from] as number) + cost;
    const known = distance[to] as number;
    if (reached >= known) return;
    if (known !== FAR) queue.remove(to);
    distance[to] = reached;
    queue.push(to, reached);
  };
  while (queue.size > 0) {
    const pixel = queue.take();
    settled[pixel] = 1;
    const x = pixel % width;
    if (x > 0) reach(pixel, pixel - 1);
    if (x < width - 1) reach(pixel, pixel + 1);
    if (pixel >= width) reach(pixel, pixel - width);
    if (pixel < chance.length - width) reach(pixel, pixel + width);
  }
  return distance;
}
