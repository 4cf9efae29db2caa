import { BarChart, HeatMap, Histogram, LineChart, Scatter } from '@/app/_ui/charts';
import { Panel } from '@/app/_ui/panel';
import { binValues } from '@/lib/core/charts';
import { formatNumber, formatPercent, formatShort } from '@/lib/core/format';
import type { GalleryFilter, Plot } from '@/lib/core/robustness/report/report';
import { galleryPath } from './gallery-query';

/** Plots that are displayed first, in this order. */
const standard = [
  'noise-scatter',
  'noise-curves',
  'rfs-curve',
  'irfs-distribution',
  'attribute-models',
  'attribute-ablation',
  'corruptions',
  'attack-curve',
];

interface Props {
  plots: Plot[];
  path: string;
  /** Points of comparable evaluations for the model scatter plot. */
  models: readonly ModelPoint[];
}

export function Plots({ plots, path, models }: Props) {
  if (plots.length === 0) return null;
  const first = standard.flatMap((id) => plots.find((plot) => plot.id === id) ?? []);
  const further = plots.filter(({ id }) => !standard.includes(id));
  return (
    <>
      {first.length > 0 && <PlotPanel title="Main plots" plots={first} path={path} models={models} />}
      {further.length > 0 && <PlotPanel title="More plots" plots={further} path={path} models={models} />}
    </>
  );
}

const PlotPanel = ({ title, ...props }: Props & { title: string }) => (
  <Panel
    title={title}
    description="Click a point, bar or cell to see its images. Download any plot as SVG or CSV."
  >
    <div className="grid items-start gap-6 xl:grid-cols-2 2xl:grid-cols-3">
      {props.plots.map((plot) => (
        <PlotFigure key={plot.id} plot={plot} path={props.path} models={props.models} />
      ))}
    </div>
  </Panel>
);

interface ModelPoint {
  name: string;
  href: string;
  x: number;
  y: number;
}

/** Axes of shares always run from 0 to 1. */
const isShare = (name: string) => /^(accuracy|share)/.test(name) || name === 'IoU';

const shareAxis = { domain: [0, 1] as [number, number], format: (value: number) => formatPercent(value) };

/** Lines of equal foreground sensitivity. */
const sensitivities = [-0.5, 0, 0.5].map((rfs) => ({
  name: rfs === 0 ? 'RFS 0' : `RFS ${formatShort(rfs)}`,
  points: [
    [0, 0],
    [0.5 - rfs / 2, 0.5 + rfs / 2],
    [1, 1],
  ] as const,
}));

const SCATTERED = 'noise-scatter';

interface PlotOfProps {
  plot: Plot;
  path: string;
  models: readonly ModelPoint[];
}

/** Renders a plot whose marks link to the gallery. */
function PlotFigure({ plot, path, models }: PlotOfProps) {
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

type Distribution = Extract<Plot, { kind: 'distribution' }>;

const [FINE, COARSE] = [20, 8];
const domain: [number, number] = [-1, 1];

/** Histogram of all images and per class; bars and cells link to the gallery. */
function DistributionPlot({ plot, path }: { plot: Distribution; path: string }) {
  const { title, says, groups, score, x } = plot;
  const bins = binValues(
    groups.flatMap(({ values }) => values),
    { domain, count: FINE },
  );
  const spanOf = ({ from, to }: { from: number; to: number }) =>
    score
      ? {
          ...{ score, from, sort: score },
          // The last bin includes its upper bound.
          ...(to < domain[1] ? { to } : {}),
        }
      : null;
  const rows = groups.map(({ name, values }) => ({
    name,
    bins: binValues(values, { domain, count: COARSE }),
  }));
  const known = rows.filter(({ bins: own }) => own.some(({ count }) => count > 0));
  return (
    <div className="grid gap-6">
      <Histogram
        title={title}
        note={says}
        axisTitle={x}
        bins={bins}
        hrefs={bins.map((bin) => {
          const span = spanOf(bin);
          return span && galleryPath(path, span);
        })}
        mark={{ at: 0, label: 'equal sensitivity' }}
      />
      {known.length > 1 && (
        <HeatMap
          title={`${title}, by class`}
          note="Share of the images of each class in each interval."
          rows={known.map(({ name }) => name)}
          columns={(known[0]?.bins ?? []).map(
            ({ from, to }) => `${formatShort(from, 2)} to ${formatShort(to, 2)}`,
          )}
          values={known.map(({ bins: own }) => {
            const n = own.reduce((sum, { count }) => sum + count, 0);
            return own.map(({ count }) => count / n);
          })}
          hrefs={known.map(({ name, bins: own }) =>
            own.map((bin) => {
              const span = spanOf(bin);
              return span && bin.count > 0 ? galleryPath(path, { className: name, ...span }) : null;
            }),
          )}
          rowTitle="class"
          columnTitle={x}
          domain={[0, 1]}
          format={(value) => formatPercent(value, 0)}
        />
      )}
    </div>
  );
}
