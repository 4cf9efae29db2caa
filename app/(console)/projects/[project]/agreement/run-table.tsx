import Link from 'next/link';
import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import type { Tone } from '@/app/_ui/tone';
import { formatCount, formatDateTime, formatNumber } from '@/lib/core/format';
import { type ConsensusRun, isActive, isHalfDone } from '@/lib/services/curation/consensus/list-runs';
import { ResumeButton, TakeBackButton } from './run-buttons';

interface Props {
  slug: string;
  runs: ConsensusRun[];
  methodName: (id: string) => string;
  mayChange: boolean;
}

function stateOf(run: ConsensusRun): { word: string; tone: Tone } {
  if (isActive(run)) return { word: run.tally.isTakenBack ? 'being taken back' : 'building', tone: 'busy' };
  if (isHalfDone(run)) return { word: run.jobState === 'failed' ? 'failed' : 'interrupted', tone: 'bad' };
  return run.state === 'applied' ? { word: 'in use', tone: 'good' } : { word: 'taken back', tone: 'neutral' };
}

/** Only the newest of a stage that is not taken back can be: its labels lie on top. */
const isOnTop = (run: ConsensusRun, runs: ConsensusRun[]) =>
  runs.find((each) => each.stageId === run.stageId && each.state !== 'taken-back')?.id === run.id;

export function RunTable({ slug, runs, methodName, mayChange }: Props) {
  return (
    <SmallTable
      caption="Consensus runs"
      rows={runs}
      rowKey={(run) => run.id}
      empty={
        <EmptyState title="No consensus was built yet">
          Labels come from the policy’s own rule as answers arrive. A consensus run recomputes them by one
          method, over all items of a stage.
        </EmptyState>
      }
      columns={[
        {
          key: 'at',
          title: 'When, UTC',
          className: 'whitespace-nowrap',
          cell: (run) => formatDateTime(run.at),
        },
        { key: 'stage', title: 'Stage', cell: (run) => run.stage },
        { key: 'method', title: 'Method', cell: (run) => methodName(run.method) },
        { key: 'by', title: 'By', cell: (run) => run.by ?? '–' },
        {
          key: 'state',
          title: 'State',
          cell: (run) => {
            const { word, tone } = stateOf(run);
            return (
              <span title={run.error ?? undefined}>
                <State state={word} tone={tone}>
                  {run.jobId && (isActive(run) || isHalfDone(run)) ? (
                    <Link href="/jobs" className="underline underline-offset-2">
                      {word}
                    </Link>
                  ) : (
                    word
                  )}
                </State>
              </span>
            );
          },
        },
        { key: 'items', title: 'Items', numeric: true, cell: (run) => formatNumber(run.tally.items) },
        { key: 'made', title: 'Labels made', numeric: true, cell: (run) => formatNumber(run.tally.made) },
        { key: 'changed', title: 'Changed', numeric: true, cell: (run) => formatNumber(run.tally.changed) },
        {
          key: 'kept',
          title: 'Kept',
          numeric: true,
          cell: (run) => formatNumber(run.tally.kept),
        },
        { key: 'ties', title: 'Ties', numeric: true, cell: (run) => formatNumber(run.tally.ties) },
        {
          key: 'restored',
          title: 'Given back',
          numeric: true,
          cell: (run) => formatNumber(run.tally.restored),
        },
        {
          key: 'act',
          title: 'Actions',
          untitled: true,
          cell: (run) =>
            mayChange && !isActive(run) && isOnTop(run, runs) ? (
              <span className="inline-flex gap-1">
                {run.state === 'building' && !run.tally.isTakenBack && (
                  <ResumeButton slug={slug} runId={run.id} />
                )}
                <TakeBackButton slug={slug} runId={run.id} labels={formatCount(run.tally.made, 'label')} />
              </span>
            ) : null,
        },
      ]}
    />
  );
}
