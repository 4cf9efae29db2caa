import { mean } from 'd3-array';
import { bootstrap } from '../metrics/bootstrap';
import { isRight } from './accuracy';
import type { SuiteReport } from './report';
import type { RowTable } from './row-table';

/** Accuracy in every type and severity; the mean over the cells is the headline. */
export function corruptionReport(
  table: RowTable,
  types: readonly { id: string; variant: string }[],
  severities: readonly number[],
  seed: number,
): SuiteReport {
  const cell = (variant: string, severity: number, times?: ArrayLike<number>): number | null => {
    let [right, n] = [0, 0];
    table.subjects.forEach((subject, i) => {
      const row = table.of(variant, subject.id).find(({ level }) => level === severity);
      if (!row) return;
      const weight = times ? (times[i] as number) : 1;
      n += weight;
      if (isRight(row, subject)) right += weight;
    });
    return n === 0 ? null : right / n;
  };
  const values = types.map(({ variant }) => severities.map((severity) => cell(variant, severity)));
  const right = corruptionMatrix(table, types, severities);
  const headline = bootstrap(
    table.subjects.length,
    (times) => {
      let [sum, n] = [0, 0];
      right.forEach(({ share }, i) => {
        if (share === null) return;
        sum += share * (times[i] as number);
        n += times[i] as number;
      });
      return n === 0 ? null : sum / n;
    },
    { seed },
  );
  return {
    findings: [
      {
        ...headline,
        id: 'corruption-accuracy',
        name: 'Accuracy under common corruptions',
        says: `Mean over ${types.length} kinds and severities ${severities.join(', ')}, applied at the size of the model. Every image counts the same.`,
        unit: 'share',
      },
    ],
    lines: types.map(({ id, variant }) => {
      const own = severities.map((severity) => cell(variant, severity)).filter((value) => value !== null);
      return {
        paradigm: 'transformation',
        group: 'Common corruptions',
        name: id,
        value: mean(own) ?? null,
        low: null,
        high: null,
        n: table.subjects.length,
        of: table.subjects.length,
        filter: { variant, sort: `drop ${variant}` },
      };
    }),
    plots: [
      {
        id: 'corruptions',
        title: 'Accuracy by corruption and severity',
        says: 'Severity grows to the right.',
        kind: 'heat',
        rows: types.map(({ id }) => id),
        columns: severities.map(String),
        unit: 'share',
        values,
        filters: types.map(({ variant }) =>
          severities.map((severity) => ({ variant, level: String(severity), isRight: false })),
        ),
      },
    ],
    skipped: [],
    notes: [],
  };
}

/** Of each image: in which share of its cells it was right. */
function corruptionMatrix(
  table: RowTable,
  types: readonly { variant: string }[],
  severities: readonly number[],
): { share: number | null }[] {
  return table.subjects.map((subject) => {
    let [right, n] = [0, 0];
    for (const { variant } of types)
      for (const row of table.of(variant, subject.id)) {
        if (!severities.includes(Number(row.level))) continue;
        n += 1;
        if (isRight(row, subject)) right += 1;
      }
    return { share: n === 0 ? null : right / n };
  });
}
