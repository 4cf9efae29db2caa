import { Stat, StatStrip } from '@/app/_ui/stat';
import type { WorkerMoney } from '@/lib/crowd/pay';
import { formatMoney, noValue } from '@/lib/format';

type Kind = 'pending' | 'approved' | 'paid' | 'inReview';

/** What has become of what was earned. */
export function Earnings({ money }: { money: readonly WorkerMoney[] }) {
  const sum = (kind: Kind) => money.map((row) => formatMoney(row[kind], row.currency)).join(', ') || noValue;
  return (
    <StatStrip>
      <Stat label="Earned, not yet approved" value={sum('pending')} href="/annotate/account" />
      {money.some(({ inReview }) => inReview > 0n) && <Stat label="In review" value={sum('inReview')} />}
      <Stat label="Approved for payment" value={sum('approved')} />
      <Stat label="Paid" value={sum('paid')} />
    </StatStrip>
  );
}
