'use client';

import { LogOut, UserRound } from 'lucide-react';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/app/_ui/menu';
import type { ShellActor } from './navigation-for';

interface AccountMenuProps {
  actor: ShellActor;
  accountPath: string;
  signOut: () => Promise<void>;
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('');

export function AccountMenu({ actor, accountPath, signOut }: AccountMenuProps) {
  return (
    <Menu
      align="end"
      className="w-56"
      trigger={
        <button
          type="button"
          // What is seen is part of the name, for those who speak to their browser.
          aria-label={`${initials(actor.name)}, account of ${actor.name}`}
          className="flex size-7 items-center justify-center rounded-full border border-line bg-hover text-2xs font-semibold text-ink-2 hover:text-ink"
        >
          {initials(actor.name)}
        </button>
      }
    >
      <MenuLabel>
        <span className="block truncate text-sm font-medium text-ink">{actor.name}</span>
        <span className="block truncate">{actor.email}</span>
      </MenuLabel>
      <MenuSeparator />
      <MenuItem href={accountPath} icon={<UserRound />}>
        Account
      </MenuItem>
      <MenuItem icon={<LogOut />} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
