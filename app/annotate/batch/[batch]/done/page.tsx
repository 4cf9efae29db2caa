import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { ButtonLink } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { requireActor } from '@/lib/auth/page';
import type { BatchSummary } from '@/lib/crowd/batch-summary';
import {
  formatCount,
  formatDifference,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
  noValue,
} from '@/lib/format';
import { wilson } from '@/lib/quality/interval';
import { VisitBar } from '../../../_home/visit-bar';
import { MeasureBars } from '../../../_score/measure-bars';
import { NextBatch } from './next-batch';
import { pageSummary } from './page-summary';

export const metadata: Metadata = { title: 'Batch finished' };

export default async function BatchDone({ params }: PageProps<'/annotate/batch/[batch]/done'>) {
  const { batch } = await params;
  const summary = await pageSummary(batch);
  if (summary.state === 'leased') redirect(`/annotate/batch/${batch}`);
  return (
    <>
      <header>
        <h1 className="text-2xl font-semibold tracking-tight">{titleOf(summary)}</h1>
        <p className="text-ink-2">
          {summary.project.name} · {summary.stage.name}
        </p>
      </header>
      {summary.kind === 'practice' ? (
        <p className="max-w-prose text-ink-2">
          Practice is not scored. If something surprised you, read that part of the guide again before you go
          on.
        </p>
      ) : (
        <Pay summary={summary} />
      )}
      {summary.exam && <ExamScore exam={summary.exam} />}
      {summary.kind === 'work' && <CheckScore checks={summary.checks} />}
      <VisitBar workerId={(await requireActor()).userId} />
      <Next summary={summary} />
    </>
  );
}

/** After work or a passed exam, the next batch; after practice, or an exam that was not passed, the exam's page. */
function Next({ summary }: { summary: BatchSummary }) {
  const { kind, isOpen, exam, stage, project, nextBatchMs } = summary;
  if (isOpen && (kind === 'practice' || exam?.passed === false)) {
    return (
      <div className="flex flex-wrap items-start gap-3">
        <ButtonLink href={`/annotate/${project.slug}/exam/${stage.id}`} size="large" variant="primary">
          {kind === 'practice' ? 'To the exam' : 'About the exam'}
        </ButtonLink>
        <Home label="Back to my work" />
      </div>
    );
  }
  if (!isOpen || exam?.passed === null) return <Home label="Back to my work" isMain />;
  return (
    <div className="flex flex-col gap-3">
      {nextBatchMs !== null && (
        <p className="text-sm text-ink-2">
          The next batch takes about {formatDuration(Math.ceil(nextBatchMs / 60_000) * 60)} at the usual pace.
        </p>
      )}
      <div className="flex flex-wrap items-start gap-3">
        <NextBatch stageId={stage.id} />
        <Home label="Stop for now" />
      </div>
    </div>
  );
}

const Home = ({ label, isMain }: { label: string; isMain?: boolean }) => (
  <ButtonLink href="/annotate" size="large" variant={isMain ? 'primary' : 'secondary'} className="self-start">
    {label}
  </ButtonLink>
);

function titleOf({ kind, state, exam, answered, leased }: BatchSummary): string {
  const count = answered === leased ? formatCount(answered, 'item') : `${answered} of ${leased} items`;
  if (state === 'expired') return `The time for this batch is over: ${count} submitted`;
  if (state === 'returned') return `Batch given back: ${count} submitted`;
  if (exam) return exam.passed ? 'Exam passed' : exam.passed === false ? 'Exam not passed' : 'Exam handed in';
  return kind === 'practice' ? `Practice finished: ${count}` : `Batch finished: ${count}`;
}

function Pay({ summary }: { summary: BatchSummary }) {
  const { pay, hourlyMicro, hourlyTarget, activeMs } = summary;
  return (
    <div className="flex flex-col gap-2">
      <StatStrip>
        <Stat
          label={summary.exam ? 'Paid for this exam' : 'Paid for this batch'}
          value={pay ? formatMoney(pay.amountMicro, pay.currency) : noValue}
        />
        <Stat label="Active time" value={formatDuration(activeMs / 1000)} />
        <Stat
          label="That is per hour"
          value={pay && hourlyMicro !== null ? formatMoney(hourlyMicro, pay.currency) : noValue}
        />
      </StatStrip>
      <p className="text-sm text-ink-2">
        The project aims at {formatMoney(hourlyTarget.amountMicro, hourlyTarget.currency)} per hour of active
        time.
      </p>
    </div>
  );
}

function ExamScore({ exam }: { exam: NonNullable<BatchSummary['exam']> }) {
  return (
    <Panel title="Your exam">
      {exam.passed === null ? (
        <p className="text-ink-2">The exam is being scored. The result appears here.</p>
      ) : (
        <MeasureBars measures={exam.measures} />
      )}
    </Panel>
  );
}

function CheckScore({ checks }: { checks: BatchSummary['checks'] }) {
  const share = checks && wilson(checks.passed, checks.n);
  return (
    <Panel
      title="Your score in this stage"
      description="Over all your batches, from hidden items whose answer is known"
    >
      {checks && share ? (
        <div className="flex flex-col gap-4">
          <MeasureBars measures={checks.measures} />
          <p className="text-sm text-ink-2">
            You passed {formatNumber(checks.passed)} of {formatNumber(checks.n)} hidden checks. From so many,
            your true share lies between {formatPercent(share.low, 0)} and {formatPercent(share.high, 0)}.
            {checks.trend !== null &&
              ` Your last five were ${trendWords(checks.trend)} the ones before (${formatDifference(checks.trend * 100, 0)} points).`}
          </p>
        </div>
      ) : (
        <p className="text-ink-2">There is no score yet: it takes a few more batches to tell.</p>
      )}
    </Panel>
  );
}

/** Five points either way are noise. */
function trendWords(trend: number): string {
  if (trend > 0.05) return 'better than';
  return trend < -0.05 ? 'not as good as' : 'about like';
}
