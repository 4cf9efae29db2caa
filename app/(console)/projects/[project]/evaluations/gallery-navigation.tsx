import Link from 'next/link';
import { ButtonLink } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { formatNumber } from '@/lib/core/format';

interface GalleryStepsProps {
  offset: number;
  limit: number;
  /** Displayed pictures. */
  shown: number;
  total: number;
  hrefAt: (offset: number) => string;
}

/** Pagination of a gallery. */
export function GallerySteps({ offset, limit, shown, total, hrefAt }: GalleryStepsProps) {
  const isLast = offset + shown >= total;
  if (offset === 0 && isLast) return null;
  return (
    <div className="flex items-center gap-2 text-xs text-ink-3">
      <span className="flex-1 tabular-nums">
        {formatNumber(offset + 1)} to {formatNumber(offset + shown)} of {formatNumber(total)}
      </span>
      {offset > 0 && (
        <ButtonLink size="small" href={hrefAt(Math.max(0, offset - limit))}>
          Previous
        </ButtonLink>
      )}
      {!isLast && (
        <ButtonLink size="small" href={hrefAt(offset + limit)}>
          Next
        </ButtonLink>
      )}
    </div>
  );
}

interface GroupLinksProps<Value extends string> {
  /** Label of the groups. */
  label: string;
  choices: readonly (readonly [Value, string])[];
  chosen: Value;
  at: (value: Value) => string;
}

/** Group filter as links. */
export function GroupLinks<Value extends string>({ label, choices, chosen, at }: GroupLinksProps<Value>) {
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
