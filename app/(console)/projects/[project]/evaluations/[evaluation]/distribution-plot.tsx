import { HeatMap, Histogram } from '@/app/_ui/charts';
import { binValues } from '@/lib/core/charts';
import { formatPercent, formatShort } from '@/lib/core/format';
import type { Plot } from '@/lib/core/robustness/report/report';
import { galleryPath } from './gallery-path';

type Distribution = Extract<Plot, { kind: 'distribution' }>;

const [FINE, COARSE] = [20, 8];
const domain: [number, number] = [-1, 1];

/** Of all images, and of each class: a bar or a cell leads to the images within it. */
export function DistributionPlot({ plot, path }: { plot: Distribution; path: string }) {
  const { title, says, groups, score, x } = plot;
  const bins = binValues(
    groups.flatMap(({ values }) => values),
    { domain, count: FINE },
  );
  const spanOf = ({ from, to }: { from: number; to: number }) =>
    score
      ? {
          ...{ score, from, sort: score },
          // The last span holds its end.
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
        mark={{ at: 0, label: 'both alike' }}
      />
      {known.length > 1 && (
        <HeatMap
          title={`${title}, by class`}
          note="Share of the images of a class in each span."
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
