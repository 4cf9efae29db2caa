import { mean } from 'd3-array';
import { bootstrapMean } from '../metrics/estimate';
import type { Finding, Plot, SuiteReport } from '../report/report';
import type { RowTable, Subject } from '../report/row-table';
import { alignment } from '../saliency/alignment';
import { type Looking, TILES } from '../saliency/look';
import type { Variant } from '../types';
import { ONE_CELL } from '../variants/samples';
import { onAll, type Setting, type Suite } from './suite';

/** Where the model looks for the class it sees, against the object. */
const looked = (runs: number): Variant => ({
  id: 'saliency',
  version: 3,
  says: 'Where the model looks, against the object.',
  paradigm: 'transformation',
  needs: ['object mask'],
  parameters: { target: 'predicted' },
  cells: ONE_CELL,
  runs,
  async apply({ picture, object }, _cell, _chance, around) {
    if (!object) return { invalid: 'mask-missing' };
    if (!around.saliency) return { invalid: 'not-finite' };
    const [logits] = await around.query([picture]);
    const predicted = (logits as Float32Array).indexOf(Math.max(...(logits as Float32Array)));
    const { map, by } = await around.saliency(picture, predicted);
    const { isEmpty, ...found } = alignment(map, object);
    if (found.iou === null) return { invalid: 'mask-empty' };
    return { picture, extra: { ...found, by, isEmpty: Number(isEmpty) } };
  },
});

/** Hiding tiles asks once for each of them. */
const runsOf = ({ looking }: Setting['offers']): number => (looking === 'occlusion' ? 1 + TILES ** 2 : 1);

export const saliency: Suite = {
  id: 'saliency',
  name: 'Where the model looks',
  says: 'Class maps, or what tiles of the picture matter, against the masks that people drew: IoU, difference of densities, precision, recall.',
  refusal: () => null,
  variants: ({ offers }) => onAll([looked(runsOf(offers))]),
  report: (table, { seed }) => saliencyReport(table, seed),
};

const measures = {
  iou: [
    'Saliency on the object: IoU',
    'Where the map is at least half of its greatest value, against the mask.',
  ],
  delta: [
    'Saliency on the object minus beside it',
    'Mean on the object minus mean beside it. Below 0: the model looks elsewhere.',
  ],
  averagePrecision: ['Average precision of saliency', 'As a detector of the object, pixel by pixel.'],
  precision: [
    'Share of saliency on the object',
    'To be read beside the share of the picture that objects cover.',
  ],
  lift: [
    'Saliency on the object against chance',
    'Share on the object divided by the object’s share of the picture: 1 is chance.',
  ],
  recall: [
    'Share of the object that is looked at',
    'Under the pixels that hold three quarters of the saliency. Small objects have it easy.',
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

/** Whether the model looks at the object: RIVAL10's five measures, and the lift over chance. */
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
          ? 'IoU of what the model looks at with the object.'
          : 'IoU of what the model looks at with the object. The last bar is how well people agree on the same masks.',
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
              name: 'People on the object: IoU',
              says: 'Mean IoU of two people’s drawings of the same object: what saliency cannot be asked to surpass.',
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
        ? [`Of ${empty} images the saliency is zero everywhere: they count as looked at nowhere.`]
        : []),
    ],
  };
}

/** How well two people's drawings of an object agree: no map can be asked to lie better on one of them. */
const ceilingOf = ({ subjects }: RowTable, seed: number) =>
  bootstrapMean(
    subjects.map(({ drawnIou }) => drawnIou ?? null),
    { seed },
  );

function plainMean(table: RowTable, subjects: readonly Subject[], measure: SaliencyMeasure): number | null {
  const values = subjects.flatMap(({ id }) => measuredIn(table, id, measure) ?? []);
  return mean(values) ?? null;
}

/** Maps that were made in different ways cannot be held against each other: how these were is said. */
function waysOf(table: RowTable): string[] {
  const counts = new Map<string, number>();
  for (const { id } of table.subjects) {
    const by = table.one('saliency', id)?.extra.by;
    if (typeof by === 'string') counts.set(by, (counts.get(by) ?? 0) + 1);
  }
  return [...counts].map(
    ([by, count]) =>
      `Where the model looks was read off ${waysWords[by as Looking] ?? by} for ${count} ${count === 1 ? 'image' : 'images'}.`,
  );
}

const waysWords: Record<Looking, string> = {
  head: 'the weights of its last layer (CAM)',
  gradient: 'its gradient (Grad-CAM)',
  tail: 'small changes of its last map (Grad-CAM by differences)',
  sensitivity: 'its gradient, tile by tile, because it has no map of at least 7 × 7 cells,',
  occlusion: 'what hiding a tile costs (occlusion)',
};
