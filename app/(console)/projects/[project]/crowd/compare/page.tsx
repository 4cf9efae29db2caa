import type { Metadata } from 'next';
import Link from 'next/link';
import { Button, ButtonLink } from '@/app/_ui/button';
import { BarChart } from '@/app/_ui/charts';
import { EmptyState } from '@/app/_ui/empty-state';
import { Field, Select } from '@/app/_ui/forms';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { CsvLink, SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDuration, formatNumber } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { listWorkers } from '@/lib/services/crowd/overview/list-workers';
import { type Comparison, compareWorkers } from '@/lib/services/curation/overview/compare-workers';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { Score } from '../score';
import { betterOf, type Measure, measuresOf } from './measures';

export const metadata: Metadata = { title: 'Compare workers' };

type Props = PageProps<'/projects/[project]/crowd/compare'>;

/** More would not fit a list that one chooses from. */
const MAX_ROWS = 1000;
const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

export default async function Compare({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const query = await searchParams;
  const db = database();
  const { rows } = await listWorkers(db, project.id, {
    limit: MAX_ROWS,
    sort: { key: 'name', descending: false },
  });
  const known = (id: string | undefined) => rows.find((row) => row.id === id)?.id;
  const [a, b] = [known(one(query.a)), known(one(query.b))];
  const path = `/projects/${project.slug}/crowd`;
  const compared = a && b && a !== b ? await compareWorkers(db, project, [a, b]) : null;
  const schema = compared ? await readProjectSchema(db, project.id) : null;
  const options = [
    { value: '', label: 'Choose somebody' },
    ...rows.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <Page>
      <PageHeader
        title="Compare workers"
        description="Two people side by side: the same figures with their 95 % intervals, and how alike they answer."
        more={compared && <CsvLink href={`${path}/compare/csv?a=${a}&b=${b}`} variant="secondary" />}
      />
      <form action={`${path}/compare`} className="flex flex-wrap items-end gap-3">
        {[
          { name: 'a', label: 'One', value: a },
          { name: 'b', label: 'The other', value: b },
        ].map(({ name, label, value }) => (
          <Field key={name} label={label}>
            {(control) => (
              <Select
                {...control}
                key={value}
                name={name}
                defaultValue={value ?? ''}
                options={options}
                className="w-56"
              />
            )}
          </Field>
        ))}
        <Button type="submit" variant="primary">
          Compare
        </Button>
      </form>
      {compared ? (
        <Result
          compared={compared}
          path={path}
          names={
            new Map([...(schema?.attributes ?? []), ...(schema?.parts ?? [])].map((e) => [e.id, e.name]))
          }
        />
      ) : (
        <Panel>
          {rows.length > 1 ? (
            <EmptyState title={a && a === b ? 'These are the same person' : 'Choose two people'}>
              Everybody who works or has worked in this project can be compared.
            </EmptyState>
          ) : (
            <EmptyState
              title="Fewer than two workers"
              action={<ButtonLink href={`${path}/invite`}>Invite workers</ButtonLink>}
            >
              Everybody who works or has worked in this project can be compared.
            </EmptyState>
          )}
        </Panel>
      )}
    </Page>
  );
}

type ResultProps = { compared: Comparison; path: string; names: ReadonlyMap<string, string> };

function Result({ compared: { people, stages }, path, names }: ResultProps) {
  const [a, b] = people;
  const verdict = ({ sides }: Measure) => {
    if (sides.some((side) => !side)) return '–';
    const better = betterOf(sides);
    return better === null ? 'no significant difference' : `${people[better].name} is better`;
  };
  return (
    <>
      <Panel title="Scores" description="Hidden checks and exams together." flush>
        <SmallTable
          caption="Scores"
          rows={measuresOf(stages)}
          rowKey={(row) => `${row.stage} ${row.name}`}
          empty={
            <EmptyState title="No checks yet">Neither has answered an item whose answer is known.</EmptyState>
          }
          columns={[
            { key: 'stage', title: 'Stage', cell: (row) => row.stage },
            { key: 'name', title: 'Figure', cell: (row) => <span className="font-medium">{row.name}</span> },
            ...people.flatMap((person, n) => [
              {
                key: `value-${n}`,
                title: person.name,
                numeric: true,
                cell: (row: Measure) => <Score estimate={row.sides[n]} />,
              },
              {
                key: `n-${n}`,
                title: 'n',
                numeric: true,
                cell: (row: Measure) => <span className="text-ink-3">{formatNumber(row.sides[n]?.n)}</span>,
              },
            ]),
            { key: 'verdict', title: 'Difference', cell: (row) => verdict(row) },
          ]}
        />
      </Panel>
      <Panel title="Work" flush>
        <SmallTable
          caption="Work"
          rows={stages}
          rowKey={(row) => row.stage.id}
          empty={<EmptyState title="No work yet">Neither has answered anything.</EmptyState>}
          columns={[
            { key: 'stage', title: 'Stage', cell: (row) => row.stage.name },
            ...people.flatMap((person, n) => [
              {
                key: `items-${n}`,
                title: `Items, ${person.name}`,
                numeric: true,
                cell: (row: (typeof stages)[number]) => formatNumber(row.sides[n]?.work?.items),
              },
              {
                key: `time-${n}`,
                title: `Median time, ${person.name}`,
                numeric: true,
                cell: (row: (typeof stages)[number]) => formatDuration(row.sides[n]?.work?.medianSeconds),
              },
            ]),
            {
              key: 'alike',
              title: 'Alike on the same items',
              numeric: true,
              cell: ({ alike }) =>
                alike?.value == null ? (
                  <span className="text-xs text-ink-3">no item in common</span>
                ) : (
                  <>
                    <Score estimate={alike} /> <span className="text-xs text-ink-3">n = {alike.n}</span>
                  </>
                ),
            },
          ]}
        />
      </Panel>
      <Targets stages={stages} people={people} names={names} />
      <p className="text-ink-2">
        The whole story of <Anchor href={`${path}/${a.id}`}>{a.name}</Anchor> and of{' '}
        <Anchor href={`${path}/${b.id}`}>{b.name}</Anchor>.
      </p>
    </>
  );
}

const Anchor = ({ href, children }: { href: string; children: string }) => (
  <Link href={href} className="underline underline-offset-2">
    {children}
  </Link>
);

type TargetProps = Pick<Comparison, 'stages' | 'people'> & { names: ReadonlyMap<string, string> };

/** Attribute by attribute recall, part by part IoU: where the two differ. */
function Targets({ stages, people, names }: TargetProps) {
  const charts = stages.flatMap(({ stage, sides }) => {
    const ids = [...new Set(sides.flatMap((side) => Object.keys(side.byTarget)))];
    if (ids.length === 0) return [];
    const isForm = stage.kind === 'attributes';
    const of = (n: number, id: string) => {
      const trust = sides[n]?.byTarget[id];
      return (isForm ? trust?.recall : trust?.iou) ?? null;
    };
    return [{ stage, ids, title: `${stage.name}: ${isForm ? 'recall' : 'mean IoU'}`, of }];
  });
  if (charts.length === 0) return null;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      {charts.map(({ stage, ids, title, of }) => (
        <Panel key={stage.id}>
          <BarChart
            title={title}
            note="Bars end at the estimate; lines are 95 % intervals."
            categories={ids.map((id) => names.get(id) ?? id)}
            domain={[0, 1]}
            format={(value) => formatNumber(value, 2)}
            series={people.map((person, n) => ({
              name: person.name,
              values: ids.map((id) => of(n, id)?.value ?? null),
              intervals: ids.map((id) => {
                const share = of(n, id);
                return share ? ([share.low, share.high] as const) : null;
              }),
            }))}
          />
        </Panel>
      ))}
    </div>
  );
}
