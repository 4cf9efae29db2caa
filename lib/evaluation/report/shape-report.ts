import { shapeBias } from '../metrics/shape-bias';
import { accuracyIn, shareOf } from './accuracy';
import type { SuiteReport } from './report';
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
      filter: { sort: `drop ${variant}` },
    })),
    plots: [],
    skipped: [],
    notes: [],
  };
}
