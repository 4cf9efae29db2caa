import { studentQuantile } from '@/lib/core/quality/distributions';
import type { JobSpec, Method } from '@/lib/core/training-spec';
import type { RunOptions } from '../runs/prepare-run';
import { changedSettings, methodOf, recipeOf } from './changed-settings';
import { type Accuracy, type TestOutcome, testsOf } from './curves-of';

/** What the comparison needs of a run. */
export interface ComparedRun {
  id: string;
  name: string;
  version: number;
  spec: JobSpec;
  result: unknown;
  /** Classes, or super-classes: other questions, and easier ones. */
  toldApart: RunOptions['classes'];
}

/** A mean over runs that differ in their seed. With one run: its own share and the interval of its test images. */
export interface SeedMean {
  value: number;
  low: number;
  high: number;
  seeds: number;
  /** Test images of each run. */
  n: number;
}

export interface TableRow {
  key: string;
  version: number;
  preset: string | null;
  arch: string;
  method: Method;
  /** What differs from the preset, by path. */
  changed: Record<string, string>;
  runs: { id: string; name: string; seed: number; clean: Accuracy | null; adversarial: Accuracy | null }[];
  clean: SeedMean | null;
  pgd: SeedMean | null;
  autoattack: SeedMean | null;
  /** Classes by their place, over the seeds together. */
  perClass: { clean: Pooled[]; adversarial: Pooled[] };
}

export interface Pooled {
  n: number;
  correct: number;
}

/** 97.5 % point: intervals are of 95 %. */
const CERTAIN = 0.975;

/**
 * Mean and Student's interval over seeds. It tells how much training itself varies; for one run that cannot be known,
 * and its interval is of the test images alone.
 */
export function seedMean(tests: readonly (Accuracy | undefined)[]): SeedMean | null {
  const told = tests.filter((test): test is Accuracy => test !== undefined && test.n > 0);
  const [first] = told;
  if (!first) return null;
  const values = told.map(({ correct, n }) => correct / n);
  const value = values.reduce((sum, each) => sum + each, 0) / values.length;
  const seeds = values.length;
  // Of one run nothing is known about its spread; runs that all came out the same do not prove that there is none.
  if (values.every((each) => each === values[0]))
    return { value, low: first.low, high: first.high, seeds, n: first.n };
  const variance = values.reduce((sum, each) => sum + (each - value) ** 2, 0) / (values.length - 1);
  const half = studentQuantile(CERTAIN, values.length - 1) * Math.sqrt(variance / values.length);
  return {
    value,
    low: Math.max(0, value - half),
    high: Math.min(1, value + half),
    seeds,
    n: Math.min(...told.map(({ n }) => n)),
  };
}

function pool(tests: readonly (TestOutcome | undefined)[]): Pooled[] {
  const pooled: Pooled[] = [];
  for (const test of tests)
    test?.perClass.forEach(({ n, correct }, at) => {
      const before = pooled[at] ?? { n: 0, correct: 0 };
      pooled[at] = { n: before.n + n, correct: before.correct + correct };
    });
  return pooled;
}

const archOrder = ['baseline', 'downsampled', 'bounding-box'];
const methodOrder: Method[] = ['normal', 'pgd', 'trades'];
const placeIn = (order: readonly string[], name: string) =>
  order.includes(name) ? order.indexOf(name) : order.length;

/** Rows as in Table 1 of the paper: runs that differ in their seed alone are one row. Newest runs first. */
export function tableOne(runs: readonly ComparedRun[]): TableRow[] {
  const groups = new Map<string, ComparedRun[]>();
  for (const run of runs) {
    if (testsOf(run.result).length === 0) continue;
    const key = `${run.version}\n${run.toldApart}\n${recipeOf(run.spec)}`;
    const others = groups.get(key) ?? [];
    // The same seed gives the same run again: counted twice it would look like certainty.
    if (others.some(({ spec }) => spec.train.seed === run.spec.train.seed)) continue;
    groups.set(key, [...others, run]);
  }
  const rows = [...groups].map(([key, members]): TableRow => {
    const { spec, version, toldApart } = members[0] as ComparedRun;
    const tests = members.map(({ result }) => testsOf(result));
    const of = (attack: string) => tests.map((each) => each.find((test) => test.attack === attack));
    const [clean, pgd, autoattack] = [of('none'), of('pgd'), of('autoattack')];
    const adversarial = autoattack.some(Boolean) ? autoattack : pgd;
    return {
      key,
      version,
      preset: spec.preset,
      arch: spec.model.arch,
      method: methodOf(spec),
      changed: {
        ...(toldApart === 'superclass' ? { classes: 'super-classes' } : {}),
        ...changedSettings(spec),
      },
      runs: members.map((run, at) => ({
        id: run.id,
        name: run.name,
        seed: run.spec.train.seed,
        clean: clean[at] ?? null,
        adversarial: adversarial[at] ?? null,
      })),
      clean: seedMean(clean),
      pgd: seedMean(pgd),
      autoattack: seedMean(autoattack),
      perClass: { clean: pool(clean), adversarial: pool(adversarial) },
    };
  });
  return rows.sort(
    (a, b) =>
      b.version - a.version ||
      (a.preset ?? '').localeCompare(b.preset ?? '') ||
      placeIn(methodOrder, a.method) - placeIn(methodOrder, b.method) ||
      placeIn(archOrder, a.arch) - placeIn(archOrder, b.arch) ||
      a.key.localeCompare(b.key),
  );
}
