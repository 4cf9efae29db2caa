import { bootstrap } from '../metrics/bootstrap';
import { rfs } from '../metrics/rfs';
import { countImages, macroAccuracy } from './accuracy';
import type { ReportLine, SuiteReport } from './report';
import type { RowTable, Subject } from './row-table';

export interface MaskedCorruption {
  id: string;
  /** Ids of the variants that corrupt the object only, and all beside it only. */
  object: string;
  background: string;
}

/** Every corruption in the object only and beside it only: noise is not the only damage that tells where a model looks. */
export function maskedCorruptionReport(
  table: RowTable,
  types: readonly MaskedCorruption[],
  severities: readonly number[],
  seed: number,
): SuiteReport {
  const of = table.subjects.length;
  const both = (chosen: readonly MaskedCorruption[]) =>
    table.subjects.filter(({ id }) =>
      chosen.some(({ object, background }) => table.of(object, id).length && table.of(background, id).length),
    );
  const measured = (chosen: readonly MaskedCorruption[]) => {
    const subjects = both(chosen);
    const accuracy = {
      object: accuracyOf(table, subjects, (type) => type.object, chosen),
      background: accuracyOf(table, subjects, (type) => type.background, chosen),
    };
    const sensitivity = (times?: ArrayLike<number>) => {
      const [inside, beside] = [accuracy.object(times), accuracy.background(times)];
      return inside === null || beside === null ? null : rfs(inside, beside);
    };
    return { n: subjects.length, accuracy, sensitivity };
  };
  const all = measured(types);
  const estimate = (found: typeof all, statistic: (times?: ArrayLike<number>) => number | null) =>
    bootstrap(found.n, statistic, { seed, of });
  const each = types.map((type) => ({ type, found: measured([type]) }));
  const shown = each.filter(({ found }) => found.n > 0);
  return {
    findings: [
      {
        ...estimate(all, all.sensitivity),
        id: 'corruption-rfs',
        name: 'Foreground sensitivity under corruptions',
        says: `Above 0 the model relies on the object, below 0 on the background. Of accuracies averaged over ${types.length} kinds and severities ${severities.join(', ')}; every class counts the same.`,
        unit: 'number',
      },
      {
        ...estimate(all, all.accuracy.object),
        id: 'corruption-object',
        name: 'Accuracy with the object corrupted',
        says: 'All beside it stays as it is. Every class counts the same.',
        unit: 'share',
      },
      {
        ...estimate(all, all.accuracy.background),
        id: 'corruption-background',
        name: 'Accuracy with the background corrupted',
        says: 'The object stays as it is. Every class counts the same.',
        unit: 'share',
      },
    ],
    lines: shown.map(
      ({ type, found }): ReportLine => ({
        ...estimate(found, found.sensitivity),
        paradigm: 'transformation',
        group: 'Corruption of the object against that of the background: foreground sensitivity',
        name: type.id,
        filter: { variant: type.background, sort: `drop ${type.background}` },
      }),
    ),
    plots:
      shown.length === 0
        ? []
        : [
            {
              id: 'corruption-regions',
              title: 'Object against background, by corruption',
              says: 'Above the line, damage to the object hurts more: the model looks at the object.',
              kind: 'scatter',
              x: 'accuracy with the object corrupted',
              y: 'accuracy with the background corrupted',
              hasDiagonal: true,
              points: shown.flatMap(({ type, found }) => {
                const [x, y] = [found.accuracy.object(), found.accuracy.background()];
                return x === null || y === null
                  ? []
                  : [
                      {
                        name: type.id,
                        x,
                        y,
                        filter: { variant: type.background, sort: `drop ${type.background}` },
                      },
                    ];
              }),
            },
          ],
    skipped: [],
    notes: [],
  };
}

/** Class by class: counted once, weighted as often as is asked. */
function accuracyOf(
  table: RowTable,
  subjects: readonly Subject[],
  variant: (type: MaskedCorruption) => string,
  types: readonly MaskedCorruption[],
) {
  const counts = countImages(subjects, ({ id }) => types.flatMap((type) => table.of(variant(type), id)));
  return (times?: ArrayLike<number>) => macroAccuracy(counts, table.classes.length, times);
}
