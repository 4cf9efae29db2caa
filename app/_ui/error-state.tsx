import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './cn';

interface ErrorStateProps {
  /** What happened. */
  title: string;
  /** What it means and what to do. */
  children: ReactNode;
  /** Shown so that the error can be found in the logs. */
  requestId?: string;
  referenceLabel?: string;
  action?: ReactNode;
  className?: string;
}

export function ErrorState({
  title,
  children,
  requestId,
  referenceLabel = 'Reference',
  action,
  className,
}: ErrorStateProps) {
  return (
    <div role="alert" className={cn('flex gap-3 px-4 py-8 sm:px-6', className)}>
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="flex max-w-prose flex-col gap-3">
        <div>
          <p className="text-base font-medium">{title}</p>
          <div className="mt-1 text-ink-2">{children}</div>
          {requestId && (
            <p className="mt-2 text-xs text-ink-3">
              {referenceLabel} <code className="font-mono text-ink-2 select-all">{requestId}</code>
            </p>
          )}
        </div>
        {action && <div className="flex gap-2">{action}</div>}
      </div>
    </div>
  );
}
