import type { Stream } from './stream';

/** A Poisson number of a mean of at most some hundreds, from one draw. */
export function poisson(mean: number, chance: Stream): number {
  const u = chance.unit();
  // The draw is finer than the tail beyond: what is left there is never drawn.
  const most = mean + 20 * Math.sqrt(mean) + 20;
  let term = Math.exp(-mean);
  let below = term;
  let count = 0;
  while (u >= below && count < most) {
    count += 1;
    term *= mean / count;
    below += term;
  }
  return count;
}
