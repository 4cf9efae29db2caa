import { imageScores } from '../report/image-scores';
import type { SuiteReport } from '../report/report';
import type { RowTable } from '../report/row-table';
import { sliceReport } from '../report/slice-report';
import { identity } from '../variants/identity';
import { attack } from './attack';
import { background } from './background';
import { corruption } from './corruption';
import { edits } from './edits';
import { fmr } from './fmr';
import { noise, noiseIds } from './noise';
import { saliency } from './saliency';
import { onAll, type Planned, type Setting, type Suite } from './suite';

export { joined, type Planned, type Preset, presets, type Setting, type Suite } from './suite';

/** Every suite there is, in the order of the results page. */
export const suites: readonly Suite[] = [noise, saliency, background, corruption, edits, attack, fmr];

export const suiteIds = [
  'all',
  'noise',
  'saliency',
  'backgrounds',
  'corruptions',
  'edits',
  'attacks',
  'fmr',
] as const;
export type SuiteId = (typeof suiteIds)[number];

export interface Plan {
  variants: Planned[];
  /** Suites that the model or the labels do not allow. */
  left: { suite: string; why: string }[];
  /** Runs of the model for so many images, when nothing is known yet. */
  runs(images: number): number;
}

const chosen = (id: string): readonly Suite[] => suites.filter((suite) => id === 'all' || suite.id === id);

/** What will be asked: said before anything runs. */
export function planSuites(id: string, setting: Setting): Plan {
  const left: Plan['left'] = [];
  const variants = onAll([identity()]);
  for (const suite of chosen(id)) {
    const why = suite.refusal(setting);
    if (why !== null) left.push({ suite: suite.name, why });
    else variants.push(...suite.variants(setting));
  }
  return {
    variants,
    left,
    runs: (images) =>
      variants.reduce((sum, { runs, cells, most }) => sum + runs * cells.length * Math.min(images, most), 0),
  };
}

/** One suite after the other, so that whoever asks can do something else in between. */
export function* reportsOf(id: string, table: RowTable, setting: Setting): Generator<SuiteReport> {
  yield sliceReport(table, setting.seed);
  for (const suite of chosen(id)) if (suite.refusal(setting) === null) yield suite.report(table, setting);
}

/** What the gallery sorts by. */
export const scoresOf = (table: RowTable, { variants }: Plan) =>
  imageScores(table, {
    noise: { ...noiseIds, levels: [] },
    drops: variants.map(({ id }) => id).filter((variant) => variant !== 'identity' && variant !== 'saliency'),
  });
