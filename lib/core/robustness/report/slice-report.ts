import { bootstrap } from '../metrics/bootstrap';
import { accuracyIn, countImages, macroAccuracy } from './accuracy';
import type { ReportLine, SuiteReport } from './report';
import type { RowTable, Subject } from './row-table';
import { slicesOf } from './slices';

/** Fewer images tell nothing about a group. */
export const ENOUGH = 20;

/** Accuracy in the groups that people's labels make: none of them costs a run of the model. */
export function sliceReport(table: RowTable, seed: number): SuiteReport {
  const overall = accuracyIn(table, 'identity', table.subjects);
  const lines: ReportLine[] = slicesOf(table).flatMap(({ group, name, holds, filter }) => {
    const own = table.subjects.filter(holds);
    if (own.length === 0) return [];
    return [
      {
        ...accuracyIn(table, 'identity', own),
        ...{ paradigm: 'subpopulation' as const, group, name, filter },
        ...(group === 'Class' ? {} : { classShares: sharesOf(own, table.classes.length) }),
      },
    ];
  });
  const seen = table.subjects.filter(({ id }) => table.one('identity', id));
  const counts = countImages(seen, ({ id }) => table.of('identity', id));
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
          .map(({ name, value, low, high }) => ({
            ...{ name, value, low, high },
            filter: { className: name, isRight: false },
          })),
      },
    ],
    skipped: [],
    notes: [],
  };
}

/** A group that is of one class mostly says more about that class than about itself. */
const sharesOf = (subjects: readonly Subject[], classes: number): number[] =>
  Array.from(
    { length: classes },
    (_, at) => subjects.filter(({ classIndex }) => classIndex === at).length / subjects.length,
  );
