'use client';

import { useRouter } from 'next/navigation';
import { Direction } from 'radix-ui';
import { type ReactNode, useEffect } from 'react';
import { type UiText, UiTextProvider } from '@/app/_ui/ui-text';
import { oneYear, zoneCookie } from './cookies';

interface PageLanguageProps {
  locale: string;
  direction: 'ltr' | 'rtl';
  /** With which the server wrote the page. */
  timeZone: string;
  ui: UiText;
  children: ReactNode;
}

export function PageLanguage({ locale, direction, timeZone, ui, children }: PageLanguageProps) {
  useDocumentLanguage(locale, direction);
  useTimeZoneCookie(timeZone);
  return (
    <Direction.Provider dir={direction}>
      <UiTextProvider value={ui}>{children}</UiTextProvider>
    </Direction.Provider>
  );
}

/** The root layout is not rendered again on the way from a translated page to an English one. */
export function useDocumentLanguage(locale: string, direction: 'ltr' | 'rtl') {
  useEffect(() => {
    document.documentElement.lang = locale;
    document.documentElement.dir = direction;
  }, [locale, direction]);
}

/** Tells the server the time zone of the browser, once, and lets it write the times again. */
function useTimeZoneCookie(written: string) {
  const router = useRouter();
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (!timeZone || timeZone === written || document.cookie.includes(`${zoneCookie}=${timeZone}`)) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing from Firefox and plain http.
    document.cookie = `${zoneCookie}=${timeZone}; path=/; max-age=${oneYear}; samesite=lax`;
    router.refresh();
  }, [written, router]);
}
