import { z } from 'zod';
import { studentQuantile } from '@/lib/core/quality/distributions';
import { wilson } from '@/lib/core/quality/interval';
import { type Accuracy, testsOf } from '@/lib/services/training/report/curves-of';
import { type SeedMean, seedMean } from '@/lib/services/training/report/table-one';
import type { Cell } from './plan';

export interface Finished {
  cell: Cell;
  seed: number;
  seconds: number;
  verdict: object;
  /** Of the test images with the cue in place. */
  inPlace: { n: number; correct: number } | null;
}

const names: Record<string, string> = {
  baseline: 'Baseline',
  downsampled: 'Downsampled',
  'bounding-box': 'Bounding-Box',
};
const methods: Record<string, string> = { normal: 'normal', pgd: 'PGD' };

const percent = (value: number) => (100 * value).toFixed(1);
const interval = (low: number, high: number) => `${percent(low)} to ${percent(high)}`;
const shown = (mean: SeedMean | null) =>
  mean ? [percent(mean.value), interval(mean.low, mean.high)] : ['–', '–'];

const table = (head: string[], rows: string[][]): string =>
  [head, head.map((_, at) => (at < 2 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

const testOf = ({ verdict }: Finished, attack: string): Accuracy | undefined =>
  testsOf(verdict).find((test) => test.attack === attack);

function accuracyOf({ n, correct }: { n: number; correct: number }): Accuracy {
  const { low, high } = wilson(correct, n) ?? { low: 0, high: 1 };
  return { n, correct, accuracy: correct / n, low, high };
}

/** Mean and Student's interval of differences within the same run; none of fewer than two. */
function meanDifference(values: readonly number[]): [mean: string, interval: string] {
  if (values.length === 0) return ['–', '–'];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length === 1) return [percent(mean), '–'];
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const half = studentQuantile(0.975, values.length - 1) * Math.sqrt(variance / values.length);
  return [percent(mean), interval(mean - half, mean + half)];
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

const without = ({ partLabels }: Cell) => (partLabels ? 'with' : 'without');

function accuracyRows(runs: readonly Finished[], label: (cell: Cell) => string[]): string[][] {
  const groups = grouped(runs, ({ cell }) => JSON.stringify(cell));
  return [...groups.values()].map((members) => {
    const { cell } = members[0] as Finished;
    const of = (attack: string) => shown(seedMean(members.map((run) => testOf(run, attack))));
    return [...label(cell), ...of('none'), ...of('pgd'), ...of('apgd-ce'), String(members.length)];
  });
}

const attackHead = ['clean, %', '95 %', 'PGD, %', '95 %', 'APGD-CE, %', '95 %', 'seeds'];

/** Only runs that are over; means over seeds with Student's interval, in percent. */
export function studyTables(runs: readonly Finished[]): string {
  const likely = runs.filter(({ cell }) => cell.setting === 'likely');
  const cue = [
    ...grouped(
      runs.filter(({ cell }) => cell.setting === 'cue'),
      ({ cell }) => cell.arch,
    ),
  ];
  const labels = ({ arch, method }: Cell) => [names[arch] ?? arch, methods[method] ?? method];
  return [
    '### Clean and adversarial accuracy',
    '',
    table(
      ['model', 'training', ...attackHead],
      accuracyRows(
        likely.filter(({ cell }) => cell.partLabels),
        labels,
      ),
    ),
    '',
    '### Downsampled with and without part labels',
    '',
    table(
      ['part labels', 'training', ...attackHead],
      accuracyRows(
        likely.filter(({ cell }) => cell.arch === 'downsampled'),
        (cell) => [without(cell), methods[cell.method] ?? cell.method],
      ),
    ),
    '',
    '### A background that names the class in training',
    '',
    table(
      [
        'model',
        'training',
        'cue in place, %',
        '95 %',
        'cue shuffled, %',
        '95 %',
        'lost, points',
        '95 %',
        'seeds',
      ],
      cue.map(([arch, members]) => {
        const placed = members
          .map(({ inPlace }) => inPlace && accuracyOf(inPlace))
          .filter((each) => each !== null);
        const shuffled = members.map((run) => testOf(run, 'none'));
        const lost = members.flatMap((run) => {
          const test = testOf(run, 'none');
          return run.inPlace && test ? [run.inPlace.correct / run.inPlace.n - test.correct / test.n] : [];
        });
        return [
          names[arch] ?? arch,
          'normal',
          ...shown(seedMean(placed)),
          ...shown(seedMean(shuffled)),
          ...meanDifference(lost),
          String(members.length),
        ];
      }),
    ),
  ].join('\n');
}

/** What the tables rest on, run by run. */
export const studyRecord = (runs: readonly Finished[]) =>
  runs.map((run) => ({
    ...run.cell,
    seed: run.seed,
    seconds: Math.round(run.seconds),
    tests: testsOf(run.verdict).map(({ attack, n, correct }) => ({ attack, n, correct })),
    ...(run.inPlace ? { inPlace: run.inPlace } : {}),
    ...masksOf(run),
  }));

const Masks = z.object({
  metrics: z.object({
    tests: z.tuple(
      [z.object({ pixels: z.object({ accuracy: z.number() }), iou: z.array(z.number().nullable()) })],
      z.unknown(),
    ),
  }),
});

/** How well the parts of clean test images were found: pixels that are right, and the mean overlap of the parts. */
function masksOf({ verdict }: Finished): { pixels?: number; iou?: number } {
  const { data } = Masks.safeParse(verdict);
  if (!data) return {};
  const [{ pixels, iou }] = data.metrics.tests;
  // The first value is background.
  const parts = iou.slice(1).filter((each) => each !== null);
  const round = (value: number) => Number(value.toFixed(4));
  return {
    pixels: round(pixels.accuracy),
    iou: round(parts.reduce((sum, each) => sum + each, 0) / parts.length),
  };
}
