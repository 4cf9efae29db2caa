import type { ReactNode } from 'react';
import { cn } from './cn';

interface EmptyStateProps {
  title: string;
  /** Why it is empty and what to do next. */
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cn('flex flex-col items-start gap-3 px-4 py-8 sm:px-6', className)}>
      <div className="max-w-prose">
        <p className="text-base font-medium">{title}</p>
        <div className="mt-1 text-ink-2">{children}</div>
      </div>
      {action && <div className="flex gap-2">{action}</div>}
    </div>
  );
}
