import { cn } from './cn';

/** Keys as printed on them: "Ctrl K" becomes two caps. */
export function Kbd({ keys, className }: { keys: string; className?: string }) {
  return (
    <kbd dir="ltr" className={cn('inline-flex gap-0.5 font-sans', className)}>
      {keys.split(' ').map((key) => (
        <span
          key={key}
          className="inline-flex h-4 min-w-4 items-center justify-center rounded-sm border border-line bg-sunken px-1 text-2xs text-ink-2"
        >
          {key}
        </span>
      ))}
    </kbd>
  );
}
