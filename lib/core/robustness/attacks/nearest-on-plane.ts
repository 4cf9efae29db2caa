/** The smallest change, by its greatest value, that brings a picture to a plane. */
export interface Approach {
  /** Greatest change of any value. */
  length: number;
  change(at: number): number;
}

/** A bend for each value that reaches its end; float32 knows no more than a few of them apart. */
const TURNS = 60;
const CLOSE = 1e-9;

/**
 * Least L∞ change d with weights · d = rise and every value of x + d within [0, 1]: all values go equally far in the
 * direction of their weight, those at the end of their range stay there. Where the range does not allow the rise, as far
 * as it goes.
 */
export function nearestOnPlane(
  x: Float32Array,
  weights: Float32Array,
  rise: number,
  isOpen: (at: number) => boolean,
): Approach {
  const sign = Math.sign(rise);
  const upwards = (at: number) => sign * (weights[at] as number) > 0;
  const roomOf = (at: number) => (upwards(at) ? 1 - (x[at] as number) : (x[at] as number));
  const moves = (at: number) => weights[at] !== 0 && isOpen(at);
  const wanted = Math.abs(rise);
  // What is gained by a length is a bent line that only flattens: its tangents never lead too far.
  let length = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    let [gained, speed] = [0, 0];
    for (let at = 0; at < x.length; at++) {
      if (!moves(at)) continue;
      const [weight, room] = [Math.abs(weights[at] as number), roomOf(at)];
      gained += weight * Math.min(length, room);
      if (room > length) speed += weight;
    }
    const left = wanted - gained;
    if (!(left > CLOSE * wanted) || speed === 0) break;
    length += left / speed;
  }
  return {
    length,
    change(at) {
      if (sign === 0 || !moves(at)) return 0;
      const by = Math.min(length, roomOf(at));
      return upwards(at) ? by : -by;
    },
  };
}
