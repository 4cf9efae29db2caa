import { cookies } from 'next/headers';
import Link from 'next/link';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LanguageMenu } from '@/app/_i18n/language-menu';
import { Translated } from '@/app/_i18n/translated';
import { shownAddress } from '@/lib/services/accounts';
import { AccountMenu } from './account-menu';
import { initials } from './initials';
import { Mark } from './mark';
import { onlyShown, type ShellActor } from './navigation-for';
import { readTheme, themeCookie } from './preferences';
import { signOut } from './sign-out';
import { ThemeSwitch } from './theme-switch';

interface WorkerShellProps {
  actor: ShellActor;
  children: ReactNode;
}

/** Frame of the worker's pages: one column, large targets, nothing but the task. */
export async function WorkerShell({ actor, children }: WorkerShellProps) {
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  const t = await getTranslations('shell');
  const locale = await getLocale();
  return (
    <Translated namespaces={['appeal', 'errors']}>
      <div className="flex min-h-dvh flex-col text-base">
        <header className="sticky top-0 z-20 flex h-12 items-center gap-2 border-b border-line bg-surface px-4 print:hidden">
          <Link
            href="/annotate"
            className="flex h-8 min-w-0 flex-1 items-center gap-3 font-medium"
            aria-label={t('myWork')}
          >
            <Mark className="size-5 shrink-0" />
            <span className="truncate">{t('myWork')}</span>
          </Link>
          <LanguageMenu locale={locale} label={t('language')} />
          <ThemeSwitch
            theme={theme}
            label={t('theme')}
            names={{ system: t('themeSystem'), light: t('themeLight'), dark: t('themeDark') }}
          />
          <AccountMenu
            actor={onlyShown({ ...actor, email: shownAddress(actor.email) })}
            accountPath="/annotate/account"
            signOut={signOut}
            text={{
              account: t('account'),
              signOut: t('signOut'),
              label: t('accountOf', { initials: initials(actor.name), name: actor.name }),
            }}
          />
        </header>
        <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-6 px-4 py-8">{children}</main>
      </div>
    </Translated>
  );
}
