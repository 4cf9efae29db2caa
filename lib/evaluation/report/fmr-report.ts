import { bootstrap } from '../metrics/bootstrap';
import { countFmr, type FmrRow, fmrOf } from '../metrics/fmr';
import type { SuiteReport } from './report';
import type { RowTable } from './row-table';

/** Accuracy on pictures that were driven away from the model as far as an oracle still sees the class. */
export function fmrReport(table: RowTable, variant: string, seed: number): SuiteReport {
  const rows = table.subjects.flatMap((subject) => {
    const clean = table.one('identity', subject.id);
    const row = table.one(variant, subject.id);
    if (!clean || !row) return [];
    const isValidated = row.extra.isValidated === 1;
    const name = (index: number) => table.classes[index] ?? '?';
    const found: FmrRow = {
      truth: subject.className,
      clean: name(clean.predicted),
      isValidated,
      perturbed: isValidated ? name(row.predicted) : null,
    };
    return [found];
  });
  const counts = countFmr(rows);
  const all = fmrOf(counts);
  const drawn = (times: ArrayLike<number>) =>
    fmrOf(countFmr(rows.flatMap((row, i) => Array.from({ length: times[i] as number }, () => row))));
  const headline = bootstrap(rows.length, (times) => drawn(times).fmr, { seed, of: table.subjects.length });
  const plain = (value: number | null, n: number, of: number) => ({ value, low: null, high: null, n, of });
  return {
    findings: [
      {
        ...headline,
        id: 'fmr',
        name: 'Foundation-model-oriented robustness',
        says: 'Accuracy on the perturbed pictures divided by accuracy on the clean ones. 1: nothing lost.',
        unit: 'share',
      },
      {
        ...plain(all.vr, counts.images, table.subjects.length),
        id: 'fmr-validation-rate',
        name: 'Validation rate',
        says: 'Share of images whose first perturbation the oracle still recognised.',
        unit: 'share',
      },
      {
        ...plain(all.fmrMatched, counts.validated, table.subjects.length),
        id: 'fmr-matched',
        name: 'The same on validated images only',
        says: 'Above and below the line the same images: not moved by which ones the oracle recognised.',
        unit: 'share',
      },
    ],
    lines: table.classes.flatMap((name) => {
      const own = rows.filter(({ truth }) => truth === name);
      if (own.length === 0) return [];
      return [
        {
          ...plain(fmrOf(countFmr(own)).fmr, own.filter(({ isValidated }) => isValidated).length, own.length),
          paradigm: 'attack' as const,
          group: 'Foundation-model-oriented robustness',
          name,
          filter: { className: name },
        },
      ];
    }),
    plots: [],
    skipped: [],
    notes: [],
  };
}
