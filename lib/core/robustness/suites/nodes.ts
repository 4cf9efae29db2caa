import { mean } from 'd3-array';
import { bootstrapPooled } from '../metrics/estimates';
import {
  type NodeOverlaps,
  type NodeRow,
  type NodeSample,
  nodeTable,
  TOP_IMAGES,
  unpackNumbers,
  unpackShares,
} from '../metrics/nodes';
import { createRng } from '../random';
import type { ReportLine, SuiteReport } from '../report/report';
import type { RowTable, Subject } from '../report/row-table';
import type { Row } from '../types';
import { nodeMaps } from '../variants/nodes';
import type { Suite } from './suite';

/** Every node is compared with every mask of an image. */
const QUICK_IMAGES = 300;
const PAPER_IMAGES = 1000;

export const nodes: Suite = {
  id: 'nodes',
  version: 1,
  name: 'Attribute nodes',
  description: 'Channels of the last feature map compared with attribute masks.',
  refusal({ offers, attributes }) {
    if (!offers.features)
      return 'The model exposes no feature map. Set featureTensor in its contract, or train a model here.';
    return attributes.length > 0
      ? null
      : 'The schema has no localised attributes. Annotate some and freeze a version.';
  },
  variants: ({ preset, attributes }) => [
    { ...nodeMaps(attributes), maxImages: preset === 'paper' ? PAPER_IMAGES : QUICK_IMAGES },
  ],
  report: (table, { attributes, seed }) => nodeReport(table, attributes, seed),
};

/** Nodes that a note names. */
const NAMED = 6;

/** Selects the node for each attribute and measures it on held-out images. */
export function nodeReport(table: RowTable, attributes: readonly string[], seed: number): SuiteReport {
  const read = table.subjects.flatMap((subject) => {
    const row = table.one('nodes', subject.id);
    return row ? [{ subject, row }] : [];
  });
  const samples = samplesOf(read, seed);
  const overlaps = overlapsOf(read.map(({ row }) => row));
  const classes = table.classes.filter((name) => samples.some(({ className }) => className === name));
  const rows = classes.flatMap((name) => nodeTable(samples, attributes, name, overlaps));
  const anywhere = nodeTable(samples, attributes, null, overlaps);
  const of = table.subjects.length;
  const measured = (
    list: readonly NodeRow[],
    measure: (each: NodeRow['tested'][number]) => number | null,
  ) => {
    const byImage = new Map<string, number[]>();
    for (const { tested } of list)
      for (const each of tested) {
        const value = measure(each);
        if (value !== null) byImage.set(each.id, [...(byImage.get(each.id) ?? []), value]);
      }
    // In the order of the images, so that all models share resamples.
    return bootstrapPooled(
      table.subjects.map(({ id }) => byImage.get(id) ?? []),
      { seed, of },
    );
  };
  const iouOf = (list: readonly NodeRow[]) => measured(list, ({ own }) => own);
  const gainOf = (list: readonly NodeRow[]) =>
    measured(list, ({ own, others }) => (others === null ? null : own - others));
  const ofAttribute = (attribute: string) => rows.filter((row) => row.attribute === attribute);
  const seen = attributes.filter((attribute) => ofAttribute(attribute).some(({ node }) => node !== null));
  const lines: ReportLine[] = seen.map((attribute) => ({
    ...iouOf(ofAttribute(attribute)),
    paradigm: 'evaluation set',
    group: 'Nodes that stand for an attribute within a class: IoU',
    name: attribute,
    filter: { attribute },
  }));
  const free = anywhere
    .filter(({ node }) => node !== null)
    .map(
      (row): ReportLine => ({
        ...iouOf([row]),
        paradigm: 'evaluation set',
        group: 'The node that stands for an attribute in all classes: IoU',
        name: `${row.attribute}: node ${row.node}`,
        filter: { attribute: row.attribute },
      }),
    );
  const filters = seen.map((attribute) => classes.map((name) => ({ className: name, attribute })));
  const at = (name: string, attribute: string) =>
    rows.find((row) => row.className === name && row.attribute === attribute);
  return {
    findings: [
      {
        ...iouOf(rows),
        id: 'node-iou',
        name: 'Nodes that stand for attributes: IoU',
        says: 'Of the node that lies best on an attribute in the images of a class, on other images of the class. Biased by no choice, but position alone gives some of it.',
        unit: 'number',
      },
      {
        ...gainOf(rows),
        id: 'node-gain',
        name: 'Nodes that stand for attributes: beyond position',
        says: 'The same minus the IoU with where other images of the class have the attribute. Above 0 the node follows the attribute; at 0 it only knows where it usually is.',
        unit: 'number',
      },
    ],
    lines: [...lines, ...free],
    plots:
      seen.length === 0
        ? []
        : [
            {
              id: 'node-iou',
              title: 'Nodes that stand for attributes, by class',
              says: `IoU on images that had no say in the choice; the node is the best of all on the ${TOP_IMAGES} images that it answers to most. Empty where fewer than five of them have the attribute.`,
              kind: 'heat',
              rows: seen,
              columns: classes,
              unit: 'share',
              values: seen.map((attribute) =>
                classes.map((name) => mean(at(name, attribute)?.tested.map(({ own }) => own) ?? []) ?? null),
              ),
              filters,
            },
            {
              id: 'node-choice',
              title: 'What the choice of a node promises, and what it keeps',
              says: 'IoU on the images it was chosen by, on others, and on others with masks of yet others: the best of very many nodes always looks good where it was chosen.',
              kind: 'heat',
              rows: seen,
              columns: ['chosen by', 'on others', 'masks of others'],
              unit: 'share',
              values: seen.map((attribute) => {
                const own = ofAttribute(attribute);
                const tested = own.flatMap((row) => row.tested);
                return [
                  mean(own.flatMap(({ chosenBy }) => chosenBy ?? [])) ?? null,
                  mean(tested.map((each) => each.own)) ?? null,
                  mean(tested.flatMap((each) => each.others ?? [])) ?? null,
                ];
              }),
              filters: seen.map((attribute) => Array.from({ length: 3 }, () => ({ attribute }))),
            },
            {
              id: 'node-auc',
              title: 'Attributes identified by one node',
              says: 'Chance that the node answers more to an image of the class with the attribute than to one without: 50 % is guessing.',
              kind: 'heat',
              rows: seen,
              columns: classes,
              unit: 'share',
              values: seen.map((attribute) => classes.map((name) => at(name, attribute)?.auc ?? null)),
              filters,
            },
          ],
    skipped: [],
    notes: notesOf(rows, seen, samples),
  };
}

