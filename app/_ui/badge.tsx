import type { ReactNode } from 'react';
import { cn } from './cn';
import type { Tone } from './tone';

const colours: Record<Tone, string> = {
  neutral: 'border-line bg-sunken text-ink-2',
  busy: 'border-transparent bg-accent-soft text-accent',
  good: 'border-transparent bg-good-soft text-good',
  warn: 'border-transparent bg-warn-soft text-warn',
  bad: 'border-transparent bg-bad-soft text-bad',
};

/** A short word or count that belongs to the thing beside it. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cn(
        'inline-flex h-4.5 items-center rounded-sm border px-1.5 text-2xs font-medium whitespace-nowrap',
        colours[tone],
      )}
    >
      {children}
    </span>
  );
}
