import Link from 'next/link';
import { Badge } from '@/app/_ui/badge';
import { BarChart, LineChart, Scatter } from '@/app/_ui/charts';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { maximumSeries } from '@/lib/core/charts';
import { formatNumber, formatPercent } from '@/lib/core/format';
import type { LabelCurves, LabelKind, RunComparison } from '@/lib/services/training/report/compare-runs';
import type { SeedMean, TableRow } from '@/lib/services/training/report/table-one';
import { Accuracy } from '../run-table';
import { archName, overWords, rowName } from '../run-words';

const Mean = ({ of }: { of: SeedMean | null }) => <Accuracy of={of} over={of ? overWords(of) : undefined} />;

/** A sweep: its combinations by validation, and which is the best so far. */
export function StudyPanel({ study, path }: { study: RunComparison['studies'][number]; path: string }) {
  const tried = Object.keys(study.rows[0]?.tried ?? {});
  return (
    <Panel
      title={`Sweep of ${study.name}`}
      description={`Version ${study.version}. ${study.finished} of ${study.runs} runs are over. The best is chosen by ${
        study.isAdversarial ? 'adversarial' : 'clean'
      } accuracy on validation images, averaged over seeds. The test split is only used to estimate the final accuracy.`}
      flush
    >
      <SmallTable
        caption={`Combinations of ${study.name}`}
        rows={study.rows}
        rowKey={({ key }) => key}
        empty={null}
        columns={[
          ...tried.map((setting) => ({
            key: setting,
            title: setting,
            numeric: true,
            cell: (row: (typeof study.rows)[number]) => row.tried[setting],
          })),
          {
            key: 'best',
            title: 'Verdict',
            untitled: true,
            cell: ({ isBest }) => isBest && <Badge tone="good">best</Badge>,
          },
          {
            key: 'validation',
            title: 'Validation, 95 %',
            numeric: true,
            cell: ({ validation }) => <Mean of={validation} />,
          },
          {
            key: 'clean',
            title: 'Clean test, 95 %',
            numeric: true,
            cell: ({ clean }) => <Mean of={clean} />,
          },
          {
            key: 'adversarial',
            title: 'Attacked test, 95 %',
            numeric: true,
            cell: ({ adversarial }) => <Mean of={adversarial} />,
          },
          {
            key: 'runs',
            title: 'Runs by seed',
            cell: ({ runs }) => <SeedLinks runs={runs} path={path} />,
          },
        ]}
      />
    </Panel>
  );
}

const kindNames: Record<LabelKind, string> = { mask: 'masks', box: 'boxes', centroid: 'centroids' };

interface Props {
  curves: LabelCurves;
  /** Spent on drawing the training images; null where nobody drew them here. */
  minutes: number | null;
  path: string;
}

/** What part labels are worth: accuracy by their number and kind, and the time that people spent on them. */
export function LabelPanel({ curves, minutes, path }: Props) {
  const rows = curves.kinds.flatMap(({ labels, points }) => points.map((point) => ({ labels, ...point })));
  return (
    <Panel
      title={`What labels are worth: ${rowName(curves)}${curves.preset ? `, ${curves.preset}` : ''}`}
      description={`Version ${curves.version}. Runs that differ in their part labels only; a smaller share is part of each larger one. Boxes and centroids are made from the masks, so that their own time is not known.`}
      flush
    >
      <div className="grid gap-6 p-4 xl:grid-cols-2">
        <Curve curves={curves} of="clean" title="Clean accuracy by labelled images" path={path} />
        <Curve curves={curves} of="adversarial" title="Adversarial accuracy by labelled images" path={path} />
      </div>
      <SmallTable
        caption="Accuracy by labels"
        rows={rows}
        rowKey={({ labels, fraction }) => `${labels} ${fraction}`}
        empty={null}
        columns={[
          { key: 'kind', title: 'Part labels', cell: ({ labels }) => kindNames[labels] },
          {
            key: 'fraction',
            title: 'Labelled images',
            numeric: true,
            cell: ({ fraction }) => formatPercent(fraction, 0),
          },
          {
            key: 'minutes',
            title: 'Drawing, minutes',
            numeric: true,
            cell: ({ labels, fraction }) =>
              labels === 'mask' && minutes !== null ? formatNumber(minutes * fraction, 0) : '–',
          },
          {
            key: 'clean',
            title: 'Clean test, 95 %',
            numeric: true,
            cell: ({ clean }) => <Accuracy of={clean} over={clean ? overWords(clean) : undefined} />,
          },
          {
            key: 'adversarial',
            title: 'Attacked test, 95 %',
            numeric: true,
            cell: ({ adversarial }) => (
              <Accuracy of={adversarial} over={adversarial ? overWords(adversarial) : undefined} />
            ),
          },
          {
            key: 'runs',
            title: 'Runs by seed',
            cell: ({ runs }) => <SeedLinks runs={runs} path={path} />,
          },
        ]}
      />
    </Panel>
  );
}

