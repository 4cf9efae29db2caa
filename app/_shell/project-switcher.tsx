'use client';

import { ChevronsUpDown, FolderKanban } from 'lucide-react';
import { cn } from '@/app/_ui/cn';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/app/_ui/menu';
import type { ShellProject } from './navigation-for';

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

export function ProjectSwitcher({ projects, project, collapsed }: ProjectSwitcherProps) {
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
      <MenuLabel>{projects.length ? 'Projects' : 'You are in no project yet'}</MenuLabel>
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
