'use client';

import { useFormStatus } from 'react-dom';
import { Button, type ButtonProps } from './button';

/** The button that sends the form it stands in, and shows that the form is being sent. */
export function SubmitButton(props: Omit<ButtonProps, 'type' | 'pending'>) {
  const { pending } = useFormStatus();
  return <Button variant="primary" {...props} type="submit" pending={pending} />;
}
