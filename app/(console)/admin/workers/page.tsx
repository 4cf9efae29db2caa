import type { Metadata } from 'next';
import Link from 'next/link';
import { CopyField } from '@/app/_ui/copy-field';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { type Column, DataTable, type Query, readTableState } from '@/app/_ui/table';
import { database } from '@/db';
import { readConfig } from '@/lib/config';
import { formatAge, formatDateTime, formatNumber, noValue } from '@/lib/core/format';
import { requireRight } from '@/lib/services/access/page';
import { installCommand } from '@/lib/services/training/launch/python';
import { listTrainers, type TrainerView } from '@/lib/services/training/trainers/list-trainers';
import { LiveRefresh } from '../../jobs/job-actions';
import { gpuText, placeNames } from '../labels';
import { AddWorker, RemoveWorker } from './worker-forms';

export const metadata: Metadata = { title: 'Workers' };

const columnsAt = (now: Date): Column<TrainerView>[] => [
  {
    key: 'name',
    title: 'Name',
    fixed: true,
    cell: (worker) => <span className="font-medium">{worker.name}</span>,
  },
  { key: 'kind', title: 'Where', cell: (worker) => placeNames[worker.kind] },
  { key: 'state', title: 'State', cell: (worker) => <WorkerState worker={worker} /> },
  { key: 'torch', title: 'PyTorch', cell: ({ capabilities }) => capabilities.torch ?? noValue },
  { key: 'gpus', title: 'GPUs', cell: ({ capabilities }) => gpuText(capabilities.gpus ?? []) },
  {
    key: 'processors',
    title: 'Processors',
    numeric: true,
    cell: ({ capabilities }) => formatNumber(capabilities.processors),
  },
  {
    key: 'memory',
    title: 'Memory, GB',
    numeric: true,
    cell: ({ capabilities }) => formatNumber(capabilities.memoryGb),
  },
  {
    key: 'seen',
    title: 'Last seen',
    numeric: true,
    cell: ({ seenAt }) => <span title={`${formatDateTime(seenAt)} UTC`}>{formatAge(seenAt, now)}</span>,
  },
  {
    key: 'added',
    title: 'Added, UTC',
    hidden: true,
    numeric: true,
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
  {
    key: 'act',
    title: 'Actions',
    untitled: true,
    fixed: true,
    className: 'w-0 text-right',
    cell: (worker) => worker.state === 'gone' && <RemoveWorker id={worker.id} name={worker.name} />,
  },
];

function WorkerState({ worker: { state, run, seenAt, capabilities } }: { worker: TrainerView }) {
  if (state === 'gone')
    return <State state="gone" tone="bad">{`gone since ${formatDateTime(seenAt)}`}</State>;
  if (run)
    return (
      <State state="training" tone="busy">
        training{' '}
        <Link href={`/projects/${run.project}/runs/${run.id}`} className="underline underline-offset-2">
          {run.name}
        </Link>
      </State>
    );
  if (capabilities.missing) return <State state="cannot train" tone="warn" />;
  return <State state="idle" tone="good" />;
}

export default async function Workers({ searchParams }: { searchParams: Promise<Query> }) {
  await requireRight('trainers.manage');
  const query = await searchParams;
  const columns = columnsAt(new Date());
  const state = readTableState(query, columns);
  const rows = await listTrainers(database());
  const { url } = readConfig();
  const add = <AddWorker server={url} />;
  const broken = rows.filter(({ state: now, capabilities }) => now !== 'gone' && capabilities.missing);
  return (
    <Page>
      <LiveRefresh />
      <PageHeader
        title="Workers"
        description="Machines that train. A run goes to one that is free and has what its spec asks for; a machine that dies is noticed, and the run goes on elsewhere from its last checkpoint."
        action={add}
      />
      {broken.map(({ id, name, kind, capabilities }) => (
        <Panel key={id} title={`${name} cannot train yet`}>
          {kind === 'local' ? (
            <CopyField label="Runs wait until PyTorch is there. On that machine:" value={installCommand} />
          ) : (
            <p className="text-ink-2">{capabilities.missing}</p>
          )}
        </Panel>
      ))}
      <DataTable
        caption="Workers"
        columns={columns}
        rows={rows}
        rowKey={(worker) => worker.id}
        state={state}
        path="/admin/workers"
        query={query}
        csv="/admin/workers/csv"
        pager={{ total: rows.length }}
        empty={
          <EmptyState title="No trainers connected yet" action={add}>
            The worker of <code>tessera start</code> appears here within a minute. Add a machine with a GPU,
            or install PyTorch on this one with <code>{installCommand}</code>.
          </EmptyState>
        }
      />
      <Panel
        title="Add a machine"
        description="In a checkout of Tessera, after npm ci and npx tessera trainer install. Add machine makes the key."
      >
        <div className="flex flex-col gap-4">
          <CopyField
            label="Elsewhere, with a GPU: no database, no shared disk, no open port"
            value={`TESSERA_KEY=… npx tessera worker --gpu --server ${url} --name …`}
          />
          <CopyField
            label="Beside this one, on the same database and the same disk"
            value="DATABASE_URL=… TESSERA_HOME=… npx tessera worker"
          />
        </div>
      </Panel>
    </Page>
  );
}
