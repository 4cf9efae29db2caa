import { ChevronLeft, ChevronRight, ChevronsLeft } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { formatCount, formatNumber } from '@/lib/core/format';
import { buttonStyle } from '../button';
import { cn } from '../cn';
import { type Query, tableHref } from './table-state';

export interface PagerProps {
  path: string;
  query: Query;
  /** Rows on this page. */
  shown: number;
  /** Total number of matching rows, if it is cheap to count. */
  total?: number;
  /** Key of the last row, if there are rows after it. */
  next?: string | null;
  /** Key of the first row, if there are rows before it; omitted for lists that only page forwards. */
  previous?: string | null;
}

function Step({ href, label, children }: { href: string | undefined; label: string; children: ReactNode }) {
  const style = cn(buttonStyle({ variant: 'quiet', size: 'small' }), 'w-6 px-0');
  return href ? (
    <Link href={href} aria-label={label} title={label} className={style}>
      {children}
    </Link>
  ) : (
    <span aria-hidden className={cn(style, 'opacity-35')}>
      {children}
    </span>
  );
}

/** Keyset pagination: every page costs the same, however far down the list. */
export function Pager({ path, query, shown, total, next, previous }: PagerProps) {
  const isFirst = !query.after && !query.before;
  const to = (change: { after: string | null; before: string | null }) => tableHref(path, query, change);
  return (
    <nav aria-label="Pages" className="flex h-9 items-center gap-1 px-3 text-xs text-ink-3">
      <span className="flex-1">
        {total === undefined
          ? formatCount(shown, 'row')
          : `${formatNumber(shown)} of ${formatCount(total, 'row')}`}
      </span>
      <Step href={isFirst ? undefined : to({ after: null, before: null })} label="First page">
        <ChevronsLeft aria-hidden />
      </Step>
      {previous !== undefined && (
        <Step href={previous ? to({ after: null, before: previous }) : undefined} label="Previous page">
          <ChevronLeft aria-hidden />
        </Step>
      )}
      <Step href={next ? to({ after: next, before: null }) : undefined} label="Next page">
        <ChevronRight aria-hidden />
      </Step>
    </nav>
  );
}
