import { imageScores } from '../report/image-scores';
import { labelQualityReport } from '../report/label-quality';
import type { SuiteReport } from '../report/report';
import type { RowTable } from '../report/row-table';
import { sliceReport } from '../report/slice-report';
import { identity } from '../variants/basic';
import { attack } from './attack';
import { attributes } from './attributes';
import { background } from './background';
import { corruption } from './corruption';
import { edits } from './edits';
import { fmr } from './fmr';
import { nodes } from './nodes';
import { noise, noisePairs } from './noise';
import { saliency } from './saliency';
import { onAllImages, type Planned, type Setting, type Suite } from './suite';

export { joinReports, type Planned, type Preset, presets, type Setting, type Suite } from './suite';

/** Every suite there is, in the order of the results page. */
export const suites: readonly Suite[] = [
  noise,
  saliency,
  background,
  corruption,
  edits,
  attributes,
  nodes,
  attack,
  fmr,
];

export const suiteIds = [
  'all',
  'noise',
  'saliency',
  'backgrounds',
  'corruptions',
  'edits',
  'attributes',
  'nodes',
  'attacks',
  'fmr',
] as const;
export type SuiteId = (typeof suiteIds)[number];

export interface Plan {
  variants: Planned[];
  /** Suites that the model or the labels do not support. */
  left: { suite: string; why: string }[];
  /** Model runs for a number of images without stored rows. */
  runs(images: number): number;
}

const chosen = (id: string): readonly Suite[] => suites.filter((suite) => id === 'all' || suite.id === id);

/** Plans the variants of a suite before anything runs. */
export function planSuites(id: string, setting: Setting): Plan {
  const left: Plan['left'] = [];
  const variants = onAllImages([identity()]);
  for (const suite of chosen(id)) {
    const why = suite.refusal(setting);
    if (why !== null) left.push({ suite: suite.name, why });
    // Variants shared by suites run once.
    else
      for (const variant of suite.variants(setting))
        if (!variants.some(({ id: known }) => known === variant.id)) variants.push(variant);
  }
  return {
    variants,
    left,
    runs: (images) =>
      variants.reduce(
        (sum, { runs, cells, maxImages }) => sum + runs * cells.length * Math.min(images, maxImages),
        0,
      ),
  };
}

/**
 * Everything that has to be equal for two evaluations to be comparable: the suites with their versions, and the variants
 * with their versions, parameters, cells and image limits. It does not depend on what a model offers, so that models with
 * and without a gradient share a leaderboard; for that, the variants of both cases are listed.
 */
export function describePlan(id: string, setting: Setting): unknown {
  const variantsFor = (gradient: boolean) =>
    planSuites(id, { ...setting, offers: { ...setting.offers, gradient, features: true } }).variants.map(
      ({ id: variant, version, parameters, cells, maxImages }) => [
        variant,
        version,
        Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)),
        cells,
        maxImages,
      ],
    );
  return {
    suites: chosen(id).map((suite) => [suite.id, suite.version]),
    variants: [variantsFor(true), variantsFor(false)],
  };
}

/** Yields one report at a time, so that the caller can yield to the event loop. */
export function* reportsOf(id: string, table: RowTable, setting: Setting): Generator<SuiteReport> {
  yield sliceReport(table, setting.seed);
  yield labelQualityReport(table, setting.seed);
  for (const suite of chosen(id)) if (suite.refusal(setting) === null) yield suite.report(table, setting);
}

/** Variants without a meaningful drop: unchanged pictures or pictures of other images. */
const WITHOUT_FALL = new Set(['identity', 'saliency', 'nodes', 'attribute.insert']);

/** Scores of each image for the gallery. */
export const scoresOf = (table: RowTable, { variants }: Plan) =>
  imageScores(table, {
    noise: noisePairs,
    drops: variants.map(({ id }) => id).filter((variant) => !WITHOUT_FALL.has(variant)),
  });
