import { ButtonLink } from '@/app/_ui/button';
import { State } from '@/app/_ui/state';
import type { Tone } from '@/app/_ui/tone';
import type { WorkOffer } from '@/lib/crowd/work';
import type { StageScore } from '@/lib/crowd/worker';
import { formatCount, formatDifference, formatPercent } from '@/lib/format';
import { AppealDialog } from '../_appeal/appeal-dialog';
import { StartButton } from '../start/start-button';

type Props = { offer: WorkOffer; score: StageScore | null };

/** One stage: what can be done in it now, or what stands in the way and what to do about it. */
export function StageLine({ offer, score }: Props) {
  const { stage, gate, openBatch } = offer;
  const isConsent = gate?.gate === 'consent';
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{isConsent ? 'Before you begin' : stage.name}</p>
        <Situation offer={offer} />
        {score && <Score score={score} />}
      </div>
      {gate && !openBatch && !isConsent && (
        <State state={gate.gate} tone={tones[gate.gate]}>
          {words[gate.gate]}
        </State>
      )}
      <Action offer={offer} />
    </li>
  );
}

type GateName = NonNullable<WorkOffer['gate']>['gate'];

const words: Record<GateName, string> = {
  consent: 'consent missing',
  closed: 'closed',
  exam: 'exam to take',
  'exam-wait': 'exam later',
  'exam-failed': 'exam not passed',
  refresher: 'refresher',
  paused: 'paused',
  ended: 'ended',
  limit: 'limit reached',
  'not-needed': 'not needed',
};

const tones: Record<GateName, Tone> = {
  consent: 'neutral',
  closed: 'neutral',
  exam: 'neutral',
  'exam-wait': 'neutral',
  'exam-failed': 'warn',
  refresher: 'warn',
  paused: 'warn',
  ended: 'bad',
  limit: 'neutral',
  'not-needed': 'neutral',
};

function Situation({ offer: { gate, waiting, exam, openBatch } }: { offer: WorkOffer }) {
  if (openBatch) {
    const what =
      openBatch.kind === 'exam' ? 'an exam' : openBatch.kind === 'practice' ? 'a practice round' : 'a batch';
    return <p className="text-sm text-ink-2">You have {what} open.</p>;
  }
  if (gate) return <p className="max-w-prose text-sm text-ink-2">{gate.says}</p>;
  const left =
    waiting === 0
      ? 'Nothing is waiting for you now: look in again later'
      : waiting >= 1000
        ? 'More than 1000 items waiting'
        : `${formatCount(waiting, 'item')} waiting`;
  return (
    <p className="text-sm text-ink-2">
      {left}
      {exam?.passed && ' · exam passed'}
    </p>
  );
}

/** Only totals: which items were checks is never told. */
function Score({ score: { n, measures, trend } }: { score: StageScore }) {
  const names = { precision: 'precision', recall: 'recall', iou: 'overlap' };
  return (
    <p className="text-sm text-ink-2 tabular-nums">
      {measures.map(({ name, value, bar }, i) => (
        <span key={name}>
          {i > 0 && ', '}
          {names[name]} {formatPercent(value, 0)}{' '}
          <span className="text-ink-3">
            ({value !== null && value >= bar ? 'at or above' : 'below'} the bar of {formatPercent(bar, 0)})
          </span>
        </span>
      ))}
      <span className="text-ink-3"> from {formatCount(n, 'check')}</span>
      {trend !== null && (
        <span className="text-ink-3"> · trend {formatDifference(trend * 100, 0)} points</span>
      )}
    </p>
  );
}

function Action({ offer }: { offer: WorkOffer }) {
  const { project, stage, gate, openBatch, waiting } = offer;
  const name = `${project.name}, ${stage.name}`;
  if (openBatch) return <StartButton stageId={stage.id} name={name} kind="work" label="Continue" />;
  switch (gate?.gate) {
    case undefined:
      return waiting > 0 && <StartButton stageId={stage.id} name={name} kind="work" label="Start" />;
    case 'consent':
      return (
        <ButtonLink href={`/annotate/${project.slug}/consent`} variant="primary" size="large">
          Read and agree
        </ButtonLink>
      );
    case 'exam':
    case 'exam-wait':
    case 'exam-failed':
      return (
        <ButtonLink
          href={`/annotate/${project.slug}/exam/${stage.id}`}
          variant={gate?.gate === 'exam' ? 'primary' : 'secondary'}
          size="large"
          aria-label={`Exam of ${name}`}
        >
          {gate?.gate === 'exam' ? 'To the exam' : 'About the exam'}
        </ButtonLink>
      );
    case 'refresher':
      return <StartButton stageId={stage.id} name={name} kind="refresher" label="Refresh" />;
    case 'paused':
    case 'ended':
      return gate?.decisionId ? <AppealDialog decisionId={gate.decisionId} /> : null;
    default:
      return null;
  }
}
