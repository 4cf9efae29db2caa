'use client';

import { useActionState, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { ActionForm, Field, FormError, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { toast } from '@/app/_ui/toasts';
import { sendAppeal } from './send-appeal';

/** Objecting to a decision: a text to the curator, once. */
export function AppealDialog({ decisionId }: { decisionId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      title="Appeal against this decision"
      open={open}
      onOpenChange={setOpen}
      trigger={<Button size="large">Appeal</Button>}
    >
      <AppealForm decisionId={decisionId} onSent={() => setOpen(false)} />
    </Dialog>
  );
}

function AppealForm({ decisionId, onSent }: { decisionId: string; onSent: () => void }) {
  // Made once per dialog: pressing twice sends one appeal.
  const [appealId] = useState(() => crypto.randomUUID());
  const [state, action] = useActionState(
    async (before: Awaited<ReturnType<typeof sendAppeal>>, form: FormData) => {
      const next = await sendAppeal({ decisionId, appealId }, before, form);
      if (!next.error) {
        onSent();
        toast.success('Your appeal is sent.', { description: 'The answer appears on your account page.' });
      }
      return next;
    },
    {},
  );
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <FormError>{state.error}</FormError>
      <p className="text-ink-2">
        A curator reads what you write, looks at your work again and answers. You are not at a disadvantage
        for asking.
      </p>
      <Field label="What the curator should know" error={state.fields?.text}>
        {(control) => <Textarea {...control} name="text" required maxLength={4000} rows={6} />}
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <SubmitButton>Send</SubmitButton>
      </DialogFooter>
    </ActionForm>
  );
}
