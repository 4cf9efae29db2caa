import { Histogram, Scatter } from '@/app/_ui/charts';
import { Panel } from '@/app/_ui/panel';
import { binValues } from '@/lib/core/charts';
import { formatNumber } from '@/lib/core/format';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import { estimatesOf, type WorkerRow } from '@/lib/services/crowd/overview/list-workers';
import { barsOf } from './worker-columns';

interface Props {
  slug: string;
  workers: WorkerRow[];
  stages: CrowdStage[];
}

const WIDTH = 320;
const HEIGHT = 210;
const show = (value: number) => formatNumber(value, 1);

const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Distributions of worker scores on hidden checks: figure 13 of RIVAL10 (one count per worker), the same for masks, and
 * precision against recall. Exams have their own page.
 */
export function CrowdCharts({ slug, workers, stages }: Props) {
  const rated = workers.map((row) => ({ row, ...estimatesOf(row) }));
  const precision = rated.flatMap((each) => each.precision?.value ?? []);
  const recall = rated.flatMap((each) => each.recall?.value ?? []);
  const iou = workers.flatMap((row) => row.meanIou ?? []);
  const bars = barsOf(stages);
  const histograms = [
    { title: 'Precision', values: precision, bar: bars.precision },
    { title: 'Recall', values: recall, bar: bars.recall },
    { title: 'Mean IoU', values: iou, bar: bars.mask },
  ].filter(({ values }) => values.length > 0);
  if (histograms.length === 0) return null;
  const means = histograms
    .map(
      ({ title, values }) =>
        `${title.toLowerCase().replace('iou', 'IoU')} ${formatNumber(meanOf(values), 2)}`,
    )
    .join(', ');
  return (
    <Panel
      title="Score distribution"
      description={`One count per worker, from hidden checks. The dashed line is the bar of the exam. Averages: ${means}.`}
    >
      <div className="grid gap-6 sm:grid-cols-2 min-[100rem]:grid-cols-4">
        {histograms.map(({ title, values, bar }) => (
          <Histogram
            key={title}
            title={title}
            note={`n = ${formatNumber(values.length)}`}
            bins={binValues(values, { count: 20, domain: [0, 1] })}
            axisTitle={title}
            format={show}
            mark={bar === undefined ? undefined : { at: bar, label: `bar ${formatNumber(bar, 2)}` }}
            width={WIDTH}
            height={HEIGHT}
          />
        ))}
        {precision.length > 0 && (
          <Scatter
            title="Precision and recall"
            note={`n = ${formatNumber(precision.length)}`}
            x={{ title: 'Precision', domain: [0, 1], format: show }}
            y={{ title: 'Recall', domain: [0, 1], format: show }}
            bar={
              bars.precision === undefined || bars.recall === undefined
                ? undefined
                : { x: bars.precision, y: bars.recall }
            }
            series={[
              {
                name: 'Workers',
                points: rated.flatMap(({ row, precision: p, recall: r }) =>
                  p && r
                    ? [
                        {
                          x: p.value,
                          y: r.value,
                          label: row.name,
                          href: `/projects/${slug}/crowd/${row.id}`,
                        },
                      ]
                    : [],
                ),
              },
            ]}
            width={WIDTH}
            height={HEIGHT}
          />
        )}
      </div>
    </Panel>
  );
}
