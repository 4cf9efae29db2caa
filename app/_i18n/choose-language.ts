'use server';

import { cookies } from 'next/headers';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { database } from '@/db';
import { type Locale, locales } from '@/lib/core/i18n/locales';
import { currentActor } from '@/lib/services/access/page';
import { keepOwnLanguage } from '@/lib/services/accounts';
import { languageCookie, oneYear } from './cookies';

/** Keeps the language in this browser and, for somebody who is signed in, with the account. */
export const chooseLanguage = action([z.enum(locales as [Locale, ...Locale[]])], async (locale) => {
  (await cookies()).set(languageCookie, locale, { path: '/', maxAge: oneYear, sameSite: 'lax' });
  const actor = await currentActor();
  if (actor) await keepOwnLanguage(database(), actor.userId, locale);
});
