import { z } from 'zod';
import type { Outcome } from './outcome';
import type { Kind } from './people';

const counts = z.record(z.string(), z.number());

/** One run of the experiment, as a line of its results file. */
export const RunRecord = z.strictObject({
  seed: z.number(),
  /** Share of bad people in percent. */
  mix: z.number(),
  itemsPerWorker: z.number(),
  gold: z.number(),
  arm: z.string(),
  labels: z.number(),
  wrong: z.number(),
  missingParts: z.number(),
  unfinished: z.number(),
  wrongBy: counts,
  precision: z.number(),
  recall: z.number(),
  meanIou: z.number(),
  dollars: z.number(),
  costs: counts,
  answers: z.number(),
  recruited: z.number(),
  /** Careers (a worker in a stage) by kind of worker; items of those who were stopped. */
  careers: z.record(
    z.string(),
    z.strictObject({ n: z.number(), stoppedAfter: z.array(z.number()), rules: counts }),
  ),
});
export type RunRecord = z.infer<typeof RunRecord>;

export type Cell = Pick<RunRecord, 'seed' | 'mix' | 'itemsPerWorker' | 'gold' | 'arm'>;

export const keyOf = ({ seed, mix, itemsPerWorker, gold, arm }: Cell): string =>
  [itemsPerWorker, gold, mix, seed, arm].join('|');

export function recordOf(cell: Cell, outcome: Outcome): RunRecord {
  const { hits, costs, careers, wrongBy } = outcome;
  const { truePositives, falsePositives, falseNegatives } = hits;
  const byKind: RunRecord['careers'] = {};
  for (const { kind, stoppedAfter, stoppedBy } of careers) {
    byKind[kind] ??= { n: 0, stoppedAfter: [], rules: {} };
    const own = byKind[kind];
    own.n += 1;
    if (stoppedAfter === null || !stoppedBy) continue;
    own.stoppedAfter.push(stoppedAfter);
    own.rules[stoppedBy] = (own.rules[stoppedBy] ?? 0) + 1;
  }
  const { labels, wrong, missingParts, unfinished, meanIou, dollars, answers, recruited } = outcome;
  return {
    ...cell,
    labels,
    wrong,
    missingParts,
    unfinished,
    wrongBy: Object.fromEntries(Object.entries(wrongBy).map(([kind, n]) => [kind, round(n)])),
    precision: round(truePositives / (truePositives + falsePositives)),
    recall: round(truePositives / (truePositives + falseNegatives)),
    meanIou: round(meanIou),
    dollars: round(dollars),
    costs: Object.fromEntries(Object.entries(costs).map(([name, micros]) => [name, Math.round(micros)])),
    answers,
    recruited,
    careers: byKind,
  };
}

const round = (value: number): number => Math.round(1e4 * value) / 1e4;

export const wrongShare = ({ wrong, labels }: RunRecord): number => wrong / labels;
export const rightPerDollar = ({ wrong, labels, dollars }: RunRecord): number => (labels - wrong) / dollars;

/** Careers of one kind of worker over many runs. */
export function careersOf(runs: readonly RunRecord[], kind: Kind) {
  const own = runs.flatMap(({ careers }) => careers[kind] ?? []);
  return {
    n: own.reduce((sum, each) => sum + each.n, 0),
    stoppedAfter: own.flatMap(({ stoppedAfter }) => stoppedAfter),
  };
}
