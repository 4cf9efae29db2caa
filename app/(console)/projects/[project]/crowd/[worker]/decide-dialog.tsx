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
  /** What asking again comes to: "12 items since the last good check, 1.20 USD"; null where there is nothing to. */
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
  pause: 'Pause: no more batches until somebody looks',
  resume: 'Resume: go on, with a fresh start',
  end: 'End: no more work in this stage',
} as const;
type Verdict = keyof typeof verdicts;

const possible: Record<Standing, Verdict[]> = {
  active: ['hint', 'refresher', 'pause', 'end'],
  refresher: ['resume', 'pause', 'end'],
  paused: ['resume', 'end'],
  ended: ['resume'],
};

/** A decision by hand: about a stage, with the reason that the person reads and the price of asking again. */
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
    toast.success('Decided. The person sees it on their next page.');
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
                ...paused.map((each) => ({ value: each, label: `"${each}", which is paused` })),
              ]}
            />
          )}
        </Field>
      )}
      <Field label="What" error={state.fields?.verdict}>
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
        hint="The person reads it, word for word. Do not say which items were checks."
      >
        {(control) => <Textarea {...control} name="reason" rows={3} maxLength={2000} />}
      </Field>
      {maySetAside && (
        <Checkbox
          name="askAgain"
          value="on"
          label={`Ask others again: ${stage.again}`}
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
