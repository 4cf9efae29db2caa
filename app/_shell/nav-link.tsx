import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { Tooltip } from '@/app/_ui/tooltip';
import { icons } from './icons';
import type { NavigationItem } from './navigation-for';

interface NavLinkProps {
  item: NavigationItem;
  current: boolean;
  collapsed: boolean;
}

export function NavLink({ item, current, collapsed }: NavLinkProps) {
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
