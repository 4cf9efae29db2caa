import type { Metadata } from 'next';
import Link from 'next/link';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table/small-table';
import { database } from '@/db';
import { requireActor } from '@/lib/auth/page';
import {
  recentBatches,
  type WorkerBatch,
  type WorkerStage,
  workerMoney,
  workerScore,
  workerStages,
} from '@/lib/crowd/worker-home';
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
} from '@/lib/format';
import { wilson } from '@/lib/quality/interval';
import { StartButton } from './start/start-button';

export const metadata: Metadata = { title: 'My work' };

export default async function WorkerHome() {
  const { userId, name } = await requireActor();
  const db = database();
  const [stages, money, score, batches] = await Promise.all([
    workerStages(db, userId),
    workerMoney(db, userId),
    workerScore(db, userId),
    recentBatches(db, userId),
  ]);
  const share = wilson(score.passed, score.n);
  const minutes = batches.reduce((sum, batch) => sum + Number(batch.active_ms) / 60_000, 0);
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Hello, {name}</h1>
      <StatStrip>
        <Stat
          label="Earned"
          value={money.map((row) => formatMoney(BigInt(row.earned), row.currency)).join(', ') || '–'}
        />
        <Stat
          label="Hidden checks passed"
          value={formatPercent(share?.value, 0)}
          n={score.n}
          interval={share ? `${formatNumber(share.low * 100)}–${formatNumber(share.high * 100)}` : undefined}
        />
        <Stat label="Time on recent batches" value={formatDuration(minutes * 60)} />
      </StatStrip>
      <Panel title="What you can work on" flush>
        {stages.length === 0 ? (
          <EmptyState title="There is no work for you right now">
            You see a project here as soon as its curator has invited you and it is collecting.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {stages.map((stage) => (
              <StageLine key={stage.stage_id} stage={stage} />
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="Recent batches" flush>
        <BatchTable batches={batches} />
      </Panel>
    </>
  );
}

function StageLine({ stage }: { stage: WorkerStage }) {
  const exam =
    stage.exam_passed === null ? 'exam not taken' : stage.exam_passed ? 'exam passed' : 'exam not passed';
  return (
    <li className="flex min-h-16 items-center gap-4 px-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          {stage.project} · {stage.stage}
        </p>
        <p className="text-sm text-ink-2">
          {stage.waiting >= 1000 ? 'More than 1000 items' : formatCount(stage.waiting, 'item')} waiting,{' '}
          {formatNumber(stage.answers)} answered by you ·{' '}
          <Link href={`/annotate/${stage.slug}/guide`} className="text-accent underline underline-offset-2">
            Guide
          </Link>
        </p>
      </div>
      <State
        state={exam}
        tone={stage.exam_passed ? 'good' : stage.exam_passed === null ? 'neutral' : 'warn'}
      />
      {(stage.open_batch !== null || stage.waiting > 0) && (
        <StartButton
          stageId={stage.stage_id}
          name={`${stage.project}, ${stage.stage}`}
          isOpen={stage.open_batch !== null}
        />
      )}
    </li>
  );
}

function BatchTable({ batches }: { batches: WorkerBatch[] }) {
  return (
    <SmallTable
      caption="Recent batches"
      rows={batches}
      rowKey={(batch) => batch.id}
      empty={
        <EmptyState title="No batches yet">What you submit appears here with what it was paid.</EmptyState>
      }
      columns={[
        { key: 'at', title: 'Submitted, UTC', cell: (batch) => formatDateTime(batch.submitted_at) },
        {
          key: 'stage',
          title: 'Stage',
          cell: (batch) => `${batch.stage}${batch.kind === 'exam' ? ' exam' : ''}`,
        },
        { key: 'items', title: 'Items', numeric: true, cell: (batch) => formatNumber(batch.items) },
        {
          key: 'time',
          title: 'Time',
          numeric: true,
          cell: (batch) => formatDuration(Number(batch.active_ms) / 1000),
        },
        {
          key: 'paid',
          title: 'Paid',
          numeric: true,
          cell: (batch) =>
            batch.amount_micro && batch.currency
              ? formatMoney(BigInt(batch.amount_micro), batch.currency)
              : '–',
        },
      ]}
    />
  );
}
