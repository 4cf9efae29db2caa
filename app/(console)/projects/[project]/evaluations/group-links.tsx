import Link from 'next/link';
import { cn } from '@/app/_ui/cn';

interface Props<Value extends string> {
  /** What the groups are of. */
  label: string;
  choices: readonly (readonly [Value, string])[];
  chosen: Value;
  at: (value: Value) => string;
}

/** Which pictures of a gallery are shown: links, so that an address says it. */
export function GroupLinks<Value extends string>({ label, choices, chosen, at }: Props<Value>) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-xs text-ink-2">
      <span className="text-ink-3">{label}</span>
      {choices.map(([value, name]) => (
        <Link
          key={value}
          href={at(value)}
          aria-current={chosen === value ? 'true' : undefined}
          className={cn(
            'rounded-sm px-1.5 py-0.5 underline-offset-2 hover:underline',
            chosen === value && 'bg-accent-soft font-medium',
          )}
        >
          {name}
        </Link>
      ))}
    </p>
  );
}
