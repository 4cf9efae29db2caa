import { cookies } from 'next/headers';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { shownAddress } from '@/lib/users/pseudonym';
import { AccountMenu } from './account-menu';
import { Mark } from './mark';
import { onlyShown, type ShellActor } from './navigation-for';
import { readTheme, themeCookie } from './preferences';
import { signOut } from './sign-out';
import { ThemeSwitch } from './theme-switch';

interface WorkerShellProps {
  actor: ShellActor;
  /** One sentence: what is being done here. */
  title?: ReactNode;
  children: ReactNode;
}

/** Frame of the worker's pages: one column, large targets, nothing but the task. */
export async function WorkerShell({ actor, title, children }: WorkerShellProps) {
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  return (
    <div className="flex min-h-dvh flex-col text-base">
      <header className="sticky top-0 z-20 flex h-12 items-center gap-3 border-b border-line bg-surface px-4 print:hidden">
        <Link href="/annotate" aria-label="My work" className="flex size-8 items-center justify-center">
          <Mark className="size-5" />
        </Link>
        <p className="min-w-0 flex-1 truncate font-medium">{title}</p>
        <ThemeSwitch theme={theme} />
        <AccountMenu
          actor={onlyShown({ ...actor, email: shownAddress(actor.email) })}
          accountPath="/annotate/account"
          signOut={signOut}
        />
      </header>
      <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-6 px-4 py-8">{children}</main>
    </div>
  );
}
