import { TriangleAlert } from 'lucide-react';

/** A message about the quality of the worker's work. */
export function HintNote({ text }: { text: string }) {
  return (
    <p
      role="note"
      className="mt-2 flex max-w-prose items-start gap-2 rounded-md border border-line bg-hover px-3 py-2 text-sm"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <span>{text}</span>
    </p>
  );
}
