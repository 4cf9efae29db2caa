'use client';

import { useTranslations } from 'next-intl';
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
  const t = useTranslations('work.signIn');
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
    <Dialog title={t('title')} open={open} description={t('text')}>
      {isSomebodyElse && (
        <p role="alert" className="text-sm text-bad">
          {t('somebodyElse')}
        </p>
      )}
      <DialogFooter>
        <a
          href="/sign-in?next=/annotate/signed-in"
          target="_blank"
          rel="noreferrer"
          className={buttonStyle({ variant: 'primary' })}
        >
          {t('action')}
        </a>
      </DialogFooter>
    </Dialog>
  );
}
