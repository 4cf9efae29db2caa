'use client';

import { Menu as MenuIcon, PanelLeft } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { Breadcrumb } from '@/app/_ui/breadcrumb';
import { cn } from '@/app/_ui/cn';
import { IconButton } from '@/app/_ui/icon-button';
import { AccountMenu } from './account-menu';
import { CommandPalette } from './command-palette';
import { crumbsFor } from './crumbs';
import { ProgressTray } from './job-tray';
import { navigationFor, projectAt, type ShellActor, type ShellProject } from './navigation-for';
import { preferenceCookie, sidebarCookie, type Theme } from './preferences';
import { Sidebar } from './sidebar';
import { ThemeSwitch } from './theme-switch';

interface ShellFrameProps {
  actor: ShellActor;
  projects: ShellProject[];
  theme: Theme;
  startCollapsed: boolean;
  signOut: () => Promise<void>;
  children: ReactNode;
}

/** On a narrow window the navigation is a drawer over the page; on a wide one a column that can shrink. */
export function ShellFrame({ actor, projects, theme, startCollapsed, signOut, children }: ShellFrameProps) {
  const pathname = usePathname();
  const [collapsed, setCollapsed] = useState(startCollapsed);
  const [drawer, setDrawer] = useState(false);
  const project = projectAt(pathname, projects);
  const groups = navigationFor(actor, projects, project);

  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving on another page is what closes the drawer.
  useEffect(() => setDrawer(false), [pathname]);

  const toggle = () => {
    setCollapsed(!collapsed);
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing from Firefox and plain http.
    document.cookie = preferenceCookie(sidebarCookie, collapsed ? 'open' : 'collapsed');
  };

  return (
    <div className="flex h-dvh overflow-hidden">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to the page
      </a>
      {drawer && (
        <button
          type="button"
          aria-label="Close the navigation"
          onClick={() => setDrawer(false)}
          className="fixed inset-0 z-30 bg-scrim md:hidden"
        />
      )}
      <aside
        className={cn(
          'z-40 shrink-0 border-r border-line bg-surface max-md:fixed max-md:inset-y-0 max-md:left-0 max-md:w-56',
          !drawer && 'max-md:hidden',
          collapsed ? 'md:w-12' : 'md:w-52',
        )}
      >
        <Sidebar
          pathname={pathname}
          groups={groups}
          projects={projects}
          project={project}
          collapsed={collapsed && !drawer}
        />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-surface px-3">
          <IconButton label="Navigation" className="md:hidden" onClick={() => setDrawer(true)}>
            <MenuIcon />
          </IconButton>
          <IconButton
            label={collapsed ? 'Widen the navigation' : 'Narrow the navigation'}
            className="max-md:hidden"
            aria-expanded={!collapsed}
            onClick={toggle}
          >
            <PanelLeft />
          </IconButton>
          <div className="min-w-0 flex-1">
            <Breadcrumb crumbs={crumbsFor(pathname, groups, project)} />
          </div>
          <CommandPalette groups={groups} projects={projects} />
          <ThemeSwitch theme={theme} />
          <AccountMenu actor={actor} accountPath="/account" signOut={signOut} />
        </header>
        <main id="main" tabIndex={-1} className="relative min-h-0 flex-1 overflow-y-auto outline-none">
          {children}
        </main>
      </div>
      <ProgressTray />
    </div>
  );
}
