import { CHANNELS, clampToUnit, emptyPicture, type Picture, type Region, regionBox } from '../picture';
import type { VariantContext } from '../types';

/** The model as an attack sees it, with a count of how often it was asked. */
export class Victim {
  queries = 0;

  constructor(
    private readonly context: Pick<VariantContext, 'query' | 'gradient'>,
    readonly truth: number,
    readonly classes: number,
  ) {}

  /** With what it says about the picture as it is, which does not count as a question of the attack. */
  static async create(
    context: Pick<VariantContext, 'query' | 'gradient'>,
    picture: Picture,
    truth: number,
  ): Promise<{ victim: Victim; clean: Float32Array }> {
    const [clean] = await context.query([picture]);
    if (!clean) throw new Error('A model answers for every picture.');
    return { victim: new Victim(context, truth, finite(clean).length), clean };
  }

  /** With a share of 1 the seed of the cross entropy: softmax minus one at the true class. */
  crossEntropySeed(): Float32Array {
    const seed = new Float32Array(this.classes);
    seed[this.truth] = -1;
    return seed;
  }

  async logits(picture: Picture): Promise<Float32Array> {
    this.queries++;
    const [answers] = await this.context.query([picture]);
    if (!answers) throw new Error('A model answers for every picture.');
    return finite(answers);
  }

  /** Of v · logits with v = seed + share · softmax. */
  async gradient(
    picture: Picture,
    seed: Float32Array,
    share = 0,
  ): Promise<{ logits: Float32Array; gradient: Float32Array }> {
    if (!this.context.gradient) throw new Error('This attack needs the gradient of the model.');
    this.queries++;
    const answers = await this.context.gradient(picture, seed, share);
    finite(answers.logits);
    return answers;
  }

  /** Wrong already: an attack has nothing left to do. Of equal logits the first counts. */
  isFooled(logits: ArrayLike<number>): boolean {
    let best = 0;
    for (let i = 1; i < logits.length; i++) if ((logits[i] as number) > (logits[best] as number)) best = i;
    return best !== this.truth;
  }
}

/** Thrown where a model gives no finite numbers: the sample has no row, and the reason is kept. */
export class NotFiniteError extends Error {}

function finite(logits: Float32Array): Float32Array {
  if (!logits.every(Number.isFinite)) throw new NotFiniteError('The model gave no finite numbers.');
  return logits;
}

/** What an attack leaves: the last picture it tried, and whether the model withstood. */
export interface AttackResult {
  picture: Picture;
  isRobust: boolean;
}

/** What an attack may change: every value by at most ε, within a region if there is one, and only to real colours. */
export interface Ball {
  centre: Picture;
  eps: number;
  /** Null: all of the picture. */
  region: Region | null;
}

/** Whether a value may be changed at all. */
export const canChange = ({ region, centre }: Ball, at: number): boolean =>
  region === null || region[at % (centre.width * centre.height)] === 1;

/** A picture made value by value, brought back into the ball. */
export function projectToBall(ball: Ball, change: (at: number, value: number) => number): Picture {
  const { centre, eps } = ball;
  const out = emptyPicture(centre);
  for (let at = 0; at < centre.data.length; at++) {
    const value = centre.data[at] as number;
    if (!canChange(ball, at)) {
      out.data[at] = value;
      continue;
    }
    const wanted = Math.min(Math.max(change(at, value), value - eps), value + eps);
    out.data[at] = clampToUnit(wanted);
  }
  return out;
}

/** The box in which an attack with squares works. */
export const attackBox = ({ centre, region }: Ball) =>
  (region && regionBox(region, centre.width)) ?? { x: 0, y: 0, width: centre.width, height: centre.height };

/** Greatest change of any value. */
export function linfDistance(a: Picture, b: Picture): number {
  let max = 0;
  for (let at = 0; at < CHANNELS * a.width * a.height; at++)
    max = Math.max(max, Math.abs((a.data[at] as number) - (b.data[at] as number)));
  return max;
}
