import { BucketQueue } from '../livewire/bucket-queue';

/** A step costs this much for its length, plus the change of the chance in 1/STEEP. */
const LENGTH = 1;
const STEEP = 400;
/** A power of two above LENGTH + STEEP. */
const SPAN = 512;
const FAR = 0x7fffffff;

/**
 * Distance of every pixel from the nearest seed, where going from likely to unlikely pixels is far (Bai and
 * Sapiro, A geodesic framework for fast interactive image segmentation, ICCV 2007).
 */
export function geodesicDistance(chance: Float32Array, seeds: ArrayLike<number>, width: number): Int32Array {
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
    const reached = (distance[from] as number) + LENGTH + Math.round(STEEP * change);
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
