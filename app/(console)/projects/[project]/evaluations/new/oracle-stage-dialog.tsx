'use client';

import { Users } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { Field, FormError, Input } from '@/app/_ui/forms';
import { makeStage } from './actions';

/** Dialog that creates an oracle stage. */
export function OracleStageDialog({ slug, currency }: { slug: string; currency: string }) {
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isPending, startTransition] = useTransition();
  const router = useRouter();
  const send = (form: FormData) =>
    startTransition(async () => {
      const { error } = await makeStage(slug, form);
      setProblem(error);
      if (error) return;
      setOpen(false);
      router.refresh();
    });
  const number = (name: string, label: string, value: number, step: string, hint?: string) => (
    <Field label={label} hint={hint}>
      {(control) => (
        <Input {...control} type="number" name={name} min={0} step={step} required defaultValue={value} />
      )}
    </Field>
  );
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setProblem(undefined);
      }}
      trigger={
        <Button size="small" icon={<Users aria-hidden />}>
          New oracle stage
        </Button>
      }
      title="Crowd oracle stage"
      description="Workers see perturbed pictures and choose the class, or “cannot tell”. The stage creates no labels."
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          // The dialog is inside the evaluation form, which must not be submitted.
          event.stopPropagation();
          send(new FormData(event.currentTarget));
        }}
      >
        <Field label="Name">
          {(control) => (
            <Input {...control} name="name" maxLength={80} required defaultValue="Crowd oracle" />
          )}
        </Field>
        <div className="grid gap-3 sm:grid-cols-3">
          {number('people', 'Workers per picture', 3, '1', 'An odd number.')}
          {number('batch', 'Pictures per batch', 20, '1')}
          {number('pay', `Pay per batch, ${currency}`, 0.5, '0.01')}
        </div>
        <FormError>{problem}</FormError>
        <DialogFooter>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" pending={isPending}>
            Create stage
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
