import Link from 'next/link';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber, formatPercent } from '@/lib/core/format';
import type { Finding, ReportLine } from '@/lib/core/robustness/report/report';
import { MIN_SLICE_IMAGES } from '@/lib/core/robustness/report/slice-report';
import { type Paradigm, paradigms } from '@/lib/core/robustness/types';
import type { EvaluationMetrics } from '@/lib/services/evaluations/run-evaluation';
import { findingText, intervalText, spanText } from '../finding-text';
import { galleryPath, isInGallery } from './gallery-query';

const titles: Record<Paradigm, string> = {
  subpopulation: 'Slices',
  transformation: 'Transformations',
  'evaluation set': 'Evaluation sets',
  attack: 'Attacks',
};

/** Report lines with n; slices that are significantly below the overall accuracy are marked. */
export function ReportTable({ metrics, path }: { metrics: EvaluationMetrics; path: string }) {
  const overall = metrics.findings.find(({ id }) => id === 'clean-accuracy')?.value ?? null;
  const shown = paradigms.filter((paradigm) => metrics.lines.some((line) => line.paradigm === paradigm));
  return (
    <Panel
      title="Report"
      description={`A slice of at least ${MIN_SLICE_IMAGES} images whose interval lies below the overall accuracy is marked as weak.`}
      flush
    >
      {shown.length === 0 && <p className="p-4 text-ink-3">This suite has no report lines</p>}
      {shown.map((paradigm) => (
        <details key={paradigm} open className="border-b border-line last:border-0">
          <summary className="px-4 py-2 font-medium">{titles[paradigm]}</summary>
          <div className="max-h-[32rem] overflow-auto">
            <Lines
              title={titles[paradigm]}
              lines={metrics.lines.filter((line) => line.paradigm === paradigm)}
              overall={overall}
              path={path}
            />
          </div>
        </details>
      ))}
    </Panel>
  );
}

interface LinesProps {
  title: string;
  lines: ReportLine[];
  overall: number | null;
  path: string;
}

function Lines({ title, lines, overall, path }: LinesProps) {
  // Bars of one group share a scale.
  const signed = new Set(lines.flatMap(({ group, value }) => (value !== null && value < 0 ? [group] : [])));
  return (
    <SmallTable
      caption={title}
      rows={lines}
      rowKey={({ group, name }) => `${group} ${name}`}
      empty={null}
      columns={[
        { key: 'group', title: 'Dimension', cell: ({ group }) => group },
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
        {
          key: 'bar',
          title: 'Bar',
          untitled: true,
          cell: (line) => <Bar {...line} overall={overall} from={signed.has(line.group) ? -1 : 0} />,
        },
        { key: 'value', title: 'Value', numeric: true, cell: ({ value }) => formatNumber(value, 3) },
        {
          key: 'interval',
          title: '95 %',
          numeric: true,
          className: 'whitespace-nowrap',
          cell: ({ low, high }) => (low === null || high === null ? '–' : spanText(low, high, 3)),
        },
        {
          key: 'n',
          title: 'n',
          numeric: true,
          className: 'whitespace-nowrap',
          cell: ({ n, of }) => `${formatNumber(n)} of ${formatNumber(of)}`,
        },
        ...(lines.some(({ classShares }) => classShares)
          ? [
              {
                key: 'classes',
                title: 'Classes',
                cell: ({ classShares }: ReportLine) => classShares && <ClassShares shares={classShares} />,
              },
            ]
          : []),
        {
          key: 'mark',
          title: 'Remark',
          untitled: true,
          cell: (line) =>
            isWeak(line, overall) ? (
              <span className="font-medium text-bad">weak</span>
            ) : line.n < MIN_SLICE_IMAGES ? (
              <span className="text-xs text-ink-3">few images</span>
            ) : (
              ''
            ),
        },
      ]}
    />
  );
}

const isWeak = ({ paradigm, n, high }: ReportLine, overall: number | null): boolean =>
  paradigm === 'subpopulation' &&
  n >= MIN_SLICE_IMAGES &&
  overall !== null &&
  high !== null &&
  high < overall;

const WIDTH = 96;

/** Tolerance for floating-point sums. */
const HAIR = 1e-9;

/** Bar from 0 to 1, or from −1 for groups with negative values, with interval and overall accuracy. */
function Bar({
  value,
  low,
  high,
  paradigm,
  overall,
  from,
}: ReportLine & { overall: number | null; from: 0 | -1 }) {
  if (value === null || Math.abs(value) > 1 + HAIR) return null;
  const at = (share: number) => ((Math.min(1, Math.max(from, share)) - from) / (1 - from)) * WIDTH;
  return (
    <svg aria-hidden width={WIDTH} height={12} viewBox={`0 0 ${WIDTH} 12`} className="block">
      <rect width={WIDTH} height={12} fill="var(--color-sunken)" />
      <rect
        x={Math.min(at(0), at(value))}
        y={2}
        width={Math.abs(at(value) - at(0))}
        height={8}
        fill="var(--color-series-1)"
        fillOpacity={0.7}
      />
      {low !== null && high !== null && (
        <line x1={at(low)} x2={at(high)} y1={6} y2={6} stroke="var(--color-ink)" />
      )}
      {paradigm === 'subpopulation' && overall !== null && (
        <line x1={at(overall)} x2={at(overall)} y1={0} y2={12} stroke="var(--color-ink-3)" />
      )}
    </svg>
  );
}

const CELL = 6;

/** Class distribution of a slice; darker cells have more images. */
function ClassShares({ shares }: { shares: number[] }) {
  const most = Math.max(...shares);
  return (
    <svg
      role="img"
      aria-label={`Class distribution: ${shares.map((share) => formatPercent(share, 0)).join(', ')}`}
      width={CELL * shares.length}
      height={12}
      className="block max-w-48"
    >
      {shares.map((share, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a class is identified by its position.
          key={at}
          x={at * CELL}
          width={CELL - 1}
          height={12}
          fill={share > 0 ? 'var(--color-series-1)' : 'var(--color-sunken)'}
          fillOpacity={share > 0 ? 0.15 + 0.85 * (share / most) : 1}
        />
      ))}
    </svg>
  );
}

/** All findings with explanations. */
export function FindingsTable({ findings }: { findings: Finding[] }) {
  return (
    <Panel title="Findings" description="Intervals are 95 %; n counts images." flush>
      <SmallTable
        caption="Findings"
        rows={findings}
        rowKey={({ id }) => id}
        empty="No findings"
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
