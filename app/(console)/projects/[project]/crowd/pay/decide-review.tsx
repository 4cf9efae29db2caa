'use client';

import { useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { Field, Textarea } from '@/app/_ui/forms';
import { toast } from '@/app/_ui/toasts';
import { decideReview } from './actions';

interface Props {
  slug: string;
  batchId: string;
  amount: string;
  worker: string;
}

/** Approves or refuses the pay of one batch. */
export function DecideReview({ slug, batchId, amount, worker }: Props) {
  const [note, setNote] = useState('');
  const [pending, startTransition] = useTransition();
  const approve = () =>
    startTransition(async () => {
      const { error } = await decideReview(slug, { batchId, verdict: 'approved', note: '' });
      if (error) toast.error(error);
      else toast.success(`${amount} added to the earnings of ${worker}`);
    });
  return (
    <span className="inline-flex gap-1">
      <Button size="small" pending={pending} onClick={approve}>
        Approve
      </Button>
      <ConfirmDialog
        trigger={
          <Button size="small" variant="quiet">
            Refuse
          </Button>
        }
        title={`Refuse ${amount} to ${worker}?`}
        confirm="Refuse payment"
        danger
        onConfirm={async () => (await decideReview(slug, { batchId, verdict: 'refused', note })).error}
      >
        <Field label="Reason" hint="The worker reads this.">
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={500}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
      </ConfirmDialog>
    </span>
  );
}
