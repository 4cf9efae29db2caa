import { largestChange } from '../attacks/ball';
import type { Picture } from '../picture';
import type { Variant } from '../types';
import { ONE_CELL } from '../variants/cells-of';
import { distance } from '../variants/noise';
import { type FmrExtra, scoreOf } from './fmr-variant';
import type { Generator } from './generators';
import { similarity } from './similarity';

/** What people said about one image and about what it was driven to. */
export interface Heard {
  /** The furthest picture in which they still saw the class, and its place; null where they did not in the first. */
  last: { at: number; picture: Picture } | null;
  /** They saw it in the clean picture. */
  isCleanRight: boolean;
}

/**
 * A picture driven away from the model as far as people still see its class. They were asked before, about few of the
 * pictures (`nextQuestion`): here only what they said is read.
 */
export const crowdVariant = ({ generator, budget }: { generator: Generator; budget: number }): Variant => ({
  id: `fmr.${generator.id}.crowd`,
  version: 1,
  says: `Up to ${budget} steps, each ${generator.says}, as far as people see the class.`,
  paradigm: 'attack',
  needs: ['oracle', ...(generator.needs ?? [])],
  parameters: { ...generator.parameters, generator: generator.id, budget },
  cells: ONE_CELL,
  runs: budget * generator.runs + 1,
  async apply(sample, _cell, _chance, around) {
    const heard = (await around.heard?.(sample)) ?? null;
    if (!heard) return { invalid: 'oracle-silent' };
    const { last, isCleanRight } = heard;
    const picture = last?.picture ?? sample.picture;
    const [loss = null] = last ? await scoreOf(sample, around)([picture]) : [];
    if (loss !== null && !Number.isFinite(loss)) return { invalid: 'not-finite' };
    const extra: FmrExtra = {
      isValidated: last ? 1 : 0,
      isOracleRight: isCleanRight ? 1 : 0,
      steps: last ? last.at + 1 : 0,
      chosen: last?.at ?? null,
      loss,
      length: distance(picture, sample.picture),
      change: largestChange(picture, sample.picture),
      similarity: similarity(picture, sample.picture),
    };
    return { picture, extra: { ...extra } };
  },
});
