import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import type { Tone } from '@/app/_ui/tone';
import type { DecisionAboutMe } from '@/lib/crowd/worker';
import { formatDateTime } from '@/lib/format';
import { AppealDialog } from '../_appeal/appeal-dialog';

const verdicts: Record<string, { word: string; tone: Tone }> = {
  hint: { word: 'Hint', tone: 'neutral' },
  refresher: { word: 'Refresher', tone: 'warn' },
  pause: { word: 'Paused', tone: 'warn' },
  refreshed: { word: 'Practice done', tone: 'good' },
  resume: { word: 'Go on', tone: 'good' },
  end: { word: 'Ended', tone: 'bad' },
  'set-aside': { word: 'An answer does not count', tone: 'warn' },
  reinstated: { word: 'An answer counts again', tone: 'good' },
};

/** Decisions that nobody objects to. */
const endings = new Set(['resume', 'refreshed']);

/** What was decided about the reader, with the reason and the way to object. */
export function DecisionList({ decisions }: { decisions: readonly DecisionAboutMe[] }) {
  if (decisions.length === 0) {
    return (
      <EmptyState title="No decisions about you">
        If a rule or a curator ever decides something about your work, the reason stands here, and you can
        appeal.
      </EmptyState>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {decisions.map((decision) => (
        <li key={decision.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
          <div className="min-w-0 flex-1 basis-64">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <State state={decision.verdict} tone={verdicts[decision.verdict]?.tone}>
                {verdicts[decision.verdict]?.word ?? decision.verdict}
              </State>
              <span className="text-sm text-ink-3">
                {[decision.project.name, decision.stage].filter(Boolean).join(' · ')},{' '}
                {formatDateTime(decision.at)} UTC, by {decision.isByRule ? 'a rule' : 'a curator'}
              </span>
            </p>
            <p className="max-w-prose">{decision.reason}</p>
            {decision.appeal && <Appeal appeal={decision.appeal} />}
          </div>
          {!decision.appeal && decision.subject === 'worker' && !endings.has(decision.verdict) && (
            <AppealDialog decisionId={decision.id} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Appeal({ appeal }: { appeal: NonNullable<DecisionAboutMe['appeal']> }) {
  return (
    <div className="mt-2 border-l-2 border-line pl-3 text-sm text-ink-2">
      <p className="max-w-prose whitespace-pre-line">
        You wrote on {formatDateTime(appeal.at)} UTC: {appeal.text}
      </p>
      {appeal.outcome ? (
        <p className="mt-1 max-w-prose whitespace-pre-line text-ink">
          {appeal.outcome === 'granted' ? 'Granted' : 'Upheld'} on {formatDateTime(appeal.answeredAt)} UTC:{' '}
          {appeal.reply}
        </p>
      ) : (
        <p className="mt-1">A curator will answer.</p>
      )}
    </div>
  );
}
