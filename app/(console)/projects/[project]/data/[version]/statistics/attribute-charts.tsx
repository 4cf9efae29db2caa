import { HeatMap } from '@/app/_ui/charts';
import { cn } from '@/app/_ui/cn';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { Tabs } from '@/app/_ui/tabs';
import { formatNumber } from '@/lib/core/format';
import { type AttributePairs, conditional, type Statistics } from '@/lib/core/statistics';
import { namesOf } from './names-of';

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
        <EmptyState title="No form was answered">
          The schema has attributes, and the version no form. Open the attribute stage and freeze again.
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
      title="Class-wise means of attributes"
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
      title="Attributes seen together"
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
