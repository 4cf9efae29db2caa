'use client';

import { ChevronsUpDown, FolderKanban } from 'lucide-react';
import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/app/_ui/menu';
import { Tooltip } from '@/app/_ui/tooltip';
import { icons } from './icons';
import { Mark } from './mark';
import { itemAt, type NavigationGroup, type NavigationItem, type ShellProject } from './navigation-for';

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

interface NavLinkProps {
  item: NavigationItem;
  current: boolean;
  collapsed: boolean;
}

function NavLink({ item, current, collapsed }: NavLinkProps) {
  const Icon = icons[item.icon];
  const link = (
    <Link
      href={item.href}
      aria-current={current ? 'page' : undefined}
      className={cn(
        'flex h-7 items-center gap-2.5 rounded-md px-2 text-ink-2 hover:bg-hover hover:text-ink',
        'aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink',
        collapsed && 'justify-center px-0',
      )}
    >
      <Icon aria-hidden strokeWidth={1.75} className={cn('size-4 shrink-0', current && 'text-accent')} />
      <span className={collapsed ? 'sr-only' : 'truncate'}>{item.label}</span>
    </Link>
  );
  return collapsed ? (
    <Tooltip text={item.label} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}

interface ProjectSwitcherProps {
  projects: ShellProject[];
  project: ShellProject | undefined;
  collapsed: boolean;
}

const initials = (name: string) =>
  name
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .slice(0, 2)
    .toUpperCase();

function ProjectSwitcher({ projects, project, collapsed }: ProjectSwitcherProps) {
  const name = project?.name ?? 'All projects';
  return (
    <Menu
      className="w-60"
      trigger={
        <button
          type="button"
          aria-label={`Project: ${name}. Switch`}
          className={cn(
            'flex h-8 w-full items-center gap-2 rounded-md border border-line bg-raised px-2 text-left hover:bg-hover',
            collapsed && 'justify-center px-0',
          )}
        >
          {collapsed ? (
            <span className="text-xs font-semibold">
              {project ? initials(name) : <FolderKanban aria-hidden className="size-4" />}
            </span>
          ) : (
            <>
              <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
              <ChevronsUpDown aria-hidden className="size-3.5 text-ink-3" />
            </>
          )}
        </button>
      }
    >
      <MenuLabel>{projects.length ? 'Projects' : 'No projects yet'}</MenuLabel>
      {projects.map((each) => (
        <MenuItem key={each.slug} href={`/projects/${each.slug}`} checked={each.slug === project?.slug}>
          {each.name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem href="/projects" icon={<FolderKanban />}>
        All projects
      </MenuItem>
    </Menu>
  );
}
