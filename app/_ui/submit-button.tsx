'use client';

import { useContext } from 'react';
import { useFormStatus } from 'react-dom';
import { Button, type ButtonProps } from './button';
import { FormIsSent } from './forms/form-is-sent';

/** The button that sends the form it stands in, and shows that the form is being sent. */
export function SubmitButton(props: Omit<ButtonProps, 'type' | 'pending'>) {
  const { pending } = useFormStatus();
  const isSent = useContext(FormIsSent);
  return <Button variant="primary" {...props} type="submit" pending={pending || isSent} />;
}
