import Link from 'next/link';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import type { EvaluationMetrics } from '@/lib/evaluate/run-evaluation';
import type { ReportLine } from '@/lib/evaluation/report/report';
import { ENOUGH } from '@/lib/evaluation/report/slice-report';
import { formatNumber } from '@/lib/format';
import { galleryPath, isInGallery } from './gallery-path';

/** Every group and variant with its n; a group that is surely below the whole is marked. */
export function ReportTable({ metrics, path }: { metrics: EvaluationMetrics; path: string }) {
  const overall = metrics.findings.find(({ id }) => id === 'clean-accuracy')?.value ?? null;
  return (
    <Panel
      title="Report"
      description={`Groups of at least ${ENOUGH} images whose interval lies below the accuracy of all are marked.`}
      flush
    >
      <SmallTable
        caption="Report"
        rows={metrics.lines}
        rowKey={({ paradigm, group, name }) => `${paradigm} ${group} ${name}`}
        empty="This suite has no groups."
        columns={[
          { key: 'group', title: 'Question', cell: ({ group }) => group },
          {
            key: 'name',
            title: 'Group',
            cell: ({ name, filter }) =>
              isInGallery(filter) ? (
                <Link href={galleryPath(path, filter)} className="underline-offset-2 hover:underline">
                  {name}
                </Link>
              ) : (
                name
              ),
          },
          { key: 'value', title: 'Value', numeric: true, cell: ({ value }) => formatNumber(value, 3) },
          {
            key: 'interval',
            title: '95 %',
            numeric: true,
            cell: ({ low, high }) =>
              low === null || high === null ? '–' : `${formatNumber(low, 3)}–${formatNumber(high, 3)}`,
          },
          {
            key: 'n',
            title: 'n',
            numeric: true,
            cell: ({ n, of }) => `${formatNumber(n)} of ${formatNumber(of)}`,
          },
          { key: 'mark', title: '', cell: (line) => (isWeak(line, overall) ? 'weak' : '') },
        ]}
      />
    </Panel>
  );
}

const isWeak = ({ paradigm, n, high }: ReportLine, overall: number | null): boolean =>
  paradigm === 'subpopulation' && n >= ENOUGH && overall !== null && high !== null && high < overall;
