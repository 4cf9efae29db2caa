'use client';

import { type ComponentProps, type SubmitEvent, useTransition } from 'react';
import { FormIsSent } from './form-is-sent';

type ActionFormProps = Omit<ComponentProps<'form'>, 'action' | 'onSubmit'> & {
  action: (form: FormData) => void | Promise<void>;
};

/**
 * A form for a server action. React empties a form once its action is over, also when the action refused;
 * here what was typed stays. Without script the browser sends the form by itself.
 */
export function ActionForm({ action, children, ...rest }: ActionFormProps) {
  const [isSent, startTransition] = useTransition();
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget, event.nativeEvent.submitter);
    startTransition(() => action(form));
  };
  return (
    <form {...rest} action={action} onSubmit={send}>
      <FormIsSent value={isSent}>{children}</FormIsSent>
    </form>
  );
}
