import type { ReactNode } from 'react';
import { formatDuration, formatNumber } from '@/lib/core/format';
import { cn } from './cn';
import { ProgressBar } from './progress-bar';
import { State } from './state';
import { toneOf } from './tone';

export interface ProgressProps {
  title: ReactNode;
  /** For screen readers when the title is not plain text. */
  label: string;
  state: string;
  done: number;
  total: number | null;
  /** What is being done right now. */
  text?: string;
  secondsLeft?: number | null;
  /** A cancel button, while the work can still be cancelled. */
  cancel?: ReactNode;
  className?: string;
}

/** A long action: what, how far, how long still, and the way to stop it. */
export function Progress(props: ProgressProps) {
  const { title, label, state, done, total, text, secondsLeft, cancel, className } = props;
  const active = state === 'running' || state === 'queued' || state === 'retrying';
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <div className="flex min-h-6 items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
        <State state={state} className="text-xs text-ink-2" />
        {active && cancel}
      </div>
      {active && <ProgressBar label={label} done={done} total={total} tone={toneOf(state)} />}
      <div className="flex gap-3 text-xs text-ink-3 tabular-nums">
        <span className="min-w-0 flex-1 truncate">{text}</span>
        {total !== null && (
          <span>
            {formatNumber(done)} / {formatNumber(total)}
          </span>
        )}
        {active && typeof secondsLeft === 'number' && <span>{formatDuration(secondsLeft)} left</span>}
      </div>
    </div>
  );
}
