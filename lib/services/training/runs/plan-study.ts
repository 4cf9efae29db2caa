import type { Db } from '@/db';
import { invalid } from '@/lib/core/errors';
import type { JobSpec } from '@/lib/core/training-spec';
import type { VersionRow } from '@/lib/services/datasets/versions/open-version';
import { type Estimate, estimateTime } from '../report/estimate-time';
import { type KnownRates, readRates } from '../report/read-rates';
import { settingsOfTrial, trialsOf, trialWords, withinBudget } from '../sweep';
import { type NewRun, specOf } from './new-run';

export interface PlannedRun {
  seed: number;
  /** All that differs from the preset. */
  set: NewRun['set'];
  /** What the sweep tries in it: "lr 0.01"; empty without one. */
  words: string;
}

export interface StudyPlan {
  /** Combination by combination, so that a study that is cut short has some of them with every seed. */
  planned: PlannedRun[];
  /** Combinations, and those that the budget leaves out. */
  trials: number;
  left: number;
  /** Of one run; those of a study differ in settings that cost no time. */
  spec: JobSpec;
  rates: KnownRates;
  time: Estimate;
}

/** Which runs somebody asks for, and how long one of them takes. Every spec is checked before anything starts. */
export async function planStudy(db: Db, version: Pick<VersionRow, 'card'>, run: NewRun): Promise<StudyPlan> {
  const spec = specOf(run, run.seeds[0] ?? 0, 'new-run');
  const settings = trialsOf(run.sweep).map((trial) => settingsOfTrial(trial, spec));
  for (const set of settings) specOf({ ...run, set: { ...run.set, ...set } }, 0, 'new-run');
  const rates = await readRates(db, spec);
  const time = estimateTime(spec, splitsOf(version.card), rates);
  const { trials, left } = withinBudget(run.sweep, {
    budget: run.budget,
    seeds: run.seeds.length,
    seconds: time.seconds,
  });
  if (trials.length === 0) throw invalid(tooSmall(run, time.seconds));
  return {
    planned: trials.flatMap((trial) =>
      run.seeds.map((seed) => ({
        seed,
        set: { ...run.set, ...settingsOfTrial(trial, spec) },
        words: trialWords(trial),
      })),
    ),
    trials: trials.length,
    left,
    spec,
    rates,
    time,
  };
}

function tooSmall({ budget, seeds }: NewRun, seconds: number): string {
  const all = `${seeds.length} ${seeds.length === 1 ? 'run' : 'runs'} of about ${Math.ceil(seconds / 60)} min`;
  return `The budget does not allow one combination with every seed, which is ${all}: give it more ${
    budget.runs < seeds.length ? 'runs' : 'minutes'
  }, or take fewer seeds or epochs.`;
}

/** Images of a version by split, as its card counts them. */
function splitsOf(card: unknown): { train: number; val: number; test: number } {
  const { counts } = card as { counts?: { bySplit?: Record<string, number> } };
  const { train = 0, val = 0, test = 0 } = counts?.bySplit ?? {};
  return { train, val, test };
}
