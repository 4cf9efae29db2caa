import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import { getLocale } from 'next-intl/server';
import type { ReactNode } from 'react';
import { directionOf } from '@/lib/core/i18n/locales';
import './globals.css';
import { readTheme, themeCookie } from './_shell/preferences';
import { StyleNonce } from './_shell/style-nonce';
import { Toasts } from './_ui/toasts';
import { TooltipProvider } from './_ui/tooltip';

export const metadata: Metadata = {
  title: { default: 'Tessera', template: '%s · Tessera' },
  description: 'Part-annotated datasets that can be trusted, and vision models whose robustness is measured.',
};

export const viewport: Viewport = { colorScheme: 'light dark' };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  const locale = await getLocale();
  return (
    <html lang={locale} dir={directionOf(locale)} data-theme={theme}>
      <body>
        <TooltipProvider>{children}</TooltipProvider>
        <Toasts />
        <StyleNonce />
      </body>
    </html>
  );
}
