'use client';

import { useTransition } from 'react';
import type { FormState } from '@/app/_actions/form-state';
import { Button, type ButtonProps } from '@/app/_ui/button';
import { toast } from '@/app/_ui/toasts';

type Props = Omit<ButtonProps, 'onClick' | 'pending'> & { act: () => Promise<FormState> };

/** Asks the server to do one thing; a refusal is said beside the page. */
export function ActionButton({ act, ...rest }: Props) {
  const [isPending, startTransition] = useTransition();
  const press = () =>
    startTransition(async () => {
      const { error } = await act();
      if (error) toast.error(error);
    });
  return <Button {...rest} pending={isPending} onClick={press} />;
}
