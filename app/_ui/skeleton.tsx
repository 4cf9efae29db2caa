import { cn } from './cn';

/** Holds the place of what is coming, so that nothing jumps when it does. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cn('h-4 animate-pulse rounded-sm bg-hover', className)} />
);

export function SkeletonRows({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3 p-4">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never move.
        <Skeleton key={row} className={row % 3 === 2 ? 'w-2/3' : 'w-full'} />
      ))}
    </div>
  );
}
