import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { onlyShown, type ShellActor, type ShellProject } from './navigation-for';
import { readTheme, sidebarCookie, themeCookie } from './preferences';
import { ShellFrame } from './shell-frame';
import { signOut } from './sign-out';

interface ConsoleShellProps {
  actor: ShellActor;
  /** The projects the actor may open; which one the page is in is read from its address. */
  projects: ShellProject[];
  children: ReactNode;
}

/** Frame of the curator's, researcher's and admin's pages. */
export async function ConsoleShell({ actor, projects, children }: ConsoleShellProps) {
  const jar = await cookies();
  return (
    <ShellFrame
      actor={onlyShown(actor)}
      projects={projects}
      theme={readTheme(jar.get(themeCookie)?.value)}
      startCollapsed={jar.get(sidebarCookie)?.value === 'collapsed'}
      signOut={signOut}
    >
      {children}
    </ShellFrame>
  );
}
