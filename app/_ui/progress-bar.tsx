import { cn } from './cn';
import type { Tone } from './tone';

interface ProgressBarProps {
  label: string;
  done: number;
  /** Unknown while the work is still being counted. */
  total: number | null;
  tone?: Tone;
  className?: string;
}

const fill: Record<Tone, string> = {
  neutral: 'bg-line-strong',
  busy: 'bg-accent',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
};

export function ProgressBar({ label, done, total, tone = 'busy', className }: ProgressBarProps) {
  const share = total === null ? null : total === 0 ? 0 : Math.min(1, Math.max(0, done / total));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total ?? undefined}
      aria-valuenow={share === null ? undefined : done}
      className={cn('h-1 w-full overflow-hidden rounded-full bg-hover', className)}
    >
      {share === null ? (
        <div className={cn('h-full w-1/3 animate-slide rounded-full', fill[tone])} />
      ) : (
        <div
          className={cn('h-full rounded-full transition-[width]', fill[tone])}
          style={{ width: `${share * 100}%` }}
        />
      )}
    </div>
  );
}
