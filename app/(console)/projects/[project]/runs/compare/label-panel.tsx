import Link from 'next/link';
import { LineChart } from '@/app/_ui/charts';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber, formatPercent } from '@/lib/core/format';
import type { LabelCurves, LabelKind } from '@/lib/services/training/report/compare-runs';
import { Accuracy } from '../accuracy';
import { overWords, rowName } from './row-words';

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
            cell: ({ runs }) => (
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
            ),
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
