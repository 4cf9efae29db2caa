import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Section } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { type Column, DataTable, type Query, readTableState } from '@/app/_ui/table';
import { formatDateTime, formatDuration, formatNumber, formatPercent } from '@/lib/core/format';
import { sampleNumbers } from './samples';

interface Row {
  id: string;
  worker: string;
  state: string;
  items: number;
  passed: number;
  seconds: number;
  lastSeen: number;
}

const total = 10_000;
const states = ['active', 'paused', 'active', 'rejected', 'active'];
const start = Date.UTC(2026, 10, 16, 2, 35);

const rows: Row[] = sampleNumbers(3, total).map((value, index) => ({
  id: String(index).padStart(5, '0'),
  worker: `worker-${String(index + 1).padStart(5, '0')}`,
  state: states[Math.floor(value * 5)] ?? 'active',
  items: Math.round(value * 1900),
  passed: 0.6 + ((value * 97) % 0.4),
  seconds: 9 + ((value * 1013) % 60),
  lastSeen: start - Math.round(value * 9e8),
}));

const columns: Column<Row>[] = [
  { key: 'worker', title: 'Worker', cell: (row) => row.worker, sortable: true, fixed: true },
  { key: 'state', title: 'State', cell: (row) => <State state={row.state} />, sortable: true },
  { key: 'items', title: 'Items', cell: (row) => formatNumber(row.items), numeric: true, sortable: true },
  {
    key: 'passed',
    title: 'Checks passed',
    cell: (row) => formatPercent(row.passed),
    numeric: true,
    sortable: true,
  },
  {
    key: 'seconds',
    title: 'Time per item',
    cell: (row) => formatDuration(row.seconds),
    numeric: true,
    sortable: true,
  },
  { key: 'lastSeen', title: 'Last seen (UTC)', cell: (row) => formatDateTime(row.lastSeen) },
  {
    key: 'id',
    title: 'Id',
    cell: (row) => <code className="font-mono text-xs">{row.id}</code>,
    hidden: true,
  },
];

const pageSize = 12;

/** Stands in for the database: filters, orders and cuts by key as a service does. */
function pageOf(query: Query, sort: { key: string; descending: boolean }) {
  const word = String(query.q ?? '').toLowerCase();
  const found = rows.filter((row) => row.worker.includes(word) || row.state.includes(word));
  const key = sort.key as keyof Row;
  found.sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.id < b.id ? -1 : 1));
  if (sort.descending) found.reverse();
  const after = query.after ? found.findIndex((row) => row.id === query.after) + 1 : 0;
  const before = query.before ? found.findIndex((row) => row.id === query.before) - pageSize : after;
  const first = Math.max(0, before);
  const page = found.slice(first, first + pageSize);
  return {
    page,
    total: found.length,
    previous: first > 0 ? page[0]?.id : null,
    next: first + pageSize < found.length ? page.at(-1)?.id : null,
  };
}

export function Tables({ query }: { query: Query }) {
  const state = readTableState(query, columns, 'worker');
  const { page, ...pager } = pageOf(query, state.sort ?? { key: 'worker', descending: false });
  return (
    <Section
      title="Table"
      description="Order, filter, columns and page are in the address; the server cuts the rows."
    >
      <DataTable
        caption="Workers"
        columns={columns}
        rows={page}
        rowKey={(row) => row.id}
        state={state}
        path="/styleguide"
        query={query}
        filter="Worker or state"
        csv="/styleguide"
        pager={pager}
        empty={
          <EmptyState
            title="No worker matches"
            action={<ButtonLink href="/styleguide">Show all workers</ButtonLink>}
          >
            None of the {formatNumber(total)} workers has “{String(query.q)}” in the name or state. Try a
            shorter word.
          </EmptyState>
        }
      />
    </Section>
  );
}
