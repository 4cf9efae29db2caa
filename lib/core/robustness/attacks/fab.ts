import type { Picture } from '../picture';
import { logitDifferenceSeed } from './apgd';
import { type AttackResult, type Ball, canChange, linfDistance, projectToBall, type Victim } from './victim';

interface FabSettings {
  iterations: number;
}

/** Overshoot beyond the linearised boundary. */
const OVERSHOOT = 1.05;
/** Maximum bias of a step towards the clean picture. */
const MAX_BIAS = 0.1;
/** Backward step after a misclassification, as a share of the perturbation. */
const BACKWARD_STEP = 0.9;

/**
 * Targeted FAB (Croce and Hein 2020) for L∞: each step projects the current point and the clean picture onto the linearised
 * decision boundary and moves to a point between both. It minimises the distance; the search stops at the first adversarial
 * example within the radius.
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
    // Distance of both points to the plane on which the two classes are equally likely.
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
  // Nothing within the radius was found: try the last point projected onto the ball.
  const last = here;
  const picture = projectToBall(ball, (at) => last.data[at] as number);
  return { picture, isRobust: !victim.isFooled(await victim.logits(picture)) };
}

/** Projects onto the colour range only, because intermediate points can lie outside the ball. */
const projectToColours = (ball: Ball, change: (at: number, value: number) => number): Picture =>
  projectToBall({ ...ball, eps: 1 }, change);

/** gradient · (here − centre). */
function product(gradient: Float32Array, here: Picture, centre: Picture): number {
  let sum = 0;
  for (let at = 0; at < gradient.length; at++)
    sum += (gradient[at] as number) * ((here.data[at] as number) - (centre.data[at] as number));
  return sum;
}

/** The L∞-smallest change that moves a picture onto a plane. */
interface PlaneProjection {
  /** L∞ distance. */
  length: number;
  change(at: number): number;
}

/** Upper bound on Newton iterations; a few suffice in float32. */
const MAX_ITERATIONS = 60;
const CLOSE = 1e-9;

/**
 * Smallest L∞ change d with weights · d = rise and x + d within [0, 1]. All values move equally far in the direction of
 * their weight until they reach the end of the range. If the range does not allow the rise, the largest possible one is used.
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
  // The rise is a concave function of the length, so Newton steps never overshoot.
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
