'use client';

import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { Mark } from './mark';
import { NavLink } from './nav-link';
import { itemAt, type NavigationGroup, type ShellProject } from './navigation-for';
import { ProjectSwitcher } from './project-switcher';

interface SidebarProps {
  pathname: string;
  groups: NavigationGroup[];
  projects: ShellProject[];
  project: ShellProject | undefined;
  collapsed: boolean;
}

export function Sidebar({ pathname, groups, projects, project, collapsed }: SidebarProps) {
  const current = itemAt(pathname, groups);
  return (
    <div className="flex h-full flex-col gap-3 overflow-y-auto p-2">
      <Link
        href="/"
        className={cn(
          'flex h-8 shrink-0 items-center gap-2 rounded-md px-2 text-base font-semibold tracking-tight',
          collapsed && 'justify-center px-0',
        )}
      >
        <Mark className="size-4" />
        <span className={collapsed ? 'sr-only' : undefined}>Tessera</span>
      </Link>
      <ProjectSwitcher projects={projects} project={project} collapsed={collapsed} />
      <nav aria-label="Main" className="flex flex-col gap-4">
        {groups.map((group) => (
          <section key={group.title} aria-label={group.title}>
            {!collapsed && <h2 className="px-2 pb-1 text-2xs font-medium text-ink-3">{group.title}</h2>}
            <ul className="flex flex-col gap-px">
              {group.items.map((item) => (
                <li key={item.href}>
                  <NavLink item={item} current={item === current} collapsed={collapsed} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  );
}
