'use client';

import { useActionState } from 'react';
import { FormError } from '@/app/_ui/forms/form-error';
import { SubmitButton } from '@/app/_ui/submit-button';
import { takeNext } from './actions';

export function NextBatch({ stageId }: { stageId: string }) {
  const [state, action] = useActionState(() => takeNext(stageId), {});
  return (
    <form action={action} className="flex flex-col gap-3">
      {state.error && <FormError>{state.error}</FormError>}
      <SubmitButton size="large" autoFocus>
        Next batch
      </SubmitButton>
    </form>
  );
}
