import { bootstrap } from '../metrics/bootstrap';
import { weightedMean } from '../metrics/weighted';
import { accuracyIn, countImages, isRight, macroAccuracy } from './accuracy';
import type { GalleryFilter, ReportLine, SuiteReport } from './report';
import type { RowTable, Subject } from './row-table';

/** Fewer images tell nothing about a group. */
export const ENOUGH = 20;

interface Slice {
  group: string;
  name: string;
  holds(subject: Subject): boolean;
  filter: GalleryFilter;
}

/** Accuracy in the groups that people's labels make: none of them costs a run of the model. */
export function sliceReport(table: RowTable, seed: number): SuiteReport {
  const overall = accuracyIn(table, 'identity', table.subjects);
  const lines: ReportLine[] = slicesOf(table).flatMap(({ group, name, holds, filter }) => {
    const own = table.subjects.filter(holds);
    if (own.length === 0) return [];
    return [
      { ...accuracyIn(table, 'identity', own), paradigm: 'subpopulation' as const, group, name, filter },
    ];
  });
  const seen = table.subjects.filter(({ id }) => table.one('identity', id));
  const counts = countImages(seen, ({ id }) => table.of('identity', id));
  const weighted = weightedMean(
    seen.map((subject) => {
      const row = table.one('identity', subject.id);
      return row && isRight(row, subject) ? 1 : 0;
    }),
    seen.map(({ confidence }) => confidence),
  );
  return {
    findings: [
      {
        ...overall,
        id: 'clean-accuracy',
        name: 'Accuracy',
        says: 'On the pictures as they are. Every image counts the same.',
        unit: 'share',
      },
      {
        ...bootstrap(seen.length, (times) => macroAccuracy(counts, table.classes.length, times), {
          seed,
          of: table.subjects.length,
        }),
        id: 'clean-accuracy-macro',
        name: 'Accuracy, mean of the classes',
        says: 'On the pictures as they are. Every class counts the same, as in foreground sensitivity.',
        unit: 'share',
      },
      {
        value: weighted?.mean ?? null,
        low: null,
        high: null,
        n: Math.round(weighted?.effective ?? 0),
        of: table.subjects.length,
        id: 'weighted-accuracy',
        name: 'Accuracy, by how sure the labels are',
        says: 'Images whose labels are likely wrong count less.',
        unit: 'share',
      },
    ],
    lines,
    plots: [
      {
        id: 'class-accuracy',
        title: 'Accuracy by class',
        says: 'With 95 % intervals.',
        kind: 'bars',
        y: 'accuracy',
        bars: lines
          .filter(({ group }) => group === 'Class')
          .map(({ name, value, low, high }) => ({ name, value, low, high })),
      },
    ],
    skipped: [],
    notes: [],
  };
}

function slicesOf(table: RowTable): Slice[] {
  const attributes = [...new Set(table.subjects.flatMap(({ attributes: own }) => own ?? []))].sort();
  const area = (name: string, from: number, to: number): Slice => ({
    group: 'Size of the object',
    name,
    holds: ({ objectShare }) => objectShare !== null && objectShare >= from && objectShare < to,
    filter: {},
  });
  return [
    ...table.classes.map((name) => ({
      group: 'Class',
      name,
      holds: ({ className }: Subject) => className === name,
      filter: { className: name },
    })),
    ...attributes.map((attribute) => ({
      group: 'Attribute',
      name: attribute,
      holds: ({ attributes: own }: Subject) => own?.includes(attribute) ?? false,
      filter: { attribute },
    })),
    area('below 10 % of the picture', 0, 0.1),
    area('10 to 30 %', 0.1, 0.3),
    area('above 30 %', 0.3, 1.1),
    {
      group: 'Edge of the picture',
      name: 'cut off by the edge',
      holds: ({ touchesEdge, objectShare }) => objectShare !== null && touchesEdge,
      filter: {},
    },
    {
      group: 'Edge of the picture',
      name: 'all in the picture',
      holds: ({ touchesEdge, objectShare }) => objectShare !== null && !touchesEdge,
      filter: {},
    },
    {
      group: 'How sure the labels are',
      name: 'below 90 %',
      holds: ({ confidence }) => confidence < 0.9,
      filter: {},
    },
    {
      group: 'How sure the labels are',
      name: '90 % and above',
      holds: ({ confidence }) => confidence >= 0.9,
      filter: {},
    },
  ];
}
