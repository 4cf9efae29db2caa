import { State } from '@/app/_ui/state';
import type { Tone } from '@/app/_ui/tone';
import { formatNumber, noValue } from '@/lib/core/format';

/** An estimate with its 95 % interval. */
export type Estimate = { value: number; low: number; high: number };

/** Compares an interval with the bar: entirely above, entirely below, or neither. */
export function against(bar: number, { low, high }: Estimate): { tone: Tone; words: string } {
  if (low >= bar) return { tone: 'good', words: `significantly above the bar of ${formatNumber(bar, 2)}` };
  if (high < bar) return { tone: 'bad', words: `significantly below the bar of ${formatNumber(bar, 2)}` };
  return { tone: 'neutral', words: `not significantly different from the bar of ${formatNumber(bar, 2)}` };
}

interface ScoreProps {
  estimate: Estimate | null | undefined;
  bar?: number;
}

/** A score from 0 to 1 with its interval, and a mark if the interval lies entirely on one side of the bar. */
export function Score({ estimate, bar }: ScoreProps) {
  if (!estimate) return <span className="text-ink-3">{noValue}</span>;
  const { value, low, high } = estimate;
  const text = (
    <>
      {formatNumber(value, 2)}{' '}
      <span className="text-xs text-ink-3">
        {formatNumber(low, 2)}–{formatNumber(high, 2)}
      </span>
    </>
  );
  if (bar === undefined) return <span className="whitespace-nowrap tabular-nums">{text}</span>;
  const { tone, words } = against(bar, estimate);
  return (
    <span title={words} className="tabular-nums">
      <State state={words} tone={tone}>
        {text}
        <span className="sr-only">, {words}</span>
      </State>
    </span>
  );
}
