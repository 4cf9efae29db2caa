'use client';

import { useState, useTransition } from 'react';
import { Button, ButtonLink } from '@/app/_ui/button';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { Field, FormError, Select, Textarea } from '@/app/_ui/forms';
import { toast } from '@/app/_ui/toasts';
import type { GoldPool } from '@/db/schema';
import { decide, movePool } from './actions';
import { poolNames } from './pool-names';

type Next = 'active' | 'excluded' | 'retired';

const next: Record<string, { to: Next; label: string; asks?: string }[]> = {
  candidate: [
    { to: 'active', label: 'Confirm' },
    { to: 'excluded', label: 'Reject', asks: 'Reason for rejecting it' },
  ],
  active: [
    { to: 'retired', label: 'Retire' },
    { to: 'excluded', label: 'Exclude', asks: 'Reason for excluding it' },
  ],
  retired: [
    { to: 'active', label: 'Use again' },
    { to: 'excluded', label: 'Exclude', asks: 'Reason for excluding it' },
  ],
  excluded: [{ to: 'active', label: 'Restore' }],
};

interface GoldActionsProps {
  slug: string;
  id: string;
  state: string;
  pool: GoldPool;
  needsOther: boolean;
  editHref: string;
}

/** Actions of curators on a gold item. Each can be reversed by another, and all are recorded. */
export function GoldActions({ slug, id, state, pool, needsOther, editHref }: GoldActionsProps) {
  const [pending, startTransition] = useTransition();
  const act = (to: Next, reason = '') =>
    startTransition(async () => {
      const { error } = await decide(slug, { goldId: id, state: to, reason });
      if (error) toast.error(error);
    });
  const move = (to: GoldPool) =>
    startTransition(async () => {
      const { error } = await movePool(slug, { goldId: id, pool: to });
      if (error) toast.error(error);
    });
  return (
    <div className="flex flex-wrap gap-1 pt-1">
      {(next[state] ?? []).map(({ to, label, asks }) =>
        asks ? (
          <ReasonDialog
            key={to}
            label={label}
            asks={asks}
            pending={pending}
            onGiven={(reason) => act(to, reason)}
          />
        ) : (
          <Button
            key={to}
            size="small"
            pending={pending}
            disabled={to === 'active' && needsOther}
            title={
              to === 'active' && needsOther
                ? 'You wrote this item. Another curator must confirm it.'
                : undefined
            }
            onClick={() => act(to)}
          >
            {label}
          </Button>
        ),
      )}
      <ButtonLink size="small" variant="quiet" href={editHref} className="ml-auto">
        Edit
      </ButtonLink>
      <Select
        aria-label="Pool"
        className="h-7 w-full text-xs"
        value={pool}
        disabled={pending}
        onChange={(event) => move(event.target.value as GoldPool)}
        options={Object.entries(poolNames).map(([value, name]) => ({
          value,
          label: `Use for: ${name.toLowerCase()}`,
        }))}
      />
    </div>
  );
}

interface ReasonDialogProps {
  label: string;
  asks: string;
  pending: boolean;
  onGiven: (reason: string) => void;
}

function ReasonDialog({ label, asks, pending, onGiven }: ReasonDialogProps) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [isAsked, setAsked] = useState(false);
  const give = () => {
    if (reason.trim() === '') return setAsked(true);
    setOpen(false);
    onGiven(reason.trim());
  };
  return (
    <Dialog
      title={`${label} this gold item`}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" pending={pending}>
          {label}
        </Button>
      }
    >
      <Field label={asks} hint="The reason is stored with the decision.">
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            maxLength={500}
            value={reason}
            onChange={(e) => setReason(e.target.value)}
          />
        )}
      </Field>
      <FormError>{isAsked && reason.trim() === '' ? 'Enter a reason.' : null}</FormError>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button variant="primary" onClick={give}>
          {label}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
