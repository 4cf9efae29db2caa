import Link from 'next/link';
import { formatNumber } from '@/lib/core/format';
import { cn } from './cn';

export interface Tab {
  label: string;
  href: string;
  count?: number;
}

/** Tabs are addresses: they can be opened in a new window, shared and gone back from. */
export function Tabs({ label, tabs, current }: { label: string; tabs: Tab[]; current: string }) {
  return (
    <nav aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          aria-current={tab.href === current ? 'page' : undefined}
          className={cn(
            '-mb-px flex h-8 min-w-6 items-center gap-1.5 border-b-2 border-transparent whitespace-nowrap text-ink-2 hover:text-ink',
            'outline-offset-[-2px] aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink',
          )}
        >
          {tab.label}
          {tab.count !== undefined && (
            <span className="text-xs font-normal text-ink-3">{formatNumber(tab.count)}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
