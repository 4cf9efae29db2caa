import { BarChart, HeatMap, LineChart, Scatter } from '@/app/_ui/charts';
import { formatNumber, formatPercent, formatShort } from '@/lib/core/format';
import type { GalleryFilter, Plot } from '@/lib/core/robustness/report/report';
import { DistributionPlot } from './distribution-plot';
import { galleryPath } from './gallery-path';

export interface ModelPoint {
  name: string;
  href: string;
  x: number;
  y: number;
}

/** Accuracies are shares: their axes run from 0 to 1 whatever the data. */
const isShare = (name: string) => /^(accuracy|share)/.test(name) || name === 'IoU';

const shareAxis = { domain: [0, 1] as [number, number], format: (value: number) => formatPercent(value) };

/** Where foreground sensitivity is the same: from all wrong over the middle to all right. */
const sensitivities = [-0.5, 0, 0.5].map((rfs) => ({
  name: rfs === 0 ? 'RFS 0' : `RFS ${formatShort(rfs)}`,
  points: [
    [0, 0],
    [0.5 - rfs / 2, 0.5 + rfs / 2],
    [1, 1],
  ] as const,
}));

const SCATTERED = 'noise-scatter';

interface Props {
  plot: Plot;
  path: string;
  models: readonly ModelPoint[];
}

/** A plot of a report as a drawing whose marks lead to their images. */
export function PlotOf({ plot, path, models }: Props) {
  const shared = { title: plot.title, note: plot.says };
  const to = (filter: GalleryFilter | null | undefined) => (filter ? galleryPath(path, filter) : null);
  switch (plot.kind) {
    case 'lines':
      return (
        <LineChart
          {...shared}
          x={{ title: plot.x }}
          y={{ title: plot.y, ...(isShare(plot.y) ? shareAxis : {}) }}
          series={plot.series.map(({ name, points }) => ({
            name,
            points: points.map(({ x, y, low, high, filter }) => ({
              x,
              y,
              ...(typeof low === 'number' && typeof high === 'number' ? { low, high } : {}),
              ...(filter ? { href: galleryPath(path, filter) } : {}),
            })),
          }))}
        />
      );
    case 'bars':
      return (
        <BarChart
          {...shared}
          categories={plot.bars.map(({ name }) => name)}
          hrefs={plot.bars.map(({ filter }) => to(filter))}
          series={[
            {
              name: plot.y,
              values: plot.bars.map(({ value }) => value),
              intervals: plot.bars.map(({ low, high }) =>
                low === null || high === null ? null : ([low, high] as const),
              ),
            },
          ]}
          {...(isShare(plot.y) ? shareAxis : { format: (value: number) => formatNumber(value, 3) })}
        />
      );
    case 'heat':
      return (
        <HeatMap
          {...shared}
          rows={plot.rows}
          columns={plot.columns}
          values={plot.values}
          hrefs={plot.filters?.map((row) => row.map(to))}
          rowTitle=""
          columnTitle=""
          format={
            plot.unit === 'share' ? (value) => formatPercent(value, 0) : (value) => formatShort(value, 2)
          }
          diverging={plot.isDiverging ?? plot.unit === 'points'}
          {...(plot.unit === 'share' && !plot.isDiverging ? { domain: [0, 1] as [number, number] } : {})}
        />
      );
    case 'scatter':
      return (
        <Scatter
          {...shared}
          x={{ title: plot.x, ...shareAxis }}
          y={{ title: plot.y, ...shareAxis }}
          guides={
            plot.id.startsWith(SCATTERED)
              ? sensitivities
              : plot.hasDiagonal
                ? [{ name: '', points: [[0, 0] as const, [1, 1] as const] }]
                : []
          }
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
            ...(plot.id === SCATTERED && models.length > 0
              ? [{ name: 'models', points: models.map(({ name, ...point }) => ({ ...point, label: name })) }]
              : []),
          ]}
        />
      );
    case 'distribution':
      return <DistributionPlot plot={plot} path={path} />;
  }
}
