import type { ReactNode } from 'react';
import { cn } from './cn';

interface PanelProps {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** No padding: for tables and lists that reach the edge. */
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

/** A bounded area with one subject. */
export function Panel({ title, description, actions, flush, className, children }: PanelProps) {
  return (
    <section className={cn('min-w-0 rounded-lg border border-line bg-surface', className)}>
      {title && (
        <header className="flex min-h-10 items-center gap-3 border-b border-line px-4 py-1.5">
          <div className="min-w-0 flex-1">
            <h2 className="font-semibold">{title}</h2>
            {description && <p className="text-xs text-ink-3">{description}</p>}
          </div>
          {actions && <div className="flex items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={cn(!flush && 'p-4')}>{children}</div>
    </section>
  );
}

/** A titled part of a page without a frame. */
export function Section({ title, description, actions, className, children }: Omit<PanelProps, 'flush'>) {
  return (
    <section className={cn('flex min-w-0 flex-col gap-3', className)}>
      {title && (
        <header className="flex items-end gap-3">
          <div className="min-w-0 flex-1">
            <h2 className="text-base font-semibold">{title}</h2>
            {description && <p className="max-w-prose text-ink-2">{description}</p>}
          </div>
          {actions && <div className="flex items-center gap-2">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
