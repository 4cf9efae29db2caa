import { largestChange } from '../attacks/ball';
import { crossEntropy } from '../attacks/losses';
import type { Picture } from '../picture';
import type { Sample, Surroundings, Variant } from '../types';
import { ONE_CELL } from '../variants/cells-of';
import { distance } from '../variants/noise';
import { runChain, type Selection } from './chain';
import { type Generator, type Score, searchGenerator } from './generators';
import { similarity } from './similarity';

export const BUDGET = 50;

export interface FmrOptions {
  generator?: Generator;
  budget?: number;
  selection?: Selection;
}

/** What an image of the FMR suite writes beside its row. The picture is the clean one where it was not validated. */
export interface FmrExtra {
  isValidated: number;
  /** The oracle sees the true class in the clean picture: where it does not, nothing it says means much. */
  isOracleRight: number;
  /** Accepted pictures, and the place of the chosen one. */
  steps: number;
  chosen: number | null;
  loss: number | null;
  /** How far the picture was driven. */
  length: number;
  change: number;
  similarity: number;
}

/** A picture driven away from the model for as long as an outside judge still sees its class. */
export function fmrVariant({
  generator = searchGenerator(),
  budget = BUDGET,
  selection = 'last',
}: FmrOptions = {}): Variant {
  return {
    id: `fmr.${generator.id}${selection === 'last' ? '' : '.worst'}`,
    version: 1,
    says: `Up to ${budget} steps, each ${generator.says}, as long as the oracle sees the class.`,
    paradigm: 'attack',
    needs: ['oracle', ...(generator.needs ?? [])],
    parameters: { ...generator.parameters, generator: generator.id, budget, selection },
    cells: ONE_CELL,
    runs: budget * (generator.runs + 1),
    async apply(sample, _cell, chance, around) {
      const { oracle } = around;
      if (!oracle) throw new Error('FMR needs an oracle.');
      const accepts = async (picture: Picture) => (await oracle(sample, picture)) === sample.classIndex;
      const isOracleRight = await accepts(sample.picture);
      const score = scoreOf(sample, around);
      const settings = { generator, budget, selection, space: around.latents };
      const found = await runChain(sample.picture, settings, chance, score, accepts);
      if (found.loss !== null && !Number.isFinite(found.loss)) return { invalid: 'not-finite' };
      const extra: FmrExtra = {
        isValidated: found.isValidated ? 1 : 0,
        isOracleRight: isOracleRight ? 1 : 0,
        steps: found.steps,
        chosen: found.chosen,
        loss: found.loss,
        length: distance(found.picture, sample.picture),
        change: largestChange(found.picture, sample.picture),
        similarity: similarity(found.picture, sample.picture),
      };
      return { picture: found.picture, extra: { ...extra } };
    },
  };
}

/** Cross entropy of the true class. */
export const scoreOf =
  ({ classIndex }: Sample, around: Pick<Surroundings, 'query'>): Score =>
  async (pictures) =>
    (await around.query(pictures)).map((logits) => crossEntropy(logits, classIndex));
