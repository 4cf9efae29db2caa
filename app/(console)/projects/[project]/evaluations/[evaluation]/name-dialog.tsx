'use client';

import { type ReactNode, useState, useTransition } from 'react';
import type { FormState } from '@/app/_actions/form-state';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { Field, FormError, Input } from '@/app/_ui/forms';

interface Props {
  trigger: ReactNode;
  title: string;
  says: string;
  /** The verb of the act. */
  confirm: string;
  act: (name: string) => Promise<FormState | undefined>;
}

/** Asks for a name and then acts; what was refused is said in place. */
export function NameDialog({ trigger, title, says, confirm, act }: Props) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isPending, startTransition] = useTransition();
  const send = () =>
    startTransition(async () => {
      const state = await act(name);
      setProblem(state?.error);
    });
  return (
    <Dialog trigger={trigger} title={title} description={says} onOpenChange={() => setProblem(undefined)}>
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field label="Name">
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={80}
              required
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <FormError>{problem}</FormError>
        <DialogFooter>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" pending={isPending} disabled={name.trim() === ''}>
            {confirm}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
