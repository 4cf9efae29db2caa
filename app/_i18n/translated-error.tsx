'use client';

import { NextIntlClientProvider } from 'next-intl';
import { type ComponentProps, useEffect, useState } from 'react';
import { defaultLocale, matchLocale, readLocale } from '@/lib/core/i18n/locales';
import type messages from '@/messages/en.json';
import { PageError } from './page-error';

interface ErrorText {
  locale: string;
  errors: (typeof messages)['errors'];
}

/** The language of the document, or of the browser where the document has none. */
const currentLocale = () =>
  readLocale(document.documentElement.lang) ?? matchLocale([...navigator.languages]) ?? defaultLocale;

/**
 * A page error where no layout gave the page its texts. The catalogue is loaded only now. `children` stands in until it
 * is there, and if it cannot be loaded.
 */
export function TranslatedError({
  children,
  ...error
}: ComponentProps<typeof PageError> & { children: React.ReactNode }) {
  const [text, setText] = useState<ErrorText>();
  useEffect(() => {
    const locale = currentLocale();
    import(`../../messages/${locale}.json`).then(
      ({ default: { errors } }: { default: typeof messages }) => setText({ locale, errors }),
      () => undefined,
    );
  }, []);
  if (!text) return children;
  return (
    <NextIntlClientProvider locale={text.locale} messages={{ errors: text.errors }} timeZone="UTC">
      <PageError {...error} />
    </NextIntlClientProvider>
  );
}
