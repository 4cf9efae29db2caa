import { NextIntlClientProvider } from 'next-intl';
import { getLocale, getMessages, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { directionOf } from '@/lib/core/i18n/locales';
import type messages from '@/messages/en.json';
import { PageLanguage } from './page-language';

export type Namespace = keyof typeof messages;

interface TranslatedProps {
  /** What the client components inside use. Server components need no list. */
  namespaces: readonly Namespace[];
  children: ReactNode;
}

/** Gives client components the listed namespaces, within a page that has its language. */
export async function ClientMessages({ namespaces, children }: TranslatedProps) {
  const all = await getMessages();
  const messages = Object.fromEntries(namespaces.map((name) => [name, all[name]]));
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>;
}

/** Gives client components the listed namespaces, and the document its language and direction. */
export async function Translated({ namespaces, children }: TranslatedProps) {
  const [locale, t] = await Promise.all([getLocale(), getTranslations('ui')]);
  return (
    <ClientMessages namespaces={namespaces}>
      <PageLanguage
        locale={locale}
        direction={directionOf(locale)}
        timeZone={await getTimeZone()}
        ui={{
          cancel: t('cancel'),
          close: t('close'),
          optional: t('optional'),
          enlarge: t('enlarge', { title: '{title}' }),
          keysTooEarly: t('keysTooEarly', { keys: '{keys}' }),
        }}
      >
        {children}
      </PageLanguage>
    </ClientMessages>
  );
}
