import { BarChart, HeatMap, Histogram, LineChart, Scatter } from '@/app/_ui/charts';
import { Panel } from '@/app/_ui/panel';
import { binValues } from '@/lib/charts';
import type { Plot } from '@/lib/evaluation/report/report';
import { formatPercent, formatShort } from '@/lib/format';
import { galleryPath } from './gallery-path';

export function Plots({ plots, path }: { plots: Plot[]; path: string }) {
  if (plots.length === 0) return null;
  return (
    <Panel title="Plots" description="Each can be kept as SVG and as CSV.">
      <div className="grid items-start gap-6 xl:grid-cols-2">
        {plots.map((plot) => (
          <PlotOf key={plot.id} plot={plot} path={path} />
        ))}
      </div>
    </Panel>
  );
}

/** Accuracies are shares: their axes run from 0 to 1 whatever the data. */
const isShare = (name: string) => name.startsWith('accuracy') || name === 'IoU';

function PlotOf({ plot, path }: { plot: Plot; path: string }) {
  const shared = { title: plot.title, note: plot.says };
  switch (plot.kind) {
    case 'lines':
      return (
        <LineChart
          {...shared}
          x={{ title: plot.x }}
          y={{
            title: plot.y,
            ...(isShare(plot.y) ? { domain: [0, 1] as [number, number], format: formatPercent } : {}),
          }}
          series={plot.series.map(({ name, points }) => ({
            name,
            points: points.map(({ x, y, low, high }) => ({
              x,
              y,
              ...(typeof low === 'number' && typeof high === 'number' ? { low, high } : {}),
            })),
          }))}
        />
      );
    case 'bars':
      return (
        <BarChart
          {...shared}
          categories={plot.bars.map(({ name }) => name)}
          series={[
            {
              name: plot.y,
              values: plot.bars.map(({ value }) => value),
              intervals: plot.bars.map(({ low, high }) =>
                low === null || high === null ? null : ([low, high] as const),
              ),
            },
          ]}
          {...(isShare(plot.y) ? { domain: [0, 1] as [number, number], format: formatPercent } : {})}
        />
      );
    case 'heat':
      return (
        <HeatMap
          {...shared}
          rows={plot.rows}
          columns={plot.columns}
          values={plot.values}
          rowTitle=""
          columnTitle=""
          format={
            plot.unit === 'share' ? (value) => formatPercent(value, 0) : (value) => formatShort(value, 2)
          }
          diverging={plot.unit === 'points'}
          {...(plot.unit === 'share' ? { domain: [0, 1] as [number, number] } : {})}
        />
      );
    case 'scatter':
      return (
        <Scatter
          {...shared}
          x={{ title: plot.x, format: formatPercent, domain: [0, 1] }}
          y={{ title: plot.y, format: formatPercent, domain: [0, 1] }}
          series={[
            {
              name: 'classes',
              points: plot.points.map(({ name, x, y, filter }) => ({
                x,
                y,
                label: name,
                ...(filter ? { href: galleryPath(path, filter) } : {}),
              })),
            },
          ]}
        />
      );
    case 'distribution':
      return (
        <Histogram
          {...shared}
          axisTitle={plot.x}
          bins={binValues(
            plot.groups.flatMap(({ values }) => values),
            { domain: [-1, 1], count: 20 },
          )}
          mark={{ at: 0, label: 'both alike' }}
        />
      );
  }
}
