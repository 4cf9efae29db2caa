'use client';

import { useEffect, useState } from 'react';
import { buttonStyle } from '@/app/_ui/button';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';

/** While the dialog is open, how often it looks whether somebody signed in, in ms. */
const LOOK_MS = 2000;

/** The session ended. Nothing is lost: the drawing stays where it is until the person is back. */
export function SignInAgain({
  open,
  userId,
  onSignedIn,
}: {
  open: boolean;
  userId: string;
  onSignedIn: () => void;
}) {
  const [isSomebodyElse, setSomebodyElse] = useState(false);
  useEffect(() => {
    if (!open) return;
    const look = async () => {
      const response = await fetch('/api/v1/me', { cache: 'no-store' }).catch(() => undefined);
      if (!response?.ok) return;
      const me: { id?: string } = await response.json();
      setSomebodyElse(me.id !== userId);
      if (me.id === userId) onSignedIn();
    };
    const timer = setInterval(look, LOOK_MS);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
    };
  }, [open, userId, onSignedIn]);
  return (
    <Dialog
      title="Sign in again"
      open={open}
      description="Your session ended. Your work is kept in this browser and is stored as soon as you are back."
    >
      {isSomebodyElse && (
        <p role="alert" className="text-sm text-bad">
          Somebody else is signed in now. Sign in as yourself to store your work.
        </p>
      )}
      <DialogFooter>
        <a
          href="/sign-in?next=/annotate/signed-in"
          target="_blank"
          rel="noreferrer"
          className={buttonStyle({ variant: 'primary' })}
        >
          Sign in in a new window
        </a>
      </DialogFooter>
    </Dialog>
  );
}
