import type { ReactNode } from 'react';
import { cn } from './cn';
import { type Tone, toneOf } from './tone';

/** Each tone has its own shape, so that the mark reads without its colour. */
const marks: Record<Tone, ReactNode> = {
  neutral: <circle cx="5" cy="5" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  busy: (
    <>
      <circle cx="5" cy="5" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M5 1.75a3.25 3.25 0 0 1 0 6.5z" fill="currentColor" />
    </>
  ),
  good: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  warn: <path d="M5 .9 9.5 9H.5z" fill="currentColor" />,
  bad: <path d="M5 .3 9.7 5 5 9.7.3 5z" fill="currentColor" />,
};

const colour: Record<Tone, string> = {
  neutral: 'text-ink-3',
  busy: 'text-accent',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
};

interface StateProps {
  /** The state's word, as in the database and the design. */
  state: string;
  tone?: Tone;
  /** Shown instead of the word when the word needs a companion ("failed, 3 of 3"). */
  children?: ReactNode;
  className?: string;
}

export function State({ state, tone = toneOf(state), children, className }: StateProps) {
  return (
    <span className={cn('inline-flex items-center gap-1.5 whitespace-nowrap', className)}>
      <svg viewBox="0 0 10 10" aria-hidden="true" className={cn('size-2.5 shrink-0', colour[tone])}>
        {marks[tone]}
      </svg>
      <span>{children ?? state}</span>
    </span>
  );
}
