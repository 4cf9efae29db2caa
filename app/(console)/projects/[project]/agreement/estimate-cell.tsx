import { formatNumber } from '@/lib/core/format';
import type { Estimate } from '@/lib/core/quality/agreement';

interface Props {
  estimate: Estimate;
  /** Where several figures of a row rest on the same items, one of them says on how many. */
  hasN?: boolean;
}

/** A figure with its 95 % interval; where it is undefined, why. */
export function EstimateCell({ estimate, hasN = false }: Props) {
  if (estimate.value === null) return <span className="text-xs text-ink-3">{estimate.reason}</span>;
  return (
    <span className="whitespace-nowrap tabular-nums">
      {formatNumber(estimate.value, 2)}{' '}
      <span className="text-xs text-ink-3">
        {formatNumber(estimate.low, 2)} to {formatNumber(estimate.high, 2)}
        {hasN && `, n = ${formatNumber(estimate.n)}`}
      </span>
    </span>
  );
}
