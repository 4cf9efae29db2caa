import { type CueRow, shapeBias, worstEditAccuracy } from '../metrics/benchmark-scores';
import { bootstrapPooled } from '../metrics/estimates';
import type { Plot, SuiteReport } from '../report/report';
import { estimateShare, measureAccuracy, type RowTable, type Subject } from '../report/row-table';
import type { Row } from '../types';
import { backgroundEdit } from '../variants/backgrounds';
import { directionEdit, flipEdit, pasteBack, positionEdit, positionGrid, sizeEdit } from '../variants/edits';
import { edges, filledSilhouette, grayscale, silhouette } from '../variants/shape';
import { editReport } from './edit-report';
import { joinReports, onAllImages, type Suite } from './suite';

export const edits: Suite = {
  id: 'edits',
  version: 1,
  name: 'Edited objects',
  description: 'Object position, rotation and size, simpler and busier backgrounds, shape against texture.',
  refusal: () => null,
  variants: ({ preset }) =>
    onAllImages([
      pasteBack(),
      backgroundEdit('simpler'),
      backgroundEdit('other'),
      ...(preset === 'paper' ? [backgroundEdit('richer'), backgroundEdit('same')] : []),
      sizeEdit(preset === 'paper' ? undefined : [0.1, 0.05]),
      positionEdit(preset === 'paper' ? 3 : 1),
      positionGrid(),
      directionEdit(preset === 'paper' ? undefined : [-45, 45]),
      ...(preset === 'paper' ? [flipEdit()] : []),
      silhouette(),
      filledSilhouette(),
      grayscale(),
      edges(),
    ]),
  report: (table, { seed }) =>
    joinReports([editReport(table, seed), editStanding(table, seed), shapeReport(table)]),
};

const EDITS = [
  'edit.background.simpler',
  'edit.background.richer',
  'edit.background.same',
  'edit.background.other',
  'edit.size',
  'edit.position',
  'edit.direction',
  'edit.flip',
];

/** The object is as it was: a control, and no edit. */
const isEdit = ({ variant, level }: Row): boolean => variant !== 'edit.direction' || level !== 0;

/** What stands under every edit that is possible, and how often an answer stays what it was, right or wrong. */
export function editStanding(table: RowTable, seed: number): SuiteReport {
  const of = table.subjects.length;
  const rows = (subject: Subject) =>
    EDITS.flatMap((variant) => table.of(variant, subject.id))
      .filter(isEdit)
      .flatMap(({ predicted }) => {
        const clean = table.one('identity', subject.id);
        return clean
          ? [
              {
                sample: subject.id,
                truth: subject.classIndex,
                clean: clean.predicted,
                edited: predicted,
              },
            ]
          : [];
      });
  const edited = table.subjects.map(rows);
  const worst = worstEditAccuracy(edited);
  return {
    findings: [
      {
        ...estimateShare(worst ? Math.round(worst.value * worst.n) : 0, worst?.n ?? 0, of),
        id: 'edit-worst',
        name: 'Worst-case edit accuracy',
        says: 'Share of images that stay correct under every applicable edit.',
        unit: 'share',
      },
      {
        ...bootstrapPooled(
          edited.map((own) => own.map(({ clean, edited: answers }) => Number(clean === answers))),
          { seed },
        ),
        id: 'edit-consistency',
        name: 'Prediction consistency under edits',
        says: 'Share of edited images with the same prediction as the clean image, right or wrong.',
        unit: 'share',
      },
    ],
    lines: [],
    plots: [],
    skipped: [],
    notes: [],
  };
}

/** Shape or texture: objects filled with the texture of another class, and silhouettes. */
export function shapeReport(table: RowTable): SuiteReport {
  const nameOf = (index: unknown) => (typeof index === 'number' ? (table.classes[index] ?? '?') : '?');
  const rows = table.subjects.flatMap(({ id, className }) =>
    table.of('shape.texture', id).map(({ predicted, extra }) => ({
      shape: className,
      texture: nameOf(extra.textureClass),
      decision: nameOf(predicted),
    })),
  );
  const found = shapeBias(rows);
  const stimuli = (
    [
      ['shape.silhouette', 'silhouettes'],
      ['shape.grayscale', 'gray pictures'],
      ['shape.edges', 'edges'],
    ] as const
  ).filter(([variant]) => table.has(variant));
  return {
    findings: [
      {
        ...estimateShare(found.shape, found.shape + found.texture, found.conflicts),
        id: 'shape-bias',
        name: 'Shape bias',
        says: `Shape decisions among shape and texture decisions (${found.shape} and ${found.texture} of ${found.conflicts} images). Unreliable with few decisions.`,
        unit: 'share',
      },
    ],
    lines: stimuli.map(([variant, name]) => ({
      ...measureAccuracy(table, variant, table.subjects),
      paradigm: 'transformation',
      group: 'Shape and texture',
      name,
      filter: { variant, sort: `drop ${variant}` },
    })),
    plots: found.conflicts === 0 ? [] : [biasByClass(rows, table.classes)],
    skipped: [],
    notes: [],
  };
}

/** By the class of the shape. */
const biasByClass = (rows: readonly CueRow[], classes: readonly string[]): Plot => ({
  id: 'shape-bias',
  title: 'Shape bias by class',
  says: 'Shape decisions among shape and texture decisions, with 95 % intervals. Unreliable with few decisions.',
  kind: 'bars',
  y: 'share of decisions for the shape',
  bars: classes.flatMap((name) => {
    const { conflicts, shape, texture } = shapeBias(rows.filter((row) => row.shape === name));
    const { value, low, high } = estimateShare(shape, shape + texture, conflicts);
    return conflicts === 0
      ? []
      : [{ name, value, low, high, filter: { className: name, variant: 'shape.texture', isRight: false } }];
  }),
});
