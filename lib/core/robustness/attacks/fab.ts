import type { Picture } from '../picture';
import { logitDifferenceSeed } from './apgd';
import { type AttackResult, type Ball, canChange, linfDistance, projectToBall, type Victim } from './victim';

interface FabSettings {
  iterations: number;
}

/** Steps go a little beyond the boundary as the gradient has it, */
const OVERSHOOT = 1.05;
/** are drawn towards the picture itself by at most so much, */
const MAX_BIAS = 0.1;
/** and what lies behind the boundary is brought back to so much of its way. */
const BACKWARD_STEP = 0.9;

/**
 * The nearest picture that is taken for another class, sought along the boundary towards one class (FAB, L∞): each step
 * goes to the boundary as the gradient has it, from where one is and from the picture itself, and to a point between both.
 * It minimises the distance, so that a radius only says what is near enough. Over at the first picture within it.
 */
export async function fab(
  victim: Victim,
  ball: Ball,
  target: number,
  { iterations }: FabSettings,
): Promise<AttackResult> {
  const { centre, eps } = ball;
  const seed = logitDifferenceSeed(victim.classes, victim.truth, target);
  const open = (at: number) => canChange(ball, at);
  let here = centre;
  for (let count = 0; count < iterations; count++) {
    const { logits, gradient } = await victim.gradient(here, seed);
    const ahead = (logits[target] as number) - (logits[victim.truth] as number);
    const apart = product(gradient, here, centre);
    // Of both points: how far the plane is on which the two classes are equally likely.
    const step = projectToPlane(here.data, gradient, -ahead, open);
    const own = projectToPlane(centre.data, gradient, apart - ahead, open);
    const share = Math.min(MAX_BIAS, step.length / Math.max(step.length + own.length, 1e-8));
    const before = here;
    here = projectToColours(ball, (at) => {
      const [from, to] = [before.data[at] as number, centre.data[at] as number];
      return (1 - share) * (from + OVERSHOOT * step.change(at)) + share * (to + OVERSHOOT * own.change(at));
    });
    if (!victim.isFooled(await victim.logits(here))) continue;
    if (linfDistance(here, centre) <= eps) return { picture: here, isRobust: false };
    const found = here;
    here = projectToColours(
      ball,
      (at, value) => value + BACKWARD_STEP * ((found.data[at] as number) - value),
    );
  }
  // Too far all the time: the last one, brought into the ball, has its chance.
  const last = here;
  const picture = projectToBall(ball, (at) => last.data[at] as number);
  return { picture, isRobust: !victim.isFooled(await victim.logits(picture)) };
}

/** In the range of colours: the way to a near picture may lead through far ones. */
const projectToColours = (ball: Ball, change: (at: number, value: number) => number): Picture =>
  projectToBall({ ...ball, eps: 1 }, change);

/** gradient · (here − centre). */
function product(gradient: Float32Array, here: Picture, centre: Picture): number {
  let sum = 0;
  for (let at = 0; at < gradient.length; at++)
    sum += (gradient[at] as number) * ((here.data[at] as number) - (centre.data[at] as number));
  return sum;
}

/** The smallest change, by its greatest value, that brings a picture to a plane. */
interface PlaneProjection {
  /** Greatest change of any value. */
  length: number;
  change(at: number): number;
}

/** A bend for each value that reaches its end; float32 knows no more than a few of them apart. */
const MAX_ITERATIONS = 60;
const CLOSE = 1e-9;

/**
 * Least L∞ change d with weights · d = rise and every value of x + d within [0, 1]: all values go equally far in the
 * direction of their weight, those at the end of their range stay there. Where the range does not allow the rise, as far
 * as it goes.
 */
export function projectToPlane(
  x: Float32Array,
  weights: Float32Array,
  rise: number,
  canChange: (at: number) => boolean,
): PlaneProjection {
  const sign = Math.sign(rise);
  const upwards = (at: number) => sign * (weights[at] as number) > 0;
  const roomOf = (at: number) => (upwards(at) ? 1 - (x[at] as number) : (x[at] as number));
  const moves = (at: number) => weights[at] !== 0 && canChange(at);
  const wanted = Math.abs(rise);
  // What is gained by a length is a bent line that only flattens: its tangents never lead too far.
  let length = 0;
  for (let turn = 0; turn < MAX_ITERATIONS; turn++) {
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
