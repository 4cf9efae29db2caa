'use client';

import Link from 'next/link';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { Kbd } from './kbd';

interface MenuProps {
  trigger: ReactNode;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
  className?: string;
  children: ReactNode;
}

export function Menu({ trigger, align = 'start', side, className, children }: MenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={cn(
            'z-50 max-h-[min(28rem,var(--radix-dropdown-menu-content-available-height))] min-w-48 overflow-y-auto',
            'rounded-lg border border-line bg-raised p-1 shadow-overlay',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  shortcut?: string;
  href?: string;
  onSelect?: () => void;
  disabled?: boolean;
  danger?: boolean;
  checked?: boolean;
  children: ReactNode;
}

const itemStyle =
  'flex h-7 w-full items-center gap-2 rounded-sm px-2 text-sm outline-none select-none data-disabled:text-ink-3 ' +
  'data-highlighted:bg-hover [&_svg]:size-3.5 [&_svg]:shrink-0';

export function MenuItem({
  icon,
  shortcut,
  href,
  onSelect,
  disabled,
  danger,
  checked,
  children,
}: MenuItemProps) {
  const className = cn(itemStyle, danger ? 'text-bad' : 'text-ink', checked && 'font-medium text-accent');
  const content = (
    <>
      {icon}
      <span className="flex-1 truncate">{children}</span>
      {shortcut && <Kbd keys={shortcut} />}
    </>
  );
  return (
    <Radix.Item asChild={Boolean(href)} disabled={disabled} onSelect={onSelect} className={className}>
      {href ? (
        <Link href={href} aria-current={checked ? 'true' : undefined}>
          {content}
        </Link>
      ) : (
        content
      )}
    </Radix.Item>
  );
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-2 py-1 text-2xs text-ink-3">{children}</Radix.Label>
);

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
