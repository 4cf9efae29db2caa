import { isActiveJob, toProgress } from '@/app/_shell/job-panel';
import { JobProgress } from '@/app/_shell/job-progress';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import type { Policy } from '@/lib/core/quality/policy';
import type { LoopState } from '@/lib/services/training/loop/loop-state';
import { MOST_SELECTED } from '@/lib/services/training/loop/select-next';
import { AskInOrder, ChooseNextForm } from './buttons';

interface Props {
  slug: string;
  state: LoopState;
  mayChange: boolean;
  /** Whether a stage has the model choose again and again. */
  askNext(stageId: string): Policy['askNext'];
}

/** Lets the model say what to ask about next. */
export function AskNextPanel({ slug, state, mayChange, askNext }: Props) {
  const { stages, selecting } = state;
  const asking = stages.filter(({ open }) => open > 0);
  const isRunning = selecting !== null && isActiveJob(selecting);
  return (
    <Panel
      title="What to ask next"
      description="Images whose class the model is least sure of, and of those the ones that look least alike: each is the farthest from all before it, by the model’s features. Their open items come before the others of the stage; items that a curator sent back still come first."
      flush
    >
      <div className="flex flex-col gap-4">
        <RefreshWhile active={isRunning} />
        <SmallTable
          caption="What the stages ask"
          rows={asking}
          rowKey={({ id }) => id}
          empty={
            <p className="px-4 py-3 text-ink-2">
              No stage has open questions. Ask people anew about images, from an evaluation or from the audit
              queue, and the model can say which come first.
            </p>
          }
          columns={[
            { key: 'stage', title: 'Stage', cell: ({ name }) => <span className="font-medium">{name}</span> },
            { key: 'open', title: 'Images asked', numeric: true, cell: ({ open }) => formatNumber(open) },
            { key: 'seen', title: 'Seen by it', numeric: true, cell: ({ seen }) => formatNumber(seen) },
            { key: 'chosen', title: 'Chosen', numeric: true, cell: ({ chosen }) => formatNumber(chosen) },
            {
              key: 'again',
              title: 'By itself',
              className: 'whitespace-nowrap',
              cell: ({ id }) => {
                const { isOn, images } = askNext(id);
                return isOn ? `${formatNumber(images)} at a time` : <span className="text-ink-3">no</span>;
              },
            },
            {
              key: 'reset',
              title: 'Actions',
              untitled: true,
              cell: ({ id, chosen }) =>
                mayChange && (chosen > 0 || askNext(id).isOn) ? (
                  <AskInOrder slug={slug} stageId={id} />
                ) : null,
            },
          ]}
        />
        {(isRunning || selecting?.state === 'failed' || (mayChange && asking.length > 0)) && (
          <div className="flex flex-col gap-3 px-4 pb-4">
            {selecting && isRunning && <JobProgress {...toProgress(selecting)} />}
            {selecting?.state === 'failed' && <FormError>{selecting.error}</FormError>}
            {mayChange && asking.length > 0 && (
              <ChooseNextForm
                isBusy={isRunning}
                slug={slug}
                stages={asking.map(({ id, name }) => ({ id, name }))}
                most={MOST_SELECTED}
              />
            )}
          </div>
        )}
      </div>
    </Panel>
  );
}
