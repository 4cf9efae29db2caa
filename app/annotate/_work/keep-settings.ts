'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { database } from '@/db';
import { WorkspaceSettings } from '@/lib/core/editor';
import { currentActor } from '@/lib/services/access/page';
import { keepOwnSettings } from '@/lib/services/accounts';

/** Stores tool and view settings with the account. Returns whether it did: nobody is sent to sign in for them. */
export const keepSettings = action([z.looseObject({})], async (settings): Promise<boolean> => {
  const actor = await currentActor();
  const parsed = WorkspaceSettings.safeParse(settings);
  if (!actor || !parsed.success) return false;
  await keepOwnSettings(database(), actor.userId, parsed.data);
  return true;
});
