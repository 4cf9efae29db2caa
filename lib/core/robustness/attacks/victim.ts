import { CHANNELS, clampToUnit, emptyPicture, type Picture, type Region, regionBox } from '../picture';
import type { VariantContext } from '../types';

/** The attacked model, with a query counter. */
export class Victim {
  queries = 0;

  constructor(
    private readonly context: Pick<VariantContext, 'query' | 'gradient'>,
    readonly truth: number,
    readonly classes: number,
  ) {}

  /** Also returns the logits of the clean picture, which do not count as queries. */
  static async create(
    context: Pick<VariantContext, 'query' | 'gradient'>,
    picture: Picture,
    truth: number,
  ): Promise<{ victim: Victim; clean: Float32Array }> {
    const [clean] = await context.query([picture]);
    if (!clean) throw new Error('The model returned no output for the picture.');
    return { victim: new Victim(context, truth, finite(clean).length), clean };
  }

  /** Gradient seed of the cross entropy, to be used with share 1. */
  crossEntropySeed(): Float32Array {
    const seed = new Float32Array(this.classes);
    seed[this.truth] = -1;
    return seed;
  }

  async logits(picture: Picture): Promise<Float32Array> {
    this.queries++;
    const [answers] = await this.context.query([picture]);
    if (!answers) throw new Error('The model returned no output for the picture.');
    return finite(answers);
  }

  /** Gradient of v · logits with v = seed + share · softmax. */
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

  /** Whether the prediction is wrong. The first of equal logits counts. */
  isFooled(logits: ArrayLike<number>): boolean {
    let best = 0;
    for (let i = 1; i < logits.length; i++) if ((logits[i] as number) > (logits[best] as number)) best = i;
    return best !== this.truth;
  }
}

/** Thrown if the model output is not finite. The sample is skipped with this reason. */
export class NotFiniteError extends Error {}

function finite(logits: Float32Array): Float32Array {
  if (!logits.every(Number.isFinite)) throw new NotFiniteError('The model output is not finite.');
  return logits;
}

/** The last tried picture and whether the model withstood the attack. */
export interface AttackResult {
  picture: Picture;
  isRobust: boolean;
}

/** Allowed perturbations: at most ε per value, within the region, and within the colour range. */
export interface Ball {
  centre: Picture;
  eps: number;
  /** Null: the whole picture. */
  region: Region | null;
}

/** Whether the attack can change a value. */
export const canChange = ({ region, centre }: Ball, at: number): boolean =>
  region === null || region[at % (centre.width * centre.height)] === 1;

/** Maps the values of the centre and projects the result onto the ball. */
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

/** Bounding box in which the Square attack places its squares. */
export const attackBox = ({ centre, region }: Ball) =>
  (region && regionBox(region, centre.width)) ?? { x: 0, y: 0, width: centre.width, height: centre.height };

/** L∞ distance. */
export function linfDistance(a: Picture, b: Picture): number {
  let max = 0;
  for (let at = 0; at < CHANNELS * a.width * a.height; at++)
    max = Math.max(max, Math.abs((a.data[at] as number) - (b.data[at] as number)));
  return max;
}
