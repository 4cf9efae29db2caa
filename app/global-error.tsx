'use client';

import './globals.css';
import PageError from './error';

/** Stands in for the whole document when even the root layout failed. */
export default function GlobalError(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en" data-theme="system">
      <body>
        <title>Error · Tessera</title>
        <PageError {...props} />
      </body>
    </html>
  );
}
