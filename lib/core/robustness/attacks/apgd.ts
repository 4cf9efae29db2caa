import { crossEntropy, targetedDlr } from '../logits';
import type { Picture } from '../picture';
import type { Rng } from '../random';
import { type AttackResult, type Ball, canChange, projectToBall, type Victim } from './victim';

interface ApgdSettings {
  iterations: number;
}

const MOMENTUM = 0.75;
/** Required share of increasing steps since the last checkpoint; below it the step size is halved. */
const RISING = 0.75;

/**
 * Auto-PGD (Croce and Hein 2020): starts with a step of twice the radius, halves it when the loss stops increasing and
 * restarts from the best point. Stops at the first misclassification.
 */
export async function apgd(
  victim: Victim,
  ball: Ball,
  { iterations }: ApgdSettings,
  ascent: LossGradient,
  rng: Rng,
): Promise<AttackResult> {
  const { eps } = ball;
  if (eps === 0) return { picture: ball.centre, isRobust: true };
  let here = start(ball, rng);
  let before = here;
  let now = await ascent(victim, here);
  if (victim.isFooled(now.logits)) return { picture: here, isRobust: false };
  let best = { picture: here, value: now.value, gradient: now.gradient };
  let [step, rises, checked] = [2 * eps, 0, 0];
  let atCheck = { value: now.value, wasHalved: true };
  const checks = new Set(checkpoints(iterations));
  for (let iteration = 0; iteration < iterations; iteration++) {
    const weight = iteration === 0 ? 1 : MOMENTUM;
    const [from, previous, gradient] = [here.data, before.data, now.gradient];
    const towards = projectToBall(
      ball,
      (at) => (from[at] as number) + step * Math.sign(gradient[at] as number),
    ).data;
    before = here;
    here = projectToBall(ball, (at) => {
      const value = from[at] as number;
      return (
        value + weight * ((towards[at] as number) - value) + (1 - weight) * (value - (previous[at] as number))
      );
    });
    const last = now.value;
    now = await ascent(victim, here);
    if (victim.isFooled(now.logits)) return { picture: here, isRobust: false };
    if (now.value > last) rises++;
    if (now.value > best.value) best = { picture: here, value: now.value, gradient: now.gradient };
    if (!checks.has(iteration + 1)) continue;
    const since = iteration + 1 - checked;
    const isStuck = rises <= RISING * since || (!atCheck.wasHalved && atCheck.value >= best.value);
    atCheck = { value: best.value, wasHalved: isStuck };
    if (isStuck) {
      step /= 2;
      here = best.picture;
      now = { ...now, gradient: best.gradient };
    }
    [rises, checked] = [0, iteration + 1];
  }
  return { picture: best.picture, isRobust: true };
}

/** Steps after which the loss is checked: first after 22 % of the iterations, later at intervals down to 6 %. */
export function checkpoints(iterations: number): number[] {
  const share = (part: number) => Math.max(Math.floor(part * iterations), 1);
  const found: number[] = [];
  let interval = share(0.22);
  for (let at = interval; at <= iterations; at += interval) {
    found.push(at);
    interval = Math.max(interval - share(0.03), share(0.06));
  }
  return found;
}

/** Random start on the surface of the ball. */
function start(ball: Ball, rng: Rng): Picture {
  const draws = Float64Array.from({ length: ball.centre.data.length }, () => 2 * rng.unit() - 1);
  const max = draws.reduce((a, b, at) => (canChange(ball, at) ? Math.max(a, Math.abs(b)) : a), 1e-12);
  return projectToBall(ball, (at, value) => value + (ball.eps * (draws[at] as number)) / max);
}

interface LossPoint {
  logits: Float32Array;
  /** Value of the maximised loss. */
  value: number;
  gradient: Float32Array;
}

/** A loss and its gradient at a picture. */
type LossGradient = (victim: Victim, picture: Picture) => Promise<LossPoint>;

