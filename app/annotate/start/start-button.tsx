'use client';

import { useActionState } from 'react';
import type { ButtonProps } from '@/app/_ui/button';
import { FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { startBatch } from './take-batch';

interface StartButtonProps {
  stageId: string;
  /** What is started, for those who hear the button and do not see the line it stands in. */
  name: string;
  kind: 'work' | 'exam' | 'practice' | 'refresher';
  label: string;
  variant?: ButtonProps['variant'];
}

export function StartButton({ stageId, name, kind, label, variant = 'primary' }: StartButtonProps) {
  const [state, act] = useActionState(startBatch, {});
  return (
    <form action={act} className="flex flex-wrap items-center gap-3">
      <input type="hidden" name="stage" value={stageId} />
      <input type="hidden" name="kind" value={kind} />
      <SubmitButton size="large" variant={variant} aria-label={`${label} ${name}`}>
        {label}
      </SubmitButton>
      <FormError>{state.error}</FormError>
    </form>
  );
}
