import { BarChart } from '@/app/_ui/charts';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber, formatPercent } from '@/lib/core/format';
import { wilson } from '@/lib/core/quality/interval';
import type { Statistics } from '@/lib/core/statistics';
import { namesOf } from './names-of';

/** How well a linear classifier tells the class from the attributes alone. */
export function ClassifierPanel({ found }: { found: Statistics }) {
  const { classifier, attributes, classes } = found;
  if (attributes.length === 0) return null;
  const title = 'Class from attributes';
  if (classifier.accuracy === null)
    return (
      <Panel title={title}>
        <EmptyState title="There is no accuracy">{classifier.reason}</EmptyState>
      </Panel>
    );
  const nameOf = namesOf(classes);
  const { accuracy, mostFrequent, byClass } = classifier;
  const recall = byClass.map(({ right, n }) => wilson(right, n));
  return (
    <Panel
      title={title}
      description={`Multinomial logistic regression: trained on ${classifier.trainedOn} (${formatNumber(classifier.trained)} forms), tried on ${classifier.triedOn}. The RIVAL10 paper reports 93.3 % for its own attributes.`}
    >
      <div className="flex flex-col gap-6">
        <p>
          <span className="text-xl font-semibold tabular-nums">{formatPercent(accuracy.value)}</span> right (
          {formatNumber(accuracy.low * 100, 1)} to {formatNumber(accuracy.high * 100, 1)} % at 95 %), n ={' '}
          {formatNumber(accuracy.n)}. Always saying the most frequent class gets{' '}
          {formatPercent(mostFrequent.value)}.
        </p>
        <div className="grid gap-8 xl:grid-cols-2">
          <BarChart
            title="Right answers by class"
            note="Share of the class’s forms, with its 95 % interval (Wilson)."
            categories={byClass.map(({ className, n }) => `${nameOf(className)} (${formatNumber(n)})`)}
            series={[
              {
                name: 'right',
                values: recall.map((share) => share?.value ?? null),
                intervals: recall.map((share) => share && [share.low, share.high]),
              },
            ]}
            domain={[0, 1]}
            format={(value) => formatPercent(value, 0)}
          />
          <SmallTable
            caption="Most frequent mistakes"
            rows={[...classifier.confusions]}
            rowKey={({ truth, said }) => `${truth} ${said}`}
            empty={<p className="text-ink-2">It made no mistake.</p>}
            columns={[
              { key: 'truth', title: 'Class', cell: ({ truth }) => nameOf(truth) },
              { key: 'said', title: 'Taken for', cell: ({ said }) => nameOf(said) },
              { key: 'count', title: 'Images', numeric: true, cell: ({ count }) => formatNumber(count) },
            ]}
          />
        </div>
      </div>
    </Panel>
  );
}
