import { EmptyState } from '@/app/_ui/empty-state';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import type { Estimate } from '@/lib/core/quality/agreement';
import type { DrawingRow } from '@/lib/services/curation/agreement/drawing-agreement';
import type { FormRow } from '@/lib/services/curation/agreement/form-agreement';

type Naming = { nameOf: (target: string) => string };

const empty = <EmptyState title="Nothing to compare">No item of this stage has two answers yet.</EmptyState>;

/** Attribute by attribute; those on which people agree least by AC1 come first. */
export function FormTable({ rows, nameOf }: { rows: FormRow[] } & Naming) {
  const sorted = [...rows].sort((a, b) => (a.ac1.value ?? 2) - (b.ac1.value ?? 2));
  return (
    <SmallTable
      caption="Agreement by attribute"
      rows={sorted}
      rowKey={(row) => row.target}
      empty={empty}
      columns={[
        {
          key: 'target',
          title: 'Attribute',
          cell: (row) => <span className="font-medium">{nameOf(row.target)}</span>,
        },
        { key: 'n', title: 'Items', numeric: true, cell: (row) => formatNumber(row.raw.n) },
        {
          key: 'prevalence',
          title: 'Prevalence',
          numeric: true,
          cell: (row) => <EstimateCell estimate={row.prevalence} />,
        },
        {
          key: 'raw',
          title: 'Raw agreement',
          numeric: true,
          cell: (row) => <EstimateCell estimate={row.raw} />,
        },
        {
          key: 'alpha',
          title: 'Krippendorff’s alpha',
          numeric: true,
          cell: (row) => <EstimateCell estimate={row.alpha} />,
        },
        {
          key: 'ac1',
          title: 'Gwet’s AC1',
          numeric: true,
          cell: (row) => <EstimateCell estimate={row.ac1} />,
        },
      ]}
    />
  );
}

/** Whether something is there first, then where it is. */
export function DrawingTable({ rows, nameOf }: { rows: DrawingRow[] } & Naming) {
  return (
    <SmallTable
      caption="Agreement by part"
      rows={rows}
      rowKey={(row) => row.target}
      empty={empty}
      columns={[
        {
          key: 'target',
          title: 'Attribute or part',
          cell: (row) => <span className="font-medium">{nameOf(row.target)}</span>,
        },
        { key: 'n', title: 'Items', numeric: true, cell: (row) => formatNumber(row.detection.raw.n) },
        {
          key: 'raw',
          title: 'There or not: raw',
          numeric: true,
          cell: (row) => <EstimateCell estimate={row.detection.raw} />,
        },
        {
          key: 'ac1',
          title: 'There or not: AC1',
          numeric: true,
          cell: (row) => <EstimateCell estimate={row.detection.ac1} />,
        },
        {
          key: 'drawn',
          title: 'Drawn twice',
          numeric: true,
          cell: (row) => formatNumber(row.iou.n),
        },
        {
          key: 'iou',
          title: 'Pairwise IoU',
          numeric: true,
          cell: (row) => <EstimateCell estimate={row.iou} />,
        },
        {
          key: 'boundary',
          title: 'Boundary IoU',
          numeric: true,
          cell: (row) => <EstimateCell estimate={row.boundaryIou} />,
        },
        ...(rows.some(({ instances }) => instances.value !== null)
          ? [
              {
                key: 'instances',
                title: 'Instances (F1)',
                numeric: true,
                cell: (row: DrawingRow) => <EstimateCell estimate={row.instances} />,
              },
            ]
          : []),
      ]}
    />
  );
}

interface Props {
  estimate: Estimate;
  /** Where several figures of a row rest on the same items, one of them says on how many. */
  hasN?: boolean;
}

/** A figure with its 95 % interval; where it is undefined, why. */
function EstimateCell({ estimate, hasN = false }: Props) {
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
