import { ButtonLink } from '@/app/_ui/button';
import { formatNumber } from '@/lib/core/format';

interface Props {
  offset: number;
  limit: number;
  /** Pictures in sight. */
  shown: number;
  total: number;
  hrefAt: (offset: number) => string;
}

/** Which pictures of a gallery are in sight, and the way to those before and after them. */
export function GallerySteps({ offset, limit, shown, total, hrefAt }: Props) {
  const isLast = offset + shown >= total;
  if (offset === 0 && isLast) return null;
  return (
    <div className="flex items-center gap-2 text-xs text-ink-3">
      <span className="flex-1 tabular-nums">
        {formatNumber(offset + 1)} to {formatNumber(offset + shown)} of {formatNumber(total)}
      </span>
      {offset > 0 && (
        <ButtonLink size="small" href={hrefAt(Math.max(0, offset - limit))}>
          Before
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
