'use client';

import { Command } from 'cmdk';
import { FolderKanban, Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Dialog } from 'radix-ui';
import { type ReactNode, useEffect, useState } from 'react';
import { scrimStyle } from '@/app/_ui/dialog';
import { Kbd } from '@/app/_ui/kbd';
import { icons } from './icons';
import type { NavigationGroup, ShellProject } from './navigation-for';
import { applyTheme, themeChoices } from './theme-switch';

interface CommandPaletteProps {
  groups: NavigationGroup[];
  projects: ShellProject[];
}

const groupStyle =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:text-ink-3';

interface EntryProps {
  value: string;
  keywords?: string[];
  icon: ReactNode;
  aside?: string;
  onSelect: () => void;
  children: string;
}

function Entry({ value, keywords, icon, aside, onSelect, children }: EntryProps) {
  return (
    <Command.Item
      value={value}
      keywords={keywords}
      onSelect={onSelect}
      className="flex h-8 cursor-pointer items-center gap-2.5 rounded-md px-2 data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:text-ink-3"
    >
      {icon}
      <span className="flex-1 truncate">{children}</span>
      {aside && <span className="text-xs text-ink-3">{aside}</span>}
    </Command.Item>
  );
}

function useOpenKey(open: () => void) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [open]);
}

export function CommandPalette({ groups, projects }: CommandPaletteProps) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  useOpenKey(() => setOpen(true));
  const run = (act: () => void) => () => {
    setOpen(false);
    act();
  };
  const go = (href: string) => run(() => router.push(href));
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className="flex h-7 items-center gap-2 rounded-md border border-line bg-raised px-2 text-ink-3 hover:bg-hover hover:text-ink-2 md:w-52">
        <Search aria-hidden className="size-3.5" />
        <span className="hidden flex-1 text-left md:inline">Go to…</span>
        <span className="sr-only">Open the command palette</span>
        <Kbd keys="Ctrl K" className="hidden md:inline-flex" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className={scrimStyle} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12dvh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-raised shadow-overlay"
        >
          <Dialog.Title className="sr-only">Go to a page, a project or an action</Dialog.Title>
          <Command loop>
            <Command.Input
              placeholder="Page, project or action"
              className="h-11 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-ink-3"
            />
            <Command.List className="max-h-[50dvh] overflow-y-auto p-1.5">
              <Command.Empty className="px-2 py-6 text-ink-2">
                Nothing has that name. Try a shorter word, or open Projects.
              </Command.Empty>
              {groups.map((group) => (
                <Command.Group key={group.title} heading={group.title} className={groupStyle}>
                  {group.items.map((item) => {
                    const Icon = icons[item.icon];
                    return (
                      <Entry
                        key={item.href}
                        value={item.href}
                        keywords={[item.label, ...(item.also?.split(' ') ?? [])]}
                        icon={<Icon aria-hidden />}
                        onSelect={go(item.href)}
                      >
                        {item.label}
                      </Entry>
                    );
                  })}
                </Command.Group>
              ))}
              {projects.length > 0 && (
                <Command.Group heading="Projects" className={groupStyle}>
                  {projects.map((project) => (
                    <Entry
                      key={project.slug}
                      value={`project ${project.slug}`}
                      keywords={[project.name]}
                      icon={<FolderKanban aria-hidden />}
                      aside={project.state}
                      onSelect={go(`/projects/${project.slug}`)}
                    >
                      {project.name}
                    </Entry>
                  ))}
                </Command.Group>
              )}
              <Command.Group heading="Theme" className={groupStyle}>
                {themeChoices.map(({ theme, label, Icon }) => (
                  <Entry
                    key={theme}
                    value={`theme ${theme}`}
                    keywords={[label]}
                    icon={<Icon aria-hidden />}
                    onSelect={run(() => applyTheme(theme))}
                  >
                    {label}
                  </Entry>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
