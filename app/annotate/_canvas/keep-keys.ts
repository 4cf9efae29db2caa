'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { database } from '@/db';
import { KeyChoices } from '@/lib/core/editor';
import { currentActor } from '@/lib/services/access/page';
import { keepOwnKeys } from '@/lib/services/accounts';

/** Stores the chosen keys with the account. Says whether it did: nobody is sent away from a drawing to sign in. */
export const keepKeys = action([z.looseObject({})], async (choices): Promise<boolean> => {
  const actor = await currentActor();
  const parsed = KeyChoices.safeParse(choices);
  if (!actor || !parsed.success) return false;
  await keepOwnKeys(database(), actor.userId, parsed.data);
  return true;
});
