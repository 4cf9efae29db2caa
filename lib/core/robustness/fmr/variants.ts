import { linfDistance } from '../attacks/victim';
import { crossEntropy } from '../logits';
import { luminance, type Picture } from '../picture';
import { gaussianBlur } from '../pixels/blur';
import { resizePicture } from '../pixels/resample';
import type { Outcome, Sample, Variant, VariantContext } from '../types';
import { l2Distance } from '../variants/noise';
import { SINGLE_CELL } from '../variants/samples';
import { runChain, type Selection } from './chain';
import { type Generator, type Score, searchGenerator } from './generators';

const BUDGET = 50;

export interface FmrOptions {
  generator?: Generator;
  budget?: number;
  selection?: Selection;
}

/** Extra values of a row of the FMR suite. The picture is the clean one if it was not validated. */
interface FmrExtra {
  isValidated: number;
  /** The oracle recognises the true class in the clean picture. */
  isOracleRight: number;
  /** Number of accepted pictures and index of the selected one. */
  steps: number;
  chosen: number | null;
  loss: number | null;
  /** L2 norm of the perturbation. */
  length: number;
  change: number;
  similarity: number;
}

/** Adversarial example for the model, validated by an oracle at each step. */
export function fmrVariant({
  generator = searchGenerator(),
  budget = BUDGET,
  selection = 'last',
}: FmrOptions = {}): Variant {
  return {
    id: `fmr.${generator.id}${selection === 'last' ? '' : '.worst'}`,
    version: 1,
    description: `Up to ${budget} steps, each ${generator.description}, validated by the oracle.`,
    paradigm: 'attack',
    needs: ['oracle', ...(generator.needs ?? [])],
    parameters: { ...generator.parameters, generator: generator.id, budget, selection },
    cells: SINGLE_CELL,
    runs: budget * (generator.runs + 1),
    async apply(sample, _cell, rng, context) {
      const { oracle } = context;
      if (!oracle) throw new Error('FMR needs an oracle.');
      const accepts = async (picture: Picture) => (await oracle(sample, picture)) === sample.classIndex;
      const isOracleRight = await accepts(sample.picture);
      const score = createLossScore(sample, context);
      const settings = { generator, budget, selection, space: context.latents };
      const found = await runChain(sample.picture, settings, rng, score, accepts);
      if (found.loss !== null && !Number.isFinite(found.loss)) return { invalid: 'not-finite' };
      const extra: FmrExtra = {
        isValidated: found.isValidated ? 1 : 0,
        isOracleRight: isOracleRight ? 1 : 0,
        steps: found.steps,
        chosen: found.chosen,
        loss: found.loss,
        length: l2Distance(found.picture, sample.picture),
        change: linfDistance(found.picture, sample.picture),
        similarity: similarity(found.picture, sample.picture),
      };
      return { picture: found.picture, extra: { ...extra } };
    },
  };
}

/** Cross entropy of the true class. */
export const createLossScore =
  ({ classIndex }: Sample, context: Pick<VariantContext, 'query'>): Score =>
  async (pictures) =>
    (await context.query(pictures)).map((logits) => crossEntropy(logits, classIndex));

/** Verdict of workers about one image and its chain. */
export interface CrowdVerdict {
  /** The furthest picture in which they recognised the class, with its index; null if they rejected the first. */
  last: { at: number; picture: Picture } | null;
  /** They recognised the class in the clean picture. */
  isCleanRight: boolean;
}

/**
 * The furthest adversarial example that workers accept. They judged the chain before (`nextQuestion`); this variant only
 * reads their verdict.
 */
export const crowdVariant = ({ generator, budget }: { generator: Generator; budget: number }): Variant => ({
  id: `fmr.${generator.id}.crowd`,
  version: 1,
  description: `Up to ${budget} steps, each ${generator.description}, validated by workers.`,
  paradigm: 'attack',
  needs: ['oracle', ...(generator.needs ?? [])],
  parameters: { ...generator.parameters, generator: generator.id, budget },
  cells: SINGLE_CELL,
  runs: budget * generator.runs + 1,
  async apply(sample, _cell, _chance, context) {
    const crowdVerdict = (await context.crowdVerdict?.(sample)) ?? null;
    if (!crowdVerdict) return { invalid: 'oracle-silent' };
    const { last, isCleanRight } = crowdVerdict;
    const picture = last?.picture ?? sample.picture;
    const [loss = null] = last ? await createLossScore(sample, context)([picture]) : [];
    if (loss !== null && !Number.isFinite(loss)) return { invalid: 'not-finite' };
    const extra: FmrExtra = {
      isValidated: last ? 1 : 0,
      isOracleRight: isCleanRight ? 1 : 0,
      steps: last ? last.at + 1 : 0,
      chosen: last?.at ?? null,
      loss,
      length: l2Distance(picture, sample.picture),
      change: linfDistance(picture, sample.picture),
      similarity: similarity(picture, sample.picture),
    };
    return { picture, extra: { ...extra } };
  },
});

/**
 * Adversarial examples for one model, evaluated on another model at its own input size.
 */
export const transferVariant = (
  source: Variant,
  { from, made }: { from: string; made: (sample: string) => Promise<Outcome> },
): Variant => ({
  id: `${source.id}.shown`,
  version: source.version,
  description: `Adversarial examples for another model: ${source.description}`,
  paradigm: source.paradigm,
  needs: source.needs,
  // The result depends on the model that the examples were generated for.
  parameters: { ...source.parameters, from },
  cells: source.cells,
  runs: 1,
  async apply({ id, picture }) {
    const outcome = await made(id);
    return 'invalid' in outcome ? outcome : { ...outcome, picture: resizePicture(outcome.picture, picture) };
  },
});

/** Width of the Gaussian window, in pixels. */
const SIGMA = 1.5;
const [C1, C2] = [0.01 ** 2, 0.03 ** 2];

/** SSIM of the luminance (Wang et al. 2004): 1 for equal pictures. */
export function similarity(a: Picture, b: Picture): number {
  const { width, height } = a;
  const [x, y] = [luminance(a), luminance(b)];
  const blur = (values: ArrayLike<number>) => gaussianBlur(values, width, height, SIGMA);
  const product = (p: Float32Array, q: Float32Array) =>
    Float64Array.from(p, (value, i) => value * (q[i] as number));
  const [mx, my] = [blur(x), blur(y)];
  const [xx, yy, xy] = [blur(product(x, x)), blur(product(y, y)), blur(product(x, y))];
  let sum = 0;
  for (let i = 0; i < mx.length; i++) {
    const [p, q] = [mx[i] as number, my[i] as number];
    const [vx, vy, both] = [(xx[i] as number) - p * p, (yy[i] as number) - q * q, (xy[i] as number) - p * q];
    sum += ((2 * p * q + C1) * (2 * both + C2)) / ((p * p + q * q + C1) * (vx + vy + C2));
  }
  return sum / mx.length;
}
