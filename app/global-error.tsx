'use client';

import { useState } from 'react';
import { directionOf } from '@/lib/core/i18n/locales';
import './globals.css';
import RootError from './error';

/** The language of the page that failed. */
const failedLanguage = () => (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en';

/** Stands in for the whole document when even the root layout failed. */
export default function GlobalError(props: { error: unknown; retry: () => void }) {
  const [language] = useState(failedLanguage);
  return (
    <html lang={language} dir={directionOf(language)} data-theme="system">
      <body>
        <title>Error · Tessera</title>
        <RootError {...props} />
      </body>
    </html>
  );
}
