import Link from 'next/link';
import type { ReactNode } from 'react';
import { Mark } from './mark';

/** A page outside the console: one column, one thing to do. */
export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-[12dvh]">
      <div className="flex w-full max-w-sm flex-col gap-6">
        <header>
          <Link href="/" className="flex items-center gap-2 text-base font-semibold tracking-tight">
            <Mark className="size-5" />
            Tessera
          </Link>
        </header>
        <main className="flex flex-col gap-5">{children}</main>
      </div>
    </div>
  );
}
