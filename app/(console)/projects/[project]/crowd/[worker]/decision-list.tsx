import { Badge } from '@/app/_ui/badge';
import type { Tone } from '@/app/_ui/tone';
import { formatCount, formatDateTime } from '@/lib/core/format';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import type { WorkerDecision } from '@/lib/services/crowd/overview/worker-evidence';

const tones: Record<string, Tone> = {
  hint: 'neutral',
  refresher: 'busy',
  pause: 'warn',
  end: 'bad',
  refreshed: 'good',
  resume: 'good',
};

const authorOf = ({ rule, ruleVersion, decidedBy }: WorkerDecision) =>
  rule ? `rule ${rule}, version ${ruleVersion}` : (decidedBy ?? 'deleted account');

/** Decisions and messages as shown to the worker, newest first. */
export function DecisionList({ decisions, stages }: { decisions: WorkerDecision[]; stages: CrowdStage[] }) {
  return (
    <ol className="flex flex-col divide-y divide-line">
      {decisions.map((decision) => (
        <li key={decision.id} className="flex flex-col gap-1 px-4 py-3">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={tones[decision.verdict] ?? 'neutral'}>
              {decision.target === null ? decision.verdict : `${decision.verdict}: ${decision.target}`}
            </Badge>
            <span className="text-xs text-ink-3">
              {stages.find((stage) => stage.id === decision.stageId)?.name ?? 'deleted stage'} ·{' '}
              {formatDateTime(decision.at)} UTC · {authorOf(decision)}
              {decision.evidence.length > 0 && ` · based on ${formatCount(decision.evidence.length, 'item')}`}
            </span>
          </p>
          <p className="max-w-prose">{decision.reason}</p>
          {decision.appeal && <Appeal appeal={decision.appeal} />}
        </li>
      ))}
    </ol>
  );
}

type Appeal = NonNullable<WorkerDecision['appeal']>;

function Appeal({ appeal }: { appeal: Appeal }) {
  return (
    <div className="mt-1 flex max-w-prose flex-col gap-1 border-l-2 border-line pl-3">
      <p className="text-xs text-ink-3">Appeal, {formatDateTime(appeal.at)} UTC</p>
      <p className="whitespace-pre-line">{appeal.text}</p>
      {appeal.outcome ? (
        <>
          <p className="text-xs text-ink-3">
            {appeal.outcome} by {appeal.answeredBy ?? 'deleted account'}, {formatDateTime(appeal.answeredAt)}{' '}
            UTC
          </p>
          <p className="whitespace-pre-line">{appeal.reply}</p>
        </>
      ) : (
        <p className="text-xs font-medium text-warn">Not answered yet</p>
      )}
    </div>
  );
}
