import type { ReactNode } from 'react';
import { cn } from './cn';

export interface Definition {
  term: string;
  value: ReactNode;
}

export function DefinitionList({ items, className }: { items: Definition[]; className?: string }) {
  return (
    <dl className={cn('grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5', className)}>
      {items.map(({ term, value }) => (
        <div key={term} className="contents">
          <dt className="text-ink-3">{term}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
