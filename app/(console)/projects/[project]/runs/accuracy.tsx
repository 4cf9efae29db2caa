import { formatNumber, formatPercentInterval } from '@/lib/core/format';

interface Props {
  /** A share with the ends of its interval. */
  of: { accuracy?: number | null; value?: number; low: number; high: number; n: number } | null | undefined;
  /** What it rests on, where that is more than a number of images. */
  over?: string;
}

/** A measured share never stands without its interval and what it rests on. */
export function Accuracy({ of, over }: Props) {
  const value = of?.accuracy ?? of?.value;
  if (!of || value === undefined || value === null) return <span className="text-ink-3">–</span>;
  return (
    <span className="flex flex-col items-end whitespace-nowrap">
      <span>{formatPercentInterval(value, [of.low, of.high])}</span>
      <span className="text-xs text-ink-3">{over ?? `n = ${formatNumber(of.n)}`}</span>
    </span>
  );
}
