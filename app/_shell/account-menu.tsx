'use client';

import { LogOut, UserRound } from 'lucide-react';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/app/_ui/menu';
import { initials } from './initials';
import type { ShellActor } from './navigation-for';

interface AccountMenuProps {
  actor: ShellActor;
  accountPath: string;
  signOut: () => Promise<void>;
  text?: AccountMenuText;
}

export interface AccountMenuText {
  account: string;
  signOut: string;
  /** The name of the button. What is seen is part of it, for people who speak to their browser. */
  label: string;
}

export function AccountMenu({ actor, accountPath, signOut, text }: AccountMenuProps) {
  const short = initials(actor.name);
  return (
    <Menu
      align="end"
      className="w-56"
      trigger={
        <button
          type="button"
          aria-label={text?.label ?? `${short}, account of ${actor.name}`}
          className="flex size-7 items-center justify-center rounded-full border border-line bg-hover text-2xs font-semibold text-ink-2 hover:text-ink"
        >
          {short}
        </button>
      }
    >
      <MenuLabel>
        <span className="block truncate text-sm font-medium text-ink">{actor.name}</span>
        <span className="block truncate">{actor.email}</span>
      </MenuLabel>
      <MenuSeparator />
      <MenuItem href={accountPath} icon={<UserRound />}>
        {text?.account ?? 'Account'}
      </MenuItem>
      <MenuItem icon={<LogOut />} onSelect={() => void signOut()}>
        {text?.signOut ?? 'Sign out'}
      </MenuItem>
    </Menu>
  );
}
