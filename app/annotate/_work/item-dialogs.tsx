'use client';

import { useCallback } from 'react';
import type { OutboxDriver, OutboxState, ShortcutScope } from '@/lib/annotator';
import { ShortcutSheet } from '../_canvas/shortcut-sheet';
import { ChooseVersion } from './choose-version';
import { SignInAgain } from './sign-in-again';
import type { Sheets } from './use-sheets';
import type { Submitting } from './use-submit';

interface ItemDialogsProps {
  userId: string;
  scopes: readonly ShortcutScope[];
  sheets: Sheets;
  outbox: OutboxState | undefined;
  driver: OutboxDriver | undefined;
  submitting: Submitting;
}

/** What may lie over any item: the sheet of shortcuts, signing in again, two versions to choose from. */
export function ItemDialogs({ userId, scopes, sheets, outbox, driver, submitting }: ItemDialogsProps) {
  const { clear, isSignedOut } = submitting;
  const onSignedIn = useCallback(() => {
    clear();
    driver?.signedIn();
  }, [driver, clear]);
  return (
    <>
      <ShortcutSheet
        scopes={scopes}
        open={sheets.shown === 'shortcuts'}
        onOpenChange={() => sheets.show(undefined)}
      />
      <SignInAgain
        open={outbox?.condition.kind === 'signed-out' || isSignedOut}
        userId={userId}
        onSignedIn={onSignedIn}
      />
      <ChooseVersion
        open={outbox?.condition.kind === 'conflict'}
        onChoose={(keep) => driver?.resolve(keep)}
      />
    </>
  );
}
