import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { cache } from 'react';
import { database } from '@/db';
import {
  acceptedLanguages,
  defaultLocale,
  formatLocaleOf,
  matchLocale,
  pseudoLocale,
  readLocale,
  readTimeZone,
} from '@/lib/core/i18n/locales';
import { type Catalogue, pseudoCatalogue } from '@/lib/core/i18n/pseudo';
import { workerFormat } from '@/lib/core/i18n/worker-format';
import { currentActor } from '@/lib/services/access/page';
import { pathHeader } from '@/lib/services/access/request-headers';
import { ownLanguage } from '@/lib/services/accounts';
import { languageCookie, zoneCookie } from './cookies';

/** Pages of curators, researchers and admins are in English only. */
const untranslated = /^\/(projects|admin|account|jobs|styleguide)(\/|\?|$)/;

/** The language of the page: as the account says, else the cookie, else the browser. */
const pageLocale = cache(async (): Promise<string> => {
  const head = await headers();
  if (untranslated.test(head.get(pathHeader) ?? '')) return defaultLocale;
  const chosen = (await cookies()).get(languageCookie)?.value;
  if (chosen === pseudoLocale) return pseudoLocale;
  const actor = await currentActor();
  const own = actor && (await ownLanguage(database(), actor.userId));
  const accepted = acceptedLanguages(head.get('accept-language'));
  return own ?? readLocale(chosen) ?? matchLocale(accepted) ?? defaultLocale;
});

const pageTimeZone = cache(
  async (): Promise<string> => readTimeZone((await cookies()).get(zoneCookie)?.value) ?? 'UTC',
);

const pageNow = cache(() => new Date());

export default getRequestConfig(async () => {
  const locale = await pageLocale();
  const isPseudo = locale === pseudoLocale;
  const source: Catalogue = (await import(`../../messages/${isPseudo ? defaultLocale : locale}.json`))
    .default;
  return {
    locale: isPseudo ? defaultLocale : locale,
    messages: isPseudo ? pseudoCatalogue(source) : source,
    timeZone: await pageTimeZone(),
    now: pageNow(),
  };
});

/** Formats numbers, money and times for the person who reads the page. */
export const getWorkerFormat = cache(async () => {
  const locale = await pageLocale();
  const accepted = acceptedLanguages((await headers()).get('accept-language'));
  return workerFormat({
    locale: formatLocaleOf(locale, accepted),
    timeZone: await pageTimeZone(),
    now: pageNow(),
  });
});
