import { type CueRow, shapeBias } from '../metrics/shape-bias';
import { accuracyIn, shareOf } from './accuracy';
import type { Plot, SuiteReport } from './report';
import type { RowTable } from './row-table';

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
        ...shareOf(found.shape, found.shape + found.texture, found.conflicts),
        id: 'shape-bias',
        name: 'Shape bias',
        says: `Decisions for the shape among those for shape or texture (${found.shape} and ${found.texture} of ${found.conflicts}). Over few decisions it is noise.`,
        unit: 'share',
      },
    ],
    lines: stimuli.map(([variant, name]) => ({
      ...accuracyIn(table, variant, table.subjects),
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
  says: 'Decisions for the shape among those for shape or texture, with 95 % intervals. Over few decisions it is noise.',
  kind: 'bars',
  y: 'share of decisions for the shape',
  bars: classes.flatMap((name) => {
    const { conflicts, shape, texture } = shapeBias(rows.filter((row) => row.shape === name));
    const { value, low, high } = shareOf(shape, shape + texture, conflicts);
    return conflicts === 0
      ? []
      : [{ name, value, low, high, filter: { className: name, variant: 'shape.texture', isRight: false } }];
  }),
});
