import { bootstrapMean } from '../metrics/bootstrap';
import { accuracyIn, isRight } from './accuracy';
import type { Finding, Plot, SuiteReport } from './report';
import type { RowTable } from './row-table';

const regions = [
  {
    id: 'gray-background',
    variant: 'gray.background',
    name: 'Accuracy on gray backgrounds',
    fall: 'Accuracy lost on gray backgrounds',
    says: 'All but the object is gray. High: the object is enough. Every image counts the same.',
  },
  {
    id: 'gray-object',
    variant: 'gray.object',
    name: 'Accuracy on gray objects',
    fall: 'Accuracy lost on gray objects',
    says: 'The object is gray. High: the background gives the class away. Every image counts the same.',
  },
] as const;

/** How much accuracy a gray background, or a gray object, costs. */
export function grayReport(table: RowTable, seed: number): SuiteReport {
  const findings = regions
    .filter(({ variant }) => table.has(variant))
    .flatMap(({ id, variant, name, says, fall }): Finding[] => [
      { ...accuracyIn(table, variant, table.subjects), id, name, says, unit: 'share' },
      {
        ...bootstrapMean(
          table.subjects.map((subject) => {
            const [clean, gray] = [table.one('identity', subject.id), table.one(variant, subject.id)];
            return clean && gray ? Number(isRight(clean, subject)) - Number(isRight(gray, subject)) : null;
          }),
          { seed },
        ),
        id: `${id}-fall`,
        name: fall,
        says: 'Accuracy on the clean pictures minus that on the gray ones, of the same images. Every image counts the same.',
        unit: 'points',
      },
    ]);
  return {
    findings,
    plots: [attributePlot(table)].filter((plot) => plot !== null),
    lines: [],
    skipped: [],
    notes: [],
  };
}

/** What graying an attribute costs, in points, over the images that have it. */
function attributePlot(table: RowTable): Plot | null {
  const attributes = [
    ...new Set(
      table.subjects.flatMap(({ id }) => table.of('gray.attribute', id).map(({ level }) => String(level))),
    ),
  ].sort();
  if (attributes.length === 0) return null;
  const columns = [...table.classes, 'all'];
  return {
    id: 'attribute-ablation',
    title: 'What graying an attribute costs',
    says: 'Fall of accuracy where the attribute is drawn, in points. Attributes of the whole object are left out.',
    kind: 'heat',
    rows: attributes,
    columns,
    unit: 'points',
    values: attributes.map((attribute) =>
      columns.map((column) => {
        let [before, after, n] = [0, 0, 0];
        for (const subject of table.subjects) {
          if (column !== 'all' && subject.className !== column) continue;
          const row = table.of('gray.attribute', subject.id).find(({ level }) => level === attribute);
          const clean = table.one('identity', subject.id);
          if (!row || !clean) continue;
          n += 1;
          if (isRight(clean, subject)) before += 1;
          if (isRight(row, subject)) after += 1;
        }
        return n === 0 ? null : (100 * (before - after)) / n;
      }),
    ),
  };
}
