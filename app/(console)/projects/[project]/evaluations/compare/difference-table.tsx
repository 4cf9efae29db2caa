import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import type { PairedDifference } from '@/lib/core/robustness/report/paired-differences';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import { differenceEnds, differenceText, valueText } from '../finding-text';

interface Props {
  differences: PairedDifference[];
  first: EvaluationView;
  second: EvaluationView;
  home: string;
}

export function DifferenceTable({ differences, first, second, home }: Props) {
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
          empty="These evaluations have no number in common: they are older than comparing. Start them again, which asks the models nothing."
          columns={[
            {
              key: 'name',
              title: 'Number',
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

/** Said only where the interval leaves no doubt about the sign. */
function verdict({ low, high, difference, better }: PairedDifference): 'better' | 'worse' | null {
  if (low === null || high === null || (low <= 0 && high >= 0)) return null;
  return difference > 0 === (better === 'more') ? 'better' : 'worse';
}

const toneOf = (row: PairedDifference) => {
  const said = verdict(row);
  return said && (said === 'better' ? 'text-good' : 'text-bad');
};
