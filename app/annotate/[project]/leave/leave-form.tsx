'use client';

import { useActionState } from 'react';
import { FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { leaveVisit } from './actions';

export function LeaveForm({ project, label }: { project: string; label: string }) {
  const [state, action] = useActionState(leaveVisit.bind(null, project), {});
  return (
    <form action={action} className="flex flex-col gap-3">
      <FormError>{state.error}</FormError>
      <SubmitButton size="large">{label}</SubmitButton>
    </form>
  );
}
