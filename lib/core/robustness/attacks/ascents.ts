import type { Picture } from '../picture';
import { crossEntropy, targetedDlr } from './losses';
import type { Victim } from './victim';

export interface Rise {
  logits: Float32Array;
  /** Of the loss that is to rise. */
  value: number;
  gradient: Float32Array;
}

/** A loss and its gradient at a picture. */
export type Ascent = (victim: Victim, picture: Picture) => Promise<Rise>;

/** Cross entropy, in one run. */
export const entropyAscent: Ascent = async (victim, picture) => {
  const { logits, gradient } = await victim.gradient(picture, victim.against(), 1);
  return { logits, gradient, value: crossEntropy(logits, victim.truth) };
};

/** Of this many classes on, the ratio has the four logits that it is made of. */
const RATIO_CLASSES = 4;

/**
 * Towards one class. What is differentiated depends on the order of the logits, so they are asked first. With fewer
 * than four classes the ratio is not defined, and the plain distance to that class takes its place.
 */
export const targetAscent =
  (target: number): Ascent =>
  async (victim, picture) => {
    const { truth, classes } = victim;
    const before = await victim.logits(picture);
    const isRatio = classes >= RATIO_CLASSES;
    const seed = isRatio ? ratioSeed(before, truth, target) : distanceSeed(classes, truth, target);
    const { logits, gradient } = await victim.gradient(picture, seed);
    const value = isRatio
      ? targetedDlr(logits, truth, target)
      : (logits[target] as number) - (logits[truth] as number);
    return { logits, gradient, value };
  };

/** Of the plain distance to a class. */
export function distanceSeed(classes: number, truth: number, target: number): Float32Array {
  const seed = new Float32Array(classes);
  seed[truth] = -1;
  seed[target] = 1;
  return seed;
}

/** Derivative of the targeted difference-of-logits ratio by each logit. */
export function ratioSeed(logits: ArrayLike<number>, truth: number, target: number): Float32Array {
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

/** The classes that a picture is most likely taken for instead, best first. */
export function nextBest(logits: ArrayLike<number>, truth: number, count: number): number[] {
  return Array.from({ length: logits.length }, (_, i) => i)
    .filter((i) => i !== truth)
    .sort((a, b) => (logits[b] as number) - (logits[a] as number) || a - b)
    .slice(0, count);
}
