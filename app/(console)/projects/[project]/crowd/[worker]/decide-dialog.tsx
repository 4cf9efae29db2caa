'use client';

import { useActionState, useEffect, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { ActionForm, Checkbox, Field, FormError, Select, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { toast } from '@/app/_ui/toasts';
import { decide } from './actions';

type Standing = 'active' | 'refresher' | 'paused' | 'ended';

export interface DecidableStage {
  id: string;
  name: string;
  standing: Standing;
  /** Parts that the worker does not receive. */
  pausedTargets: string[];
  /** Items and cost of asking other workers: "12 items since the last good check, 1.20 USD"; null without items. */
  again: string | null;
}

interface Props {
  slug: string;
  workerId: string;
  name: string;
  stages: DecidableStage[];
}

const verdicts = {
  hint: 'Hint: send a message, nothing else changes',
  refresher: 'Refresher: practice items with feedback before the next batch',
  pause: 'Pause: no more batches until a curator decides',
  resume: 'Resume: continue with a fresh start',
  end: 'End: no more work in this stage',
} as const;
type Verdict = keyof typeof verdicts;

const possible: Record<Standing, Verdict[]> = {
  active: ['hint', 'refresher', 'pause', 'end'],
  refresher: ['resume', 'pause', 'end'],
  paused: ['resume', 'end'],
  ended: ['resume'],
};

/** A manual decision about a stage, with a reason for the worker and the cost of asking other workers. */
export function DecideDialog({ slug, workerId, name, stages }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      trigger={<Button variant="primary">Decide</Button>}
      title={`Decide about ${name}`}
      open={open}
      onOpenChange={setOpen}
      className="max-w-lg"
    >
      <DecideForm slug={slug} workerId={workerId} stages={stages} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

interface FormProps extends Omit<Props, 'name'> {
  onDone: () => void;
}

function DecideForm({ slug, workerId, stages, onDone }: FormProps) {
  const [state, action] = useActionState(decide.bind(null, slug, workerId), {});
  const [stageId, setStageId] = useState(stages[0]?.id);
  const stage = stages.find((each) => each.id === stageId);
  const [target, setTarget] = useState('');
  const paused = stage?.pausedTargets ?? [];
  const choices: Verdict[] = paused.includes(target) ? ['resume'] : possible[stage?.standing ?? 'active'];
  const [verdict, setVerdict] = useState<Verdict>();
  const chosen = verdict && choices.includes(verdict) ? verdict : choices[0];
  const maySetAside = (chosen === 'pause' || chosen === 'end') && stage?.again;
  useEffect(() => {
    if (!state.isDone) return;
    toast.success('Decision saved. The worker sees it on the next page.');
    onDone();
  }, [state, onDone]);
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <Field label="Stage">
        {(control) => (
          <Select
            {...control}
            name="stageId"
            value={stageId}
            onChange={(event) => setStageId(event.target.value)}
            options={stages.map((each) => ({ value: each.id, label: `${each.name} (${each.standing})` }))}
          />
        )}
      </Field>
      {paused.length > 0 && (
        <Field label="About">
          {(control) => (
            <Select
              {...control}
              name="target"
              value={target}
              onChange={(event) => setTarget(event.target.value)}
              options={[
                { value: '', label: 'All work of the stage' },
                ...paused.map((each) => ({ value: each, label: `"${each}" (paused)` })),
              ]}
            />
          )}
        </Field>
      )}
      <Field label="Decision" error={state.fields?.verdict}>
        {(control) => (
          <Select
            {...control}
            name="verdict"
            value={chosen}
            onChange={(event) => setVerdict(event.target.value as Verdict)}
            options={choices.map((each) => ({ value: each, label: verdicts[each] }))}
          />
        )}
      </Field>
      <Field
        label="Reason"
        error={state.fields?.reason}
        hint="The worker reads this text. Do not reveal which items were checks."
      >
        {(control) => <Textarea {...control} name="reason" rows={3} maxLength={2000} />}
      </Field>
      {maySetAside && (
        <Checkbox
          name="askAgain"
          value="on"
          label={`Ask other workers: ${stage.again}`}
          hint="The answers are set aside but stay paid."
        />
      )}
      <FormError>{state.error}</FormError>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <SubmitButton>Decide</SubmitButton>
      </DialogFooter>
    </ActionForm>
  );
}
