import { BarChart, HeatMap } from '@/app/_ui/charts';
import { cn } from '@/app/_ui/cn';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { Tabs } from '@/app/_ui/tabs';
import { maximumSeries } from '@/lib/core/charts';
import { formatCount, formatNumber, formatPercent } from '@/lib/core/format';
import { wilson } from '@/lib/core/quality/interval';
import { type AttributePairs, conditional, type Statistics } from '@/lib/core/statistics';
import { SplitTable } from '../../split-table';

/** What people call an id; an id that the schema does not know stays itself. */
export function namesOf(list: readonly { id: string; name: string }[]): (id: string) => string {
  const names = new Map(list.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

/** Images per class and split. */
export function ClassCharts({ found }: { found: Statistics }) {
  const { classCounts, splits, totals } = found;
  const nameOf = namesOf(found.classes);
  const rows = classCounts.map(({ className, bySplit }) => ({
    className,
    bySplit: Object.fromEntries(splits.map((split, at) => [split, bySplit[at] ?? 0])),
    total: bySplit.reduce((sum, n) => sum + n, 0),
  }));
  const isDrawn = splits.length <= maximumSeries;
  return (
    <Panel title="Classes" flush={!isDrawn}>
      {isDrawn ? (
        <BarChart
          title="Images by class and split"
          note={`n = ${formatCount(totals.images, 'image')}. A class without images in the version shows a zero.`}
          categories={rows.map(({ className }) => (className === null ? 'No class' : nameOf(className)))}
          series={splits.map((split) => ({
            name: split,
            values: rows.map(({ bySplit }) => bySplit[split] ?? 0),
          }))}
          width={720}
        />
      ) : (
        <SplitTable splits={splits} rows={rows} nameOf={nameOf} />
      )}
    </Panel>
  );
}

/** How well a linear classifier tells the class from the attributes alone. */
export function ClassifierPanel({ found }: { found: Statistics }) {
  const { classifier, attributes, classes } = found;
  if (attributes.length === 0) return null;
  const title = 'Class from attributes';
  if (classifier.accuracy === null)
    return (
      <Panel title={title}>
        <EmptyState title="No accuracy available">{classifier.reason}</EmptyState>
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
            title="Accuracy by class"
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
              { key: 'said', title: 'Predicted as', cell: ({ said }) => nameOf(said) },
              { key: 'count', title: 'Images', numeric: true, cell: ({ count }) => formatNumber(count) },
            ]}
          />
        </div>
      </div>
    </Panel>
  );
}

interface Props {
  found: Statistics;
  /** Of which the pairs are shown; all of it without. */
  split: string | undefined;
  path: string;
}

/** More than these, and the numbers of two maps beside each other are too small to read. */
const SIDE_BY_SIDE = 14;

const two = (value: number) => formatNumber(value, 2);

/** How attributes go together and what each class has of them, as figure 3 of the RIVAL10 paper. */
export function AttributeCharts({ found, split, path }: Props) {
  const { attributes, attributePairs } = found;
  const pairs = attributePairs.find((each) => each.split === split) ?? attributePairs[0];
  if (attributes.length === 0) return null;
  if (!pairs || found.totals.forms === 0)
    return (
      <Panel title="Attributes">
        <EmptyState title="No attribute forms">
          The schema has attributes, but this version has no answers. Open the attribute stage, collect
          answers and freeze again.
        </EmptyState>
      </Panel>
    );
  const hrefOf = (name: string | null) => (name === null ? path : `${path}?split=${name}`);
  return (
    <Panel title="Attributes">
      <div className="flex flex-col gap-8">
        {attributePairs.length > 1 && (
          <Tabs
            label="Split"
            current={hrefOf(pairs.split)}
            tabs={attributePairs.map((each) => ({
              label: each.split ?? 'All',
              href: hrefOf(each.split),
              count: each.n,
            }))}
          />
        )}
        <div className={cn('grid gap-8', attributes.length <= SIDE_BY_SIDE && '2xl:grid-cols-2')}>
          <Correlation found={found} pairs={pairs} />
          <ClassMeans found={found} pairs={pairs} />
          <Together found={found} pairs={pairs} />
        </div>
      </div>
    </Panel>
  );
}

type Part = { found: Statistics; pairs: AttributePairs };

function Correlation({ found: { attributes }, pairs }: Part) {
  const names = attributes.map(({ name }) => name);
  const constant = pairs.correlation.filter((row, at) => row[at]?.value === null).length;
  return (
    <HeatMap
      title="Correlation of attributes"
      note={`Phi: Pearson’s correlation of the marks as 0 and 1, n = ${formatNumber(pairs.n)} forms.${
        constant > 0 ? ` – where an attribute is always or never marked (${constant} of them).` : ''
      }`}
      rows={names}
      columns={names}
      rowTitle="Attribute"
      columnTitle="attribute"
      domain={[-1, 1]}
      diverging
      format={two}
      values={pairs.correlation.map((row) => row.map(({ value }) => value))}
    />
  );
}

function ClassMeans({ found, pairs }: Part) {
  const { attributes, classes, formCounts } = found;
  const nameOf = namesOf(classes);
  const rows = classes.flatMap(({ id }) => {
    const counts = formCounts.filter(
      (each) => each.className === id && (pairs.split === null || each.split === pairs.split),
    );
    const n = counts.reduce((sum, each) => sum + each.n, 0);
    if (n === 0) return [];
    const present = attributes.map((_, at) => counts.reduce((sum, each) => sum + (each.present[at] ?? 0), 0));
    return [{ id, n, means: present.map((count) => count / n) }];
  });
  return (
    <HeatMap
      title="Attribute means by class"
      note="Share of the class’s forms that mark the attribute; behind each class its number of forms."
      rows={rows.map(({ id, n }) => `${nameOf(id)} (${formatNumber(n)})`)}
      columns={attributes.map(({ name }) => name)}
      rowTitle="Class"
      columnTitle="attribute"
      domain={[0, 1]}
      format={two}
      values={rows.map(({ means }) => means)}
    />
  );
}

function Together({ found: { attributes }, pairs }: Part) {
  const names = attributes.map(({ name }) => name);
  return (
    <HeatMap
      title="Co-occurring attributes"
      note="Share of the forms with the attribute of the row that also mark the one of the column."
      rows={attributes.map(({ name }, at) => `${name} (${formatNumber(pairs.together[at]?.[at] ?? 0)})`)}
      columns={names}
      rowTitle="With"
      columnTitle="also"
      domain={[0, 1]}
      format={two}
      values={attributes.map((_, a) =>
        attributes.map((_, b) => {
          const { of, n } = conditional(pairs, a, b);
          return n === 0 ? null : of / n;
        }),
      )}
    />
  );
}
