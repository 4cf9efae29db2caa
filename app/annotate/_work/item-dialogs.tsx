'use client';

import { useCallback } from 'react';
import { batchTotals, type ShortcutScope } from '@/lib/core/editor';
import { ShortcutSheet } from '../_canvas/shortcut-sheet';
import { ChooseVersion } from './choose-version';
import type { ItemProps } from './item-props';
import { SignInAgain } from './sign-in-again';

/** What may lie over any item: the sheet of shortcuts, signing in again, two versions to choose from. */
export function ItemDialogs({ props, scopes }: { props: ItemProps; scopes: readonly ShortcutScope[] }) {
  const { session, work, image, userId, sheets } = props;
  const conflict = image.items.find(
    ({ leaseId }) => work.items[leaseId]?.outbox.condition.kind === 'conflict',
  );
  const { driver } = session;
  const onSignedIn = useCallback(() => driver.signedIn(), [driver]);
  const isSignedOut = batchTotals(work).condition.kind === 'signed-out' || work.submission.isSignedOut;
  return (
    <>
      <ShortcutSheet
        scopes={scopes}
        open={sheets.shown === 'shortcuts'}
        onOpenChange={() => sheets.show(undefined)}
      />
      <SignInAgain open={isSignedOut} userId={userId} onSignedIn={onSignedIn} />
      <ChooseVersion
        open={conflict !== undefined}
        onChoose={(keep) => conflict && driver.resolve(conflict.leaseId, keep)}
      />
    </>
  );
}
