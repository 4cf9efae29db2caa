import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** A message about the quality of the worker's work, and what they can do about it. */
export function HintNote({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div
      role="note"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line bg-hover px-3 py-2 text-sm"
    >
      <p className="flex max-w-prose min-w-0 flex-1 basis-64 items-start gap-2">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
        <span dir="auto">{text}</span>
      </p>
      {children}
    </div>
  );
}
