import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatCount, formatNumber } from '@/lib/core/format';
import type { Agreement } from '@/lib/core/robustness/metrics/estimates';
import type { PairedDifference } from '@/lib/core/robustness/report/paired-differences';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import { differenceEnds, differenceText, valueText } from '../finding-text';

interface DifferenceTableProps {
  differences: PairedDifference[];
  first: EvaluationView;
  second: EvaluationView;
  home: string;
}

export function DifferenceTable({ differences, first, second, home }: DifferenceTableProps) {
  const head = ({ id, model }: EvaluationView) => (
    <Link href={`${home}/evaluations/${id}`} className="underline-offset-2 hover:underline">
      {model}
    </Link>
  );
  return (
    <>
      <p className="flex flex-wrap gap-x-4 border-b border-line px-4 py-2 text-xs text-ink-2">
        <span>First: {head(first)}</span>
        <span>Second: {head(second)}</span>
      </p>
      <div className="max-h-[40rem] overflow-auto">
        <SmallTable
          caption="Paired differences"
          rows={differences}
          rowKey={({ id }) => id}
          empty="These evaluations have no common findings. Run them again; stored model outputs are reused."
          columns={[
            {
              key: 'name',
              title: 'Finding',
              cell: ({ id, name }) => (
                <span className={id.startsWith('right ') ? 'text-ink-2' : 'font-medium'}>
                  {id.startsWith('right ') ? `Accuracy, ${name}` : name}
                </span>
              ),
            },
            { key: 'first', title: 'First', numeric: true, cell: (row) => valueText(row.first, row.unit) },
            { key: 'second', title: 'Second', numeric: true, cell: (row) => valueText(row.second, row.unit) },
            {
              key: 'difference',
              title: 'Difference',
              numeric: true,
              className: 'whitespace-nowrap',
              cell: (row) => (
                <span className={cn(verdict(row) && 'font-medium', toneOf(row))}>
                  {differenceText(row.difference, row.unit)}
                </span>
              ),
            },
            {
              key: 'interval',
              title: '95 %',
              numeric: true,
              className: 'whitespace-nowrap',
              cell: (row) => differenceEnds(row) ?? '–',
            },
            { key: 'n', title: 'n', numeric: true, cell: ({ n }) => formatNumber(n) },
            { key: 'verdict', title: 'Verdict', untitled: true, cell: (row) => verdict(row) ?? '' },
          ]}
        />
      </div>
    </>
  );
}

/** Stated only if the interval excludes 0. */
function verdict({ low, high, difference, better }: PairedDifference): 'better' | 'worse' | null {
  if (low === null || high === null || (low <= 0 && high >= 0)) return null;
  return difference > 0 === (better === 'more') ? 'better' : 'worse';
}

const toneOf = (row: PairedDifference) => {
  const said = verdict(row);
  return said && (said === 'better' ? 'text-good' : 'text-bad');
};

interface AgreementTableProps {
  agreement: Agreement;
  first: string;
  second: string;
  /** URL with both evaluation ids. */
  path: string;
}

/** Contingency table of two models. */
export function AgreementTable({ agreement, first, second, path }: AgreementTableProps) {
  const { bothRight, onlyFirst, onlySecond, bothWrong, p } = agreement;
  const cell = (count: number, right: string) => (
    <td className="border-t border-line px-4 py-2 text-right text-base tabular-nums">
      <Link href={`${path}&right=${right}#disagreements`} className="underline-offset-2 hover:underline">
        {formatNumber(count)}
      </Link>
    </td>
  );
  return (
    <Panel title="Agreement" description="Clean images.">
      <div className="flex flex-wrap items-center gap-6">
        <table className="border-separate border-spacing-0 text-sm">
          <caption className="sr-only">Images by which model is right</caption>
          <thead>
            <tr>
              <td />
              <th scope="col" className="px-4 py-1 text-right text-xs font-medium text-ink-3">
                {second} right
              </th>
              <th scope="col" className="px-4 py-1 text-right text-xs font-medium text-ink-3">
                {second} wrong
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th
                scope="row"
                className="border-t border-line py-2 pr-4 text-left text-xs font-medium text-ink-3"
              >
                {first} right
              </th>
              {cell(bothRight, 'both')}
              {cell(onlyFirst, 'first')}
            </tr>
            <tr>
              <th
                scope="row"
                className="border-t border-line py-2 pr-4 text-left text-xs font-medium text-ink-3"
              >
                {first} wrong
              </th>
              {cell(onlySecond, 'second')}
              {cell(bothWrong, 'neither')}
            </tr>
          </tbody>
        </table>
        <p className="max-w-prose text-ink-2">
          {onlyFirst + onlySecond === 0
            ? 'Both models are right on the same images.'
            : `Exactly one model is right on ${formatCount(onlyFirst + onlySecond, 'image')}; on ${formatNumber(onlySecond)} of them it is the second. McNemar’s exact test: ${p < 0.001 ? 'p < 0.001' : `p = ${formatNumber(p, 3)}`}.`}
        </p>
      </div>
    </Panel>
  );
}
