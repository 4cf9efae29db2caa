import type { JobSpec } from '@/lib/core/training-spec';
import { allSettings, methodOf } from './changed-settings';
import { type ComparedRun, type SeedMean, seedMean } from './table-one';
import { cleanTest, strongestTest, testsOf } from './tests-of';

export type LabelKind = JobSpec['data']['labels'];

/** Runs whose labels were alike, over their seeds. */
export interface LabelPoint {
  /** Share of the training images that kept their part labels. */
  fraction: number;
  clean: SeedMean | null;
  adversarial: SeedMean | null;
  runs: { id: string; seed: number }[];
}

/** Runs that differ in nothing but which part labels they saw. */
export interface LabelCurves {
  key: string;
  version: number;
  versionId: string;
  preset: string | null;
  arch: string;
  method: ReturnType<typeof methodOf>;
  kinds: { labels: LabelKind; points: LabelPoint[] }[];
}

export interface LabelledRun extends ComparedRun {
  versionId: string;
}

const [KIND, FRACTION] = ['data.labels', 'data.labelledFraction'];
const order: LabelKind[] = ['mask', 'box', 'centroid'];

const recipeButLabels = (spec: JobSpec): string =>
  Object.entries(allSettings(spec))
    .filter(([path]) => path !== KIND && path !== FRACTION)
    .map(([path, value]) => `${path}=${value}`)
    .sort()
    .join('\n');

/**
 * What part labels are worth: accuracy by how many of them there are, and by their kind. Only of recipes that were trained
 * with at least two different amounts or kinds; the images that keep their labels are nested, so that points of one curve
 * are comparable.
 */
export function labelCurves(runs: readonly LabelledRun[]): LabelCurves[] {
  const recipes = new Map<string, LabelledRun[]>();
  for (const run of runs) {
    if (testsOf(run.result).length === 0) continue;
    const key = `${run.version}\n${run.toldApart}\n${recipeButLabels(run.spec)}`;
    recipes.set(key, [...(recipes.get(key) ?? []), run]);
  }
  return [...recipes].flatMap(([key, members]) => {
    const { spec, version, versionId } = members[0] as LabelledRun;
    const kinds = order.flatMap((labels) => {
      const points = pointsOf(members.filter((run) => run.spec.data.labels === labels));
      return points.length > 0 ? [{ labels, points }] : [];
    });
    if (kinds.reduce((sum, { points }) => sum + points.length, 0) < 2) return [];
    return [
      {
        key,
        version,
        versionId,
        preset: spec.preset,
        arch: spec.model.arch,
        method: methodOf(spec),
        kinds,
      },
    ];
  });
}

function pointsOf(runs: readonly LabelledRun[]): LabelPoint[] {
  const fractions = [...new Set(runs.map(({ spec }) => spec.data.labelledFraction))].sort((a, b) => a - b);
  return fractions.map((fraction) => {
    const own: LabelledRun[] = [];
    // Newest first: the same seed again says nothing new.
    for (const run of runs) {
      const isKnown = own.some(({ spec }) => spec.train.seed === run.spec.train.seed);
      if (run.spec.data.labelledFraction === fraction && !isKnown) own.push(run);
    }
    const tests = own.map(({ result }) => testsOf(result));
    return {
      fraction,
      clean: seedMean(tests.map(cleanTest)),
      adversarial: seedMean(tests.map(strongestTest)),
      runs: own.map(({ id, spec }) => ({ id, seed: spec.train.seed })).sort((a, b) => a.seed - b.seed),
    };
  });
}
