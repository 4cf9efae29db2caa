'use client';

import { useTranslations } from 'next-intl';
import { useActionState, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { ActionForm, Field, FormError, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { toast } from '@/app/_ui/toasts';
import { useUiText } from '@/app/_ui/ui-text';
import { sendAppeal } from './send-appeal';

/** Objecting to a decision: a text to the curator, once. */
export function AppealDialog({ decisionId }: { decisionId: string }) {
  const t = useTranslations('appeal');
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      title={t('title')}
      open={open}
      onOpenChange={setOpen}
      trigger={<Button size="large">{t('action')}</Button>}
    >
      <AppealForm decisionId={decisionId} onSent={() => setOpen(false)} />
    </Dialog>
  );
}

function AppealForm({ decisionId, onSent }: { decisionId: string; onSent: () => void }) {
  const t = useTranslations('appeal');
  // Made once per dialog: pressing twice sends one appeal.
  const text = useUiText();
  const [appealId] = useState(() => crypto.randomUUID());
  const [state, action] = useActionState(
    async (before: Awaited<ReturnType<typeof sendAppeal>>, form: FormData) => {
      const next = await sendAppeal({ decisionId, appealId }, before, form);
      if (!next.error) {
        onSent();
        toast.success(t('sent'), { description: t('sentText') });
      }
      return next;
    },
    {},
  );
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <FormError>{state.error}</FormError>
      <p className="text-ink-2">{t('text')}</p>
      <Field label={t('label')} error={state.fields?.text}>
        {(control) => <Textarea {...control} name="text" required maxLength={4000} rows={6} />}
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button>{text.cancel}</Button>
        </DialogClose>
        <SubmitButton>{t('send')}</SubmitButton>
      </DialogFooter>
    </ActionForm>
  );
}
