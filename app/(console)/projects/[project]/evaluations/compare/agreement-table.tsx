import Link from 'next/link';
import { Panel } from '@/app/_ui/panel';
import { formatCount, formatNumber } from '@/lib/core/format';
import type { Agreement } from '@/lib/core/robustness/metrics/estimate';

interface Props {
  agreement: Agreement;
  first: string;
  second: string;
  /** With the names of both in it. */
  path: string;
}

/** On which images one model alone is right: what a difference of accuracies is made of. */
export function AgreementTable({ agreement, first, second, path }: Props) {
  const { bothRight, onlyFirst, onlySecond, bothWrong, p } = agreement;
  const cell = (count: number, right: string) => (
    <td className="border-t border-line px-4 py-2 text-right text-base tabular-nums">
      <Link href={`${path}&right=${right}#disagreements`} className="underline-offset-2 hover:underline">
        {formatNumber(count)}
      </Link>
    </td>
  );
  return (
    <Panel title="Who is right where" description="On the pictures as they are.">
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
            ? 'Both are right on the same images.'
            : `Of the ${formatCount(onlyFirst + onlySecond, 'image')} that one model alone gets right, ${formatNumber(onlySecond)} ${onlySecond === 1 ? 'is' : 'are'} the second’s. Were both equally good, a split at least as uneven would come by chance with p = ${p < 0.001 ? 'less than 0.001' : formatNumber(p, 3)} (McNemar’s exact test).`}
        </p>
      </div>
    </Panel>
  );
}