/**
 * Where there are both, nodes are chosen on the split `train` and measured on `test`; else on every other image of a
 * class, in random order.
 */
function samplesOf(read: readonly { subject: Subject; row: Row }[], seed: number): NodeSample[] {
  const hasBoth = ['train', 'test'].every((split) => read.some(({ subject }) => subject.split === split));
  const rng = ({ id }: Subject) => createRng(`tessera|${seed}|nodes|${id}`).unit();
  const order = new Map<string, number>();
  const ranked = read
    .map(({ subject }) => ({ subject, at: rng(subject) }))
    .sort((a, b) => a.at - b.at || (a.subject.id < b.subject.id ? -1 : 1));
  const counts = new Map<number, number>();
  for (const { subject } of ranked) {
    const rank = counts.get(subject.classIndex) ?? 0;
    counts.set(subject.classIndex, rank + 1);
    order.set(subject.id, rank);
  }
  return read.flatMap(({ subject, row }): NodeSample[] => {
    const { id, className, attributes, split } = subject;
    if (hasBoth && split !== 'train' && split !== 'test') return [];
    const part = hasBoth ? (split as 'train' | 'test') : (order.get(id) as number) % 2 ? 'test' : 'train';
    const activations = unpackNumbers(String(row.extra.activations));
    return [{ id, className, attributes, part, activations }];
  });
}

function overlapsOf(rows: readonly Row[]): NodeOverlaps {
  const byImage = new Map(rows.map(({ sample, extra }) => [sample, extra]));
  const unpacked = new Map<string, Float32Array>();
  const read = (image: string, key: string): Float32Array | null => {
    const text = byImage.get(image)?.[key];
    if (typeof text !== 'string') return null;
    const known = unpacked.get(`${image} ${key}`) ?? unpackShares(text);
    unpacked.set(`${image} ${key}`, known);
    return known;
  };
  return {
    own: (image, node, attribute) => read(image, `own ${attribute}`)?.[node] ?? null,
    others: (image, node, attribute) => read(image, `others ${attribute}`)?.[node] ?? null,
  };
}

function notesOf(
  rows: readonly NodeRow[],
  seen: readonly string[],
  samples: readonly NodeSample[],
): string[] {
  if (seen.length === 0)
    return [
      `No node can be named: of the images that a node answers to most, at least five must have a drawn attribute. ${samples.length} images were read; ask about more of them, or have more attributes drawn.`,
    ];
  const short = [
    ...new Set(rows.filter(({ chosenOn }) => chosenOn < TOP_IMAGES).map(({ className }) => className)),
  ];
  const best = rows
    .flatMap((row) => {
      const iou = mean(row.tested.map(({ own }) => own));
      return iou === undefined ? [] : [{ ...row, iou }];
    })
    .sort((a, b) => b.iou - a.iou)
    .slice(0, NAMED)
    .map(
      ({ attribute, className, node, iou, tested }) =>
        `node ${node} for ${attribute} of ${className} (IoU ${iou.toFixed(2)}, n ${tested.length})`,
    );
  return [
    ...(best.length > 0 ? [`Nodes that lie best on their attribute: ${best.join(', ')}.`] : []),
    ...(short.length > 0
      ? [
          `Of ${short.join(', ')} there are fewer than ${TOP_IMAGES} images to choose a node by: all were used.`,
        ]
      : []),
  ];
}
