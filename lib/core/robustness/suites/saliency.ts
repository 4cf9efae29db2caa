import { mean } from 'd3-array';
import { bootstrapMean } from '../metrics/estimates';
import type { Finding, Plot, SuiteReport } from '../report/report';
import type { RowTable, Subject } from '../report/row-table';
import { alignment } from '../saliency/alignment';
import { type SaliencyMethod, TILES } from '../saliency/compute-saliency';
import type { Variant } from '../types';
import { SINGLE_CELL } from '../variants/samples';
import { onAllImages, type Setting, type Suite } from './suite';

/** Saliency of the predicted class compared with the object mask. */
const saliencyVariant = (runs: number): Variant => ({
  id: 'saliency',
  version: 3,
  description: 'Saliency alignment.',
  paradigm: 'transformation',
  needs: ['object mask'],
  parameters: { target: 'predicted' },
  cells: SINGLE_CELL,
  runs,
  async apply({ picture, object }, _cell, _chance, context) {
    if (!object) return { invalid: 'mask-missing' };
    if (!context.saliency) return { invalid: 'not-finite' };
    const [logits] = await context.query([picture]);
    const predicted = (logits as Float32Array).indexOf(Math.max(...(logits as Float32Array)));
    const { map, by } = await context.saliency(picture, predicted);
    const { isEmpty, ...found } = alignment(map, object);
    if (found.iou === null) return { invalid: 'mask-empty' };
    return { picture, extra: { ...found, by, isEmpty: Number(isEmpty) } };
  },
});

/** Occlusion needs one run per tile. */
const runsOf = ({ looking }: Setting['offers']): number => (looking === 'occlusion' ? 1 + TILES ** 2 : 1);

export const saliency: Suite = {
  id: 'saliency',
  version: 1,
  name: 'Saliency alignment',
  description: 'Saliency maps compared with object masks: IoU, density difference, precision, recall.',
  refusal: () => null,
  variants: ({ offers }) => onAllImages([saliencyVariant(runsOf(offers))]),
  report: (table, { seed }) => saliencyReport(table, seed),
};

const measures = {
  iou: ['Saliency IoU', 'Map thresholded at half of its maximum, compared with the object mask.'],
  delta: [
    'Saliency difference (object minus background)',
    'Mean saliency on the object minus mean saliency on the background. Below 0: the background is more salient.',
  ],
  averagePrecision: ['Saliency average precision', 'The map as a pixel-wise detector of the object.'],
  precision: [
    'Saliency precision',
    'Share of saliency on the object. Compare with the area share of the object.',
  ],
  lift: ['Saliency lift', 'Saliency precision divided by the area share of the object: 1 is chance level.'],
  recall: [
    'Saliency recall',
    'Share of the object covered by the pixels with 75 % of the saliency. Favours small objects.',
  ],
} as const;

type SaliencyMeasure = keyof typeof measures;

const measuredIn = (table: RowTable, id: string, measure: SaliencyMeasure): number | null => {
  const value = table.one('saliency', id)?.extra[measure];
  return typeof value === 'number' ? value : null;
};

/** Of measures whose names are no words. */
const words: Readonly<Record<string, string>> = {
  iou: 'IoU',
  delta: 'difference',
  averagePrecision: 'average precision',
};

/** Saliency alignment: the five measures of RIVAL10 and the lift. */
export function saliencyReport(table: RowTable, seed: number): SuiteReport {
  const ceiling = ceilingOf(table, seed);
  const meanOf = (measure: SaliencyMeasure, subjects: readonly Subject[]) =>
    bootstrapMean(
      subjects.map(({ id }) => measuredIn(table, id, measure)),
      { seed },
    );
  const findings: Finding[] = Object.entries(measures).map(([measure, [name, says]]) => ({
    ...meanOf(measure as SaliencyMeasure, table.subjects),
    id: `saliency-${measure}`,
    name,
    says,
    unit: measure === 'lift' || measure === 'delta' ? 'number' : 'share',
  }));
  const classes = table.classes.filter((name) => table.subjects.some(({ className }) => className === name));
  const bars = classes.map((name) => {
    const { value, low, high } = meanOf(
      'iou',
      table.subjects.filter(({ className }) => className === name),
    );
    return { name, value, low, high, filter: { className: name, sort: 'saliency iou' } };
  });
  const plots: Plot[] = [
    {
      id: 'saliency-iou',
      title: 'Saliency on the object, by class',
      says:
        ceiling.value === null
          ? 'IoU of saliency and object mask.'
          : 'IoU of saliency and object mask. The last bar is the agreement between workers.',
      kind: 'bars',
      y: 'IoU',
      bars: [
        ...bars,
        ...(ceiling.value === null
          ? []
          : [{ name: 'people', value: ceiling.value, low: ceiling.low, high: ceiling.high }]),
      ],
    },
    {
      id: 'saliency-measures',
      title: 'Measures by class',
      says: 'Means over the images of a class.',
      kind: 'heat',
      rows: classes,
      columns: Object.keys(measures).map((measure) => words[measure] ?? measure),
      unit: 'number',
      values: classes.map((name) => {
        const own = table.subjects.filter(({ className }) => className === name);
        return Object.keys(measures).map((measure) => plainMean(table, own, measure as SaliencyMeasure));
      }),
      filters: classes.map((name) =>
        Object.keys(measures).map((measure) => ({ className: name, sort: `saliency ${measure}` })),
      ),
    },
  ];
  const empty = table.subjects.filter(({ id }) => table.one('saliency', id)?.extra.isEmpty === 1).length;
  return {
    findings: [
      ...findings,
      ...(ceiling.value === null
        ? []
        : [
            {
              ...ceiling,
              id: 'human-ceiling',
              name: 'Human ceiling: IoU',
              says: 'Mean IoU between two workers’ masks of the same object.',
              unit: 'share' as const,
            },
          ]),
    ],
    plots,
    lines: [],
    skipped: [],
    notes: [
      ...waysOf(table),
      ...(empty > 0
        ? [
            `${empty === 1 ? '1 image has' : `${empty} images have`} an all-zero saliency map and ${empty === 1 ? 'counts' : 'count'} as 0.`,
          ]
        : []),
    ],
  };
}

/** Human ceiling: mean IoU between two workers' masks. */
const ceilingOf = ({ subjects }: RowTable, seed: number) =>
  bootstrapMean(
    subjects.map(({ drawnIou }) => drawnIou ?? null),
    { seed },
  );

function plainMean(table: RowTable, subjects: readonly Subject[], measure: SaliencyMeasure): number | null {
  const values = subjects.flatMap(({ id }) => measuredIn(table, id, measure) ?? []);
  return mean(values) ?? null;
}

/** Notes the saliency methods, because maps of different methods are not comparable. */
function waysOf(table: RowTable): string[] {
  const counts = new Map<string, number>();
  for (const { id } of table.subjects) {
    const by = table.one('saliency', id)?.extra.by;
    if (typeof by === 'string') counts.set(by, (counts.get(by) ?? 0) + 1);
  }
  return [...counts].map(
    ([by, count]) =>
      `Saliency method for ${count} ${count === 1 ? 'image' : 'images'}: ${waysWords[by as SaliencyMethod] ?? by}.`,
  );
}

const waysWords: Record<SaliencyMethod, string> = {
  head: 'CAM from the weights of the last layer',
  gradient: 'Grad-CAM',
  tail: 'Grad-CAM by finite differences of the last feature map',
  sensitivity: 'input gradient by tile (the model has no feature map of at least 7 × 7 cells)',
  occlusion: 'occlusion by tile',
};
