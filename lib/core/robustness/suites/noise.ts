import { bootstrapMean, bootstrapPooled } from '../metrics/estimates';
import type { Finding, SuiteReport } from '../report/report';
import { isCorrect, measureAccuracy, type RowTable } from '../report/row-table';
import { grayAttributes, grayRegion } from '../variants/basic';
import { LENGTHS, noisePair, SIGMAS } from '../variants/noise';
import { LENGTH, noiseReport } from './noise-report';
import { joinReports, onAllImages, type Setting, type Suite } from './suite';

const QUICK = [1, 3, 5];

const levelsOf = ({ preset }: Setting, levels: readonly number[]) =>
  preset === 'paper' ? levels : levels.filter((_, i) => QUICK.includes(i));

const noiseIds = { object: 'noise.object.linf', background: 'noise.background.linf' } as const;
const lengthIds = { object: 'noise.object.l2', background: 'noise.background.l2' } as const;

/** Variant pairs of the per-image sensitivity scores, for both norms. */
export const noisePairs = {
  irfs: { ...noiseIds, levels: [] },
  'irfs-l2': { ...lengthIds, levels: [] },
};

export const noise: Suite = {
  id: 'noise',
  version: 1,
  name: 'Noise and graying',
  description: 'RIVAL10: noise in the object or the background, gray backgrounds, gray attributes.',
  refusal: () => null,
  variants(setting) {
    const trials = setting.preset === 'paper' ? 10 : 2;
    return onAllImages([
      ...noisePair({ norm: 'linf', levels: levelsOf(setting, SIGMAS), trials }),
      // The second norm only confirms the first: one trial suffices.
      ...noisePair({
        norm: 'l2',
        levels: levelsOf(setting, LENGTHS),
        trials: setting.preset === 'paper' ? trials : 1,
      }),
      grayRegion('background'),
      grayRegion('object'),
      ...(setting.attributes.length > 0 ? [grayAttributes(setting.attributes)] : []),
    ]);
  },
  report: (table, setting) =>
    joinReports([
      noiseReport(table, { ...noiseIds, levels: levelsOf(setting, SIGMAS) }, setting.seed),
      noiseReport(table, { ...lengthIds, levels: levelsOf(setting, LENGTHS) }, setting.seed, LENGTH),
      grayReport(table, setting.seed),
      ablationReport(table, setting.seed),
    ]),
};

const regions = [
  {
    id: 'gray-background',
    variant: 'gray.background',
    name: 'Accuracy on gray backgrounds',
    fall: 'Accuracy drop on gray backgrounds',
    says: 'The background is gray. High values: the object alone is sufficient.',
  },
  {
    id: 'gray-object',
    variant: 'gray.object',
    name: 'Accuracy on gray objects',
    fall: 'Accuracy drop on gray objects',
    says: 'The object is gray. High values: the background reveals the class.',
  },
] as const;

/** How much accuracy a gray background, or a gray object, costs. */
export function grayReport(table: RowTable, seed: number): SuiteReport {
  const findings = regions
    .filter(({ variant }) => table.has(variant))
    .flatMap(({ id, variant, name, says, fall }): Finding[] => [
      { ...measureAccuracy(table, variant, table.subjects), id, name, says, unit: 'share' },
      {
        ...bootstrapMean(
          table.subjects.map((subject) => {
            const [clean, gray] = [table.one('identity', subject.id), table.one(variant, subject.id)];
            return clean && gray
              ? Number(isCorrect(clean, subject)) - Number(isCorrect(gray, subject))
              : null;
          }),
          { seed },
        ),
        id: `${id}-fall`,
        name: fall,
        says: 'Clean accuracy minus accuracy on the gray images, paired by image.',
        unit: 'points',
      },
    ]);
  return { findings, plots: [], lines: [], skipped: [], notes: [] };
}

const GRAYED = 'gray.attribute';

/** The lines of it in a report. */
export const ABLATED = 'Attribute gray: accuracy lost';

/** Accuracy drop from graying each attribute, on images where it is drawn and not the whole object. */
export function ablationReport(table: RowTable, seed: number): SuiteReport {
  const costs = table.subjects.map((subject) => {
    const clean = table.one('identity', subject.id);
    return table.of(GRAYED, subject.id).flatMap((row) =>
      clean
        ? [
            {
              attribute: String(row.level),
              className: subject.className,
              fall: Number(isCorrect(clean, subject)) - Number(isCorrect(row, subject)),
              lost: clean.pTrue - row.pTrue,
            },
          ]
        : [],
    );
  });
  const attributes = [...new Set(costs.flat().map(({ attribute }) => attribute))].sort();
  if (attributes.length === 0) return { findings: [], lines: [], plots: [], skipped: [], notes: [] };
  const present = table.classes.filter((name) => costs.flat().some(({ className }) => className === name));
  const meanFall = (attribute: string | null, name: string | null): number | null => {
    const own = costs
      .flat()
      .filter(
        (each) =>
          (attribute === null || each.attribute === attribute) && (name === null || each.className === name),
      );
    return own.length === 0 ? null : (100 * own.reduce((sum, { fall }) => sum + fall, 0)) / own.length;
  };
  const estimate = (measure: 'fall' | 'lost', attribute?: string) =>
    bootstrapPooled(
      costs.map((own) =>
        own
          .filter((each) => attribute === undefined || each.attribute === attribute)
          .map((each) => each[measure]),
      ),
      { seed },
    );
  return {
    findings: [
      {
        ...estimate('fall'),
        id: 'attribute-ablation',
        name: 'Accuracy drop from graying an attribute',
        says: 'Over all attributes that are drawn and are not the whole object. Every grayed attribute counts the same.',
        unit: 'points',
      },
      {
        ...estimate('lost'),
        id: 'attribute-ablation-probability',
        name: 'Probability drop from graying an attribute',
        says: 'Of the true class: moves before the answer does. Every grayed attribute counts the same.',
        unit: 'points',
      },
    ],
    lines: attributes.map((attribute) => ({
      ...estimate('fall', attribute),
      paradigm: 'transformation',
      group: ABLATED,
      name: attribute,
      filter: { variant: GRAYED, level: attribute, sort: `drop ${GRAYED}` },
    })),
    plots: [
      {
        id: 'attribute-ablation',
        title: 'Accuracy drop from graying an attribute',
        says: 'Accuracy drop in points on images with the attribute. Whole-object attributes are excluded.',
        kind: 'heat',
        rows: [...attributes, 'all'],
        columns: [...present, 'all'],
        unit: 'points',
        values: [...attributes, null].map((attribute) =>
          [...present, null].map((name) => meanFall(attribute, name)),
        ),
        filters: [...attributes, undefined].map((attribute) =>
          [...present, undefined].map((name) => ({
            ...{ variant: GRAYED, isRight: false },
            ...(attribute === undefined ? {} : { level: attribute }),
            ...(name === undefined ? {} : { className: name }),
          })),
        ),
      },
    ],
    skipped: [],
    notes: [],
  };
}
