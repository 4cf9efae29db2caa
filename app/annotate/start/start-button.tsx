'use client';

import { useActionState } from 'react';
import { FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { startBatch } from './take-batch';

interface StartButtonProps {
  stageId: string;
  /** What is started, for those who hear the button and do not see the line it stands in. */
  name: string;
  isOpen: boolean;
}

export function StartButton({ stageId, name, isOpen }: StartButtonProps) {
  const [state, act] = useActionState(startBatch, {});
  return (
    <form action={act} className="flex items-center gap-3">
      <FormError>{state.error}</FormError>
      <input type="hidden" name="stage" value={stageId} />
      <SubmitButton size="large" aria-label={`${isOpen ? 'Continue' : 'Start'} ${name}`}>
        {isOpen ? 'Continue' : 'Start'}
      </SubmitButton>
    </form>
  );
}
