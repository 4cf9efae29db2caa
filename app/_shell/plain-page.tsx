import Link from 'next/link';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LanguageMenu } from '@/app/_i18n/language-menu';
import { type Namespace, Translated } from '@/app/_i18n/translated';
import { Mark } from './mark';

interface PlainPageProps {
  /** For the client components of the page. */
  namespaces?: readonly Namespace[];
  children: ReactNode;
}

/** A page outside the console: one column, one thing to do. */
export async function PlainPage({ namespaces = [], children }: PlainPageProps) {
  const t = await getTranslations('shell');
  return (
    <Translated namespaces={namespaces}>
      <div className="flex min-h-dvh flex-col items-center px-4 py-[8dvh]">
        <div className="flex w-full max-w-md flex-col gap-6">
          <header className="flex items-center justify-between gap-4">
            <Link href="/" className="flex items-center gap-2 text-base font-semibold tracking-tight">
              <Mark className="size-5" />
              Tessera
            </Link>
            <LanguageMenu locale={await getLocale()} label={t('language')} />
          </header>
          <main className="flex flex-col gap-5">{children}</main>
        </div>
      </div>
    </Translated>
  );
}
