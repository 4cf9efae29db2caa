import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { ButtonLink } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { requireActor } from '@/lib/auth/page';
import type { BatchSummary } from '@/lib/crowd/batch-summary';
import { formatCount, formatDuration, formatMoney, noValue } from '@/lib/format';
import { reviewTexts } from '@/lib/quality/pay-review';
import { AppealDialog } from '../../../_appeal/appeal-dialog';
import { VisitBar } from '../../../_home/visit-bar';
import { bandTexts } from '../../../_score/band-texts';
import { HintNote } from '../../../_score/hint-note';
import { MeasureBars } from '../../../_score/measure-bars';
import { StartButton } from '../../../start/start-button';
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
      {summary.kind === 'work' && <StageScore score={summary.score} />}
      {summary.hint && <HintNote text={summary.hint} />}
      <VisitBar workerId={(await requireActor()).userId} />
      <Next summary={summary} />
    </>
  );
}

/** Offers only what the worker may do now. */
function Next({ summary }: { summary: BatchSummary }) {
  const { kind, gate, exam, stage, project, nextBatchMs } = summary;
  const name = `${project.name}, ${stage.name}`;
  if (gate && gate.gate !== 'not-needed') {
    const toExam = gate.gate.startsWith('exam');
    return (
      <div className="flex flex-col gap-3">
        {kind !== 'practice' && !toExam && <p className="max-w-prose text-ink-2">{gate.says}</p>}
        <div className="flex flex-wrap items-start gap-3">
          {gate.gate === 'refresher' && (
            <StartButton stageId={stage.id} name={name} kind="refresher" label="Start the refresher" />
          )}
          {toExam && (
            <ButtonLink
              href={`/annotate/${project.slug}/exam/${stage.id}`}
              size="large"
              variant={gate.gate === 'exam' ? 'primary' : 'secondary'}
            >
              {gate.gate === 'exam' ? 'Go to the exam' : 'About the exam'}
            </ButtonLink>
          )}
          {summary.decisionId && <AppealDialog decisionId={summary.decisionId} />}
          <Home label="Back to my work" isMain={!toExam && gate.gate !== 'refresher'} />
        </div>
      </div>
    );
  }
  if (exam?.passed === null) return <Home label="Back to my work" isMain />;
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
  const { pay, review, hourlyMicro, hourlyTarget, activeMs } = summary;
  return (
    <div className="flex flex-col gap-2">
      {review && review.state !== 'approved' && <PayReviewNote review={review} />}
      <StatStrip>
        <Stat
          label={summary.exam ? 'Earned with this exam' : 'Earned with this batch'}
          value={
            pay
              ? formatMoney(pay.amountMicro, pay.currency)
              : review?.state === 'open'
                ? 'In review'
                : noValue
          }
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

function PayReviewNote({ review }: { review: NonNullable<BatchSummary['review']> }) {
  const text =
    review.state === 'open' ? reviewTexts[review.reason] : `This work was not paid. Reason: ${review.note}`;
  return <HintNote text={text} />;
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

function StageScore({ score }: { score: BatchSummary['score'] }) {
  return (
    <Panel
      title="Your work in this stage"
      description="Over all your batches, from items with a known answer"
    >
      <p className="text-ink-2">
        {score ? bandTexts[score.band] : 'No score yet. It takes a few more batches.'}
      </p>
    </Panel>
  );
}