/** Cross entropy; one model run. */
export const crossEntropyGradient: LossGradient = async (victim, picture) => {
  const { logits, gradient } = await victim.gradient(picture, victim.crossEntropySeed(), 1);
  return { logits, gradient, value: crossEntropy(logits, victim.truth) };
};

/** The DLR needs four logits. */
const RATIO_CLASSES = 4;

/**
 * Targeted DLR. The gradient seed depends on the order of the logits, so they are queried first. With fewer than four
 * classes the DLR is undefined and the logit difference is used.
 */
export const targetedDlrGradient =
  (target: number): LossGradient =>
  async (victim, picture) => {
    const { truth, classes } = victim;
    const before = await victim.logits(picture);
    const isRatio = classes >= RATIO_CLASSES;
    const seed = isRatio ? dlrSeed(before, truth, target) : logitDifferenceSeed(classes, truth, target);
    const { logits, gradient } = await victim.gradient(picture, seed);
    const value = isRatio
      ? targetedDlr(logits, truth, target)
      : (logits[target] as number) - (logits[truth] as number);
    return { logits, gradient, value };
  };

/** Gradient seed of the logit difference to a class. */
export function logitDifferenceSeed(classes: number, truth: number, target: number): Float32Array {
  const seed = new Float32Array(classes);
  seed[truth] = -1;
  seed[target] = 1;
  return seed;
}

/** Derivative of the targeted difference-of-logits ratio by each logit. */
export function dlrSeed(logits: ArrayLike<number>, truth: number, target: number): Float32Array {
  const order = Array.from({ length: logits.length }, (_, i) => i).sort(
    (a, b) => (logits[b] as number) - (logits[a] as number) || a - b,
  );
  const at = (place: number) => logits[order[place] as number] as number;
  const below = at(0) - (at(2) + at(3)) / 2 + 1e-12;
  const ahead = (logits[truth] as number) - (logits[target] as number);
  const seed = new Float64Array(logits.length);
  const add = (i: number, value: number) => {
    seed[i] = (seed[i] as number) + value;
  };
  add(truth, -1 / below);
  add(target, 1 / below);
  const byBelow = ahead / below ** 2;
  add(order[0] as number, byBelow);
  add(order[2] as number, -byBelow / 2);
  add(order[3] as number, -byBelow / 2);
  return Float32Array.from(seed);
}

/** The most likely classes other than the true one, most likely first. */
export function topOtherClasses(logits: ArrayLike<number>, truth: number, count: number): number[] {
  return Array.from({ length: logits.length }, (_, i) => i)
    .filter((i) => i !== truth)
    .sort((a, b) => (logits[b] as number) - (logits[a] as number) || a - b)
    .slice(0, count);
}

interface PgdSettings {
  steps: number;
  /** Of each step, in the units of a picture. */
  step: number;
  restarts: number;
}

/** Settings of the part-model paper. */
export const PGD: PgdSettings = { steps: 100, step: 0.001, restarts: 5 };

/** Step size as in the code of the paper: at least 0.001 and large enough to cross the ball. */
export const stepFor = (eps: number, steps: number): number => Math.max(0.001, eps / 4 / (steps / 10));

/** PGD on the cross entropy with random restarts. Stops at the first misclassification. */
export async function pgd(
  victim: Victim,
  ball: Ball,
  { steps, step, restarts }: PgdSettings,
  rng: Rng,
): Promise<AttackResult> {
  const { centre, eps } = ball;
  if (eps === 0) return { picture: centre, isRobust: true };
  let here = centre;
  for (let restart = 0; restart < restarts; restart++) {
    here = projectToBall(ball, (_, value) => value + eps * (2 * rng.unit() - 1));
    for (let count = 0; count < steps; count++) {
      const { logits, gradient } = await victim.gradient(here, victim.crossEntropySeed(), 1);
      if (victim.isFooled(logits)) return { picture: here, isRobust: false };
      const from = here.data;
      here = projectToBall(ball, (at) => (from[at] as number) + step * Math.sign(gradient[at] as number));
    }
    if (victim.isFooled(await victim.logits(here))) return { picture: here, isRobust: false };
  }
  return { picture: here, isRobust: true };
}
