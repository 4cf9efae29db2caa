'use client';

import { useActionState } from 'react';
import type { ButtonProps } from '@/app/_ui/button';
import { FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { startBatch } from './take-batch';

interface StartButtonProps {
  stageId: string;
  /** What is started, for people who hear the button and do not see the line around it. */
  name: string;
  kind: 'work' | 'exam' | 'practice' | 'refresher';
  /** In the language of the page. */
  label: string;
  variant?: ButtonProps['variant'];
  autoFocus?: boolean;
}

export function StartButton({
  stageId,
  name,
  kind,
  label,
  variant = 'primary',
  autoFocus,
}: StartButtonProps) {
  const [state, act] = useActionState(startBatch, {});
  return (
    <form action={act} className="flex flex-wrap items-center gap-3">
      <input type="hidden" name="stage" value={stageId} />
      <input type="hidden" name="kind" value={kind} />
      <SubmitButton size="large" variant={variant} aria-label={`${label} ${name}`} autoFocus={autoFocus}>
        {label}
      </SubmitButton>
      <FormError>{state.error}</FormError>
    </form>
  );
}