interface CurveProps {
  curves: LabelCurves;
  of: 'clean' | 'adversarial';
  title: string;
  path: string;
}

function Curve({ curves, of, title, path }: CurveProps) {
  const series = curves.kinds
    .map(({ labels, points }) => ({
      name: kindNames[labels],
      points: points.flatMap(({ fraction, runs, ...point }) => {
        const mean = point[of];
        const [first] = runs;
        return mean && first
          ? [{ x: fraction, y: mean.value, low: mean.low, high: mean.high, href: `${path}/${first.id}` }]
          : [];
      }),
    }))
    .filter(({ points }) => points.length > 0);
  if (series.length === 0) return null;
  return (
    <LineChart
      title={title}
      note="Means over seeds with their interval; a point leads to its first run."
      x={{ title: 'Share of training images with part labels', format: (value) => formatPercent(value, 0) }}
      y={{ title: 'accuracy', domain: [0, 1], format: (value) => formatPercent(value, 0) }}
      series={series}
    />
  );
}

/** More bars than this are read in the table. */
const MAX_ROWS = 16;

/** The rows of the table as bars, by their number there. */
export function MeanBars({ rows }: { rows: TableRow[] }) {
  const shown = rows.slice(0, MAX_ROWS);
  const series = (name: string, pick: (row: TableRow) => SeedMean | null) => ({
    name,
    values: shown.map((row) => pick(row)?.value ?? null),
    intervals: shown.map((row) => {
      const mean = pick(row);
      return mean ? ([mean.low, mean.high] as const) : null;
    }),
  });
  return (
    <Panel title="Means">
      <BarChart
        title="Mean accuracy"
        note={`Lines are 95 % intervals: over seeds, or over test images where there is one seed.${
          rows.length > MAX_ROWS ? ` The first ${MAX_ROWS} rows of the table.` : ''
        }`}
        categories={shown.map((row, at) => `${at + 1} ${rowName(row)}`)}
        domain={[0, 1]}
        format={(value) => formatPercent(value, 0)}
        width={560}
        series={[
          series('Clean', ({ clean }) => clean),
          series('Adversarial', ({ autoattack, pgd }) => autoattack ?? pgd),
        ]}
      />
    </Panel>
  );
}

/** Every run as a point: what it gives up of clean accuracy for standing up to attacks. */
export function TradeOff({ rows, path }: { rows: TableRow[]; path: string }) {
  const archs = [...new Set(rows.map(({ arch }) => arch))].slice(0, maximumSeries);
  const series = archs
    .map((arch) => ({
      name: archName(arch),
      points: rows
        .filter((row) => row.arch === arch)
        .flatMap((row) =>
          row.runs.flatMap(({ id, seed, clean, adversarial }) =>
            clean?.accuracy == null || adversarial?.accuracy == null
              ? []
              : [
                  {
                    x: clean.accuracy,
                    y: adversarial.accuracy,
                    label: `${rowName(row)}, seed ${seed}`,
                    href: `${path}/${id}`,
                  },
                ],
          ),
        ),
    }))
    .filter(({ points }) => points.length > 0);
  if (series.length === 0) return null;
  return (
    <Panel title="Trade-off">
      <Scatter
        title="Clean against adversarial accuracy"
        note="A point is a run and leads to it; adversarial is AutoAttack, or PGD where it did not run."
        x={{ title: 'Clean accuracy', domain: [0, 1], format: (value) => formatPercent(value, 0) }}
        y={{ title: 'Adversarial accuracy', domain: [0, 1], format: (value) => formatPercent(value, 0) }}
        series={series}
        width={560}
        height={380}
      />
    </Panel>
  );
}

interface SeedLinksProps {
  runs: readonly { id: string; seed: number }[];
  path: string;
}

const SeedLinks = ({ runs, path }: SeedLinksProps) => (
  <span className="flex flex-wrap gap-x-0.5">
    {runs.map(({ id, seed }) => (
      <Link
        key={id}
        href={`${path}/${id}`}
        className="min-w-6 text-center underline underline-offset-2 tabular-nums"
      >
        {seed}
      </Link>
    ))}
  </span>
);
