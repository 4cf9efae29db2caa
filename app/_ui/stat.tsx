import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { formatDifference, formatNumber } from '@/lib/core/format';
import { cn } from './cn';

export interface Trend {
  difference: number;
  /** Since when: "7 d". */
  since: string;
  unit?: string;
  /** Whether more is better; without it the arrow makes no judgement. */
  better?: 'more' | 'less';
  digits?: number;
}

interface StatProps {
  label: string;
  value: ReactNode;
  /** How many observations the number rests on. */
  n?: number;
  /** Already formatted: "84.1–90.0". Estimates carry one. */
  interval?: string;
  trend?: Trend;
  /** Where the pictures or rows behind the number are. */
  href?: string;
}

function TrendMark({ difference, since, unit = '', better, digits = 1 }: Trend) {
  const Arrow = difference > 0 ? ArrowUpRight : difference < 0 ? ArrowDownRight : ArrowRight;
  const improved = better && difference !== 0 ? difference > 0 === (better === 'more') : undefined;
  return (
    <span
      className={cn(
        'inline-flex items-center gap-0.5',
        improved === true && 'text-good',
        improved === false && 'text-bad',
      )}
    >
      <Arrow aria-hidden className="size-3" />
      {formatDifference(difference, digits)}
      {unit} in {since}
      {improved !== undefined && <span className="sr-only">{improved ? ', better' : ', worse'}</span>}
    </span>
  );
}

export function Stat({ label, value, n, interval, trend, href }: StatProps) {
  return (
    <div className="flex min-w-28 flex-col gap-0.5 tabular-nums">
      <dt className="text-xs text-ink-3">
        {href ? (
          <Link href={href} className="underline decoration-line-strong underline-offset-2 hover:text-ink">
            {label}
          </Link>
        ) : (
          label
        )}
      </dt>
      <dd className="flex items-baseline gap-2">
        <span className="text-xl font-semibold tracking-tight">{value}</span>
        {interval && <span className="text-xs text-ink-2">{interval}</span>}
      </dd>
      {(n !== undefined || trend) && (
        <dd className="flex flex-wrap gap-x-2 text-xs whitespace-nowrap text-ink-3">
          {n !== undefined && <span>n = {formatNumber(n)}</span>}
          {trend && <TrendMark {...trend} />}
        </dd>
      )}
    </div>
  );
}

/** Stats side by side, divided by hairlines; eight of them stand in rows of four, or in one where there is room. */
export const StatStrip = ({ eight, children }: { eight?: boolean; children: ReactNode }) => (
  <dl
    className={cn(
      'grid overflow-hidden rounded-lg border border-line bg-surface *:border-line *:px-4 *:py-3 *:shadow-[-1px_-1px_0_var(--color-line)]',
      eight ? 'grid-cols-2 sm:grid-cols-4 2xl:grid-cols-8' : 'grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]',
    )}
  >
    {children}
  </dl>
);
