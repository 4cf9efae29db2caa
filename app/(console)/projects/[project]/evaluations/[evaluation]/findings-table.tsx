import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import type { Finding } from '@/lib/core/robustness/report/report';
import { findingText, intervalText } from '../finding-text';

/** Every number that was found, with what it means: the strip shows eight of them. */
export function FindingsTable({ findings }: { findings: Finding[] }) {
  return (
    <Panel title="Findings" description="Intervals are 95 %; n counts images." flush>
      <SmallTable
        caption="Findings"
        rows={findings}
        rowKey={({ id }) => id}
        empty="This suite found no numbers."
        columns={[
          {
            key: 'name',
            title: 'Finding',
            cell: ({ name, says }) => (
              <span className="flex max-w-prose flex-col">
                <span className="font-medium">{name}</span>
                <span className="text-xs text-ink-3">{says}</span>
              </span>
            ),
          },
          {
            key: 'value',
            title: 'Value',
            numeric: true,
            className: 'whitespace-nowrap',
            cell: (finding) => findingText(finding),
          },
          {
            key: 'interval',
            title: '95 %',
            numeric: true,
            className: 'whitespace-nowrap',
            cell: (finding) => intervalText(finding) ?? '–',
          },
          {
            key: 'n',
            title: 'n',
            numeric: true,
            className: 'whitespace-nowrap',
            cell: ({ n, of }) => `${formatNumber(n)} of ${formatNumber(of)}`,
          },
        ]}
      />
    </Panel>
  );
}
