import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table';
import { formatMoney, formatNumber, formatPercentInterval, noValue } from '@/lib/core/format';
import type { Median } from '@/lib/core/quality/fair-pay';
import type { StagePay } from '@/lib/services/crowd/pay';

const median = (of: Median | null, show: (value: number) => string) => {
  if (!of) return noValue;
  const ends = of.interval && `${show(of.interval.low)}–${show(of.interval.high)}`;
  return (
    <>
      {show(of.value)} {ends && <span className="text-xs text-ink-3">{ends}</span>}
    </>
  );
};

const minutes = (value: number) => formatNumber(value, 1);
/** Without the currency, which is in the column title. */
const rate = (micro: number) => formatNumber(micro / 1e6, 2);

/** Hourly pay by stage and in total. */
export function FairPayTable({ rows }: { rows: StagePay[] }) {
  const currency = rows[0]?.currency ?? '';
  return (
    <SmallTable
      caption="Fair pay"
      rows={rows.filter((row) => row.pay.activeMinutes)}
      rowKey={(row) => row.stage?.id ?? 'all'}
      empty={
        <EmptyState title="No finished batches yet">
          Times and hourly pay appear here when the first batches end.
        </EmptyState>
      }
      columns={[
        {
          key: 'stage',
          title: 'Stage',
          cell: (row) => (
            <span className="font-medium">{row.stage?.name ?? 'All stages, including bonuses'}</span>
          ),
        },
        {
          key: 'n',
          title: 'Batches',
          numeric: true,
          cell: (row) => formatNumber(row.pay.activeMinutes?.n),
        },
        {
          key: 'active',
          title: 'Active minutes',
          numeric: true,
          cell: (row) => median(row.pay.activeMinutes, minutes),
        },
        {
          key: 'wall',
          title: 'Elapsed minutes',
          numeric: true,
          cell: (row) => median(row.pay.wallMinutes, minutes),
        },
        {
          key: 'hourly',
          title: `${currency} per active hour`,
          numeric: true,
          cell: (row) => median(row.pay.hourlyMicro, rate),
        },
        {
          key: 'wall-hourly',
          title: `${currency} per elapsed hour`,
          numeric: true,
          cell: (row) => median(row.pay.wallHourlyMicro, rate),
        },
        { key: 'target', title: 'Promised', numeric: true, cell: (row) => rate(row.targetMicro) },
        {
          key: 'under',
          title: 'Workers below promised pay',
          numeric: true,
          cell: ({ pay: { underTarget } }) =>
            underTarget
              ? formatPercentInterval(underTarget.value, [underTarget.low, underTarget.high], 0)
              : noValue,
        },
        {
          key: 'top-up',
          title: 'Top-up',
          numeric: true,
          cell: (row) => formatMoney(row.pay.topUpMicro, row.currency),
        },
      ]}
    />
  );
}
